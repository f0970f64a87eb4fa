/* escape.c - escape strings.
 *
 * Runs of plain bytes are copied at once. A byte is plain if it needs no escape; a lookup table
 * contains the contexts. Nearly all bytes are plain in all contexts, for which ltt_copy_plain()
 * tests several at a time. All others, including the bytes of multi-byte characters, are handled
 * one character at a time.
 */
#include "base/escape-priv.h"
#include "base/utf8-priv.h"

/* Maximum bytes that one character becomes: "\u001f". */
#define MAX_ESCAPED 6

/* Each byte has a bit for each LttEscape that leaves it plain. */
#define JSON  (1 << LTT_ESCAPE_JSON)
#define TEXT  (1 << LTT_ESCAPE_TEXT)
#define LABEL (1 << LTT_ESCAPE_LABEL)
#define NONE  (1 << LTT_ESCAPE_NONE)

#define ALL (JSON | TEXT | LABEL | NONE)

static const guint8 plain[256] = {
	[0x00 ... 0x1f] = NONE, [0x20 ... 0x21] = ALL, ['"'] = LABEL | NONE, [0x23 ... 0x5b] = ALL,
	['\\'] = LABEL | NONE,  [0x5d ... 0x7e] = ALL, [0x7f] = JSON | NONE,
};

/* @code: up to U+FFFF */
static gsize put_unicode_escape(guint code, char *out)
{
	static const char hex[] = "0123456789abcdef";

	memcpy(out, "\\u", 2);
	for (guint i = 0; i < 4; i++)
		out[2 + i] = hex[code >> (12 - 4 * i) & 15];
	return 6;
}

static gsize put_ascii(guint8 byte, char *out)
{
	static const char letters[] = "\b\t\n\f\r\"\\";
	static const char escapes[] = "btnfr\"\\";
	const char *found = byte != 0 ? strchr(letters, byte) : NULL;

	if (found == NULL)
		return put_unicode_escape(byte, out);
	out[0] = '\\';
	out[1] = escapes[found - letters];
	return 2;
}

/* Writes one character that is not plain. @n_out: (out): bytes written.
 * Returns: the number of bytes read */
static gsize put_special(const guint8 *at, gsize available, LttEscape how, char *out, gsize *n_out)
{
	const gboolean is_shown = how == LTT_ESCAPE_TEXT || how == LTT_ESCAPE_LABEL;
	gboolean is_valid;
	gsize length;
	guint control;

	if (*at < 0x80) {
		*n_out = put_ascii(*at, out);
		return 1;
	}
	length = ltt_utf8_measure(at, available, &is_valid);
	if (!is_valid) {
		memcpy(out, LTT_REPLACEMENT, LTT_REPLACEMENT_BYTES);
		*n_out = LTT_REPLACEMENT_BYTES;
	} else if (is_shown && (control = ltt_utf8_get_control(at, length)) != 0) {
		*n_out = put_unicode_escape(control, out);
	} else {
		memcpy(out, at, length);
		*n_out = length;
	}
	return length;
}

/* Copies bytes up to the first one that is not plain. May overwrite all of @out, which has room for
 * @available bytes. Returns: the number of plain bytes */
static gsize copy_plain(char *out, const guint8 *at, gsize available, LttEscape how)
{
	const guint8 wanted = (guint8)(1 << how);
	gsize length = 0;
	guint n = LTT_PLAIN_STEP;

	for (; n == LTT_PLAIN_STEP && available - length >= LTT_PLAIN_STEP; length += n)
		n = ltt_copy_plain(out + length, at + length);
	/* The last bytes overlap those that are copied. */
	if (n == LTT_PLAIN_STEP && available >= LTT_PLAIN_STEP &&
	    ltt_copy_plain(out + available - LTT_PLAIN_STEP, at + available - LTT_PLAIN_STEP) ==
		    LTT_PLAIN_STEP)
		return available;
	for (; length < available && plain[at[length]] & wanted; length++)
		out[length] = (char)at[length];
	return length;
}

void ltt_sink_add_escaped(LttSink *sink, const char *bytes, gsize length, LttEscape how)
{
	const guint8 *at = (const guint8 *)bytes;
	const guint8 *end = at + length;

	while (at < end) {
		const gsize piece = MIN((gsize)(end - at), LTT_SINK_MAX_ROOM);
		char *out = ltt_sink_room(sink, piece);
		const gsize run = copy_plain(out, at, piece, how);
		gsize n_out;

		ltt_sink_stop(sink, out + run);
		at += run;
		if (run == piece)
			continue;
		at += put_special(at, (gsize)(end - at), how, ltt_sink_room(sink, MAX_ESCAPED),
				  &n_out);
		ltt_sink_stop(sink, sink->at + n_out);
	}
}

static gsize plain_run(const guint8 *at, gsize available, LttEscape how)
{
	const guint8 wanted = (guint8)(1 << how);
	gsize length = 0;

	while (length < available && plain[at[length]] & wanted)
		length++;
	return length;
}

void ltt_string_add_escaped(GString *string, const char *bytes, gsize length, LttEscape how)
{
	const guint8 *at = (const guint8 *)bytes;
	const guint8 *end = at + length;

	for (;;) {
		gsize run = plain_run(at, (gsize)(end - at), how);
		char out[MAX_ESCAPED];
		gsize n_out;

		g_string_append_len(string, (const char *)at, (gssize)run);
		at += run;
		if (at == end)
			return;
		at += put_special(at, (gsize)(end - at), how, out, &n_out);
		g_string_append_len(string, out, (gssize)n_out);
	}
}
