/* answer-spans.c - what lanes show in a window (window-priv.h). */
#include "view/request-priv.h"
#include "view/window-priv.h"

#include <ltt/ltt-print.h>

/* Time after the start, which an open span of a damaged trace may precede. */
static gint64 get_time(const LttViewMap *map, guint64 time_ns)
{
	return (gint64)(time_ns - map->axis.start_ns);
}

/* Names are numbered in the answer, in the order of their first use. */
static guint number_name(GHashTable *numbers, GPtrArray *used, const LttViewMap *map, guint32 name)
{
	gpointer number;

	if (g_hash_table_lookup_extended(numbers, GUINT_TO_POINTER(name), NULL, &number))
		return GPOINTER_TO_UINT(number);
	g_hash_table_insert(numbers, GUINT_TO_POINTER(name), GUINT_TO_POINTER(used->len));
	g_ptr_array_add(used, map->names->pdata[name]);
	return used->len - 1;
}

static void append_names(GString *out, const GPtrArray *used)
{
	g_string_append(out, "],\"names\":[");
	for (guint i = 0; i < used->len; i++) {
		if (i > 0)
			g_string_append_c(out, ',');
		ltt_json_append_string(out, used->pdata[i], -1);
	}
	g_string_append_c(out, ']');
}

static void append_picture(GString *out, const LttViewMap *map, const LttViewPicture *picture)
{
	g_autoptr(GHashTable) numbers = g_hash_table_new(NULL, NULL);
	g_autoptr(GPtrArray) used = g_ptr_array_new();

	g_string_append_printf(
		out, "{\"exact\":%s,\"limited\":%s,\"read\":%" G_GUINT64_FORMAT ",\"spans\":[",
		picture->is_exact ? "true" : "false", picture->is_limited ? "true" : "false",
		picture->n_read);
	for (guint i = 0; i < picture->rects->len; i++) {
		const LttViewRect *rect = &g_array_index(picture->rects, LttViewRect, i);

		ltt_view_append_unsigned(out, rect->lane);
		ltt_view_append_signed(out, get_time(map, rect->span.begin_ns));
		ltt_view_append_unsigned(out, rect->span.end_ns - rect->span.begin_ns);
		ltt_view_append_unsigned(out, rect->span.depth);
		ltt_view_append_unsigned(out, number_name(numbers, used, map, rect->span.name));
		ltt_view_append_unsigned(out, rect->span.outcome);
	}
	g_string_append(out, "],\"bins\":[");
	for (guint i = 0; i < picture->bins->len; i++) {
		const LttViewBin *bin = &g_array_index(picture->bins, LttViewBin, i);

		ltt_view_append_unsigned(out, bin->lane);
		ltt_view_append_unsigned(out, bin->pixel);
		ltt_view_append_signed(out, bin->depth == LTT_VIEW_EVENTS_DEPTH ? -1 : bin->depth);
		ltt_view_append_unsigned(out, bin->n);
		ltt_view_append_unsigned(out, number_name(numbers, used, map, bin->name));
		ltt_view_append_unsigned(out, bin->covered_ns);
	}
	append_names(out, used);
	g_string_append_c(out, '}');
}

gboolean ltt_view_answer_spans(LttViewCall *call, GError **error)
{
	const LttJobCallbacks callbacks = {.on_progress = ltt_view_call_is_wanted,
					   .user_data = call};
	g_autoptr(GArray) lanes = g_array_new(FALSE, FALSE, sizeof(guint));
	g_auto(LttViewPicture) picture = {0};
	g_autoptr(LttFilter) filter = NULL;
	LttViewWindow window;

	if (!ltt_view_call_get_picture(call, &window, lanes, error) ||
	    !ltt_view_call_get_filter(call, &filter, error))
		return FALSE;
	window.filter = filter;
	if (!ltt_view_draw(call->map, &window, (const guint *)(gpointer)lanes->data, lanes->len,
			   &callbacks, &picture, error))
		return FALSE;
	ltt_view_map_lock(call->map);
	append_picture(call->answer, call->map, &picture);
	ltt_view_map_unlock(call->map);
	return TRUE;
}
