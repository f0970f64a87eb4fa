/* open-spans-priv.h - the spans that are open between two events: copies of the events that began them. */
#ifndef LTT_ANALYSIS_OPEN_SPANS_PRIV_H
#define LTT_ANALYSIS_OPEN_SPANS_PRIV_H

#ifndef LTT_BUILDING
#error "analysis/open-spans-priv.h is private to libltt; use <ltt/ltt-span.h>"
#endif

#include <ltt/ltt-span.h>

/* The begin of an open span. */
typedef struct LttSpanBegin {
	guint64 id;
	LttEvent event;
	guint8 *payload; /* owned; LTT_BLOCK_SLACK_BYTES longer than that of the event */
} LttSpanBegin;

struct LttOpenSpans {
	GArray *begins; /* of LttSpanBegin, by id */
	guint64 last_id;
};

/* Returns: (transfer full): no open spans */
LttOpenSpans *ltt_open_spans_make(guint64 last_id);

#endif
