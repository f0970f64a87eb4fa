/* xml-escape.c - escape text for XML. */
#include "xml/xml-escape-priv.h"

#define REPLACEMENT "\xef\xbf\xbd"

/* @is_attribute: also escape quotes, and white space, which a parser would turn into blanks */
static void append_escaped(GString *out, const char *text, gboolean is_attribute)
{
	g_autofree char *valid = g_utf8_make_valid(text, -1);

	for (const char *at = valid; *at != '\0'; at = g_utf8_next_char(at)) {
		const gunichar c = g_utf8_get_char(at);

		if (c == '&')
			g_string_append(out, "&amp;");
		else if (c == '<')
			g_string_append(out, "&lt;");
		else if (c == '>')
			g_string_append(out, "&gt;");
		else if (c == '"' && is_attribute)
			g_string_append(out, "&quot;");
		else if (c == '\r' || ((c == '\n' || c == '\t') && is_attribute))
			g_string_append_printf(out, "&#%u;", c);
		else if ((c < 0x20 && c != '\n' && c != '\t') || c == 0xfffe || c == 0xffff)
			g_string_append(out, REPLACEMENT);
		else
			g_string_append_len(out, at, g_utf8_next_char(at) - at);
	}
}

void ltt_xml_append_text(GString *out, const char *text)
{
	append_escaped(out, text, FALSE);
}

void ltt_xml_append_attribute(GString *out, const char *name, const char *value)
{
	g_string_append_printf(out, " %s=\"", name);
	append_escaped(out, value, TRUE);
	g_string_append_c(out, '"');
}
