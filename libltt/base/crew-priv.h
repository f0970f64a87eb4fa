/* crew-priv.h - run numbered jobs in several threads and report them in order. */
#ifndef LTT_CREW_PRIV_H
#define LTT_CREW_PRIV_H

#ifndef LTT_BUILDING
#error "crew-priv.h is private to libltt"
#endif

#include <glib.h>

typedef struct LttCrewWork {
	gsize n_jobs;
	/* Does a job. Called in any thread, with the state of one worker, which no other thread
	 * uses at the same time. Jobs are started in order of their numbers. */
	void (*run)(gpointer worker, gsize job, gpointer user_data);
	/* (nullable): called for each finished job, in order of their numbers, in the caller's
	 * thread, between two jobs of that thread. Returns: FALSE to start no further jobs; it is then not called again */
	gboolean (*on_done)(gsize job, gpointer user_data);
	gpointer user_data;
} LttCrewWork;

/* Runs all jobs in at most @n_workers threads, each with its own state, and joins the threads. The
 * caller's thread is one of them; it runs all jobs if no other can be started. */
void ltt_crew_run(const LttCrewWork *work, gpointer *workers, guint n_workers);

#endif
