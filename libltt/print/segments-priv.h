/* segments-priv.h - print the values of an event as text, as its description defines (doc/format.md,
 * 8.7).
 *
 *	prev_comm=sh prev_pid=167 prev_state=S ==> ...     callchain=[0xffffffff970df696 ...]
 *	print expression, or the fields marked as first    usual fields; hidden ones are omitted
 *
 * A segment is a template, the print expression, or one field as the expression prints it.
 */
#ifndef LTT_PRINT_SEGMENTS_PRIV_H
#define LTT_PRINT_SEGMENTS_PRIV_H

#ifndef LTT_BUILDING
#error "print/segments-priv.h is private to libltt"
#endif

#include "print/expr-priv.h"
#include "print/template-priv.h"

#include <ltt/ltt-event.h>
#include <ltt/ltt-print.h>

typedef struct LttSegments LttSegments;

/* Which values are printed, and how. */
typedef struct LttSegmentsView {
	gboolean is_brief; /* these three as in LttPrintView */
	gboolean uses_print;
	gboolean is_short;
	guint long_bytes;             /* size of a C long on the traced machine */
	const char *machine;          /* (nullable): the kind of that machine */
	LttChoice choice;             /* the members to print; without a function: all */
	LttPrintAddresses *addresses; /* (nullable): what names addresses in code; must outlive the
				       * segments */
} LttSegmentsView;

/* Returns: (transfer full): for events like @event; free it with ltt_segments_free() */
LttSegments *ltt_segments_new(const LttEvent *event, const LttSegmentsView *view);
void ltt_segments_free(LttSegments *segments); /* NULL is allowed and ignored */

/* Returns: (transfer full) (nullable): the template, if it is the only segment, which is removed;
 * else NULL */
LttTemplate *ltt_segments_take_only_template(LttSegments *segments);

gboolean ltt_segments_is_empty(const LttSegments *segments);

void ltt_segments_fill(const LttSegments *segments, LttSink *sink, const LttEvent *event);

#endif
