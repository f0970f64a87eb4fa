/* ltt-follow.h - read the events of a trace in time order while it is being recorded.
 *
 * A follow reads the files of the trace and does not interact with the writers. An event of one
 * tracefile can be returned only when no other tracefile may still get an earlier one, so each
 * event is held back for a part of a delay that the caller chooses.
 *
 *	LttFollow *follow = ltt_follow_new(trace, NULL, 500, &error);
 *	const LttEvent *event;
 *	LttStep step;
 *	while ((step = ltt_follow_next(follow, &event, &error)) != LTT_STEP_END)
 *		if (step == LTT_STEP_EVENT)
 *			puts(event->type->full_name);
 *		else if (step == LTT_STEP_WAIT)
 *			g_usleep(1000 * ltt_follow_get_wait_ms(follow));
 *		...
 *
 * The time of an event in an open block may differ by 1 ns from its time in the complete block: it
 * is first extrapolated from one time value (doc/format.md, 6.4), later interpolated between two
 * (6.3). Otherwise the events are those that a merge returns later.
 *
 * Threads: use a follow and its trace in one thread only.
 */
#ifndef LTT_FOLLOW_H
#define LTT_FOLLOW_H

#include <ltt/ltt-job.h>
#include <ltt/ltt-merge.h>

G_BEGIN_DECLS

typedef struct LttFollow LttFollow;

#define LTT_MIN_FOLLOW_DELAY_MS     4
#define LTT_DEFAULT_FOLLOW_DELAY_MS 500
#define LTT_MAX_FOLLOW_DELAY_MS     3600000

/**
 * ltt_follow_new:
 * @trace: must outlive the follow; new tracefiles and facilities are added to it
 * @select: (transfer none) (nullable): which events; NULL: all, with hidden events. Must outlive
 *   the follow. If it has a window with an end, the follow ends when that time has passed
 * @delay_ms: within the limits above. An event is returned at most this long after it was recorded,
 *   provided that the caller waits no longer than ltt_follow_get_wait_ms(). The order is correct as
 *   long as each event reaches its file within half of the delay; later events are returned out of
 *   order and counted
 *
 * From a trace that is not being recorded a follow returns the events of ltt_merge_next(). If a
 * recorder is just creating the trace, this waits for it, for a second at most.
 *
 * Returns: (transfer full) (nullable): NULL with
 *   LTT_ERROR_UNSUPPORTED  the recorder has another version or byte order
 *   LTT_ERROR_CORRUPT      info/session contradicts itself or info/system.xml
 *   LTT_ERROR_IO           info/session cannot be read
 */
LttFollow *ltt_follow_new(LttTrace *trace, LttSelect *select, guint delay_ms, GError **error);
void ltt_follow_free(LttFollow *follow); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttFollow, ltt_follow_free)

/**
 * ltt_follow_next:
 * @event: (out) (transfer none): valid until the next call on @follow
 *
 * Returns: LTT_STEP_EVENT with the next selected event; LTT_STEP_WAIT if there is none yet;
 *   LTT_STEP_END if there will be none, because the recording has ended or has had no process for a
 *   second; LTT_STEP_ERROR as ltt_cursor_next(), until ltt_follow_skip_block() is called
 */
LttStep ltt_follow_next(LttFollow *follow, const LttEvent **event, GError **error);

/* Skips the rest of the block in which the last step failed. */
void ltt_follow_skip_block(LttFollow *follow);

/* Returns: how long to wait after LTT_STEP_WAIT before the next step, in milliseconds */
guint ltt_follow_get_wait_ms(const LttFollow *follow);

/**
 * ltt_follow_tell_losses:
 * @callbacks: its on_problem is called
 *
 * Reports, once for each tracefile, the number of blocks of a flight recorder that were overwritten
 * before all of their events could be read; and the number of late events that were returned out of
 * order. Both numbers cover the whole follow.
 */
void ltt_follow_tell_losses(const LttFollow *follow, const LttJobCallbacks *callbacks);

/* ---- the recording of a trace ---- */

typedef enum LttLiveState {
	LTT_LIVE_ENDED,     /* or never a recording on this machine: nothing will be written */
	LTT_LIVE_ABANDONED, /* not finished, and no process writes to it; a process may attach */
	LTT_LIVE_RUNNING,
} LttLiveState;

/**
 * ltt_trace_get_live_state:
 * @trace: a trace, or a joined trace, whose state is the largest value of all members
 * @now_ns: (out) (optional): the time that an event written now would have; the earliest one of all
 *   running members. G_MAXUINT64 if none is running
 *
 * Reads info/session. The files of a trace contain all of its events if they are opened after a call
 * that returned LTT_LIVE_ENDED.
 */
LttLiveState ltt_trace_get_live_state(const LttTrace *trace, guint64 *now_ns);

/* Returns: whether the trace, or a member of a joined trace, is being recorded by a flight recorder, which
 *   overwrites the oldest blocks; FALSE if the recording has ended */
gboolean ltt_trace_is_flight_recorder(const LttTrace *trace);

/**
 * ltt_trace_reopen:
 *
 * Opens the files of a trace again, as they are now, by its path. The members of a joined trace keep
 * their offsets and clock maps.
 *
 * Returns: (transfer full) (nullable): a trace that does not depend on @trace; NULL as
 *   ltt_trace_open()
 */
LttTrace *ltt_trace_reopen(const LttTrace *trace, GError **error);

G_END_DECLS

#endif /* LTT_FOLLOW_H */
