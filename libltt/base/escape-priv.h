/* escape-priv.h - escape strings from a trace for output.
 *
 * Invalid UTF-8 becomes U+FFFD (utf8-priv.h). A quote, a backslash and control characters are
 * escaped as in JSON; in text for terminals also DEL and the C1 controls, which terminals
 * interpret. print/csv-field-priv.h quotes fields of CSV.
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
	LTT_ESCAPE_LABEL, /* control characters only: a word without quotes */
	LTT_ESCAPE_NONE,  /* only replace invalid UTF-8 */
} LttEscape;

void ltt_sink_add_escaped(LttSink *sink, const char *bytes, gsize length, LttEscape how);
void ltt_string_add_escaped(GString *string, const char *bytes, gsize length, LttEscape how);

#endif
