/* following.c - see following.h. */
#include "following.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t is_stopped;

static void note_signal(int number)
{
	(void)number;
	is_stopped = 1;
}

/* Keeps ignored signals ignored: nohup ignores SIGHUP. */
static void watch_signals(void)
{
	static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
	const struct sigaction action = {.sa_handler = note_signal, .sa_flags = SA_RESTART};

	for (guint i = 0; i < G_N_ELEMENTS(numbers); i++) {
		struct sigaction before;

		if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
			sigaction(numbers[i], &action, NULL);
	}
}

/* Waits; returns early and ends the loop if the reader of standard output has closed the pipe. */
static void wait_for(guint wait_ms)
{
	static struct pollfd out = {.fd = STDOUT_FILENO};

	if (poll(&out, 1, (int)wait_ms) <= 0)
		return;
	if ((out.revents & POLLNVAL) != 0)
		out.fd = -1;
	else
		is_stopped = 1;
}

static gboolean is_of_program(const LttTracefile *tracefile)
{
	return ltt_tracefile_get_cpu(tracefile) >= 0 || ltt_tracefile_is_lane(tracefile);
}

static gboolean has_started(LttTrace *trace)
{
	for (guint i = 0; i < ltt_trace_get_n_tracefiles(trace); i++) {
		LttTracefile *tracefile = ltt_trace_get_tracefile(trace, i);

		if (is_of_program(tracefile) && ltt_tracefile_get_summary(tracefile)->has_events)
			return TRUE;
	}
	return FALSE;
}

/* A follow returns the first event of all programs first, also if that of another CPU reaches its
 * file earlier. */
void following_await_start(LttTrace *trace, guint delay_ms)
{
	g_autoptr(LttFollow) follow = NULL;
	const LttEvent *event;
	LttStep step = LTT_STEP_WAIT;

	if (has_started(trace))
		return;
	watch_signals();
	follow = ltt_follow_new(trace, NULL, delay_ms, NULL);
	if (follow == NULL)
		return;
	while (step != LTT_STEP_END && !is_stopped) {
		step = ltt_follow_next(follow, &event, NULL);
		if (step == LTT_STEP_EVENT && is_of_program(event->tracefile))
			return;
		if (step == LTT_STEP_ERROR)
			ltt_follow_skip_block(follow);
		else if (step == LTT_STEP_WAIT)
			wait_for(ltt_follow_get_wait_ms(follow));
	}
}

gboolean following_run(Reading *reading, guint delay_ms, const FollowingSink *sink)
{
	g_autoptr(GError) failure = NULL;
	g_autoptr(LttFollow) follow =
		ltt_follow_new(reading->trace, reading->select, delay_ms, &failure);
	const LttJobCallbacks callbacks = {.on_problem = tool_problem};
	const LttEvent *event;
	LttStep step = LTT_STEP_WAIT;

	if (follow == NULL) {
		tool_fail_error(failure);
		return FALSE;
	}
	watch_signals();
	while (step != LTT_STEP_END && !is_stopped) {
		g_autoptr(GError) error = NULL;

		step = ltt_follow_next(follow, &event, &error);
		if (step == LTT_STEP_EVENT) {
			if (!sink->take(sink->user_data, event))
				break;
			continue;
		}
		reading_report_problems(reading);
		if (step == LTT_STEP_ERROR) {
			reading_report_error(error);
			ltt_follow_skip_block(follow);
		} else if (step == LTT_STEP_WAIT) {
			sink->show(sink->user_data);
			wait_for(ltt_follow_get_wait_ms(follow));
		}
	}
	ltt_follow_tell_losses(follow, &callbacks);
	return step == LTT_STEP_END;
}
