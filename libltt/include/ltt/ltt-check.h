/* ltt-check.h - report every problem of a trace.
 *
 *	static void show(const LttProblem *problem, gpointer user_data)
 *	{
 *		g_autofree char *text = ltt_problem_to_string(problem);
 *
 *		puts(text);
 *	}
 *
 *	const LttCheckRequest request = {.trace = trace, .callbacks = {.on_problem = show}};
 *	LttCheckSummary summary;
 *
 *	if (ltt_check(&request, &summary, NULL) && summary.n_problems == 0)
 *		puts("no problems");
 */
#ifndef LTT_CHECK_H
#define LTT_CHECK_H

#include <ltt/ltt-job.h>
#include <ltt/ltt-trace.h>

G_BEGIN_DECLS

typedef struct LttCheckRequest {
	LttTrace *trace;
	LttJobCallbacks callbacks; /* problems: all, including those of opening the trace; progress
				      in blocks */
} LttCheckRequest;

typedef struct LttCheckSummary {
	guint64 n_problems;
	guint64 n_open_blocks; /* not problems in themselves */
	guint64 n_events;      /* readable events, without hidden ones */
	guint64 n_lost;        /* events that the tracer reports as lost, as in LttStatSummary */
} LttCheckSummary;

/**
 * ltt_check:
 * @summary: (out) (optional): set on success
 *
 * Reads the whole trace. A block that cannot be read is a problem like any other.
 *
 * Returns: FALSE with LTT_ERROR_CANCELLED
 */
gboolean ltt_check(const LttCheckRequest *request, LttCheckSummary *summary, GError **error);

G_END_DECLS

#endif /* LTT_CHECK_H */
