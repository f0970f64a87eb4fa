/* progress.h - show the progress of a job on a terminal, and cancel it on a signal.
 *
 * Shows nothing if standard error is not a terminal. SIGINT, SIGTERM and SIGHUP can be caught, so
 * that the job is cancelled and removes its incomplete output before the command ends.
 */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <ltt/ltt-job.h>

/* The callbacks of a job: progress_show() and progress_problem(). */
#define PROGRESS_CALLBACKS                                                                         \
	{                                                                                          \
		.on_problem = progress_problem, .on_progress = progress_show                       \
	}

/* @what: printed before the number; NULL: no progress is shown. @catches_signals: the job makes output that must be removed if
 * it is cancelled; otherwise signals end the command at once. */
void progress_start(const char *what, gboolean catches_signals);

/* An LttProgressFunc. Shows the progress up to five times a second. Returns: FALSE after a signal */
gboolean progress_show(const LttProgress *progress, gpointer user_data);

/* An LttProblemFunc. Hides the progress and warns of a problem of the input. */
void progress_problem(const LttProblem *problem, gpointer user_data);

/* Erases the line before another message; the next progress_show() draws it again. */
void progress_hide(void);

/* Erases the line at the end of the job. If a signal was caught, raises it again with its default
 * action and does not return. */
void progress_end(void);

#endif
