/* ltt-recording.h - recordings from the outside: make a trace that programs write into, look after
 * it while they run, end it.
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
 * The programs write by themselves (ltt-probe.h): if who made the recording dies, they go on.
 */
#ifndef LTT_RECORDING_H
#define LTT_RECORDING_H

#include <ltt/ltt-error.h>

G_BEGIN_DECLS

typedef struct LttRecording LttRecording;

#define LTT_RECORDING_MIN_BLOCK_BYTES  4096
#define LTT_RECORDING_MAX_BLOCK_BYTES  (64 << 20)
#define LTT_RECORDING_MAX_FLIGHT_BYTES ((guint64)1 << 40)
#define LTT_RECORDING_MAX_HEARTBEAT_MS (3600 * 1000)

/* How to record; all zero is a good start. */
typedef struct LttRecordingOptions {
	guint64 flight_bytes;   /* keep the last so many bytes of each CPU; 0: keep everything */
	guint32 block_bytes;    /* a power of two within the limits above, and no less than a page;
				   0: 262144 */
	guint32 heartbeat_ms;   /* the longest time between two time values; 0: 1000 */
	gboolean fast_clock;    /* read the cycle counter without waiting for earlier loads */
	const char *facilities; /* (nullable): globs with commas between; NULL: all are on */
	gboolean no_machine;    /* without this machine's interrupts and processes */
} LttRecordingOptions;

/**
 * ltt_recording_new:
 * @path: the trace, a directory that is not there yet
 * @options: (nullable): NULL for the defaults
 *
 * Makes a trace that programs can join: info/system.xml, and this machine's interrupts and
 * processes as they are now.
 *
 * Returns: (transfer full) (nullable): NULL with LTT_ERROR_EXISTS, LTT_ERROR_INVALID (an option) or
 *   LTT_ERROR_IO; then nothing is left of the directory
 */
LttRecording *ltt_recording_new(const char *path, const LttRecordingOptions *options,
				GError **error);

/* Lets go of a recording as it is; NULL is allowed and ignored. */
void ltt_recording_free(LttRecording *recording);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttRecording, ltt_recording_free)

/* Removes the trace and frees the recording: for one that nobody has joined. */
void ltt_recording_discard(LttRecording *recording);

/* Returns: the absolute path of the trace, which programs are told as LTT_TRACE_DIR */
const char *ltt_recording_get_path(const LttRecording *recording);

/* Returns: where programs that cannot open the trace by its path can join it, which they are told
 * as LTT_TRACE_SOCKET: an abstract unix socket and a secret, which lets whoever knows it write to
 * the trace. Until the recording is finished. */
const char *ltt_recording_get_socket(const LttRecording *recording);

/**
 * ltt_recording_feed:
 * Allocates room ahead of the programs, so that they need not do so themselves.
 *
 * Returns: after how many nanoseconds to do so again
 */
guint64 ltt_recording_feed(LttRecording *recording);

/* Says in the trace that a process is gone, if it joined and could not say so itself. @wait_status:
 * what waitpid(2) told of it. */
void ltt_recording_process_ended(LttRecording *recording, guint32 pid, int wait_status);

/* Returns: how many of the processes that joined still run, at least: 1 also if it is not known
 * which */
guint ltt_recording_count_living(const LttRecording *recording);

/* As ltt_recording_take_snapshot(), of a recording at hand. */
gboolean ltt_recording_snapshot(LttRecording *recording, const char *path, GError **error);

/* What has been recorded. */
typedef struct LttRecordingTotals {
	guint64 bytes;     /* of blocks, those included that a flight recorder wrote over */
	guint64 lost;      /* events of the programs that could not be written */
	guint64 own_lost;  /* the same of those that say which processes started and ended */
	guint64 processes; /* that joined */
	guint refused;     /* processes and facilities that could not join */
	guint left;        /* processes that joined and go on without being traced */
} LttRecordingTotals;

/**
 * ltt_recording_finish:
 * @totals: (out)
 *
 * Ends the recording. What joined and is gone without a word is told of in the trace; then its last
 * blocks are closed and unused room is given back.
 *
 * Returns: FALSE if processes that have not ended were cut off; the trace is good all the same
 */
gboolean ltt_recording_finish(LttRecording *recording, LttRecordingTotals *totals);

/**
 * ltt_recording_get_refusal:
 * @index: below LttRecordingTotals.refused
 *
 * Returns: (transfer full) (nullable): who was refused and why; NULL: that is not remembered, as
 *   only the first ones are
 */
char *ltt_recording_get_refusal(const LttRecording *recording, guint index);

/**
 * ltt_recording_get_unwanted:
 *
 * Returns: (transfer full) (nullable): the name of a facility that a program has and that
 *   LttRecordingOptions.facilities leaves off; NULL: there are not more than @index that are
 *   remembered
 */
char *ltt_recording_get_unwanted(const LttRecording *recording, guint index);

/**
 * ltt_recording_take_snapshot:
 * @trace: a trace that is being recorded, by whomever
 * @path: where the copy is to be; a directory that is not there yet
 *
 * Copies a trace as it is at one moment: all events stamped before it, and none after. The
 * recording goes on.
 *
 * Returns: FALSE with LTT_ERROR_EXISTS, LTT_ERROR_INVALID (@trace is not being recorded),
 *   LTT_ERROR_UNSUPPORTED (it is, by another version) or LTT_ERROR_IO; nothing is left of @path
 */
gboolean ltt_recording_take_snapshot(const char *trace, const char *path, GError **error);

G_END_DECLS

#endif /* LTT_RECORDING_H */
