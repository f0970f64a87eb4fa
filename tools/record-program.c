/* record-program.c - run and record a program. See record-program.h.
 *
 * One thread waits for signals and for the next time to feed the recording. Signals are held before
 * the trace is created, so that none leaves an incomplete trace. When the trace is complete, signals
 * have their usual effect again while its events are counted.
 */
#define _GNU_SOURCE
#include "record-program.h"

#include "held-signals.h"
#include "output-name.h"
#include "preload.h"
#include "record-totals.h"
#include "recording-options.h"
#include "tool.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* As shells have it. */
enum { STATUS_CANNOT_RUN = 126, STATUS_NOT_FOUND = 127, STATUS_SIGNAL = 128 };

typedef struct Run {
	const RecordProgram *program;
	LttRecording *recording;
	LttKernel *kernel; /* NULL: no events of the kernel */
	HeldSignals signals;
	pid_t pid;
	int wait_status;
	guint n_snapshots;
	gint64 start_us;
	gboolean has_ended;      /* the program, or there is none */
	gboolean is_interrupted; /* while waiting for its remaining processes */
	gint64 next_look_us;     /* time of the next check for them */
	gboolean is_deserted;    /* the last check found none */
} Run;

/* Between two checks for remaining processes. */
#define LOOK_INTERVAL_US 100000

static gboolean hold_signals(Run *run)
{
	return held_signals_begin(&run->signals,
				  (const int[]){SIGCHLD, run->program->snapshot_signal, 0});
}

/* Adds who owns the files of the trace: programs join no trace that somebody else puts in its place
 * later. */
static char **add_owner(char **environment, const char *trace)
{
	g_autofree char *state = g_build_filename(trace, "info", "session", NULL);
	g_autofree char *owner = NULL;
	struct stat status;

	if (stat(state, &status) != 0)
		return g_environ_unsetenv(environment, "LTT_TRACE_OWNER");
	owner = g_strdup_printf("%u", (unsigned)status.st_uid);
	return g_environ_setenv(environment, "LTT_TRACE_OWNER", owner, TRUE);
}

/* Returns: (transfer full): the environment of the program */
static char **make_environment(const Run *run)
{
	char **environment = g_environ_setenv(g_get_environ(), "LTT_TRACE_DIR",
					      ltt_recording_get_path(run->recording), TRUE);

	environment = g_environ_setenv(environment, "LTT_TRACE_SOCKET",
				       ltt_recording_get_socket(run->recording), TRUE);
	environment = add_owner(environment, ltt_recording_get_path(run->recording));
	return preload_add(environment, run->program->preload, run->program->argv[0]);
}

/* Waits until the recorder is ready, and executes the program, or reports why that failed. Does not
 * allocate memory: at the time of the fork another thread of the recorder may have held the
 * allocator's lock. */
static void G_GNUC_NORETURN become_program(const Run *run, char **environment, const int *ready,
					   int report_fd)
{
	int error;
	char byte;

	close(ready[1]);
	if (read(ready[0], &byte, 1) != 1)
		_exit(STATUS_CANNOT_RUN);
	held_signals_restore(&run->signals);
	tool_restore_signals();
	execvpe(run->program->argv[0], run->program->argv, environment);
	error = errno;
	(void)!write(report_fd, &error, sizeof(error));
	_exit(STATUS_NOT_FOUND);
}

/* Starts recording events of the kernel, for a program that waits for that. Returns: 0; -1, with a
 * message printed, if that is not possible */
static int start_kernel(Run *run, int ready_fd)
{
	if (run->program->kernel.is_on) {
		run->kernel =
			kernel_start(&run->program->kernel, run->recording, (guint32)run->pid);
		if (run->kernel == NULL)
			return -1;
	}
	return write(ready_fd, "", 1) == 1 ? 0 : errno;
}

/* Returns: 0; an errno value if the program could not be run; -1, with a message printed, if
 * recording could not start */
static int start_program(Run *run)
{
	g_auto(GStrv) environment = make_environment(run);
	int ends[2], ready[2], error = 0;
	ssize_t n;

	if (pipe2(ends, O_CLOEXEC) != 0)
		return errno;
	if (pipe2(ready, O_CLOEXEC) != 0) {
		error = errno;
		close(ends[0]);
		close(ends[1]);
		return error;
	}
	run->start_us = g_get_monotonic_time();
	run->pid = fork();
	if (run->pid == 0)
		become_program(run, environment, ready, ends[1]);
	error = run->pid > 0 ? start_kernel(run, ready[1]) : errno;
	/* Open until here, so that the write succeeds even if the program was killed. */
	close(ready[0]);
	close(ready[1]);
	close(ends[1]);
	if (error != 0) {
		close(ends[0]);
		if (run->pid > 0)
			waitpid(run->pid, NULL, 0);
		return error;
	}
	/* The pipe is closed without data when exec succeeds. */
	do {
		n = read(ends[0], &error, sizeof(error));
	} while (n < 0 && errno == EINTR);
	close(ends[0]);
	if (error != 0 && run->pid > 0)
		waitpid(run->pid, NULL, 0);
	return error;
}

/* A terminal sends its signals to all processes in the foreground, so to the program, too. Other
 * signals are forwarded to it; if they end it, the recording ends, too. */
