/* work.c - see work.h. */
#include "work.h"

/* Interval between two checks for signals. */
#define INTERVAL_US 50000

void work_begin(Work *work)
{
	work->next_us = 0;
	work->state = PyEval_SaveThread();
}

void work_end(Work *work)
{
	PyEval_RestoreThread(work->state);
}

gboolean work_on_progress(const LttProgress *progress, gpointer data)
{
	Work *work = data;
	const gint64 now_us = g_get_monotonic_time();
	gboolean goes_on;

	(void)progress;
	if (work->next_us == 0)
		work->next_us = now_us + INTERVAL_US;
	if (now_us < work->next_us)
		return TRUE;
	work->next_us = now_us + INTERVAL_US;
	PyEval_RestoreThread(work->state);
	goes_on = PyErr_CheckSignals() == 0;
	work->state = PyEval_SaveThread();
	return goes_on;
}

static void on_problem(const LttProblem *problem, gpointer user_data)
{
	core_note(problem, ((WorkOf *)user_data)->core);
}

static gboolean on_progress(const LttProgress *progress, gpointer user_data)
{
	return work_on_progress(progress, &((WorkOf *)user_data)->work);
}

LttJobCallbacks work_begin_job(WorkOf *of, Core *core)
{
	of->core = core;
	work_begin(&of->work);
	return (LttJobCallbacks){on_problem, on_progress, of};
}
