/* answer-damage.c - where the trace is damaged, as far as it is drawn. */
#include "view/damage-priv.h"
#include "view/request-priv.h"

#include <ltt/ltt-print.h>

static void append_damage(GString *out, const LttViewMap *map, const LttViewDamage *damage)
{
	const LttTracefile *file = ltt_trace_get_tracefile(map->trace, damage->file);

	g_string_append(out, "{\"tracefile\":");
	ltt_json_append_string(out, ltt_tracefile_get_label(file), -1);
	if (damage->lane != LTT_VIEW_NO_LANE)
		g_string_append_printf(out, ",\"lane\":%u", damage->lane);
	g_string_append_printf(
		out, ",\"from\":%" G_GUINT64_FORMAT ",\"length\":%" G_GUINT64_FORMAT ",\"text\":",
		damage->from_ns - map->axis.start_ns, damage->to_ns - damage->from_ns);
	ltt_json_append_string(out, damage->text, -1);
	g_string_append_c(out, '}');
}

gboolean ltt_view_answer_damage(LttViewCall *call, GError **error)
{
	LttViewMap *map = call->map;
	GString *out = call->answer;

	(void)error;
	g_string_append(out, "{\"damage\":[");
	ltt_view_map_lock(map);
	for (guint i = 0; i < map->damages->len; i++) {
		if (i > 0)
			g_string_append_c(out, ',');
		append_damage(out, map, &g_array_index(map->damages, LttViewDamage, i));
	}
	ltt_view_map_unlock(map);
	g_string_append(out, "]}");
	return TRUE;
}
