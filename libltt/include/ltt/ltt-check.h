/* ltt-check.h - report every problem of a trace, not only the first. */
#ifndef LTT_CHECK_H
#define LTT_CHECK_H

#include <ltt/ltt-trace.h>

G_BEGIN_DECLS

typedef struct LttCheckSummary {
	guint64 n_problems;
	guint64 n_open_blocks; /* not a problem in themselves */
	guint64 n_events;      /* readable events, without builtin and tracer events */
	guint64 n_lost; /* events that the tracer reports as lost, within the time that the trace
			   still covers: as in LttStat */
} LttCheckSummary;

/**
 * ltt_trace_check:
 * @on_problem: called for every problem, with its place in the trace; also for problems of opening
 *   the trace
 * @on_progress: (nullable): called with the number of blocks done and the total; if it cancels,
 *   @out covers the part read so far
 * @user_data: passed to both functions
 * @out: (out): the counts
 *
 * Reads the whole trace.
 */
void ltt_trace_check(LttTrace *trace, LttProblemFunc on_problem, LttProgressFunc on_progress,
		     gpointer user_data, LttCheckSummary *out);

G_END_DECLS

#endif /* LTT_CHECK_H */
