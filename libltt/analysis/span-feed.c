/* span-feed.c - see span-feed-priv.h. */
#include "analysis/span-feed-priv.h"

#include "analysis/last-times-priv.h"
#include "analysis/open-priv.h"
#include "analysis/span-types-priv.h"
#include "reader/block-priv.h"

#include <string.h>

/* Threads without open spans whose stacks are kept. */
#define MAX_IDLE_STACKS 4096

/* A span that has begun, with copies of its begin. */
typedef struct OpenSpan {
	LttSpan span;
	const LttSpanKind *kind;
	LttEvent begin;
	guint8 *payload; /* owned; of payload_room bytes */
	gsize payload_room;
	char *key_text; /* owned; NULL: the key is no string */
} OpenSpan;

/* The open spans of a thread, the latest last. */
typedef struct Stack {
	LttKeyValue thread;
	GPtrArray *spans; /* of OpenSpan */
} Stack;

struct LttSpanFeed {
	LttSpanTypes types;
	GHashTable *stacks;    /* Stack to itself */
	Stack *last;           /* of the last event; NULL: none */
	LttOpenTable *async;   /* of OpenSpan pointers, by kind and key */
	GQueue ready;          /* of OpenSpan */
	const OpenSpan *begun; /* by the last event; NULL: none */
	OpenSpan *current;     /* lent by ltt_span_feed_next(); NULL: none */
	GPtrArray *spare;      /* of OpenSpan, for further spans */
	guint64 n_begun;
	LttLastTimes *last_times;
	guint64 n_over_limit;
};

/* ---- the feed ---- */

static void free_span(gpointer data)
{
	OpenSpan *open = data;

	if (open == NULL)
		return;
	g_free(open->payload);
	g_free(open->key_text);
	g_free(open);
}

static void free_pointed_span(gpointer item)
{
	free_span(*(OpenSpan **)item);
}

static guint hash_stack(gconstpointer data)
{
	return (guint)ltt_key_hash(&((const Stack *)data)->thread);
}

static gboolean equal_stacks(gconstpointer a, gconstpointer b)
{
	return ltt_key_equal(&((const Stack *)a)->thread, &((const Stack *)b)->thread);
}

static void free_stack(gpointer data)
{
	Stack *stack = data;

	g_ptr_array_unref(stack->spans);
	g_free(stack);
}

LttSpanFeed *ltt_span_feed_new(void)
{
	LttSpanFeed *feed = g_new0(LttSpanFeed, 1);

	ltt_span_types_init(&feed->types);
	feed->stacks = g_hash_table_new_full(hash_stack, equal_stacks, free_stack, NULL);
	feed->async =
		ltt_open_table_new(sizeof(OpenSpan *), LTT_MAX_OPEN_ASYNC_SPANS, free_pointed_span);
	feed->spare = g_ptr_array_new_with_free_func(free_span);
	feed->last_times = ltt_last_times_new();
	g_queue_init(&feed->ready);
	return feed;
}

void ltt_span_feed_free(LttSpanFeed *feed)
{
	if (feed == NULL)
		return;
	g_hash_table_unref(feed->stacks);
	ltt_open_table_free(feed->async);
	g_queue_clear_full(&feed->ready, free_span);
	free_span(feed->current);
	g_ptr_array_unref(feed->spare);
	ltt_last_times_free(feed->last_times);
	ltt_span_types_clear(&feed->types);
	g_free(feed);
}

void ltt_span_feed_set_symbols(LttSpanFeed *feed, LttSymbols *symbols)
{
	ltt_function_names_set_symbols(feed->types.names, symbols);
}

const char *ltt_span_feed_find_name(LttSpanFeed *feed, const LttEvent *begin)
{
	return ltt_span_types_find_name(&feed->types, begin);
}

/* ---- stacks ---- */

static Stack *find_stack(LttSpanFeed *feed, const LttEvent *event)
{
	const Stack asked = {.thread = ltt_key_of_event(event)};
	Stack *stack = feed->last;

	if (stack != NULL && equal_stacks(stack, &asked))
		return stack;
	stack = g_hash_table_lookup(feed->stacks, &asked);
	if (stack == NULL) {
		stack = g_new(Stack, 1);
		*stack = asked;
		stack->spans = g_ptr_array_new_with_free_func(free_span);
		g_hash_table_add(feed->stacks, stack);
	}
	feed->last = stack;
	return stack;
}

static void forget_idle_stack(LttSpanFeed *feed, Stack *stack)
{
	if (stack->spans->len > 0 || g_hash_table_size(feed->stacks) <= MAX_IDLE_STACKS)
		return;
	feed->last = NULL;
	g_hash_table_remove(feed->stacks, stack);
}

