/* scan-priv.h - the scanner of the prepass: it reads one XML text and writes another. */
#ifndef LTT_SCAN_PRIV_H
#define LTT_SCAN_PRIV_H

#ifndef LTT_BUILDING
#error "scan-priv.h is private to libltt; use <ltt/ltt-eventdefs.h>"
#endif

#include "xml/remarks-priv.h"

/* A name in the output. An offset, because the output buffer moves when it grows. */
typedef struct LttName {
	gsize offset;
	gsize length;
	guint place; /* of an open element: its index in places */
} LttName;

typedef struct LttScan {
	const char *at; /* next character; the text is NUL-terminated */
	guint line;     /* of at */
	GString *out;
	GArray *places;     /* of LttPlace (prepass-priv.h) */
	GArray *open;       /* of LttName: open elements, outermost first */
	GArray *attributes; /* of LttName: those of the current tag */
	guint n_parts;      /* elements and attributes so far */
	LttRemarks *remarks;
} LttScan;

/* A name as the two arguments of printf's "%.*s". */
#define LTT_NAME(scan, name) (int)(name)->length, (scan)->out->str + (name)->offset

guint ltt_scan_count_lines(const char *from, const char *to);

/* Advance to @to, which must not be past the end. The first copies the text in between, the second
 * only its line ends; the third is like the first but rejects unknown entities. */
void ltt_scan_copy_to(LttScan *scan, const char *to);
void ltt_scan_skip_to(LttScan *scan, const char *to);
gboolean ltt_scan_copy_checked(LttScan *scan, const char *to);

void ltt_scan_append_lines(LttScan *scan, guint n_lines);

gboolean ltt_scan_is_name_start(char byte);

/* Writes the name at the current position, in lower case, and advances past it. */
gboolean ltt_scan_take_name(LttScan *scan, LttName *name);

gboolean ltt_scan_names_equal(const LttScan *scan, const LttName *a, const LttName *b);

#endif
