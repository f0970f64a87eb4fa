/* utf8-priv.h - find invalid UTF-8 in text, for replacement.
 *
 * Ill-formed bytes are replaced as the Unicode standard recommends (3.9, table 3-7 and "maximal
 * subparts"): the longest prefix of a well-formed character, or else a single byte, becomes one
 * U+FFFD.
 */
#ifndef LTT_UTF8_PRIV_H
#define LTT_UTF8_PRIV_H

#ifndef LTT_BUILDING
#error "utf8-priv.h is private to libltt"
#endif

#include <glib.h>

#define LTT_REPLACEMENT       "\357\277\275" /* U+FFFD */
#define LTT_REPLACEMENT_BYTES 3

/**
 * ltt_utf8_measure:
 * @bytes: the first of @available bytes; at least one
 * @is_valid: (out): whether @bytes begins with a well-formed character
 *
 * Returns: the length of that character, or of the maximal subpart to replace: 1 to 4
 */
gsize ltt_utf8_measure(const guint8 *bytes, gsize available, gboolean *is_valid);

/**
 * ltt_utf8_get_control:
 * @bytes: a well-formed character of @length bytes
 *
 * Finds the characters above U+007F that change what a terminal shows of the text around them: the C1
 * controls, and the format characters that reorder a line, break it or are a byte order mark. Joiners,
 * which emoji and some scripts need, are not among them.
 *
 * Returns: its code, up to U+FFFF; 0: it is another character
 */
guint ltt_utf8_get_control(const guint8 *bytes, gsize length);

#endif
