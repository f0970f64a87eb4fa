/* answer-trace.c - what the trace is, and how far the map is. */
#include "view/request-priv.h"

#include <ltt/ltt-bookmarks.h>
#include <ltt/ltt-join.h>
#include <ltt/ltt-print.h>

static void append_member(GString *out, const LttTrace *member)
{
	const char *host = ltt_system_get(ltt_trace_get_system(member), "node_name");

	g_string_append(out, "{\"path\":");
	ltt_json_append_string(out, ltt_trace_get_path(member), -1);
	g_string_append(out, ",\"host\":");
	ltt_json_append_string(out, host != NULL ? host : "", -1);
	g_string_append_c(out, '}');
}

static void append_hosts(GString *out, const LttTrace *trace)
{
	g_string_append(out, ",\"hosts\":[");
	for (guint i = 0; i < ltt_trace_get_n_hosts(trace); i++) {
		if (i > 0)
			g_string_append_c(out, ',');
		ltt_json_append_string(out, ltt_trace_get_host(trace, i), -1);
	}
	g_string_append_c(out, ']');
}

static void append_bookmarks(GString *out, LttTrace *trace, guint64 start_ns)
{
	const GPtrArray *bookmarks = ltt_trace_read_bookmarks(trace);
	const char *separator = "";

	g_string_append(out, ",\"bookmarks\":[");
	for (guint i = 0; i < bookmarks->len; i++) {
		const LttBookmark *bookmark = bookmarks->pdata[i];

		if (bookmark->unit != LTT_BOOKMARK_TIME || bookmark->start < start_ns)
			continue;
		g_string_append_printf(out,
				       "%s{\"time\":%" G_GUINT64_FORMAT
				       ",\"length\":%" G_GUINT64_FORMAT ",\"name\":",
				       separator, bookmark->start - start_ns,
				       bookmark->end - bookmark->start);
		ltt_json_append_string(out, bookmark->name, -1);
		g_string_append(out, ",\"text\":");
		ltt_json_append_string(out, bookmark->text, -1);
		g_string_append_c(out, '}');
		separator = ",";
	}
	g_string_append_c(out, ']');
}

gboolean ltt_view_answer_trace(LttViewCall *call, GError **error)
{
	const LttViewAxis *axis = &call->map->axis;
	GString *out = call->answer;

	(void)error;
	g_string_append(out, "{\"title\":");
	ltt_json_append_string(out, call->title, -1);
	g_string_append_printf(out,
			       ",\"start\":\"%" G_GUINT64_FORMAT "\",\"length\":%" G_GUINT64_FORMAT
			       ",\"empty\":%s,\"map\":%" G_GUINT64_FORMAT
			       ",\"running\":%s,\"traces\":[",
			       axis->start_ns, axis->end_ns - axis->start_ns,
			       call->map->has_events ? "false" : "true", call->map->number,
			       g_atomic_int_get(&call->map->is_running) ? "true" : "false");
	for (guint i = 0; i < ltt_trace_get_n_members(call->map->trace); i++) {
		if (i > 0)
			g_string_append_c(out, ',');
		append_member(out, ltt_trace_get_member(call->map->trace, i));
	}
	g_string_append_c(out, ']');
	append_hosts(out, call->map->trace);
	append_bookmarks(out, call->map->trace, axis->start_ns);
	g_string_append_c(out, '}');
	return TRUE;
}

gboolean ltt_view_answer_live(LttViewCall *call, GError **error)
{
	guint64 after = 0;
	LttViewMoment moment;

	if (!ltt_view_call_get_number(call, "after", 0, G_MAXUINT64, &after, error))
		return FALSE;
	moment = ltt_view_live_wait(call->live, after);
	g_string_append_printf(
		call->answer,
		"{\"map\":%" G_GUINT64_FORMAT ",\"length\":%" G_GUINT64_FORMAT ",\"running\":%s}",
		moment.number, moment.length_ns, moment.is_running ? "true" : "false");
	return TRUE;
}

static const char *name_stage(LttViewStage stage)
{
	switch (stage) {
	case LTT_VIEW_COUNTING:
		return "counting";
	case LTT_VIEW_DRAWING:
		return "drawing";
	case LTT_VIEW_READY:
		return "ready";
	case LTT_VIEW_FAILED:
		return "failed";
	}
	return "";
}

gboolean ltt_view_answer_progress(LttViewCall *call, GError **error)
{
	LttViewMap *map = call->map;
	GString *out = call->answer;

	(void)error;
	ltt_view_map_lock(map);
	g_string_append_printf(
		out,
		"{\"stage\":\"%s\",\"done\":%" G_GUINT64_FORMAT ",\"total\":%" G_GUINT64_FORMAT
		",\"lanes\":%u,\"events\":%" G_GUINT64_FORMAT ",\"drawn\":%" G_GUINT64_FORMAT
		",\"lost\":%" G_GUINT64_FORMAT ",\"cached\":%s,\"n_problems\":%" G_GUINT64_FORMAT
		",\"problems\":[",
		name_stage(map->stage), map->done.n_done, map->done.n_total, map->lanes->len,
		map->stat.total.n_events, map->n_drawn, map->stat.n_lost,
		map->is_cached ? "true" : "false", map->n_problems);
	for (guint i = 0; i < map->problems->len; i++) {
		if (i > 0)
			g_string_append_c(out, ',');
		ltt_json_append_string(out, map->problems->pdata[i], -1);
	}
	g_string_append_c(out, ']');
	if (map->failure != NULL) {
		g_string_append(out, ",\"failure\":");
		ltt_json_append_string(out, map->failure, -1);
	}
	g_string_append_c(out, '}');
	ltt_view_map_unlock(map);
	return TRUE;
}
