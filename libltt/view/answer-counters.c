/* answer-counters.c - the values of counters in a window (counters-priv.h). */
#include "view/counters-priv.h"
#include "view/request-priv.h"

static void append_picture(GString *out, const LttCounterPicture *picture)
{
	g_string_append_printf(out, "{\"exact\":%s,\"before\":[",
			       picture->is_exact ? "true" : "false");
	for (guint i = 0; i < picture->before->len; i++) {
		const LttCounterCell *cell = &g_array_index(picture->before, LttCounterCell, i);

		g_string_append_printf(out, "%s%u,", i > 0 ? "," : "", cell->lane);
		ltt_view_number_append(out, &cell->last);
	}
	g_string_append(out, "],\"bins\":[");
	for (guint i = 0; i < picture->cells->len; i++) {
		const LttCounterCell *cell = &g_array_index(picture->cells, LttCounterCell, i);

		g_string_append_printf(out, "%s%u,%u,%u,", i > 0 ? "," : "", cell->lane, cell->bin,
				       cell->n);
		ltt_view_number_append(out, &cell->min);
		g_string_append_c(out, ',');
		ltt_view_number_append(out, &cell->max);
		g_string_append_c(out, ',');
		ltt_view_number_append(out, &cell->last);
	}
	g_string_append(out, "]}");
}

gboolean ltt_view_answer_counters(LttViewCall *call, GError **error)
{
	const LttJobCallbacks callbacks = {.on_progress = ltt_view_call_is_wanted,
					   .user_data = call};
	g_autoptr(GArray) lanes = g_array_new(FALSE, FALSE, sizeof(guint));
	g_auto(LttCounterPicture) picture = {0};
	LttViewWindow window;

	if (!ltt_view_call_get_picture(call, &window, lanes, error))
		return FALSE;
	if (!ltt_view_draw_counters(call->map, &window, (const guint *)(gpointer)lanes->data,
				    lanes->len, &callbacks, &picture, error))
		return FALSE;
	append_picture(call->answer, &picture);
	return TRUE;
}
