/* check.c - read a whole trace and report every problem.
 *
 * Besides the problems that reading finds, it compares the ids in block_start and block_end.
 */
#include "analysis/losses-priv.h"
#include "base/job-priv.h"
#include "base/sum-priv.h"

#include <ltt/ltt-check.h>
#include <ltt/ltt-cursor.h>
#include <ltt/ltt-loss-reasons.h>
#include <ltt/ltt-value.h>

typedef struct Check {
	const LttCheckRequest *request;
	LttCheckSummary summary;
	LttLosses losses; /* of the current file */
	guint64 start_id; /* block_id of the current block */
	guint64 n_blocks_done;
	guint64 n_blocks;
	GError *error; /* LTT_ERROR_CANCELLED; NULL: continue */
} Check;

static void report(Check *check, const LttProblem *problem)
{
	check->summary.n_problems++;
	ltt_job_report(&check->request->callbacks, problem);
}

static gboolean get_block_id(const LttEvent *event, guint64 *id)
{
	LttValue value;
	LttValue found;

	if (!ltt_event_get_value(event, &value) || !ltt_value_find(&value, "block_id", &found))
		return FALSE;
	*id = ltt_value_get_uint(&found);
	return TRUE;
}

static void check_block_end(Check *check, const LttEvent *event)
{
	g_autofree char *message = NULL;
	LttProblem problem;
	guint64 id;

	if (!get_block_id(event, &id) || id == check->start_id)
		return;
	message = g_strdup_printf("block_end has block_id %" G_GUINT64_FORMAT
				  ", but block_start has %" G_GUINT64_FORMAT,
				  id, check->start_id);
	problem = (LttProblem){.tracefile = ltt_tracefile_get_name(event->tracefile),
			       .block = (gint64)event->block,
			       .byte = event->offset_bytes,
			       .message = message};
	report(check, &problem);
}

static void check_event(Check *check, const LttEvent *event)
{
	LttValue value;
	LttValue total;

	switch (event->role) {
	case LTT_ROLE_ORDINARY:
		check->summary.n_events++;
		break;
	case LTT_ROLE_BLOCK_START:
		get_block_id(event, &check->start_id);
		ltt_job_progress(&check->request->callbacks, LTT_PROGRESS_BLOCKS,
				 check->n_blocks_done++, check->n_blocks, &check->error);
		break;
	case LTT_ROLE_BLOCK_END:
		check_block_end(check, event);
		break;
	case LTT_ROLE_EVENTS_LOST:
		if (ltt_event_get_value(event, &value) && ltt_value_find(&value, "total", &total))
			check->losses.within =
				MAX(check->losses.within, ltt_value_get_uint(&total));
		break;
	default:
		break;
	}
}

static void check_tracefile(Check *check, LttTracefile *tracefile)
{
	g_autoptr(LttCursor) cursor = ltt_cursor_new(tracefile);
	const LttEvent *event;
	LttStep step;

	check->losses = ltt_tracefile_get_n_ordered(tracefile) > 0 ? ltt_losses_before(tracefile, 0)
								   : (LttLosses){0, 0};
	do {
		g_autoptr(GError) error = NULL;
		LttProblem problem;

		step = ltt_cursor_next(cursor, &event, &error);
		if (step == LTT_STEP_EVENT) {
			check_event(check, event);
		} else if (step == LTT_STEP_ERROR) {
			ltt_problem_from_error(error, &problem);
			report(check, &problem);
			ltt_cursor_skip_block(cursor);
		}
	} while (step != LTT_STEP_END && check->error == NULL);
	check->summary.n_open_blocks += ltt_tracefile_get_summary(tracefile)->n_open_blocks;
	ltt_sum_add(&check->summary.n_lost, ltt_losses_get(&check->losses));
}

/* Returns: the number of blocks, including those with a damaged start */
static guint64 count_blocks(LttTrace *trace)
{
	guint64 n = 0;

	for (guint i = 0; i < ltt_trace_get_n_tracefiles(trace); i++)
		n += ltt_tracefile_get_n_ordered(ltt_trace_get_tracefile(trace, i));
	return n;
}

static void add_unfiled_losses(LttTrace *trace, LttCheckSummary *summary)
{
	g_autoptr(LttLossReasons) losses = ltt_loss_reasons_new(trace, NULL);

	ltt_sum_add(&summary->n_lost, losses->n_unfiled);
}

/* Reports the problems that the trace has collected since the last call. */
static void report_collected(Check *check, guint *n_reported)
{
	LttTrace *trace = check->request->trace;

	for (; *n_reported < ltt_trace_get_n_problems(trace); (*n_reported)++)
		report(check, ltt_trace_get_problem(trace, *n_reported));
}

gboolean ltt_check(const LttCheckRequest *request, LttCheckSummary *summary, GError **error)
{
	LttTrace *trace = request->trace;
	Check check = {.request = request, .n_blocks = count_blocks(trace)};
	guint n_reported = 0;

	ltt_trace_read_bookmarks(trace);
	for (guint i = 0; i < ltt_trace_get_n_tracefiles(trace) && check.error == NULL; i++) {
		report_collected(&check, &n_reported);
		check_tracefile(&check, ltt_trace_get_tracefile(trace, i));
	}
	if (check.error != NULL) {
		g_propagate_error(error, check.error);
		return FALSE;
	}
	report_collected(&check, &n_reported);
	add_unfiled_losses(trace, &check.summary);
	if (summary != NULL)
		*summary = check.summary;
	return TRUE;
}
