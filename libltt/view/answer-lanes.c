/* answer-lanes.c - the lanes that are known so far, with the names of their threads. */
#include "view/names-priv.h"
#include "view/request-priv.h"
#include "view/states-priv.h"

#include <ltt/ltt-join.h>
#include <ltt/ltt-print.h>

static void append_name(GString *out, const char *key, const char *name)
{
	if (name == NULL)
		return;
	g_string_append_printf(out, ",\"%s\":", key);
	ltt_json_append_string(out, name, -1);
}

/* The machine of a lane, if its trace was merged from those of several. */
static void append_host(GString *out, const LttViewMap *map, const LttLane *lane)
{
	const LttTrace *member = ltt_trace_get_member(map->trace, lane->key.member);

	if (ltt_trace_get_n_hosts(member) > 1 && lane->key.kind != LTT_LANE_OTHERS)
		g_string_append_printf(out, "\"host\":%u,", lane->key.host);
}

static void append_thread(GString *out, const LttViewMap *map, const LttLane *lane,
			  GHashTable *names)
{
	g_autofree char *name = ltt_view_names_lane(names, map, lane);

	g_string_append_printf(out, "\"kind\":\"thread\",\"pid\":%u,\"tid\":%u", lane->key.pid,
			       lane->key.tid);
	append_name(out, "name", name);
	append_name(out, "process", ltt_view_names_process(names, lane->key.host, lane->key.pid));
}

static void append_identity(GString *out, const LttViewMap *map, const LttLane *lane,
			    GHashTable *names)
{
	const LttLaneKey *key = &lane->key;
	g_autofree char *name = NULL;

	switch (key->kind) {
	case LTT_LANE_CPU:
		g_string_append_printf(out, "\"kind\":\"cpu\",\"cpu\":%u", key->tid);
		break;
	case LTT_LANE_ASYNC:
		g_string_append(out, "\"kind\":\"async\",\"name\":");
		ltt_json_append_string(out, map->names->pdata[key->tid], -1);
		break;
	case LTT_LANE_COUNTER:
		g_string_append(out, "\"kind\":\"counter\",\"name\":");
		ltt_json_append_string(out, map->names->pdata[key->tid], -1);
		if (!key->has_thread)
			break;
		g_string_append_printf(out, ",\"pid\":%u", key->pid);
		append_name(out, "process", ltt_view_names_process(names, key->host, key->pid));
		break;
	case LTT_LANE_THREAD:
		if (!key->has_thread) {
			g_string_append(out, "\"kind\":\"file\",\"name\":");
			ltt_json_append_string(out,
					       ltt_tracefile_get_label(ltt_trace_get_tracefile(
						       map->trace, key->tid)),
					       -1);
			break;
		}
		append_thread(out, map, lane, names);
		break;
	case LTT_LANE_OTHERS:
		name = ltt_view_map_name_others(map);
		g_string_append(out, "\"kind\":\"others\"");
		append_name(out, "name", name);
		break;
	}
}

gboolean ltt_view_answer_lanes(LttViewCall *call, GError **error)
{
	LttViewMap *map = call->map;
	GString *out = call->answer;
	g_autoptr(GHashTable) names = NULL;

	(void)error;
	ltt_view_map_lock(map);
	names = ltt_view_names_new(&map->stat);
	g_string_append_printf(out, "{\"complete\":%s,\"omitted\":%u,\"lanes\":[",
			       map->stage == LTT_VIEW_READY ? "true" : "false",
			       ltt_view_map_count_omitted(map));
	for (guint i = 0; i < map->lanes->len; i++) {
		const LttLane *lane = map->lanes->pdata[i];
		const gboolean is_empty = lane->n_events == 0;
		const gboolean has_states =
			map->states != NULL && ltt_view_states_show_lane(map->states, lane->id);

		g_string_append_printf(out, "%s{\"id\":%u,\"trace\":%u,", i > 0 ? "," : "",
				       lane->id, lane->key.member);
		append_host(out, map, lane);
		append_identity(out, map, lane, names);
		g_string_append_printf(out,
				       ",\"depths\":%u,\"events\":%" G_GUINT64_FORMAT
				       ",\"first\":%" G_GUINT64_FORMAT
				       ",\"last\":%" G_GUINT64_FORMAT "%s}",
				       lane->n_depths, lane->n_events,
				       is_empty ? 0 : lane->first_ns - map->axis.start_ns,
				       is_empty ? 0 : lane->last_ns - map->axis.start_ns,
				       has_states ? ",\"states\":true" : "");
	}
	ltt_view_map_unlock(map);
	g_string_append(out, "]}");
	return TRUE;
}
