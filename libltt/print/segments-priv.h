/* segments-priv.h - the values of an event as text shows them, in the order that its description
 * wishes (doc/format.md, 8.7).
 *
 *	prev_comm=make prev_pid=167 prev_state=S ==> ...   callchain=[0xffffffff970df696 ...]
 *	first: by its ltt:print, or the fields to be first  then the usual ones; hidden ones are not
 *
 * A segment is a template, or the print expression, of all or of one field.
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

/* How the values are chosen. */
typedef struct LttSegmentsView {
	gboolean is_brief; /* as LttPrintView has them */
	gboolean uses_print;
	gboolean is_short;
	guint long_bytes; /* of a long of C, where the trace comes from */
	LttChoice choice; /* which members were asked for; its function NULL: no choice was made */
} LttSegmentsView;

/* Returns: (transfer full): for events like @event; free it with ltt_segments_free() */
LttSegments *ltt_segments_new(const LttEvent *event, const LttSegmentsView *view);
void ltt_segments_free(LttSegments *segments); /* NULL is allowed and ignored */

/* Returns: (transfer full) (nullable): the template, if there is nothing else; @segments is then
 * empty */
LttTemplate *ltt_segments_take_only_template(LttSegments *segments);

gboolean ltt_segments_is_empty(const LttSegments *segments);

void ltt_segments_fill(const LttSegments *segments, LttSink *sink, const LttEvent *event);

#endif
