/* job.c - see job-priv.h. */
#include "base/job-priv.h"

#include "base/error-priv.h"

gboolean ltt_job_progress(const LttJobCallbacks *callbacks, LttProgressUnit unit, guint64 n_done,
			  guint64 n_total, GError **error)
{
	const LttProgress progress = {.unit = unit, .n_done = n_done, .n_total = n_total};

	if (callbacks->on_progress == NULL ||
	    callbacks->on_progress(&progress, callbacks->user_data))
		return TRUE;
	return ltt_fail(error, LTT_ERROR_CANCELLED, "cancelled");
}

void ltt_job_report(const LttJobCallbacks *callbacks, const LttProblem *problem)
{
	if (callbacks->on_problem != NULL)
		callbacks->on_problem(problem, callbacks->user_data);
}

void ltt_job_report_once(const LttJobCallbacks *callbacks, GHashTable *reported,
			 const LttProblem *problem)
{
	g_autofree char *text = ltt_problem_to_string(problem);

	if (g_hash_table_add(reported, g_strdup_printf("%u %s", problem->trace, text)))
		ltt_job_report(callbacks, problem);
}

gboolean ltt_job_pass_damage(const LttJobCallbacks *callbacks, const GError *reason, GError **error)
{
	LttProblem problem;

	if (!g_error_matches(reason, LTT_ERROR, LTT_ERROR_CORRUPT)) {
		g_propagate_error(error, g_error_copy(reason));
		return FALSE;
	}
	ltt_problem_from_error(reason, &problem);
	ltt_job_report(callbacks, &problem);
	return TRUE;
}
