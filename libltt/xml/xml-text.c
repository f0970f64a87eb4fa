/* xml-text.c - convert the bytes of an XML file to UTF-8 text.
 *
 * Old files do not declare their encoding reliably. A file that is valid UTF-8 is taken as UTF-8,
 * any other as ISO-8859-1, in which every byte is a character. In the result all lines end in LF,
 * as XML requires, and there is no NUL, so that later steps work on a C string.
 */
#include "xml/prepass-priv.h"

#include <string.h>

static const char byte_order_mark[] = "\xef\xbb\xbf";

/* Returns: whether @at is U+FFFE or U+FFFF, the only valid UTF-8 from 0x20 on that XML forbids */
static gboolean is_noncharacter(const guchar *at, gsize available)
{
	return available >= 3 && at[0] == 0xef && at[1] == 0xbf && at[2] >= 0xbe;
}

char *ltt_xml_decode(const char *bytes, gsize length, LttRemarks *remarks)
{
	const gboolean is_utf8 = g_utf8_validate_len(bytes, length, NULL);
	g_autofree char *text = g_malloc(is_utf8 ? length + 1 : 2 * length + 1);
	const guchar *at = (const guchar *)bytes;
	const guchar *end = at + length;
	char *out = text;
	guint line = 1;

	if (is_utf8 && length >= 3 && memcmp(bytes, byte_order_mark, 3) == 0)
		at += 3;
	for (; at < end; at++) {
		if (*at == '\r' && end - at > 1 && at[1] == '\n')
			continue;
		if (*at == '\r' || *at == '\n') {
			*out++ = '\n';
			line++;
		} else if (*at < 0x20 && *at != '\t') {
			ltt_remarks_error(remarks, line, "byte 0x%02x: expected text", *at);
			return NULL;
		} else if (*at < 0x80 || is_utf8) {
			if (is_noncharacter(at, (gsize)(end - at))) {
				ltt_remarks_error(remarks, line,
						  "character U+FFFE or U+FFFF: expected text");
				return NULL;
			}
			*out++ = (char)*at;
		} else {
			*out++ = (char)(0xc0 | *at >> 6);
			*out++ = (char)(0x80 | (*at & 0x3f));
		}
	}
	*out = '\0';
	return g_steal_pointer(&text);
}
