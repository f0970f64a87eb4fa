/* serial-priv.h - numbers and texts one after the other, and read again from bytes that may be damaged.
 *
 * Numbers have the byte order of the machine, and are not aligned. A text has its length before it.
 * After a number or text that is not there, all further ones are 0 and empty, and `is_bad` is set: the
 * reader checks it once, at the end.
 */
#ifndef LTT_BASE_SERIAL_PRIV_H
#define LTT_BASE_SERIAL_PRIV_H

#ifndef LTT_BUILDING
#error "base/serial-priv.h is private to libltt"
#endif

#include <glib.h>
#include <string.h>

/* ---- writing ---- */

static inline void ltt_serial_put_bytes(GByteArray *out, gconstpointer bytes, gsize length)
{
	if (length > 0)
		g_byte_array_append(out, bytes, (guint)length);
}

static inline void ltt_serial_put_u32(GByteArray *out, guint32 number)
{
	ltt_serial_put_bytes(out, &number, sizeof(number));
}

static inline void ltt_serial_put_u64(GByteArray *out, guint64 number)
{
	ltt_serial_put_bytes(out, &number, sizeof(number));
}

/* @text: (nullable): NULL is packed, too */
static inline void ltt_serial_put_text(GByteArray *out, const char *text)
{
	const gsize length = text != NULL ? strlen(text) : 0;

	ltt_serial_put_u32(out, text != NULL ? (guint32)length : G_MAXUINT32);
	ltt_serial_put_bytes(out, text, length);
}

/* ---- reading ---- */

typedef struct LttSerial {
	const guint8 *at;
	gsize rest;
	gboolean is_bad;
} LttSerial;

/* Returns: (nullable): the next @length bytes; NULL: there are fewer */
static inline const guint8 *ltt_serial_take_bytes(LttSerial *in, gsize length)
{
	const guint8 *bytes = in->at;

	if (in->is_bad || length > in->rest) {
		in->is_bad = TRUE;
		return NULL;
	}
	in->at += length;
	in->rest -= length;
	return bytes;
}

static inline guint32 ltt_serial_take_u32(LttSerial *in)
{
	const guint8 *bytes = ltt_serial_take_bytes(in, sizeof(guint32));
	guint32 number = 0;

	if (bytes != NULL)
		memcpy(&number, bytes, sizeof(number));
	return number;
}

static inline guint64 ltt_serial_take_u64(LttSerial *in)
{
	const guint8 *bytes = ltt_serial_take_bytes(in, sizeof(guint64));
	guint64 number = 0;

	if (bytes != NULL)
		memcpy(&number, bytes, sizeof(number));
	return number;
}

/* Returns: a number below @end; 0, and the rest is bad, for another */
static inline guint32 ltt_serial_take_below(LttSerial *in, guint64 end)
{
	const guint32 number = ltt_serial_take_u32(in);

	if (number < end)
		return number;
	in->is_bad = TRUE;
	return 0;
}

/* Returns: the number of items that follow, of at least @item_bytes each; 0, and the rest is bad, if so
 *   many do not fit */
static inline guint32 ltt_serial_take_n(LttSerial *in, gsize item_bytes)
{
	return ltt_serial_take_below(in, in->rest / item_bytes + 1);
}

/* Returns: (transfer full) (nullable): a text; NULL if that was packed */
static inline char *ltt_serial_take_text(LttSerial *in)
{
	const guint32 length = ltt_serial_take_u32(in);
	const guint8 *bytes;

	if (length == G_MAXUINT32)
		return NULL;
	bytes = ltt_serial_take_bytes(in, length);
	if (bytes == NULL || (length > 0 && memchr(bytes, '\0', length) != NULL)) {
		in->is_bad = TRUE;
		return NULL;
	}
	return g_strndup((const char *)bytes, length);
}

/* Marks the rest as bad unless @holds. */
static inline void ltt_serial_expect(LttSerial *in, gboolean holds)
{
	if (!holds)
		in->is_bad = TRUE;
}

#endif
