/* job-priv.h - how jobs call the functions of their request (ltt-job.h). */
#ifndef LTT_BASE_JOB_PRIV_H
#define LTT_BASE_JOB_PRIV_H

#ifndef LTT_BUILDING
#error "base/job-priv.h is private to libltt; use <ltt/ltt-job.h>"
#endif

#include <ltt/ltt-job.h>

/* Reports the amount of work done. Returns: FALSE with LTT_ERROR_CANCELLED if the caller cancels */
gboolean ltt_job_progress(const LttJobCallbacks *callbacks, LttProgressUnit unit, guint64 n_done,
			  guint64 n_total, GError **error);

/* Reports a problem. */
void ltt_job_report(const LttJobCallbacks *callbacks, const LttProblem *problem);

/* Reports a problem, unless an equal one is in @reported, a set of strings. For jobs that read a
 * trace several times. */
void ltt_job_report_once(const LttJobCallbacks *callbacks, GHashTable *reported,
			 const LttProblem *problem);

/* Reports damage and lets the job continue.
 * Returns: TRUE if @reason is LTT_ERROR_CORRUPT; else FALSE, with a copy of @reason in @error */
gboolean ltt_job_pass_damage(const LttJobCallbacks *callbacks, const GError *reason,
			     GError **error);

#endif
