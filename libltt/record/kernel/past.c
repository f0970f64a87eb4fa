/* past.c - see past-priv.h. */
#include "record/kernel/past-priv.h"

static const struct lttp_instant *get(const LttPast *past, guint index)
{
	return &g_array_index(past->points, struct lttp_instant, index);
}

gboolean ltt_past_init(LttPast *past, struct lttp_head *head)
{
	struct lttp_instant now;
	struct lttp_instant end;

	past->head = head;
	past->points = g_array_new(FALSE, FALSE, sizeof(struct lttp_instant));
	if (!lttp_clock_now(head, &now) || !lttp_clock_map(head, now.cycles, &now, &end)) {
		ltt_past_clear(past);
		return FALSE;
	}
	g_array_append_val(past->points, now);
	g_array_append_val(past->points, end);
	return TRUE;
}

void ltt_past_clear(LttPast *past)
{
	g_clear_pointer(&past->points, g_array_unref);
}

guint64 ltt_past_get_start(const LttPast *past)
{
	return get(past, 0)->cycles;
}

/* A damaged map could go back. Returns: whether the bend was added */
static gboolean add(LttPast *past, const struct lttp_instant *bend)
{
	const struct lttp_instant *last = get(past, past->points->len - 1);

	if (bend->cycles <= last->cycles || bend->ns < last->ns)
		return FALSE;
	g_array_append_val(past->points, *bend);
	return TRUE;
}

/* Adds the bends that are over, after a pause of the recorder. The session keeps the latest ones. */
static void add_missed(LttPast *past, guint64 now_cycles)
{
	for (guint i = 0; i < LTTP_BENDS; i++) {
		const guint64 from_cycles = get(past, past->points->len - 1)->cycles;
		struct lttp_instant from;
		struct lttp_instant end;

		if (from_cycles >= now_cycles ||
		    !lttp_clock_map(past->head, from_cycles, &from, &end) || !add(past, &end))
			return;
	}
}

gboolean ltt_past_update(LttPast *past)
{
	struct lttp_instant now;
	struct lttp_instant end;

	if (!lttp_clock_now(past->head, &now) ||
	    !lttp_clock_map(past->head, now.cycles, &now, &end))
		return FALSE;
	add_missed(past, now.cycles);
	add(past, &end);
	return TRUE;
}

void ltt_past_map(const LttPast *past, guint64 cycles, struct lttp_instant *now,
		  struct lttp_instant *end)
{
	guint i = past->points->len - 1;
	const struct lttp_instant *from;
	const struct lttp_instant *to;

	/* Searches backwards, because the line is usually one of the last. */
	while (i > 1 && get(past, i - 1)->cycles > cycles)
		i--;
	from = get(past, i - 1);
	to = get(past, i);
	now->cycles = cycles;
	if (cycles >= from->cycles)
		now->ns = from->ns + (guint64)((unsigned __int128)(cycles - from->cycles) *
					       (to->ns - from->ns) / (to->cycles - from->cycles));
	else
		now->ns = from->ns - (guint64)((unsigned __int128)(from->cycles - cycles) *
					       (to->ns - from->ns) / (to->cycles - from->cycles));
	*end = *to;
}
