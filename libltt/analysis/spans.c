/* spans.c - see ltt-span.h. */
#include "analysis/span-args-priv.h"
#include "analysis/span-feed-priv.h"

#include <ltt/ltt-merge.h>

struct LttSpans {
	LttSelect *own_select; /* NULL: that of the caller */
	LttMerge *merge;
	LttSpanFeed *feed;
	LttSpanArgs *args; /* NULL: not requested yet */
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

void ltt_spans_set_progress(LttSpans *spans, LttProgressFunc on_progress, gpointer user_data)
{
	ltt_merge_set_progress(spans->merge, on_progress, user_data);
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
			ltt_span_feed_take(spans->feed, event);
			continue;
		}
		spans->has_ended = TRUE;
		ltt_span_feed_end(spans->feed);
	}
	return LTT_STEP_EVENT;
}

void ltt_spans_skip_block(LttSpans *spans)
{
	ltt_merge_skip_block(spans->merge);
}

guint64 ltt_spans_get_n_lone_ends(const LttSpans *spans)
{
	return ltt_span_feed_get_n_lone_ends(spans->feed);
}

guint64 ltt_spans_get_n_over_limit(const LttSpans *spans)
{
	return ltt_span_feed_get_n_over_limit(spans->feed);
}

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
