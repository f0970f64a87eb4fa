/* xml-escape-priv.h - any text as text of XML. */
#ifndef LTT_XML_ESCAPE_PRIV_H
#define LTT_XML_ESCAPE_PRIV_H

#ifndef LTT_BUILDING
#error "xml-escape-priv.h is private to libltt"
#endif

#include <glib.h>

/* Appends @text so that a parser gives it back. What is not UTF-8 or no character of XML becomes
 * U+FFFD. */
void ltt_xml_append_text(GString *out, const char *text);

/* Appends ` name="value"`. */
void ltt_xml_append_attribute(GString *out, const char *name, const char *value);

#endif