static void handle_signal(Run *run, int signal, gboolean from_kernel)
{
	if (signal == run->program->snapshot_signal)
		recording_take_snapshot(run->recording, &run->n_snapshots);
	else if (signal != SIGCHLD && run->has_ended)
		run->is_interrupted = TRUE;
	else if (signal != SIGCHLD && !from_kernel)
		kill(run->pid, signal);
}

/* A single check can miss a process between exec and joining again. */
static gboolean is_deserted(Run *run)
{
	const gint64 now_us = g_get_monotonic_time();
	gboolean was_deserted = run->is_deserted;

	if (now_us < run->next_look_us)
		return FALSE;
	run->next_look_us = now_us + LOOK_INTERVAL_US;
	run->is_deserted = ltt_recording_count_living(run->recording) == 0;
	return run->is_deserted && was_deserted;
}

/* Records the end of the program. */
static void look_at_program(Run *run)
{
	pid_t pid;

	if (run->has_ended)
		return;
	pid = waitpid(run->pid, &run->wait_status, WNOHANG);
	run->has_ended = pid > 0 || (pid < 0 && errno != EINTR);
	if (run->has_ended)
		ltt_recording_process_ended(run->recording, (guint32)run->pid, run->wait_status);
}

static gboolean has_elapsed(const Run *run)
{
	return run->program->duration_ms > 0 &&
	       g_get_monotonic_time() - run->start_us >= (gint64)run->program->duration_ms * 1000;
}

static gboolean is_over(Run *run)
{
	if (run->program->argv == NULL)
		return run->is_interrupted || has_elapsed(run);
	look_at_program(run);
	return run->has_ended && (!run->program->waits || run->is_interrupted || is_deserted(run));
}

static void watch(Run *run)
{
	while (!is_over(run)) {
		gboolean from_kernel;
		int signal;

		held_signals_wait(&run->signals, ltt_recording_feed(run->recording));
		/* Forward signals only while the program runs. */
		look_at_program(run);
		while (held_signals_next(&run->signals, &signal, &from_kernel))
			handle_signal(run, signal, from_kernel);
	}
}

static int finish(Run *run)
{
	const double seconds = (double)(g_get_monotonic_time() - run->start_us) / 1e6;
	LttRecordingTotals totals;
	gboolean complete;

	if (run->kernel != NULL)
		kernel_finish(run->kernel, run->program->path);
	complete = ltt_recording_finish(run->recording, &totals);
	held_signals_end(&run->signals);
	record_totals_tell(run->program, run->recording, &totals, complete, run->wait_status,
			   seconds);
	ltt_recording_free(run->recording);
	return WIFEXITED(run->wait_status) ? WEXITSTATUS(run->wait_status)
					   : STATUS_SIGNAL + WTERMSIG(run->wait_status);
}

/* Creates the trace with the requested name, or with an unused one. */
static LttRecording *make_recording(RecordProgram *program, char **own_name, GError **error)
{
	LttRecording *recording = NULL;

	if (program->path != NULL)
		return ltt_recording_new(program->path, &program->options, error);
	for (guint number = 1; recording == NULL; number++) {
		g_autoptr(GError) reason = NULL;

		g_free(*own_name);
		program->path = *own_name = output_name(program->argv[0], number);
		recording = ltt_recording_new(program->path, &program->options, &reason);
		if (recording == NULL && !g_error_matches(reason, LTT_ERROR, LTT_ERROR_EXISTS)) {
			g_propagate_error(error, g_steal_pointer(&reason));
			return NULL;
		}
	}
	tool_note("recording into %s", program->path);
	return recording;
}

int record_program(const RecordProgram *given)
{
	RecordProgram program = *given;
	Run run = {.program = &program};
	g_autofree char *own_name = NULL;
	g_autoptr(GError) error = NULL;
	int result;

	if (!hold_signals(&run))
		return tool_end();
	run.recording = make_recording(&program, &own_name, &error);
	if (run.recording == NULL) {
		tool_fail_error(error);
		return tool_end();
	}
	result = start_program(&run);
	if (result < 0) {
		ltt_recording_discard(run.recording);
		return tool_end();
	}
	if (result != 0) {
		g_clear_pointer(&run.kernel, ltt_kernel_free);
		tool_fail("%s: could not run: %s", program.argv[0], g_strerror(result));
		ltt_recording_discard(run.recording);
		return result == ENOENT ? STATUS_NOT_FOUND : STATUS_CANNOT_RUN;
	}
	watch(&run);
	return finish(&run);
}

int record_kernel(const RecordProgram *given)
{
	Run run = {.program = given, .has_ended = TRUE};
	g_autoptr(GError) error = NULL;
	LttRecordingTotals totals;

	if (!hold_signals(&run))
		return tool_end();
	run.recording = ltt_recording_new(given->path, &given->options, &error);
	if (run.recording == NULL) {
		tool_fail_error(error);
		return tool_end();
	}
	run.kernel = kernel_start(&given->kernel, run.recording, 0);
	if (run.kernel == NULL) {
		ltt_recording_discard(run.recording);
		return tool_end();
	}
	run.start_us = g_get_monotonic_time();
	watch(&run);
	kernel_finish(run.kernel, given->path);
	ltt_recording_finish(run.recording, &totals);
	held_signals_end(&run.signals);
	ltt_recording_free(run.recording);
	return tool_end();
}
