/* crew.c - run numbered jobs in several threads and report them in order.
 *
 * Each idle thread takes the next job, so a slow job delays no other. The caller's thread takes jobs
 * like the others, and reports those that have finished between two jobs of its own. So a job wakes
 * no thread, except the last ones, for which the caller's thread waits.
 */
#include "base/crew-priv.h"

typedef struct Crew {
	const LttCrewWork *work;
	GMutex lock; /* protects the members below */
	GCond done;
	gsize next_job;
	gsize awaited;   /* the job that the caller's thread waits for; NO_JOB: none */
	guint8 *is_done; /* indexed by job */
} Crew;

#define NO_JOB G_MAXSIZE

typedef struct Member {
	Crew *crew;
	gpointer worker;
	GThread *thread;
} Member;

/* Returns: FALSE if no job is left */
static gboolean take_job(Crew *crew, gsize *job)
{
	gboolean taken;

	g_mutex_lock(&crew->lock);
	taken = crew->next_job < crew->work->n_jobs;
	if (taken)
		*job = crew->next_job++;
	g_mutex_unlock(&crew->lock);
	return taken;
}

static void run_job(Crew *crew, gpointer worker, gsize job)
{
	crew->work->run(worker, job, crew->work->user_data);
	g_mutex_lock(&crew->lock);
	crew->is_done[job] = TRUE;
	if (crew->awaited == job)
		g_cond_signal(&crew->done);
	g_mutex_unlock(&crew->lock);
}

static gpointer run_member(gpointer data)
{
	const Member *member = data;
	gsize job;

	while (take_job(member->crew, &job))
		run_job(member->crew, member->worker, job);
	return NULL;
}

static gboolean has_finished(Crew *crew, gsize job)
{
	gboolean done;

	g_mutex_lock(&crew->lock);
	done = crew->is_done[job];
	g_mutex_unlock(&crew->lock);
	return done;
}

static void wait_for(Crew *crew, gsize job)
{
	g_mutex_lock(&crew->lock);
	crew->awaited = job;
	while (!crew->is_done[job])
		g_cond_wait(&crew->done, &crew->lock);
	g_mutex_unlock(&crew->lock);
}

static void begin_no_more(Crew *crew)
{
	g_mutex_lock(&crew->lock);
	crew->next_job = crew->work->n_jobs;
	g_mutex_unlock(&crew->lock);
}

static gboolean report(const Crew *crew, gsize job)
{
	return crew->work->on_done == NULL || crew->work->on_done(job, crew->work->user_data);
}

/* The work of the caller's thread. */
static void run_caller(Crew *crew, gpointer worker)
{
	const gsize n_jobs = crew->work->n_jobs;
	gsize reported = 0;
	gsize job;

	while (take_job(crew, &job)) {
		run_job(crew, worker, job);
		for (; reported < n_jobs && has_finished(crew, reported); reported++) {
			if (!report(crew, reported)) {
				begin_no_more(crew);
				return;
			}
		}
	}
	for (; reported < n_jobs; reported++) {
		wait_for(crew, reported);
		if (!report(crew, reported))
			return;
	}
}

void ltt_crew_run(const LttCrewWork *work, gpointer *workers, guint n_workers)
{
	const guint n_wanted = (guint)MIN(n_workers, work->n_jobs);
	g_autofree Member *members = g_new0(Member, n_wanted);
	g_autofree guint8 *is_done = g_new0(guint8, work->n_jobs);
	Crew crew = {.work = work, .awaited = NO_JOB, .is_done = is_done};
	guint n_members = 1; /* the caller's thread is the first */

	g_mutex_init(&crew.lock);
	g_cond_init(&crew.done);
	for (; n_members < n_wanted; n_members++) {
		Member *member = &members[n_members];

		*member = (Member){.crew = &crew, .worker = workers[n_members]};
		member->thread = g_thread_try_new("ltt-crew", run_member, member, NULL);
		if (member->thread == NULL)
			break;
	}
	run_caller(&crew, workers[0]);
	for (guint i = 1; i < n_members; i++)
		g_thread_join(members[i].thread);
	g_cond_clear(&crew.done);
	g_mutex_clear(&crew.lock);
}
