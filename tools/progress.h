/* progress.h - show the progress of a long operation on a terminal, and cancel it on a signal.
 *
 * Shows nothing if standard error is not a terminal. SIGINT, SIGTERM and SIGHUP can be deferred, so
 * that the operation removes its partial output before the signal ends the process.
 */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <ltt/ltt-error.h>

/* Starts an operation. @what: label in front of the number. @notes_signals: defer signals because
 * there is output to remove; else they have their default effect. */
void progress_start(const char *what, gboolean notes_signals);

/* Sets the unit to bytes until the next progress_start(), for totals that are unknown; the default
 * is events. */
void progress_count_bytes(void);

/* An LttProgressFunc: shows the progress, at most every 200 ms. Returns: FALSE to cancel, if a
 * signal has been received */
gboolean progress_show(guint64 n_done, guint64 n_total, gpointer user_data);

/* Erases the line, before another message; the next progress_show() draws it again. */
void progress_hide(void);

/* An LttProblemFunc: erases the line and warns of a problem. */
void progress_problem(const LttProblem *problem, gpointer user_data);

/* Ends an operation: erases the line. If a signal was received, raises it again with its default
 * effect, and usually does not return. */
void progress_end(void);

#endif
