/* ltt-follow.h - the events of a trace while it is being recorded, in the order of time.
 *
 * Events are read from the files as soon as they are there; who writes them is not asked and does
 * not notice. Those of different tracefiles can be put in order only after a moment, in which one
 * that has an earlier time may still turn up: so each is held back for some part of a delay that
 * the caller names.
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
 * The time of an event in a block that is still open may be 1 ns off what it is when the block is
 * complete: it then lies between two time values (doc/format.md, 6.3), before it goes on from one
 * (6.4). All else is as a merge gives it later.
 *
 * Threads: a follow, and all that is done with its trace, is for one thread.
 */
#ifndef LTT_FOLLOW_H
#define LTT_FOLLOW_H

#include <ltt/ltt-merge.h>

G_BEGIN_DECLS

typedef struct LttFollow LttFollow;

#define LTT_FOLLOW_MIN_DELAY_MS     4
#define LTT_FOLLOW_DEFAULT_DELAY_MS 500
#define LTT_FOLLOW_MAX_DELAY_MS     3600000

/**
 * ltt_follow_new:
 * @trace: must outlive the follow; tracefiles and facilities that come up are added to it
 * @select: (transfer none) (nullable): which events; NULL: all, builtin and tracer ones too. Must
 *   outlive the follow. Where it has a window with an end, the follow ends when that has passed
 * @delay_ms: within the limits above: an event is given no later than so long after it was
 * recorded, if the caller comes when ltt_follow_get_wait_ms() tells. The order is right as long as
 * each event is in its file within half of that; one that is not is given late, and counted
 *
 * A trace that is not being recorded is given as ltt_merge_next() does.
 *
 * Returns: (transfer full) (nullable): NULL with
 *   LTT_ERROR_UNSUPPORTED  it is being recorded by another version or on another byte order
 *   LTT_ERROR_CORRUPT      its info/session contradicts itself or info/system.xml
 *   LTT_ERROR_IO           info/session cannot be read
 */
LttFollow *ltt_follow_new(LttTrace *trace, LttSelect *select, guint delay_ms, GError **error);
void ltt_follow_free(LttFollow *follow); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttFollow, ltt_follow_free)

/**
 * ltt_follow_next:
 * @event: (out) (transfer none): valid until the next call on @follow
 *
 * The next selected event. LTT_STEP_WAIT: there is none yet. LTT_STEP_END: there will be none, as
 * the recording has ended, or nobody has been there for a second to go on with it. LTT_STEP_ERROR:
 * as for ltt_cursor_next(), until ltt_follow_skip_block().
 */
LttStep ltt_follow_next(LttFollow *follow, const LttEvent **event, GError **error);

/* Gives up the block that a step just failed in; the next step goes on behind it. */
void ltt_follow_skip_block(LttFollow *follow);

/* Returns: how long to wait after LTT_STEP_WAIT before the next step */
guint ltt_follow_get_wait_ms(const LttFollow *follow);

/**
 * ltt_follow_tell_losses:
 * Tells, once for each tracefile, how many blocks of a flight recorder were written over before all
 * of their events could be read; and how many events came so late that they were given behind
 * events with later times. Both are counted from the beginning.
 */
void ltt_follow_tell_losses(const LttFollow *follow, LttProblemFunc func, gpointer user_data);

G_END_DECLS

#endif /* LTT_FOLLOW_H */
