/* recording.c - a recording of `ltt record` and `ltt attach`.
 *
 * The session itself is created, supervised and ended by code that the probe contains, too
 * (libltt/session). This file adds the system description, the state of the machine, the helper
 * threads and GErrors.
 */
#define _GNU_SOURCE
#include "base/error-priv.h"
#include "base/thread-priv.h"
#include "record/broker-server-priv.h"
#include "record/description-priv.h"
#include "record/guard-priv.h"
#include "record/machine-priv.h"
#include "record/recording-priv.h"
#include "record/space-priv.h"
#include "session/atomic.h"
#include "session/create.h"
#include "session/directory.h"
#include "session/finish.h"
#include "session/keeper.h"
#include "session/open.h"
#include "session/processes.h"
#include "session/serve.h"
#include "session/sys.h"
#include "session/watch.h"

#include <ltt/ltt-recording.h>

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

/* How long to wait at the end for processes that are dying. */
#define DYING_TRIES   40
#define DYING_WAIT_NS 5000000

struct LttRecording {
	struct lttp_session session;
	struct lttp_feed feed;
	LttBroker *broker;
	GThread *keeper; /* processes the requests of writers */
	gboolean is_ending;
	int keeper_fd; /* lttp_session_keep() */
	gboolean has_machine;
};

static LttRecording *new_recording(void)
{
	LttRecording *recording = g_new0(LttRecording, 1);

	recording->keeper_fd = -1;
	ltt_guard_begin();
	return recording;
}

static gboolean check_options(const LttRecordingOptions *options, GError **error)
{
	const guint64 block = options->block_bytes, page = (guint64)sysconf(_SC_PAGESIZE);
	const guint64 least = MAX(LTT_MIN_RECORDING_BLOCK_BYTES, page);

	if (block != 0 &&
	    (block < least || block > LTT_MAX_RECORDING_BLOCK_BYTES || (block & (block - 1)) != 0))
		return ltt_fail(error, LTT_ERROR_INVALID,
				"block size %" G_GUINT64_FORMAT
				": expected a power of two from %" G_GUINT64_FORMAT " to %d",
				block, least, LTT_MAX_RECORDING_BLOCK_BYTES);
	if (options->flight_bytes > LTT_MAX_FLIGHT_BYTES)
		return ltt_fail(error, LTT_ERROR_INVALID,
				"flight recorder of %" G_GUINT64_FORMAT
				" bytes: expected no more than %" G_GUINT64_FORMAT,
				options->flight_bytes, LTT_MAX_FLIGHT_BYTES);
	if (options->heartbeat_ms > LTT_MAX_HEARTBEAT_MS)
		return ltt_fail(error, LTT_ERROR_INVALID,
				"heartbeat of %u ms: expected no more than %d",
				options->heartbeat_ms, LTT_MAX_HEARTBEAT_MS);
	if (options->facilities != NULL && strlen(options->facilities) >= LTTP_GLOBS_BYTES)
		return ltt_fail(error, LTT_ERROR_INVALID,
				"globs of facilities: expected less than %d bytes of them",
				LTTP_GLOBS_BYTES);
	return TRUE;
}

static gboolean fail_to_make(const char *path, int result, GError **error)
{
	if (result == -EEXIST)
		return ltt_fail(error, LTT_ERROR_EXISTS,
				"%s: already exists; expected the name of a new directory", path);
	if (result == -ENODEV)
		return ltt_fail(error, LTT_ERROR_IO,
				"%s: could not create the trace: its file system cannot map files "
				"into memory; expected another directory",
				path);
	return ltt_fail_io(error, path, "create the trace", -result);
}

/* Adds attributes that the probe, which has only libc, cannot determine. */
static gboolean complete_system(const struct lttp_session *session, GError **error)
{
	g_autoptr(LttSystem) local = ltt_system_new_local(session->head->block_bytes);
	g_autoptr(LttSystem) system = ltt_record_read_system(session, error);

	if (system == NULL)
		return FALSE;
	ltt_system_set(system, "domainname", ltt_system_get(local, "domainname"));
	/* Of the preloaded library: a part of the trace needs the mappings of files before it. */
	ltt_system_set(system, LTT_SYSTEM_NAMING_EVENTS, "code.mapping");
	return ltt_record_write_system(session, system, error);
}

