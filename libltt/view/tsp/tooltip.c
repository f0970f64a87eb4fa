/* tooltip.c - the span of a row at a time. The request names the state that the client shows there:
 * the span is looked for in the time of that state, in which it ends. */
#include "view/tsp/call-priv.h"
#include "view/window-priv.h"

static const char *name_outcome(guint8 outcome)
{
	switch (outcome) {
	case LTT_SPAN_FINISHED:
		return "finished";
	case LTT_SPAN_OPEN:
		return "open";
	default:
		return "without an end";
	}
}

static void append_span(LttTspCall *call, const LttLaneSpan *span)
{
	GString *out = call->view.answer;

	g_string_append_c(out, '{');
	ltt_tsp_append_text(out, "Name", call->view.map->names->pdata[span->name]);
	g_string_append_c(out, ',');
	ltt_tsp_append_times(out, span->begin_ns, span->end_ns);
	g_string_append_c(out, ',');
	ltt_tsp_append_text(out, "State", name_outcome(span->outcome));
	g_string_append_c(out, '}');
}

/* Extends the window to the time of the state. */
static gboolean read_element(LttTspCall *call, LttViewWindow *window, GError **error)
{
	const LttViewAxis *axis = &call->view.map->axis;
	gint64 time = (gint64)window->from_ns;
	gint64 length = 0;

	if (!ltt_tsp_body_get_number(call->body, "requested_element.time", 0, G_MAXINT64, &time,
				     error) ||
	    !ltt_tsp_body_get_number(call->body, "requested_element.duration", 0, G_MAXINT64,
				     &length, error))
		return FALSE;
	window->from_ns = MAX(MIN(window->from_ns, (guint64)time), axis->start_ns);
	window->to_ns = MIN(MAX(window->to_ns, (guint64)time + (guint64)length + 1), axis->end_ns);
	return TRUE;
}

gboolean ltt_tsp_span_tooltip(LttTspCall *call, GError **error)
{
	const LttJobCallbacks callbacks = {.on_progress = ltt_view_call_is_wanted,
					   .user_data = &call->view};
	g_auto(LttViewPicture) picture = {0};
	const LttLaneSpan *found = NULL;
	LttViewWindow window;
	guint64 time_ns;
	guint16 depth;
	guint lane;

	if (!ltt_tsp_get_place(call, &lane, &depth, &time_ns, error))
		return FALSE;
	window = (LttViewWindow){.from_ns = time_ns, .to_ns = time_ns + 1, .n_pixels = 2};
	if (!read_element(call, &window, error) ||
	    !ltt_view_draw(call->view.map, &window, &lane, 1, &callbacks, &picture, error))
		return FALSE;
	for (guint i = 0; i < picture.rects->len; i++) {
		const LttLaneSpan *span = &g_array_index(picture.rects, LttViewRect, i).span;

		if (span->depth == depth && span->begin_ns <= time_ns && span->end_ns >= time_ns)
			found = span;
	}
	ltt_tsp_begin(call);
	ltt_view_map_lock(call->view.map);
	if (found != NULL)
		append_span(call, found);
	else
		g_string_append(call->view.answer, "{}");
	ltt_view_map_unlock(call->view.map);
	ltt_tsp_end(call, LTT_VIEW_COUNTING);
	return TRUE;
}
