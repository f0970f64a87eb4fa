/* spans.c - see ltt-span.h. */
#include "analysis/open-spans-priv.h"
#include "analysis/span-args-priv.h"
#include "analysis/span-feed-priv.h"
#include "base/job-priv.h"
#include "reader/block-priv.h"

#include <ltt/ltt-merge.h>

struct LttSpans {
	LttSelect *own_select; /* NULL: that of the caller */
	LttMerge *merge;
	LttJobCallbacks callbacks;
	LttSpanFeed *feed;
	LttSpanArgs *args;          /* NULL: not requested yet */
	LttSpansEventFunc on_event; /* NULL: none */
	gpointer event_data;
	gboolean has_ended;
};

LttSpans *ltt_spans_new(LttTrace *trace, LttSelect *select)
{
	LttSpans *spans = g_new0(LttSpans, 1);

	if (select == NULL)
		select = spans->own_select = ltt_select_new();
	spans->merge = ltt_merge_new(trace, select);
	ltt_merge_read_ahead(spans->merge);
	spans->feed = ltt_span_feed_new();
	return spans;
}

void ltt_spans_free(LttSpans *spans)
{
	if (spans == NULL)
		return;
	ltt_span_args_free(spans->args);
	ltt_span_feed_free(spans->feed);
	ltt_merge_free(spans->merge);
	ltt_select_free(spans->own_select);
	g_free(spans);
}

void ltt_spans_set_callbacks(LttSpans *spans, const LttJobCallbacks *callbacks)
{
	spans->callbacks = callbacks != NULL ? *callbacks : (LttJobCallbacks){0};
	ltt_merge_set_callbacks(spans->merge, callbacks);
}

static void report_over_limit(const LttSpans *spans)
{
	const guint64 n_over_limit = ltt_span_feed_get_n_over_limit(spans->feed);
	g_autofree char *message = NULL;

	if (n_over_limit == 0)
		return;
	message = g_strdup_printf("%" G_GUINT64_FORMAT
				  " spans are left out: a thread has at most %d open ones, a trace "
				  "at most %d asynchronous ones",
				  n_over_limit, LTT_MAX_SPAN_DEPTH, LTT_MAX_OPEN_ASYNC_SPANS);
	ltt_job_report(
		&spans->callbacks,
		&(LttProblem){.block = LTT_NOWHERE, .byte = LTT_NOWHERE, .message = message});
}

void ltt_spans_set_symbols(LttSpans *spans, LttSymbols *symbols)
{
	g_autoptr(GPtrArray) open = g_ptr_array_new();

	ltt_span_feed_set_symbols(spans->feed, symbols);
	ltt_span_feed_list_open(spans->feed, open);
	for (guint i = 0; i < open->len; i++) {
		LttSpan *span = open->pdata[i];

		span->name = ltt_span_feed_find_name(spans->feed, span->begin);
	}
}

void ltt_spans_set_event_func(LttSpans *spans, LttSpansEventFunc on_event, gpointer user_data)
{
	spans->on_event = on_event;
	spans->event_data = user_data;
}

LttStep ltt_spans_next(LttSpans *spans, const LttSpan **span, GError **error)
{
	const LttEvent *event;
	LttStep step;

	while ((*span = ltt_span_feed_next(spans->feed)) == NULL) {
		if (spans->has_ended)
			return LTT_STEP_END;
		step = ltt_merge_next(spans->merge, &event, error);
		if (step == LTT_STEP_ERROR)
			return step;
		if (step == LTT_STEP_EVENT) {
			if (spans->on_event != NULL)
				spans->on_event(spans, event, spans->event_data);
			ltt_span_feed_take(spans->feed, event);
			continue;
		}
		spans->has_ended = TRUE;
		if (spans->on_event != NULL)
			spans->on_event(spans, NULL, spans->event_data);
		report_over_limit(spans);
		ltt_span_feed_end(spans->feed);
	}
	return LTT_STEP_EVENT;
}

void ltt_spans_skip_block(LttSpans *spans)
{
	ltt_merge_skip_block(spans->merge);
}

/* ---- starting in the middle ---- */

static void copy_begin(GArray *begins, const LttSpan *span)
{
	const gsize n_bytes = (gsize)span->begin->payload_bytes + LTT_BLOCK_SLACK_BYTES;
	LttSpanBegin begin = {.id = span->id, .event = *span->begin};

	begin.payload = g_memdup2(span->begin->payload, n_bytes);
	begin.event.payload = begin.payload;
	g_array_append_val(begins, begin);
}

static gint compare_begins(gconstpointer a, gconstpointer b)
{
	const LttSpanBegin *first = a;
	const LttSpanBegin *second = b;

	return first->id < second->id ? -1 : first->id > second->id;
}

LttOpenSpans *ltt_spans_save_open(const LttSpans *spans)
{
	g_autoptr(GPtrArray) list = g_ptr_array_new();
	LttOpenSpans *open = ltt_open_spans_make(ltt_span_feed_get_last_id(spans->feed));

	ltt_span_feed_list_open(spans->feed, list);
	for (guint i = 0; i < list->len; i++)
		copy_begin(open->begins, list->pdata[i]);
	g_array_sort(open->begins, compare_begins);
	return open;
}

LttSpans *ltt_spans_new_from(LttTrace *trace, LttSelect *select, const LttOpenSpans *open)
{
	LttSpans *spans = ltt_spans_new(trace, select);

	for (guint i = 0; i < open->begins->len; i++) {
		const LttSpanBegin *begin = &g_array_index(open->begins, LttSpanBegin, i);

		ltt_span_feed_reopen(spans->feed, &begin->event, begin->id);
	}
	ltt_span_feed_set_last_id(spans->feed, open->last_id);
	return spans;
}

/* ---- contents ---- */

static gboolean append(const char *bytes, gsize length, gpointer user_data, GError **error)
{
	(void)error;
	g_string_append_len(user_data, bytes, (gssize)length);
	return TRUE;
}

void ltt_span_append_args(LttSpans *spans, const LttSpan *span, GString *json)
{
	char buffer[LTT_SINK_MAX_ROOM];
	LttSink sink;

	if (spans->args == NULL)
		spans->args = ltt_span_args_new();
	ltt_sink_init_on(&sink, buffer, sizeof(buffer), append, json);
	ltt_span_args_write(spans->args, &sink, span->begin, span->end);
	ltt_sink_hand_on(&sink);
	ltt_sink_clear(&sink);
}
