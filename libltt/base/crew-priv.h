/* crew-priv.h - jobs done by several threads, and told of in order. */
#ifndef LTT_CREW_PRIV_H
#define LTT_CREW_PRIV_H

#ifndef LTT_BUILDING
#error "crew-priv.h is private to libltt"
#endif

#include <glib.h>

typedef struct LttCrewWork {
	gsize n_jobs;
	/* Does a job. Called in any thread, with the state of one worker, which no other thread has
	 * meanwhile; of two jobs the one with the lower number is begun first. */
	void (*run)(gpointer worker, gsize job, gpointer user_data);
	/* (nullable): told of each job that is done, in order of numbers, in the caller's thread.
	 * Returns: FALSE to begin no further jobs and be told no more */
	gboolean (*on_done)(gsize job, gpointer user_data);
	gpointer user_data;
} LttCrewWork;

/* Does all jobs with at most @n_workers threads, each with its own state; returns when no thread is
 * left. With one worker, or if no thread can be started, the caller's thread does them. */
void ltt_crew_run(const LttCrewWork *work, gpointer *workers, guint n_workers);

#endif
