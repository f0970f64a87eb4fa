/* xml-escape-priv.h - escape text for XML. */
#ifndef LTT_XML_ESCAPE_PRIV_H
#define LTT_XML_ESCAPE_PRIV_H

#ifndef LTT_BUILDING
#error "xml-escape-priv.h is private to libltt"
#endif

#include <glib.h>

/* Appends @text, escaped so that a parser returns the same text. Invalid UTF-8, and characters that
 * XML does not allow, become U+FFFD. */
void ltt_xml_append_text(GString *out, const char *text);

/* Appends ` name="value"`. */
void ltt_xml_append_attribute(GString *out, const char *name, const char *value);

#endif
