/* progress.c - see progress.h. */
#include "progress.h"

#include "amount.h"
#include "tool.h"

#include <signal.h>
#include <unistd.h>

#define INTERVAL_US 200000

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};

static const char *label;
static gboolean counts_bytes;
static gboolean is_shown; /* there is a line to erase */
static gint64 next_us;    /* time of the next update */
static volatile sig_atomic_t caught;

static void note_signal(int number)
{
	caught = number;
}

/* Keeps ignored signals ignored: nohup ignores SIGHUP. */
static void watch_signals(void)
{
	const struct sigaction action = {.sa_handler = note_signal, .sa_flags = SA_RESTART};

	for (guint i = 0; i < G_N_ELEMENTS(signals); i++) {
		struct sigaction before;

		if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
	}
}

void progress_start(const char *what, gboolean notes_signals)
{
	label = isatty(STDERR_FILENO) ? what : NULL;
	counts_bytes = FALSE;
	is_shown = FALSE;
	next_us = g_get_monotonic_time() + INTERVAL_US;
	if (notes_signals)
		watch_signals();
}

void progress_count_bytes(void)
{
	counts_bytes = TRUE;
}

static void show(guint64 n_done, guint64 n_total)
{
	const gint64 now_us = g_get_monotonic_time();

	if (now_us < next_us)
		return;
	next_us = now_us + INTERVAL_US;
	is_shown = TRUE;
	if (n_total > 0) {
		g_printerr("\r%s: %3.0f %%", label, 100.0 * (double)n_done / (double)n_total);
	} else if (counts_bytes) {
		g_autofree char *amount = amount_size(n_done);

		g_printerr("\r%s: %s\033[K", label, amount);
	} else {
		g_printerr("\r%s: %" G_GUINT64_FORMAT " events", label, n_done);
	}
}

gboolean progress_show(guint64 n_done, guint64 n_total, gpointer user_data)
{
	(void)user_data;
	if (label != NULL)
		show(n_done, n_total);
	return caught == 0;
}

void progress_hide(void)
{
	if (is_shown)
		g_printerr("\r\033[K");
	is_shown = FALSE;
}

void progress_problem(const LttProblem *problem, gpointer user_data)
{
	progress_hide();
	tool_problem(problem, user_data);
}

void progress_end(void)
{
	progress_hide();
	if (caught == 0)
		return;
	signal(caught, SIG_DFL);
	raise(caught);
}
