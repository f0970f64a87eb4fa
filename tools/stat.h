/* stat.h - the output formats of `ltt stat`. */
#ifndef STAT_H
#define STAT_H

#include <ltt/ltt-stat.h>

/* Options of the output, and data that LttStatSummary does not have. */
typedef struct StatView {
	const LttTrace *trace;
	gboolean has_threads; /* the trace has the process and thread of events */
	guint64 interval_ns;  /* 0: no windows */
	guint n_top;       /* text: rows of each table; a further row has the sum of the others */
	gboolean has_span; /* start_ns and end_ns, of all events; FALSE: the trace is empty */
	guint64 start_ns;
	guint64 end_ns;
} StatView;

void stat_print_json(const LttStatSummary *stat, const StatView *view);
void stat_print_text(const LttStatSummary *stat, const StatView *view);

#endif
