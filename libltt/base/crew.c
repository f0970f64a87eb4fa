/* crew.c - run numbered jobs in a thread pool and report them in order.
 *
 * Each idle thread takes the next job, so a slow job delays no other. The caller's thread waits for
 * the jobs one by one, in order, and reports each.
 */
#include "base/crew-priv.h"

typedef struct Crew {
	const LttCrewWork *work;
	GMutex lock; /* protects the members below */
	GCond changed;
	gsize next_job;
	guint8 *is_done; /* indexed by job */
} Crew;

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

static gpointer run_member(gpointer data)
{
	Member *member = data;
	Crew *crew = member->crew;
	gsize job;

	while (take_job(crew, &job)) {
		crew->work->run(member->worker, job, crew->work->user_data);
		g_mutex_lock(&crew->lock);
		crew->is_done[job] = TRUE;
		g_cond_signal(&crew->changed);
		g_mutex_unlock(&crew->lock);
	}
	return NULL;
}

static void wait_for(Crew *crew, gsize job)
{
	g_mutex_lock(&crew->lock);
	while (!crew->is_done[job])
		g_cond_wait(&crew->changed, &crew->lock);
	g_mutex_unlock(&crew->lock);
}

static void begin_no_more(Crew *crew)
{
	g_mutex_lock(&crew->lock);
	crew->next_job = crew->work->n_jobs;
	g_mutex_unlock(&crew->lock);
}

static void run_alone(const LttCrewWork *work, gpointer worker)
{
	for (gsize job = 0; job < work->n_jobs; job++) {
		work->run(worker, job, work->user_data);
		if (work->on_done != NULL && !work->on_done(job, work->user_data))
			return;
	}
}

void ltt_crew_run(const LttCrewWork *work, gpointer *workers, guint n_workers)
{
	const guint n_wanted = (guint)MIN(n_workers, work->n_jobs);
	g_autofree Member *members = g_new0(Member, n_wanted);
	g_autofree guint8 *is_done = g_new0(guint8, work->n_jobs);
	Crew crew = {.work = work, .is_done = is_done};
	guint n_members = 0;

	g_mutex_init(&crew.lock);
	g_cond_init(&crew.changed);
	while (n_wanted > 1 && n_members < n_wanted) {
		Member *member = &members[n_members];

		*member = (Member){.crew = &crew, .worker = workers[n_members]};
		member->thread = g_thread_try_new("ltt-crew", run_member, member, NULL);
		if (member->thread == NULL)
			break;
		n_members++;
	}
	if (n_members == 0)
		run_alone(work, workers[0]);
	for (gsize job = 0; n_members > 0 && job < work->n_jobs; job++) {
		wait_for(&crew, job);
		if (work->on_done != NULL && !work->on_done(job, work->user_data)) {
			begin_no_more(&crew);
			break;
		}
	}
	for (guint i = 0; i < n_members; i++)
		g_thread_join(members[i].thread);
	g_cond_clear(&crew.changed);
	g_mutex_clear(&crew.lock);
}
