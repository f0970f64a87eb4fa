/* ahead.c - see ahead-priv.h */
#include "reader/ahead-priv.h"

struct LttAhead {
	GThread *thread;
	GMutex lock; /* protects the members below and the states of the slots */
	GCond changed;
	GQueue waiting; /* of LttAheadBlock */
	gboolean ends;
};

void ltt_ahead_block_init(LttAheadBlock *place, LttTracefile *tracefile)
{
	*place = (LttAheadBlock){.tracefile = tracefile};
	ltt_block_init(&place->block);
}

void ltt_ahead_block_clear(LttAheadBlock *place)
{
	ltt_block_clear(&place->block);
}

/* Decodes the oldest requested block. Returns: FALSE if no block is requested */
static gboolean decode_next(LttAhead *ahead)
{
	LttAheadBlock *place = g_queue_pop_head(&ahead->waiting);
	gboolean is_good;

	if (place == NULL)
		return FALSE;
	place->state = LTT_AHEAD_BEGUN;
	g_mutex_unlock(&ahead->lock);
	is_good = ltt_block_try_load(&place->block, place->tracefile, place->position);
	g_mutex_lock(&ahead->lock);
	place->state = is_good ? LTT_AHEAD_DONE : LTT_AHEAD_NOTHING;
	g_cond_broadcast(&ahead->changed);
	return TRUE;
}

static gpointer run(gpointer data)
{
	LttAhead *ahead = data;

	g_mutex_lock(&ahead->lock);
	while (!ahead->ends) {
		if (!decode_next(ahead))
			g_cond_wait(&ahead->changed, &ahead->lock);
	}
	g_mutex_unlock(&ahead->lock);
	return NULL;
}

LttAhead *ltt_ahead_new(void)
{
	LttAhead *ahead = g_new0(LttAhead, 1);

	g_mutex_init(&ahead->lock);
	g_cond_init(&ahead->changed);
	g_queue_init(&ahead->waiting);
	ahead->thread = g_thread_try_new("ltt-ahead", run, ahead, NULL);
	if (ahead->thread == NULL)
		g_clear_pointer(&ahead, ltt_ahead_free);
	return ahead;
}

void ltt_ahead_free(LttAhead *ahead)
{
	if (ahead == NULL)
		return;
	if (ahead->thread != NULL) {
		g_mutex_lock(&ahead->lock);
		ahead->ends = TRUE;
		g_cond_broadcast(&ahead->changed);
		g_mutex_unlock(&ahead->lock);
		g_thread_join(ahead->thread);
	}
	g_queue_clear(&ahead->waiting);
	g_cond_clear(&ahead->changed);
	g_mutex_clear(&ahead->lock);
	g_free(ahead);
}

/* Withdraws the request of a slot. Afterwards the thread does not access the slot, and its block is
 * valid if the state is DONE. While the thread decodes this block, the caller decodes the next
 * requested one. */
static void recall(LttAhead *ahead, LttAheadBlock *place)
{
	if (place->state == LTT_AHEAD_WAITS) {
		g_queue_remove(&ahead->waiting, place);
		place->state = LTT_AHEAD_NOTHING;
	}
	while (place->state == LTT_AHEAD_BEGUN) {
		if (!decode_next(ahead))
			g_cond_wait(&ahead->changed, &ahead->lock);
	}
}

void ltt_ahead_ask(LttAhead *ahead, LttAheadBlock *place, guint64 position)
{
	g_mutex_lock(&ahead->lock);
	recall(ahead, place);
	place->position = position;
	place->state = LTT_AHEAD_WAITS;
	g_queue_push_tail(&ahead->waiting, place);
	g_cond_broadcast(&ahead->changed);
	g_mutex_unlock(&ahead->lock);
}

gboolean ltt_ahead_take(LttAhead *ahead, LttAheadBlock *place, guint64 position, LttBlock *block)
{
	gboolean is_there;

	g_mutex_lock(&ahead->lock);
	recall(ahead, place);
	is_there = place->state == LTT_AHEAD_DONE && place->position == position;
	place->state = LTT_AHEAD_NOTHING;
	g_mutex_unlock(&ahead->lock);
	if (is_there) {
		const LttBlock taken = place->block;

		place->block = *block;
		*block = taken;
	}
	return is_there;
}
