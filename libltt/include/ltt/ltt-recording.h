/* ltt-recording.h - record programs: create a trace, supervise the programs that write to it, and
 * finish it.
 *
 *	recording = ltt_recording_new("trace", &options, &error);
 *	... start a program with LTT_TRACE_DIR=ltt_recording_get_path(recording)
 *	    and LTT_TRACE_SOCKET=ltt_recording_get_socket(recording) ...
 *	while (it runs)
 *		... come again after ltt_recording_feed(recording) nanoseconds ...
 *	ltt_recording_process_ended(recording, pid, status);
 *	ltt_recording_finish(recording, &totals);
 *	ltt_recording_free(recording);
 *
 * The programs write the events themselves (ltt-probe.h), and continue to do so if the recorder
 * dies.
 */
#ifndef LTT_RECORDING_H
#define LTT_RECORDING_H

#include <ltt/ltt-error.h>

G_BEGIN_DECLS

typedef struct LttRecording LttRecording;

#define LTT_MIN_RECORDING_BLOCK_BYTES 4096
#define LTT_MAX_RECORDING_BLOCK_BYTES (64 << 20)
#define LTT_MAX_FLIGHT_BYTES          ((guint64)1 << 40)
#define LTT_MAX_HEARTBEAT_MS          (3600 * 1000)

/* Options of a recording; 0 for the defaults. */
typedef struct LttRecordingOptions {
	guint64 flight_bytes;   /* size of a flight recorder for each CPU; 0: keep all events */
	guint32 block_bytes;    /* a power of two within the limits above, and no less than a page;
				   0: 262144 */
	guint32 heartbeat_ms;   /* maximum time between two time values; 0: 1000 */
	gboolean fast_clock;    /* read the cycle counter without waiting for earlier loads */
	const char *facilities; /* (nullable): globs of enabled ones, with commas; NULL: all */
	gboolean no_machine;    /* do not record interrupts and processes of the machine */
} LttRecordingOptions;

/**
 * ltt_recording_new:
 * @path: the trace, a new directory
 * @options: (nullable): NULL for the defaults
 *
 * Creates a trace that programs can join, with info/system.xml and the present interrupts and
 * processes of the machine.
 *
 * Returns: (transfer full) (nullable): free it with ltt_recording_free(). NULL, and no directory is
 *   left, with
 *   LTT_ERROR_EXISTS   @path exists
 *   LTT_ERROR_INVALID  an option is out of range, or the disk has no space for the flight recorder
 *   LTT_ERROR_IO       the trace could not be created
 */
LttRecording *ltt_recording_new(const char *path, const LttRecordingOptions *options,
				GError **error);

/* Frees a recording without finishing the trace. NULL is allowed and ignored. */
void ltt_recording_free(LttRecording *recording);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttRecording, ltt_recording_free)

/* Removes the trace and frees the recording. For a recording that no process has joined. */
void ltt_recording_discard(LttRecording *recording);

/* Returns: the absolute path of the trace, for LTT_TRACE_DIR in the environment of programs */
const char *ltt_recording_get_path(const LttRecording *recording);

/* Returns: an abstract unix socket and a secret token, for LTT_TRACE_SOCKET in the environment of
 * programs. Programs that cannot open the trace by its path join it through this socket, until the
 * recording is finished. Whoever knows the token can write to the trace. */
const char *ltt_recording_get_socket(const LttRecording *recording);

/**
 * ltt_recording_feed:
 * Allocates disk space in advance, so that the programs need not do so, and reports losses.
 *
 * Returns: nanoseconds until the next call
 */
guint64 ltt_recording_feed(LttRecording *recording);

/* Records the end of a process in the trace, if the process joined and could not do so itself.
 * @wait_status: from waitpid(2) */
void ltt_recording_process_ended(LttRecording *recording, guint32 pid, int wait_status);

/* Returns: a lower bound of the number of running processes that joined; at least 1 if there are
 * any */
guint ltt_recording_count_living(const LttRecording *recording);

/* Like ltt_recording_take_snapshot(), for an open recording. */
gboolean ltt_recording_snapshot(LttRecording *recording, const char *path, GError **error);

/* Totals of a recording. */
typedef struct LttRecordingTotals {
	guint64 bytes;    /* of all blocks, including those that a flight recorder overwrote */
	guint64 lost;     /* events of the programs that could not be written */
	guint64 own_lost; /* events about starts and exits of processes that could not be written */
	guint64 processes; /* number of processes that joined */
	guint refused;     /* processes and facilities that could not join */
	guint left;        /* processes that continue to run without being traced */
} LttRecordingTotals;

/**
 * ltt_recording_finish:
 * @totals: (out)
 *
 * Ends the recording. Records the end of processes that died without doing so, closes the last
 * blocks, and frees unused disk space.
 *
 * Returns: FALSE if some processes are still running. Their later events are not in the trace, which
 *   is valid
 */
gboolean ltt_recording_finish(LttRecording *recording, LttRecordingTotals *totals);

/**
 * ltt_recording_get_refusal:
 * @index: below LttRecordingTotals.refused
 *
 * Returns: (transfer full) (nullable): the name of the process or facility and the reason; NULL:
 *   unknown, because only the first ones are kept
 */
char *ltt_recording_get_refusal(const LttRecording *recording, guint index);

/**
 * ltt_recording_get_unwanted:
 *
 * Returns: (transfer full) (nullable): the name of a facility of a program that
 *   LttRecordingOptions.facilities disables; NULL: no more than @index are known
 */
char *ltt_recording_get_unwanted(const LttRecording *recording, guint index);

/**
 * ltt_recording_take_snapshot:
 * @trace: a trace that any process is recording
 * @path: the copy, a new directory
 *
 * Copies a trace as it is at one instant: all events before it, and none after it. The recording
 * continues.
 *
 * Returns: FALSE, and no copy is left, with
 *   LTT_ERROR_EXISTS       @path exists
 *   LTT_ERROR_INVALID      @trace is not being recorded
 *   LTT_ERROR_UNSUPPORTED  another version is recording it
 *   LTT_ERROR_IO           another snapshot is being taken, or a file could not be copied
 */
gboolean ltt_recording_take_snapshot(const char *trace, const char *path, GError **error);

G_END_DECLS

#endif /* LTT_RECORDING_H */
