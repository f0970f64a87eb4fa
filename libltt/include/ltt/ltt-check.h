/* ltt-check.h - every problem of a trace, not the first only. */
#ifndef LTT_CHECK_H
#define LTT_CHECK_H

#include <ltt/ltt-trace.h>

G_BEGIN_DECLS

typedef struct LttCheckSummary {
	guint64 n_problems;
	guint64 n_open_blocks; /* no problem in themselves */
	guint64 n_events;      /* that could be read, builtin and tracer ones left out */
	guint64 n_lost; /* that the tracer says it could not write, in the time that the trace
			   still has: as in LttStat */
} LttCheckSummary;

/**
 * ltt_trace_check:
 * @on_problem: told of every problem, those of opening the trace included, with the place in the
 *   trace
 * @on_progress: (nullable): told of blocks of all blocks; where it ends the check, @out is of what
 * was read until then
 * @user_data: for both
 * @out: (out): what there is
 *
 * Reads all of a trace.
 */
void ltt_trace_check(LttTrace *trace, LttProblemFunc on_problem, LttProgressFunc on_progress,
		     gpointer user_data, LttCheckSummary *out);

G_END_DECLS

#endif /* LTT_CHECK_H */
