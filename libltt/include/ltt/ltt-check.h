/* ltt-check.h - every problem of a trace, not the first only.
 */
#ifndef LTT_CHECK_H
#define LTT_CHECK_H

#include <ltt/ltt-trace.h>

G_BEGIN_DECLS

typedef struct LttCheckSummary {
	guint64 n_problems;
	guint64 n_open_blocks; /* no problem in themselves */
	guint64 n_events;      /* that could be read, builtin and tracer ones left out */
	guint64 n_lost;        /* that the tracer says it could not write */
} LttCheckSummary;

/* Reads all of a trace and tells of every problem, those of opening it included. */
void ltt_trace_check(LttTrace *trace, LttProblemFunc on_problem, gpointer user_data,
		     LttCheckSummary *out);

G_END_DECLS

#endif /* LTT_CHECK_H */
