/* escape-priv.h - escape strings from a trace for output.
 *
 * Invalid UTF-8 becomes U+FFFD (utf8-priv.h). A quote, a backslash and control characters are
 * escaped as in JSON; in text for terminals also DEL, the C1 controls and characters that reorder or
 * break a line, which terminals interpret (ltt_utf8_get_control()). print/csv-field-priv.h quotes fields of CSV.
 */
#ifndef LTT_ESCAPE_PRIV_H
#define LTT_ESCAPE_PRIV_H

#ifndef LTT_BUILDING
#error "escape-priv.h is private to libltt"
#endif

#include "base/sink-priv.h"

typedef enum LttEscape {
	LTT_ESCAPE_JSON,  /* inside the quotes of a JSON string */
	LTT_ESCAPE_TEXT,  /* the same, and what terminals interpret */
	LTT_ESCAPE_LABEL, /* control characters only: a word without quotes */
	LTT_ESCAPE_NONE,  /* only replace invalid UTF-8 */
} LttEscape;

/* Bytes that ltt_copy_plain() reads and writes at a time. */
#define LTT_PLAIN_STEP 32

#define LTT_PLAIN_VECTOR 16
typedef guint8 LttPlainVector __attribute__((vector_size(LTT_PLAIN_VECTOR)));

/* Copies LTT_PLAIN_VECTOR bytes. Returns: a mask of those that are not plain, a bit for each */
static inline guint ltt_copy_plain_vector(char *out, const guint8 *at)
{
	typedef char Chars __attribute__((vector_size(LTT_PLAIN_VECTOR)));
	LttPlainVector bytes;
	LttPlainVector special;

	memcpy(&bytes, at, sizeof(bytes));
	memcpy(out, &bytes, sizeof(bytes));
	/* Bytes below 0x20 wrap around: one comparison finds them and those from 0x7f on. */
	special = (LttPlainVector)((bytes - 0x20 >= 0x5f) | (bytes == '"') | (bytes == '\\'));
#ifdef __SSE2__
	return (guint)__builtin_ia32_pmovmskb128((Chars)special);
#else
	{
		const Chars bits = (Chars)special;
		guint mask = 0;

		for (guint i = 0; i < LTT_PLAIN_VECTOR; i++)
			mask |= (guint)(bits[i] & 1) << i;
		return mask;
	}
#endif
}

/* Copies LTT_PLAIN_STEP bytes. A byte is plain in all contexts if it is printable ASCII other than
 * quote and backslash. Most strings need one step only, which keeps the latency low: the next write
 * depends on the length of the string.
 *
 * Returns: the number of bytes before the first that is not plain in all contexts */
static inline guint ltt_copy_plain(char *out, const guint8 *at)
{
	const guint low = ltt_copy_plain_vector(out, at);
	const guint high = ltt_copy_plain_vector(out + LTT_PLAIN_VECTOR, at + LTT_PLAIN_VECTOR);

	return (guint)__builtin_ctzll(low | (guint64)high << LTT_PLAIN_VECTOR |
				      (guint64)1 << LTT_PLAIN_STEP);
}

void ltt_sink_add_escaped(LttSink *sink, const char *bytes, gsize length, LttEscape how);
void ltt_string_add_escaped(GString *string, const char *bytes, gsize length, LttEscape how);

#endif
