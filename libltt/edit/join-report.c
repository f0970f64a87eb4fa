/* join-report.c - progress and problems while joined traces are written. */
#include "edit/join-priv.h"

#include "base/job-priv.h"

gboolean ltt_join_tell_progress(LttJoinWriting *writing, GError **error)
{
	writing->n_blocks_done++;
	return ltt_job_progress(&writing->callbacks, LTT_PROGRESS_BLOCKS, writing->n_blocks_done,
				writing->n_blocks, error);
}

gboolean ltt_join_pass_damage(const LttJoinWriting *writing, GError *reason, GError **error)
{
	const gboolean is_damage = ltt_job_pass_damage(&writing->callbacks, reason, error);

	g_error_free(reason);
	return is_damage;
}

static void tell_left_out(const LttJoinWriting *writing, const char *name, guint64 n_events,
			  const char *reason)
{
	g_autofree char *message =
		g_strdup_printf("%" G_GUINT64_FORMAT " %s left out: %s", n_events,
				n_events == 1 ? "event was" : "events were", reason);
	const LttProblem problem = {
		.tracefile = name, .block = LTT_NOWHERE, .byte = LTT_NOWHERE, .message = message};

	if (n_events > 0)
		ltt_job_report(&writing->callbacks, &problem);
}

void ltt_join_tell_unwritten(LttJoinWriting *writing, const char *name, const LttRewriter *out)
{
	const guint64 n_lost = ltt_rewriter_get_n_lost(out);
	const guint64 n_large = ltt_rewriter_get_n_large(out);

	writing->n_unwritable += n_lost;
	tell_left_out(writing, name, n_large, "larger than the largest block");
	tell_left_out(writing, name, n_lost - n_large, "no time value can represent the time");
}

void ltt_join_tell_damage(const LttJoinCopy *copy, const LttBlock *block)
{
	const LttProblem problem = {.tracefile = copy->tracefile->name,
				    .block = (gint64)block->place,
				    .byte = block->damage_byte,
				    .message = block->damage};

	if (block->damage != NULL)
		ltt_job_report(&copy->writing->callbacks, &problem);
}
