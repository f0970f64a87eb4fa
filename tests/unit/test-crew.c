/* Jobs of a crew: each runs once, with its own worker, and results are in order. */
#include "unit.h"

#include "base/crew-priv.h"

#define N_JOBS 500

typedef struct Scene {
	gint done[N_JOBS]; /* atomic: number of runs */
	gint n_busy[8];    /* atomic: jobs in progress */
	gsize n_told;
	gsize stop_at; /* on_done returns FALSE for this one */
	gboolean is_in_order;
} Scene;

static void run(gpointer worker, gsize job, gpointer user_data)
{
	Scene *scene = user_data;
	gint *n_busy = &scene->n_busy[GPOINTER_TO_INT(worker)];

	CU_ASSERT_EQUAL(g_atomic_int_add(n_busy, 1), 0);
	/* Some jobs take longer, so that they do not end in order by chance. */
	for (gsize i = 0; i < job % 7; i++)
		g_thread_yield();
	g_atomic_int_add(&scene->done[job], 1);
	g_atomic_int_add(n_busy, -1);
}

static gboolean on_done(gsize job, gpointer user_data)
{
	Scene *scene = user_data;

	scene->is_in_order = scene->is_in_order && job == scene->n_told &&
			     g_atomic_int_get(&scene->done[job]) == 1;
	scene->n_told++;
	return job != scene->stop_at;
}

static void run_scene(Scene *scene, gsize n_jobs, guint n_workers, gsize stop_at)
{
	gpointer workers[8];
	const LttCrewWork work = {n_jobs, run, on_done, scene};

	*scene = (Scene){.stop_at = stop_at, .is_in_order = TRUE};
	for (gint i = 0; i < 8; i++)
		workers[i] = GINT_TO_POINTER(i);
	ltt_crew_run(&work, workers, n_workers);
}

static void test_each_job_once_and_in_order(void)
{
	for (guint n_workers = 1; n_workers <= 8; n_workers++) {
		Scene scene;

		run_scene(&scene, N_JOBS, n_workers, G_MAXSIZE);
		CU_ASSERT_TRUE(scene.is_in_order);
		CU_ASSERT_EQUAL(scene.n_told, N_JOBS);
		for (guint i = 0; i < N_JOBS; i++)
			CU_ASSERT_EQUAL(scene.done[i], 1);
	}
}

static void test_end_before_the_last_job(void)
{
	for (guint n_workers = 1; n_workers <= 8; n_workers++) {
		Scene scene;

		run_scene(&scene, N_JOBS, n_workers, 20);
		CU_ASSERT_TRUE(scene.is_in_order);
		CU_ASSERT_EQUAL(scene.n_told, 21);
		for (guint i = 0; i < N_JOBS; i++)
			CU_ASSERT_TRUE(scene.done[i] <= 1);
		if (n_workers == 1)
			CU_ASSERT_EQUAL(scene.done[21], 0);
	}
}

static void test_few_jobs(void)
{
	for (gsize n_jobs = 0; n_jobs < 3; n_jobs++) {
		Scene scene;

		run_scene(&scene, n_jobs, 8, G_MAXSIZE);
		CU_ASSERT_EQUAL(scene.n_told, n_jobs);
		CU_ASSERT_TRUE(scene.is_in_order);
	}
}

UNIT_MAIN("crew", UNIT(test_each_job_once_and_in_order), UNIT(test_end_before_the_last_job),
	  UNIT(test_few_jobs))
