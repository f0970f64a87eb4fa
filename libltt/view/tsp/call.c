/* call.c - see call-priv.h. */
#include "view/tsp/call-priv.h"

#include "view/tsp/entry-priv.h"
#include "view/window-priv.h"

#include <ltt/ltt-error.h>
#include <ltt/ltt-print.h>

void ltt_tsp_append_text(GString *out, const char *key, const char *value)
{
	g_string_append_printf(out, "\"%s\":", key);
	ltt_json_append_string(out, value, -1);
}

void ltt_tsp_append_description(GString *out, const char *name, const char *description,
				const char *type)
{
	ltt_tsp_append_text(out, "name", name);
	g_string_append_c(out, ',');
	ltt_tsp_append_text(out, "description", description);
	g_string_append_c(out, ',');
	ltt_tsp_append_text(out, "type", type);
}

gboolean ltt_tsp_refuse(LttTspCall *call, guint status, const char *title)
{
	GString *out = call->view.answer;

	call->status = status;
	g_string_truncate(out, 0);
	g_string_append_c(out, '{');
	ltt_tsp_append_text(out, "title", title);
	g_string_append_c(out, '}');
	return TRUE;
}

/* ---- responses ---- */

void ltt_tsp_begin(LttTspCall *call)
{
	g_string_append(call->view.answer, "{\"model\":");
}

void ltt_tsp_end(LttTspCall *call, LttViewStage stage)
{
	LttViewMap *map = call->view.map;
	GString *out = call->view.answer;
	const char *status = "COMPLETED";

	ltt_view_map_lock(map);
	if (map->stage == LTT_VIEW_FAILED)
		status = "FAILED";
	else if (map->stage < stage || g_atomic_int_get(&map->is_running))
		status = "RUNNING";
	g_string_append_printf(out, ",\"status\":\"%s\",", status);
	ltt_tsp_append_text(out, "statusMessage", map->failure != NULL ? map->failure : "");
	ltt_view_map_unlock(map);
	g_string_append_c(out, '}');
}

/* ---- the window ---- */

/* Sets the first and the last time requested, which may be in any order. */
static gboolean get_times(const LttTspCall *call, gint64 *first, gint64 *last, gint64 *n,
			  GError **error)
{
	g_autoptr(GArray) times = g_array_new(FALSE, FALSE, sizeof(gint64));

	if (!ltt_tsp_body_get_numbers(call->body, "requested_times", times, error) ||
	    !ltt_tsp_body_get_number(call->body, "requested_timerange.start", G_MININT64,
				     G_MAXINT64, first, error) ||
	    !ltt_tsp_body_get_number(call->body, "requested_timerange.end", G_MININT64, G_MAXINT64,
				     last, error) ||
	    !ltt_tsp_body_get_number(call->body, "requested_timerange.nbTimes", 1, G_MAXINT32, n,
				     error) ||
	    !ltt_tsp_body_get_number(call->body, "requested_timerange.nbSamples", 1, G_MAXINT32, n,
				     error))
		return FALSE;
	if (times->len > 0) {
		*first = g_array_index(times, gint64, 0);
		*last = g_array_index(times, gint64, times->len - 1);
		*n = times->len;
	}
	return TRUE;
}

gboolean ltt_tsp_get_window(const LttTspCall *call, LttTspWindow *window, GError **error)
{
	const LttViewAxis *axis = &call->view.map->axis;
	gint64 first = 0;
	gint64 last = G_MAXINT64;
	gint64 n = 1000;

	if (!get_times(call, &first, &last, &n, error))
		return FALSE;
	if (last < first) {
		g_set_error(error, LTT_ERROR, LTT_ERROR_INVALID,
			    "requested_timerange: expected an end that is not before the start");
		return FALSE;
	}
	window->from_ns = MAX((guint64)MAX(first, 0), axis->start_ns);
	window->to_ns = MIN((guint64)MAX(last, -1) + 1, axis->end_ns);
	window->n = (guint)MIN(n, LTT_VIEW_MAX_PIXELS);
	if (window->to_ns > window->from_ns)
		window->n = (guint)MIN(window->n, window->to_ns - window->from_ns);
	return TRUE;
}

gboolean ltt_tsp_get_place(const LttTspCall *call, guint *lane, guint16 *depth, guint64 *time_ns,
			   GError **error)
{
	const LttViewAxis *axis = &call->view.map->axis;
	gint64 item = -1;
	gint64 time = -1;

	if (!ltt_tsp_body_get_number(call->body, "requested_items", 0, G_MAXINT64, &item, error) ||
	    !ltt_tsp_body_get_number(call->body, "requested_times", 0, G_MAXINT64, &time, error))
		return FALSE;
	*time_ns = (guint64)time;
	if (item >= 0 && time >= 0 && ltt_tsp_entry_is_row((guint64)item, lane, depth) &&
	    *time_ns >= axis->start_ns && *time_ns < axis->end_ns)
		return TRUE;
	g_set_error(error, LTT_ERROR, LTT_ERROR_INVALID,
		    "requested_items, requested_times: expected a row and a time");
	return FALSE;
}

void ltt_tsp_append_times(GString *out, guint64 begin_ns, guint64 end_ns)
{
	g_string_append_printf(out,
			       "\"Start\":\"%" G_GUINT64_FORMAT
			       ".%09u\",\"Duration\":\"%" G_GUINT64_FORMAT " ns\"",
			       begin_ns / G_GUINT64_CONSTANT(1000000000),
			       (guint)(begin_ns % G_GUINT64_CONSTANT(1000000000)),
			       end_ns - begin_ns);
}
