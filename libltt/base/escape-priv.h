/* escape-priv.h - strings from a trace made fit to print.
 *
 * What is not UTF-8 becomes U+FFFD (utf8-priv.h). A quote, a backslash and control bytes are
 * escaped as in JSON; for people to look at, also DEL and the C1 controls, which terminals obey.
 * Commas and quotes of CSV are another matter: exchange/csv-field-priv.h.
 */
#ifndef LTT_ESCAPE_PRIV_H
#define LTT_ESCAPE_PRIV_H

#ifndef LTT_BUILDING
#error "escape-priv.h is private to libltt"
#endif

#include "base/sink-priv.h"

typedef enum LttEscape {
	LTT_ESCAPE_JSON,  /* inside the quotes of a JSON string */
	LTT_ESCAPE_TEXT,  /* the same, and DEL and C1 */
	LTT_ESCAPE_LABEL, /* control characters only: a word without quotes around it */
	LTT_ESCAPE_NONE,  /* only what is not UTF-8 */
} LttEscape;

void ltt_sink_add_escaped(LttSink *sink, const char *bytes, gsize length, LttEscape how);
void ltt_string_add_escaped(GString *string, const char *bytes, gsize length, LttEscape how);

#endif
