/* prepass-priv.h - convert the XML of real files into well-formed XML. */
#ifndef LTT_PREPASS_PRIV_H
#define LTT_PREPASS_PRIV_H

#ifndef LTT_BUILDING
#error "prepass-priv.h is private to libltt; use <ltt/ltt-eventdefs.h>"
#endif

#include "xml/remarks-priv.h"

/* The lines of an element, from 1. */
typedef struct LttPlace {
	guint start; /* the "<" of its start tag */
	guint inner; /* the ">" of its start tag */
	guint end;   /* the ">" of its end tag */
} LttPlace;

/* Well-formed XML, with one root element that contains the whole file. */
typedef struct LttStrictXml {
	GString *text;
	GArray *places; /* of LttPlace: the elements in the order of their start tags */
} LttStrictXml;

/* Returns: (transfer full) (nullable): @bytes as UTF-8 with LF at line ends; NULL with an error in
 *   @remarks if there are bytes that are not text */
char *ltt_xml_decode(const char *bytes, gsize length, LttRemarks *remarks);

/**
 * ltt_xml_prepass:
 * @text: from ltt_xml_decode()
 * @out: (out): set on success; free it with ltt_strict_xml_clear()
 *
 * Quotes the values of attributes; converts the names of elements and attributes to lower case;
 * removes comments, processing instructions and attributes of other namespaces; adds a root
 * element. Line numbers do not change.
 *
 * Returns: FALSE, with an error in @remarks, if the result is still not well-formed
 */
gboolean ltt_xml_prepass(const char *text, LttStrictXml *out, LttRemarks *remarks);

void ltt_strict_xml_clear(LttStrictXml *strict);

#endif
