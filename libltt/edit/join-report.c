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

void ltt_join_tell_unwritten(LttJoinWriting *writing, const char *name, guint64 n_lost)
{
	g_autofree char *message =
		g_strdup_printf("%" G_GUINT64_FORMAT " %s could not be written anew", n_lost,
				n_lost == 1 ? "event" : "events");
	const LttProblem problem = {
		.tracefile = name, .block = LTT_NOWHERE, .byte = LTT_NOWHERE, .message = message};

	writing->n_unwritable += n_lost;
	if (n_lost > 0)
		ltt_job_report(&writing->callbacks, &problem);
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