static gpointer keep(gpointer data)
{
	LttRecording *recording = data;
	struct lttp_head *head = recording->session.head;
	sigset_t all;

	sigfillset(&all);
	sigdelset(&all, SIGBUS); /* guard-priv.h */
	pthread_sigmask(SIG_SETMASK, &all, NULL);
	while (!g_atomic_int_get(&recording->is_ending)) {
		const guint32 seen = lttp_load(&head->bell);

		lttp_serve_requests(&recording->session);
		if (!g_atomic_int_get(&recording->is_ending))
			lttp_keeper_sleep(head, seen);
	}
	return NULL;
}

/* Ends the helper threads. */
static void stop_helpers(LttRecording *recording)
{
	g_clear_pointer(&recording->broker, ltt_broker_free);
	if (recording->keeper == NULL)
		return;
	g_atomic_int_set(&recording->is_ending, TRUE);
	lttp_keeper_wake(recording->session.head);
	g_thread_join(g_steal_pointer(&recording->keeper));
}

static gboolean open_recording(LttRecording *recording, const char *path, gboolean with_machine,
			       GError **error)
{
	int result = lttp_session_open(&recording->session, path, LTTP_SESSION_WATCH);

	if (result == 0)
		result = recording->keeper_fd = lttp_session_keep(&recording->session);
	if (result >= 0)
		result = lttp_feed_open(&recording->feed, &recording->session);
	if (result != 0)
		return fail_to_make(path, result, error);
	if (!complete_system(&recording->session, error) ||
	    (with_machine && !ltt_record_machine(&recording->session, error)))
		return FALSE;
	recording->broker = ltt_broker_new(&recording->session, error);
	if (recording->broker == NULL)
		return FALSE;
	/* From now on programs send requests, even before the thread runs. */
	lttp_keeper_work(recording->session.head);
	recording->keeper = ltt_thread_start("ltt-keeper", keep, recording, error);
	return recording->keeper != NULL;
}

LttRecording *ltt_recording_new(const char *path, const LttRecordingOptions *options,
				GError **error)
{
	const LttRecordingOptions defaults = {.block_bytes = 0};
	struct ltt_probe_options probe_options = {.size_bytes = sizeof(probe_options)};
	g_autoptr(LttRecording) recording = NULL;
	int result;

	if (options == NULL)
		options = &defaults;
	if (!check_options(options, error) || !ltt_record_check_space(path, options, error))
		return NULL;
	probe_options.flight_bytes = options->flight_bytes;
	probe_options.block_bytes = options->block_bytes;
	probe_options.clock = options->fast_clock ? LTT_PROBE_CLOCK_FAST : LTT_PROBE_CLOCK_ORDERED;
	probe_options.heartbeat_ms = options->heartbeat_ms;
	probe_options.facilities = options->facilities;
	result = lttp_session_create(path, &probe_options);
	if (result != 0) {
		fail_to_make(path, result, error);
		return NULL;
	}
	recording = new_recording();
	recording->has_machine = !options->no_machine;
	if (open_recording(recording, path, !options->no_machine, error))
		return g_steal_pointer(&recording);
	stop_helpers(recording);
	lttp_session_remove(path);
	return NULL;
}

void ltt_recording_free(LttRecording *recording)
{
	if (recording == NULL)
		return;
	stop_helpers(recording);
	lttp_feed_close(&recording->feed);
	lttp_session_close(&recording->session);
	lttp_close(recording->keeper_fd);
	ltt_guard_end();
	g_free(recording);
}

void ltt_recording_discard(LttRecording *recording)
{
	if (lttp_session_is_in_place(&recording->session))
		lttp_session_remove(recording->session.directory);
	ltt_recording_free(recording);
}

const char *ltt_recording_get_path(const LttRecording *recording)
{
	return recording->session.directory;
}

