/* check.c - read all of a trace and tell of every problem.
 *
 * Beyond what reading itself finds, the ids in a block's two ends are compared.
 */
#include "analysis/losses-priv.h"
#include "base/error-priv.h"

#include <ltt/ltt-check.h>
#include <ltt/ltt-cursor.h>
#include <ltt/ltt-loss-reasons.h>
#include <ltt/ltt-value.h>

typedef struct Check {
	LttProblemFunc on_problem;
	LttProgressFunc on_progress; /* NULL: nobody is told */
	gpointer user_data;
	LttCheckSummary *summary;
	LttLosses losses;   /* of the file under way */
	guint64 start_id;   /* of the block under way */
	guint64 n_blocks;   /* that have been begun, */
	guint64 n_total;    /* of all */
	gboolean was_ended; /* on_progress asked for that */
} Check;

static void tell(Check *check, const LttProblem *problem)
{
	check->summary->n_problems++;
	check->on_problem(problem, check->user_data);
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
	tell(check, &problem);
}

static void begin_block(Check *check)
{
	check->was_ended = check->on_progress != NULL &&
			   !check->on_progress(check->n_blocks, check->n_total, check->user_data);
	check->n_blocks++;
}

static void check_event(Check *check, const LttEvent *event)
{
	LttValue value;
	LttValue total;

	switch (event->role) {
	case LTT_ROLE_ORDINARY:
		check->summary->n_events++;
		break;
	case LTT_ROLE_BLOCK_START:
		get_block_id(event, &check->start_id);
		begin_block(check);
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
			tell(check, &problem);
			ltt_cursor_skip_block(cursor);
		}
	} while (step != LTT_STEP_END && !check->was_ended);
	check->summary->n_open_blocks += ltt_tracefile_get_summary(tracefile)->n_open_blocks;
	check->summary->n_lost += ltt_losses_get(&check->losses);
}

/* How many blocks there are; those of damaged starts too. */
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

	summary->n_lost += losses->n_unfiled;
}

void ltt_trace_check(LttTrace *trace, LttProblemFunc on_problem, LttProgressFunc on_progress,
		     gpointer user_data, LttCheckSummary *out)
{
	Check check = {.on_problem = on_problem,
		       .on_progress = on_progress,
		       .user_data = user_data,
		       .summary = out};
	guint n_told = 0;

	*out = (LttCheckSummary){0};
	ltt_trace_read_bookmarks(trace);
	if (on_progress != NULL)
		check.n_total = count_blocks(trace);
	for (guint i = 0; i < ltt_trace_get_n_tracefiles(trace) && !check.was_ended; i++) {
		for (; n_told < ltt_trace_get_n_problems(trace); n_told++)
			tell(&check, ltt_trace_get_problem(trace, n_told));
		check_tracefile(&check, ltt_trace_get_tracefile(trace, i));
	}
	for (; n_told < ltt_trace_get_n_problems(trace); n_told++)
		tell(&check, ltt_trace_get_problem(trace, n_told));
	add_unfiled_losses(trace, out);
}
