/* prepass-priv.h - from the XML that was really written to XML that a parser takes. */
#ifndef LTT_PREPASS_PRIV_H
#define LTT_PREPASS_PRIV_H

#ifndef LTT_BUILDING
#error "prepass-priv.h is private to libltt; use <ltt/ltt-eventdefs.h>"
#endif

#include "xml/remarks-priv.h"

/* Where an element stands, in lines from 1. */
typedef struct LttPlace {
	guint start; /* the "<" of its start tag */
	guint inner; /* the ">" of its start tag */
	guint end;   /* the ">" of its end tag */
} LttPlace;

/* A text of well-formed XML with one element around all that was in the file. */
typedef struct LttStrictXml {
	GString *text;
	GArray *places; /* of LttPlace: the elements in the order of their start tags */
} LttStrictXml;

/* Returns: (transfer full) (nullable): @bytes as UTF-8 with LF at line ends and without bytes
 * that are no text, which are an error */
char *ltt_xml_decode(const char *bytes, gsize length, LttRemarks *remarks);

/**
 * ltt_xml_prepass:
 * @text: from ltt_xml_decode()
 * @out: (out): set on success; free it with ltt_strict_xml_clear()
 *
 * Quotes the values of attributes, puts the names of elements and attributes in lower case, leaves
 * out comments, processing instructions and attributes of other namespaces, and puts an element
 * around it all. Every line stays where it was.
 *
 * Returns: FALSE, with an error in @remarks, if the text is not XML even so
 */
gboolean ltt_xml_prepass(const char *text, LttStrictXml *out, LttRemarks *remarks);

void ltt_strict_xml_clear(LttStrictXml *strict);

#endif