gboolean ltt_recording_is_in_place(const LttRecording *recording)
{
	return lttp_session_is_in_place(&recording->session);
}

const char *ltt_recording_get_socket(const LttRecording *recording)
{
	return ltt_broker_get_address(recording->broker);
}

guint64 ltt_recording_feed(LttRecording *recording)
{
	return lttp_feed_session(&recording->feed, &recording->session);
}

void ltt_recording_process_ended(LttRecording *recording, guint32 pid, int wait_status)
{
	const gint32 status =
		WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : -WTERMSIG(wait_status);

	lttp_processes_bury_one(&recording->session, pid, status);
}

struct lttp_session *ltt_recording_get_session(LttRecording *recording)
{
	return &recording->session;
}

gboolean ltt_recording_has_machine(const LttRecording *recording)
{
	return recording->has_machine;
}

const char *ltt_recording_get_globs(const LttRecording *recording)
{
	return recording->session.head->globs;
}

/* Does not take the lock: a process that joins at this moment would not be traced. */
gboolean ltt_recording_is_attached(const LttRecording *recording)
{
	const int fd = lttp_session_file(&recording->session, "info/lock", O_RDWR);
	struct flock lock = {.l_type = F_WRLCK, .l_start = LTTP_LOCK_ATTACHED, .l_len = 1};
	const gboolean is_locked =
		fd >= 0 && fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;

	lttp_close(fd);
	return is_locked;
}

void ltt_recording_stop(LttRecording *recording)
{
	lttp_session_end(&recording->session);
	g_clear_pointer(&recording->broker, ltt_broker_free);
}

gboolean ltt_recording_close(LttRecording *recording, gboolean is_quiet, LttRecordingTotals *totals)
{
	struct lttp_session *session = &recording->session;
	struct lttp_totals sum;
	gboolean complete;

	stop_helpers(recording);
	lttp_processes_bury(session, !ltt_recording_is_attached(recording));
	complete = lttp_session_finish(session, is_quiet) == LTTP_FINISHED;
	lttp_session_sum(session, &sum);
	*totals = (LttRecordingTotals){sum.bytes,     sum.lost,    sum.control_lost,
				       sum.processes, sum.refused, 0};
	return complete;
}

guint ltt_recording_count_living(const LttRecording *recording)
{
	const gboolean is_attached = ltt_recording_is_attached(recording);
	const guint living = lttp_processes_count_living(&recording->session, !is_attached);

	return living == 0 && is_attached ? 1 : living;
}

gboolean ltt_recording_finish(LttRecording *recording, LttRecordingTotals *totals)
{
	gboolean complete;
	guint living;

	ltt_recording_stop(recording);
	/* Children that were killed with the program may still be dying. */
	for (guint i = 0; i < DYING_TRIES && ltt_recording_is_attached(recording); i++)
		lttp_sleep_ns(DYING_WAIT_NS);
	living = lttp_processes_count_living(&recording->session,
					     !ltt_recording_is_attached(recording));
	complete = ltt_recording_close(recording, FALSE, totals);
	totals->left = living;
	return complete && living == 0;
}

char *ltt_recording_get_refusal(const LttRecording *recording, guint index)
{
	const struct lttp_refusal *refusal;
	const guint32 n_refusals = LTTP_REFUSALS;

	if (index >= n_refusals)
		return NULL;
	refusal = &recording->session.head->refusals[index];
	if (refusal->reason == 0)
		return NULL;
	return g_strdup_printf("%.*s (process %u): %s", (int)sizeof(refusal->name), refusal->name,
			       refusal->pid, lttp_refusal_text(refusal->reason));
}

char *ltt_recording_get_unwanted(const LttRecording *recording, guint index)
{
	const guint n_unwanted = LTTP_UNWANTED;
	struct lttp_unwanted unwanted;

	if (index >= n_unwanted)
		return NULL;
	unwanted = recording->session.head->unwanted[index];
	return unwanted.key != 0 ? g_strndup(unwanted.name, sizeof(unwanted.name)) : NULL;
}
