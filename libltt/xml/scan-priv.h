/* scan-priv.h - a walk over a text of XML that writes another one. */
#ifndef LTT_SCAN_PRIV_H
#define LTT_SCAN_PRIV_H

#ifndef LTT_BUILDING
#error "scan-priv.h is private to libltt; use <ltt/ltt-eventdefs.h>"
#endif

#include "xml/remarks-priv.h"

/* A name as it was written out. Not a pointer: the output moves while it grows. */
typedef struct LttName {
	gsize offset;
	gsize length;
	guint place; /* of an open element: which one */
} LttName;

typedef struct LttScan {
	const char *at; /* what comes next; the text ends with a NUL */
	guint line;     /* of at */
	GString *out;
	GArray *places;     /* of LttPlace (prepass-priv.h) */
	GArray *open;       /* of LttName: elements, outermost first */
	GArray *attributes; /* of LttName: those of the tag under way */
	guint n_parts;      /* elements and attributes so far */
	LttRemarks *remarks;
} LttScan;

/* A name as the two arguments of printf's "%.*s". */
#define LTT_NAME(scan, name) (int)(name)->length, (scan)->out->str + (name)->offset

guint ltt_scan_count_lines(const char *from, const char *to);

/* Go on to @to, which is not behind the end: the first writes what lies between, the second only
 * its line ends, the third as the first but refuses unknown entities. */
void ltt_scan_copy_to(LttScan *scan, const char *to);
void ltt_scan_skip_to(LttScan *scan, const char *to);
gboolean ltt_scan_copy_checked(LttScan *scan, const char *to);

void ltt_scan_append_lines(LttScan *scan, guint n_lines);

gboolean ltt_scan_is_name_start(char byte);

/* Writes the name that comes next, in lower case. */
gboolean ltt_scan_take_name(LttScan *scan, LttName *name);

gboolean ltt_scan_names_equal(const LttScan *scan, const LttName *a, const LttName *b);

#endif