/* ---- begins ---- */

static OpenSpan *new_span(LttSpanFeed *feed, const LttSpanKind *kind, const LttEvent *event)
{
	OpenSpan *open = feed->spare->len > 0
				 ? g_ptr_array_steal_index_fast(feed->spare, feed->spare->len - 1)
				 : g_new0(OpenSpan, 1);
	const gsize needed = (gsize)event->payload_bytes + LTT_BLOCK_SLACK_BYTES;

	if (open->payload_room < needed) {
		g_free(open->payload);
		open->payload = g_malloc0(needed);
		open->payload_room = needed;
	}
	if (event->payload_bytes > 0)
		memcpy(open->payload, event->payload, event->payload_bytes);
	feed->begun = open;
	open->kind = kind;
	open->begin = *event;
	open->begin.payload = open->payload;
	open->span = (LttSpan){
		.id = ++feed->n_begun,
		.outcome = LTT_SPAN_OPEN,
		.begin_ns = event->time_ns,
		.end_ns = event->time_ns,
		.name = ltt_span_types_find_name(&feed->types, event),
		.begin = &open->begin,
	};
	return open;
}

static void set_key(OpenSpan *open, const LttKeyValue *key)
{
	open->span.is_async = TRUE;
	open->span.key = *key;
	if (key->kind != LTT_KEY_STRING)
		return;
	open->key_text = g_memdup2(key->text, key->length + 1);
	open->span.key.text = open->key_text;
}

static gboolean begin_async(LttSpanFeed *feed, const LttSpanSide *side, const LttEvent *event)
{
	LttKeyValue key;
	OpenSpan **place;

	if (!ltt_key_get(&side->key, event, &key))
		return FALSE;
	place = ltt_open_table_push(feed->async, side->kind->index, &key);
	if (place == NULL) {
		feed->n_over_limit++;
		return FALSE;
	}
	*place = new_span(feed, side->kind, event);
	set_key(*place, &key);
	return TRUE;
}

static gboolean begin_nested(LttSpanFeed *feed, const LttSpanSide *side, const LttEvent *event)
{
	Stack *stack = find_stack(feed, event);
	const guint depth = stack->spans->len;
	OpenSpan *open;

	if (depth >= LTT_MAX_SPAN_DEPTH) {
		feed->n_over_limit++;
		return FALSE;
	}
	open = new_span(feed, side->kind, event);
	open->span.depth = depth;
	if (depth > 0) {
		open->span.around = &((const OpenSpan *)stack->spans->pdata[depth - 1])->span;
		open->span.parent = open->span.around->id;
	}
	g_ptr_array_add(stack->spans, open);
	return TRUE;
}

/* ---- ends ---- */

/* @end: (nullable): NULL: there is no end event */
static void finish(LttSpanFeed *feed, OpenSpan *open, LttSpanOutcome outcome, guint64 end_ns,
		   const LttEvent *end)
{
	open->span.outcome = outcome;
	open->span.end_ns = MAX(end_ns, open->span.begin_ns);
	open->span.end = end;
	g_queue_push_tail(&feed->ready, open);
}

static gboolean end_async(LttSpanFeed *feed, const LttSpanSide *side, const LttEvent *event)
{
	OpenSpan **place = NULL;
	LttKeyValue key;

	if (ltt_key_get(&side->key, event, &key))
		place = ltt_open_table_pop(feed->async, side->kind->index, &key);
	if (place == NULL)
		return FALSE;
	finish(feed, g_steal_pointer(place), LTT_SPAN_FINISHED, event->time_ns, event);
	return TRUE;
}

/* Returns: the number of spans, including that of @kind, that its end closes; 0: none is open */
static guint count_ended(const Stack *stack, const LttSpanKind *kind)
{
	for (guint i = stack->spans->len; i > 0; i--) {
		if (((const OpenSpan *)stack->spans->pdata[i - 1])->kind == kind)
			return stack->spans->len - (i - 1);
	}
	return 0;
}

static gboolean end_nested(LttSpanFeed *feed, const LttSpanSide *side, const LttEvent *event)
{
	Stack *stack = find_stack(feed, event);
	guint n_ended = count_ended(stack, side->kind);

	if (n_ended == 0)
		return FALSE;
	for (; n_ended > 0; n_ended--) {
		OpenSpan *open = g_ptr_array_steal_index(stack->spans, stack->spans->len - 1);

		if (n_ended > 1)
			finish(feed, open, LTT_SPAN_CUT, event->time_ns, NULL);
		else
			finish(feed, open, LTT_SPAN_FINISHED, event->time_ns, event);
	}
	forget_idle_stack(feed, stack);
	return TRUE;
}

