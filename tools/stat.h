/* stat.h - the two ways in which `ltt stat` shows what it has counted. */
#ifndef STAT_H
#define STAT_H

#include <ltt/ltt-stat.h>

/* What is shown besides the counts themselves. */
typedef struct StatView {
	gboolean has_threads; /* the trace says whose events are whose */
	guint64 interval_ns;  /* 0: no windows were asked for */
	guint n_top;       /* text: lines of event types and of processes, the rest in one more */
	gboolean has_span; /* of the trace, whatever is counted; FALSE: it has no events */
	guint64 start_ns;
	guint64 end_ns;
} StatView;

void stat_print_json(const LttStat *stat, const StatView *view);
void stat_print_text(const LttStat *stat, const StatView *view);

#endif
