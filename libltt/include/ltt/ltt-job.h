/* ltt-job.h - the form of long jobs: request, summary, progress, problems, cancellation.
 *
 * A job reads or writes a whole trace. All jobs are called in the same way:
 *
 *	static gboolean show(const LttProgress *progress, gpointer user_data)
 *	{
 *		return !is_interrupted;
 *	}
 *
 *	const LttCutRequest request = {
 *		.trace = trace, .path = "small", .callbacks = {.on_progress = show}};
 *	LttCutSummary summary;
 *
 *	if (!ltt_cut(&request, &summary, &error))
 *		puts(error->message);
 *
 *   - The request holds all inputs and options. A member that is zero has its default. The job
 *     borrows everything in it until it returns.
 *   - The summary holds all results. It may be NULL. A job sets it only on success.
 *   - A job that fails returns FALSE, sets the error, and leaves no output behind.
 *   - A problem in the input, such as a damaged block, does not fail the job: it calls on_problem
 *     and continues after the damage.
 *   - on_progress cancels the job by returning FALSE. The job then fails with LTT_ERROR_CANCELLED.
 *
 * The jobs are ltt_check(), ltt_compare(), ltt_cut(), ltt_export(), ltt_flame_add_spans(),
 * ltt_import(), ltt_join_write(), ltt_latency(), ltt_latency_states(), ltt_pack(),
 * ltt_pack_redacted(), ltt_redact(), ltt_repair(), ltt_snapshot(), ltt_split(), ltt_sql_save(),
 * ltt_stat(), ltt_state_sums(), ltt_sync_new(), ltt_trace_open_job() and ltt_unpack().
 * ltt_sync_new() returns an object instead of a summary.
 *
 * Cursors, merges, pairs, spans, tables, queries, printers, follows and recordings are not jobs: they
 * return after each step, and a caller cancels them by taking no further step. Where one step may
 * read the whole trace, they have callbacks, too: LttTableRequest, LttSqlRequest,
 * ltt_merge_set_callbacks(), ltt_pairs_set_callbacks() and ltt_spans_set_callbacks(). A cancelled step
 * fails with LTT_ERROR_CANCELLED, and a further step continues.
 */
#ifndef LTT_JOB_H
#define LTT_JOB_H

#include <ltt/ltt-error.h>

G_BEGIN_DECLS

/* What LttProgress counts. */
typedef enum LttProgressUnit {
	LTT_PROGRESS_BYTES,
	LTT_PROGRESS_BLOCKS,
	LTT_PROGRESS_EVENTS,
} LttProgressUnit;

/* The amount of work done so far. */
typedef struct LttProgress {
	LttProgressUnit unit;
	guint64 n_done;
	guint64 n_total; /* estimate; 0: unknown */
} LttProgress;

/* Called every few milliseconds of work, in the thread that called the job. n_done does not
 * decrease.
 *
 * Returns: FALSE to cancel the job */
typedef gboolean (*LttProgressFunc)(const LttProgress *progress, gpointer user_data);

/* Called for each problem, in the order of the input, in the thread that called the job. @problem
 * is valid until the function returns. */
typedef void (*LttProblemFunc)(const LttProblem *problem, gpointer user_data);

/* Part of every request. */
typedef struct LttJobCallbacks {
	LttProblemFunc on_problem;   /* (nullable) */
	LttProgressFunc on_progress; /* (nullable) */
	gpointer user_data;          /* passed to both */
} LttJobCallbacks;

G_END_DECLS

#endif /* LTT_JOB_H */
