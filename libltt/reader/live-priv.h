/* live-priv.h - a recording that is looked at from the outside, and not disturbed.
 *
 * All is read from DIR/info/session with pread(2), so that a reader needs no right to write, and a
 * file that is cut short under him does no harm. Writers do not notice.
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

/* What the processes of the recording have locked; only the owner of the trace can open it. */
#define LTT_LIVE_LOCK_FILE "info/lock"

/* Whether a name in a trace directory is of the recording alone, not of the trace. */
gboolean ltt_live_owns(const char *name);

/**
 * ltt_live_open:
 * @path: a trace directory
 * @live: (out) (transfer full) (nullable): NULL: it is not being recorded
 *
 * Returns: FALSE with LTT_ERROR_UNSUPPORTED if its state is of another version or byte order,
 *   LTT_ERROR_CORRUPT if it is none, LTT_ERROR_IO if it cannot be read
 */
gboolean ltt_live_open(const char *path, LttLive **live, GError **error);
void ltt_live_free(LttLive *live); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttLive, ltt_live_free)

guint32 ltt_live_get_block_bytes(const LttLive *live);

/* Returns: how many blocks a file of a CPU keeps; 0: all */
guint32 ltt_live_get_flight_blocks(const LttLive *live);

/* Returns: the time that an event would get now, as near as the monotonic clock allows: some
 * microseconds, and more where the speed of the cycle counter is still being learnt */
guint64 ltt_live_get_now_ns(const LttLive *live);

/* Losses of a recording that its trace does not report yet. */
typedef struct LttLiveLoss {
	const char *name; /* of the reason, or of the event type; never longer than 64 bytes */
	guint64 n_events;
	guint64 n_bytes; /* of an event type: payload of the largest event */
	gboolean is_type;
} LttLiveLoss;

/* Calls @func for each of them. */
void ltt_live_each_unreported_loss(const LttLive *live,
				   void (*func)(const LttLiveLoss *loss, gpointer user_data),
				   gpointer user_data);

/* Returns: the number of lost events that no block of a tracefile counts. The end of the recording
 * writes it into control/processes; it is 0 from then on. */
guint64 ltt_live_count_unfiled_losses(const LttLive *live);

/**
 * ltt_live_is_over:
 * @patience_ms: how long nobody must have been there until the recording counts as given up
 *
 * Whether nothing more will be written: the recording was ended, or those who wrote it are dead. To
 * be asked before the files are read: then what was written last is in them.
 */
gboolean ltt_live_is_over(LttLive *live, guint patience_ms);

#endif