gboolean ltt_span_feed_take(LttSpanFeed *feed, const LttEvent *event)
{
	const LttSpanType *type = ltt_span_types_find(&feed->types, event);
	gboolean is_used = FALSE;

	feed->begun = NULL;
	ltt_last_times_take(feed->last_times, event);
	if (type->end.kind != NULL)
		is_used = type->end.is_async ? end_async(feed, &type->end, event)
					     : end_nested(feed, &type->end, event);
	if (type->begin.kind != NULL)
		is_used |= type->begin.is_async ? begin_async(feed, &type->begin, event)
						: begin_nested(feed, &type->begin, event);
	return is_used;
}

const LttSpan *ltt_span_feed_get_begun(const LttSpanFeed *feed)
{
	return feed->begun != NULL ? &feed->begun->span : NULL;
}

/* ---- open spans ---- */

static void list_async(gpointer item, gpointer list)
{
	OpenSpan *open = *(OpenSpan **)item;

	if (open != NULL) /* NULL: ltt_span_feed_end() took it */
		g_ptr_array_add(list, &open->span);
}

void ltt_span_feed_list_open(const LttSpanFeed *feed, GPtrArray *list)
{
	GHashTableIter iter;
	gpointer stack;

	g_hash_table_iter_init(&iter, feed->stacks);
	while (g_hash_table_iter_next(&iter, &stack, NULL)) {
		const GPtrArray *spans = ((Stack *)stack)->spans;

		for (guint i = 0; i < spans->len; i++)
			g_ptr_array_add(list, &((OpenSpan *)spans->pdata[i])->span);
	}
	ltt_open_table_foreach(feed->async, list_async, list);
}

void ltt_span_feed_reopen(LttSpanFeed *feed, const LttEvent *begin, guint64 id)
{
	const LttSpanType *type = ltt_span_types_find(&feed->types, begin);

	feed->n_begun = id - 1;
	ltt_last_times_take(feed->last_times, begin);
	if (type->begin.is_async)
		begin_async(feed, &type->begin, begin);
	else
		begin_nested(feed, &type->begin, begin);
	feed->begun = NULL;
}

guint64 ltt_span_feed_get_last_id(const LttSpanFeed *feed)
{
	return feed->n_begun;
}

void ltt_span_feed_set_last_id(LttSpanFeed *feed, guint64 id)
{
	feed->n_begun = id;
}

/* ---- the end of the trace ---- */

static void take_async(gpointer item, gpointer user_data)
{
	g_queue_push_tail(user_data, g_steal_pointer((OpenSpan **)item));
}

/* The latest begin comes first, so that inner spans end before outer ones. */
static gint compare_ids(gconstpointer a, gconstpointer b, gpointer user_data)
{
	const OpenSpan *first = a;
	const OpenSpan *second = b;

	(void)user_data;
	return first->span.id > second->span.id ? -1 : first->span.id < second->span.id;
}

void ltt_span_feed_end(LttSpanFeed *feed)
{
	GQueue open = G_QUEUE_INIT;
	GHashTableIter iter;
	gpointer stack;
	OpenSpan *span;

	g_hash_table_iter_init(&iter, feed->stacks);
	while (g_hash_table_iter_next(&iter, &stack, NULL)) {
		GPtrArray *spans = ((Stack *)stack)->spans;

		for (guint i = 0; i < spans->len; i++)
			g_queue_push_tail(&open, g_steal_pointer((OpenSpan **)&spans->pdata[i]));
		g_ptr_array_set_size(spans, 0);
	}
	ltt_open_table_foreach(feed->async, take_async, &open);
	g_queue_sort(&open, compare_ids, NULL);
	while ((span = g_queue_pop_head(&open)) != NULL)
		finish(feed, span, LTT_SPAN_OPEN,
		       ltt_last_times_find(feed->last_times, &span->begin), NULL);
}

const LttSpan *ltt_span_feed_next(LttSpanFeed *feed)
{
	if (feed->current != NULL) {
		g_clear_pointer(&feed->current->key_text, g_free);
		g_ptr_array_add(feed->spare, g_steal_pointer(&feed->current));
	}
	feed->current = g_queue_pop_head(&feed->ready);
	return feed->current != NULL ? &feed->current->span : NULL;
}

guint64 ltt_span_feed_get_n_over_limit(const LttSpanFeed *feed)
{
	return feed->n_over_limit;
}
