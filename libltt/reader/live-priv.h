/* live-priv.h - observe a recording without disturbing it.
 *
 * Reads DIR/info/session with pread(2). So the reader needs no write permission, and a file that is
 * truncated in the meantime causes an error instead of SIGBUS.
 */
#ifndef LTT_READER_LIVE_PRIV_H
#define LTT_READER_LIVE_PRIV_H

#ifndef LTT_BUILDING
#error "reader/live-priv.h is private to libltt; use <ltt/ltt-follow.h>"
#endif

#include <ltt/ltt-error.h>

typedef struct LttLive LttLive;

/* The name of the session state in a trace. */
#define LTT_LIVE_FILE "info/session"

/* Its name until the trace is complete enough for programs to join. */
#define LTT_LIVE_NEW_FILE "info/session.new"

/* The name of the file that the processes of the recording lock. Only the owner of the trace can
 * open it. */
#define LTT_LIVE_LOCK_FILE "info/lock"

/* Returns: whether a name in a trace directory belongs to the recording and not to the trace */
gboolean ltt_live_owns(const char *name);

/**
 * ltt_live_open:
 * @path: a trace directory
 * @live: (out) (transfer full) (nullable): NULL if it is not being recorded
 *
 * Returns: FALSE with LTT_ERROR_UNSUPPORTED if its state is of another version or byte order,
 *   LTT_ERROR_CORRUPT if it is not a session state, LTT_ERROR_IO if it cannot be read
 */
gboolean ltt_live_open(const char *path, LttLive **live, GError **error);
void ltt_live_free(LttLive *live); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttLive, ltt_live_free)

guint32 ltt_live_get_block_bytes(const LttLive *live);

/* Returns: the number of blocks that the file of a CPU keeps; 0: all */
guint32 ltt_live_get_flight_blocks(const LttLive *live);

/* Returns: the time of an event written now, estimated from the monotonic clock. The error is some
 * microseconds, and larger while the rate of the cycle counter is still being measured */
guint64 ltt_live_get_now_ns(const LttLive *live);

/* Losses of a recording that its trace does not report yet. */
typedef struct LttLiveLoss {
	const char *name; /* name of the reason or of the event type; at most 64 bytes */
	guint64 n_events;
	guint64 n_bytes; /* of an event type: payload of the largest event */
	gboolean is_type;
} LttLiveLoss;

/* Calls @func for each loss. */
void ltt_live_each_unreported_loss(const LttLive *live,
				   void (*func)(const LttLiveLoss *loss, gpointer user_data),
				   gpointer user_data);

/* Returns: the number of lost events that no block of a tracefile counts. The end of the recording
 * writes it into control/processes; it is 0 from then on. */
guint64 ltt_live_count_unfiled_losses(const LttLive *live);

/**
 * ltt_live_is_over:
 * @patience_ms: how long the recording must have had no process to count as abandoned
 *
 * A caller must call this before it reads the files. Then they contain the last events.
 *
 * Returns: whether nothing more will be written, because the recording was ended or its processes
 *   have died
 */
gboolean ltt_live_is_over(LttLive *live, guint patience_ms);

#endif
