/* answer-flame.c - the flame graph of a window, as folded stacks. */
#include "view/request-priv.h"

#include <ltt/ltt-error.h>
#include <ltt/ltt-flame.h>

/* Bytes of folded stacks in an answer. */
#define MAX_BYTES (8 * 1024 * 1024)

static gboolean collect(const char *bytes, gsize length, gpointer data, GError **error)
{
	GString *folded = data;

	if (folded->len + length > MAX_BYTES) {
		g_set_error_literal(error, LTT_ERROR, LTT_ERROR_LIMIT,
				    "the flame graph of this time has too many stacks");
		return FALSE;
	}
	g_string_append_len(folded, bytes, (gssize)length);
	return TRUE;
}

gboolean ltt_view_answer_flame(LttViewCall *call, GError **error)
{
	g_autoptr(LttSelect) select = ltt_select_new();
	g_autoptr(LttFilter) filter = NULL;
	g_autoptr(LttFlame) flame = ltt_flame_new();
	g_autoptr(GString) folded = g_string_new(NULL);
	const LttFlameSpansRequest request = {
		.flame = flame,
		.trace = call->map->trace,
		.select = select,
		.symbols = call->map->symbols,
		.callbacks = {.on_progress = ltt_view_call_is_wanted, .user_data = call},
	};
	LttFlameSpansSummary spans = {0};
	guint64 from_ns;
	guint64 to_ns;

	if (!ltt_view_call_get_window(call, &from_ns, &to_ns, error) ||
	    !ltt_view_call_get_filter(call, &filter, error))
		return FALSE;
	ltt_select_set_window(select, from_ns, to_ns);
	ltt_select_set_filter(select, filter);
	if (!ltt_flame_add_spans(&request, &spans, error) ||
	    !ltt_flame_write_folded(flame, collect, folded, error))
		return FALSE;
	g_string_append_printf(call->answer,
			       "{\"total\":%" G_GUINT64_FORMAT ",\"spans\":%" G_GUINT64_FORMAT
			       ",\"over_limit\":%" G_GUINT64_FORMAT ",\"saturated\":%s,\"folded\":",
			       ltt_flame_get_total(flame), spans.n_spans + spans.n_async,
			       ltt_flame_get_n_over_limit(flame),
			       ltt_flame_is_saturated(flame) ? "true" : "false");
	ltt_json_append_string(call->answer, folded->str, (gssize)folded->len);
	g_string_append_c(call->answer, '}');
	return TRUE;
}
