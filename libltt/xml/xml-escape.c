/* xml-escape.c - escape text for XML. */
#include "xml/xml-escape-priv.h"

#define REPLACEMENT "\xef\xbf\xbd"

/* In an attribute, quotes and white space are escaped too: a parser would convert white space to
 * blanks. Returns: (nullable): the escape or replacement of @c; NULL: none is needed */
static const char *escape(gunichar c, gboolean is_attribute)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return is_attribute ? "&quot;" : NULL;
	case '\r':
		return "&#13;";
	case '\n':
		return is_attribute ? "&#10;" : NULL;
	case '\t':
		return is_attribute ? "&#9;" : NULL;
	default:
		return c < 0x20 || c == 0xfffe || c == 0xffff ? REPLACEMENT : NULL;
	}
}

static void append_escaped(GString *out, const char *text, gboolean is_attribute)
{
	g_autofree char *valid = g_utf8_make_valid(text, -1);
	const char *begin = valid; /* of the text not appended yet */

	for (const char *at = valid; *at != '\0'; at = g_utf8_next_char(at)) {
		const char *escaped = escape(g_utf8_get_char(at), is_attribute);

		if (escaped == NULL)
			continue;
		g_string_append_len(out, begin, at - begin);
		g_string_append(out, escaped);
		begin = g_utf8_next_char(at);
	}
	g_string_append(out, begin);
}

void ltt_xml_append_text(GString *out, const char *text)
{
	append_escaped(out, text, FALSE);
}

void ltt_xml_append_attribute(GString *out, const char *name, const char *value)
{
	g_string_append_c(out, ' ');
	g_string_append(out, name);
	g_string_append(out, "=\"");
	append_escaped(out, value, TRUE);
	g_string_append_c(out, '"');
}
