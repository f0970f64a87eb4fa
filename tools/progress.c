/* progress.c - see progress.h. */
#include "progress.h"

#include "amount.h"
#include "tool.h"

#include <signal.h>
#include <unistd.h>

#define INTERVAL_US 200000

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};

static const char *label;
static gboolean is_shown; /* the line is on the terminal */
static gint64 next_us;    /* when to show it again */
static volatile sig_atomic_t caught;

static void note_signal(int number)
{
	caught = number;
}

/* A signal that is ignored, as under nohup, stays ignored. */
static void watch_signals(void)
{
	const struct sigaction action = {.sa_handler = note_signal, .sa_flags = SA_RESTART};

	for (guint i = 0; i < G_N_ELEMENTS(signals); i++) {
		struct sigaction before;

		if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
	}
}

void progress_start(const char *what, gboolean catches_signals)
{
	label = isatty(STDERR_FILENO) ? what : NULL;
	is_shown = FALSE;
	next_us = g_get_monotonic_time() + INTERVAL_US;
	if (catches_signals)
		watch_signals();
}

static void show(const LttProgress *progress)
{
	const gint64 now_us = g_get_monotonic_time();

	if (now_us < next_us)
		return;
	next_us = now_us + INTERVAL_US;
	is_shown = TRUE;
	if (progress->n_total > 0) {
		g_printerr("\r%s: %3.0f %%", label,
			   100.0 * (double)progress->n_done / (double)progress->n_total);
	} else if (progress->unit == LTT_PROGRESS_BYTES) {
		g_autofree char *amount = amount_size(progress->n_done);

		g_printerr("\r%s: %s\033[K", label, amount);
	} else {
		g_printerr("\r%s: %" G_GUINT64_FORMAT " %s", label, progress->n_done,
			   progress->unit == LTT_PROGRESS_EVENTS ? "events" : "blocks");
	}
}

gboolean progress_show(const LttProgress *progress, gpointer user_data)
{
	(void)user_data;
	if (label != NULL)
		show(progress);
	return caught == 0;
}

void progress_problem(const LttProblem *problem, gpointer user_data)
{
	progress_hide();
	tool_problem(problem, user_data);
}

void progress_hide(void)
{
	if (is_shown)
		g_printerr("\r\033[K");
	is_shown = FALSE;
}

void progress_end(void)
{
	progress_hide();
	if (caught == 0)
		return;
	signal(caught, SIG_DFL);
	raise(caught);
}
