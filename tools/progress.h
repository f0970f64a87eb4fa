/* progress.h - how far a long work is, on a terminal, and the end of it by a signal.
 *
 * Where standard error is no terminal nothing is shown. SIGINT, SIGTERM and SIGHUP can be noted, so
 * that the work stops, takes away what it has half made, and only then ends as it was asked to.
 */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <glib.h>

/* @what: what is shown in front of the number. @notes_signals: there will be something to take
 * away; else signals take their usual effect at once. */
void progress_start(const char *what, gboolean notes_signals);

/* What is counted until the next progress_start() is bytes, not events, where it is not known how
 * much there will be. */
void progress_count_bytes(void);

/* As an LttProgressFunc: shows how far it is, some times a second at most. Returns: FALSE if a
 * signal asks for the end */
gboolean progress_show(guint64 n_done, guint64 n_total, gpointer user_data);

/* Wipes the line, before something else is said; the next progress_show() brings it back. */
void progress_hide(void);

/* The work is over: wipes the line. Does not return if a signal came: the signal then takes its
 * usual effect. */
void progress_end(void);

#endif
