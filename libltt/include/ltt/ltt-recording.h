/* ltt-recording.h - record programs: create a trace, supervise the programs that write to it, and
 * finish it.
 *
 *	recording = ltt_recording_new("trace", &options, &error);
 *	... start a program with LTT_TRACE_DIR=ltt_recording_get_path(recording)
 *	    and LTT_TRACE_SOCKET=ltt_recording_get_socket(recording) ...
 *	while (it runs)
 *		... wait for ltt_recording_feed(recording) nanoseconds ...
 *	ltt_recording_process_ended(recording, pid, status);
 *	ltt_recording_finish(recording, &totals);
 *	ltt_recording_free(recording);
 *
 * The programs write the events themselves (ltt-probe.h). They continue to write if the recorder
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

/* Options of a recording. A member that is 0 or NULL selects the default. */
typedef struct LttRecordingOptions {
	guint64 flight_bytes;   /* size of the flight recorder of each CPU; 0: keep all events */
	guint32 block_bytes;    /* a power of two within the limits above, at least the page size;
				   0: 262144 */
	guint32 heartbeat_ms;   /* maximum time between two time values in a file; 0: 1000 */
	gboolean fast_clock;    /* read the cycle counter without waiting for earlier loads */
	const char *facilities; /* (nullable): enabled facilities, as globs separated by commas;
				   NULL: all */
	gboolean no_machine;    /* do not record the interrupts and processes of the machine, nor,
				   with an LttKernel, the names of threads without events */
} LttRecordingOptions;

/**
 * ltt_recording_new:
 * @path: directory to create for the trace
 * @options: (nullable): NULL for the defaults
 *
 * Creates a trace that programs can join. It contains info/system.xml and the current interrupts
 * and processes of the machine.
 *
 * Returns: (transfer full) (nullable): free it with ltt_recording_free(). NULL on failure, which
 *   leaves no directory, with
 *   LTT_ERROR_EXISTS   @path already exists
 *   LTT_ERROR_INVALID  an option is out of range, or the disk has no space for the flight recorder
 *   LTT_ERROR_IO       the trace could not be created
 */
LttRecording *ltt_recording_new(const char *path, const LttRecordingOptions *options,
				GError **error);

/* Frees a recording without finishing the trace. NULL is allowed and ignored. */
void ltt_recording_free(LttRecording *recording);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttRecording, ltt_recording_free)

/* Removes the trace and frees the recording. Use it only if no process has joined. */
void ltt_recording_discard(LttRecording *recording);

/* Returns: the absolute path of the trace, the value for LTT_TRACE_DIR in the environment of
 * programs */
const char *ltt_recording_get_path(const LttRecording *recording);

/* Returns: FALSE if the trace was removed or renamed, also if another directory has its path now */
gboolean ltt_recording_is_in_place(const LttRecording *recording);

/* Returns: the name of an abstract UNIX domain socket and a secret token, the value for
 * LTT_TRACE_SOCKET in the environment of programs. Until the recording is finished, programs that
 * cannot open the trace by its path join it through this socket. Any process that has the token can
 * write to the trace. */
const char *ltt_recording_get_socket(const LttRecording *recording);

/**
 * ltt_recording_feed:
 * Allocates disk space in advance, so that the programs do not have to. Records lost events in the
 * trace.
 *
 * Returns: number of nanoseconds until the next call is due
 */
guint64 ltt_recording_feed(LttRecording *recording);

/* Records the end of a process that joined the trace, unless the process has recorded it itself.
 * @wait_status: from waitpid(2) */
void ltt_recording_process_ended(LttRecording *recording, guint32 pid, int wait_status);

/* Returns: a lower bound of the number of joined processes that are running; at least 1 if any is
 * running */
guint ltt_recording_count_living(const LttRecording *recording);

/* Totals of a recording. */
typedef struct LttRecordingTotals {
	guint64 bytes;     /* of all blocks, including blocks that a flight recorder overwrote */
	guint64 lost;      /* events of the programs that could not be written */
	guint64 own_lost;  /* process_start and process_exit events that could not be written */
	guint64 processes; /* processes that joined */
	guint refused;     /* processes and facilities that could not join */
	guint left;        /* processes that are still running and are no longer traced */
} LttRecordingTotals;

/**
 * ltt_recording_finish:
 * @totals: (out)
 *
 * Ends the recording. Records the end of processes that died without recording it, completes the
 * last blocks, and frees unused disk space.
 *
 * Returns: FALSE if some processes are still running. The trace is valid, but does not contain
 *   their later events
 */
gboolean ltt_recording_finish(LttRecording *recording, LttRecordingTotals *totals);

/**
 * ltt_recording_get_refusal:
 * @index: below LttRecordingTotals.refused
 *
 * Returns: (transfer full) (nullable): the name of the process or facility and the reason; NULL:
 *   unknown, because the recording keeps only the first ones
 */
char *ltt_recording_get_refusal(const LttRecording *recording, guint index);

/**
 * ltt_recording_get_unwanted:
 *
 * Lists the facilities of programs that LttRecordingOptions.facilities disables.
 *
 * Returns: (transfer full) (nullable): the name of facility number @index; NULL: the list ends
 *   before @index
 */
char *ltt_recording_get_unwanted(const LttRecording *recording, guint index);

G_END_DECLS

#endif /* LTT_RECORDING_H */
