/* answer-find.c - the next or the previous event that a filter selects, and the doubts about a filter. */
#include "view/request-priv.h"

#include <ltt/ltt-merge.h>
#include <ltt/ltt-print.h>

/* The first window of a search backwards is this part of the trace; each further one is twice as long. */
#define FIRST_PART 4096

/* What a search found. */
typedef struct Found {
	gboolean is_there;
	guint64 time_ns;
	guint lane;
	char *name;
} Found;

static void note(LttViewMap *map, const LttEvent *event, Found *found)
{
	found->is_there = TRUE;
	found->time_ns = event->time_ns;
	g_free(found->name);
	found->name = g_strdup(event->type->full_name);
	ltt_view_map_lock(map);
	found->lane = ltt_view_map_lane(map, event, NULL)->id;
	ltt_view_map_unlock(map);
}

/* Finds the last event of [from_ns, to_ns), or the first. */
static gboolean search(LttViewCall *call, LttFilter *filter, guint64 from_ns, guint64 to_ns,
		       gboolean wants_last, Found *found, GError **error)
{
	g_autoptr(LttSelect) select = ltt_select_new();
	g_autoptr(LttMerge) merge = NULL;
	const LttEvent *event;
	LttStep step;

	ltt_select_set_window(select, from_ns, to_ns);
	ltt_select_set_filter(select, filter);
	merge = ltt_merge_new(call->map->trace, select);
	ltt_merge_set_callbacks(merge, &(LttJobCallbacks){.on_progress = ltt_view_call_is_wanted,
							  .user_data = call});
	do {
		g_autoptr(GError) failure = NULL;

		step = ltt_merge_next(merge, &event, &failure);
		if (step == LTT_STEP_EVENT) {
			note(call->map, event, found);
		} else if (g_error_matches(failure, LTT_ERROR, LTT_ERROR_CORRUPT)) {
			ltt_merge_skip_block(merge);
		} else if (step == LTT_STEP_ERROR) {
			g_propagate_error(error, g_steal_pointer(&failure));
			return FALSE;
		}
	} while (step != LTT_STEP_END && (wants_last || !found->is_there));
	return TRUE;
}

static gboolean search_back(LttViewCall *call, LttFilter *filter, guint64 before_ns, Found *found,
			    GError **error)
{
	const LttViewAxis *axis = &call->map->axis;
	guint64 part_ns = (axis->end_ns - axis->start_ns) / FIRST_PART + 1;
	guint64 to_ns = before_ns;

	while (to_ns > axis->start_ns && !found->is_there) {
		const guint64 from_ns = to_ns - MIN(part_ns, to_ns - axis->start_ns);

		if (!search(call, filter, from_ns, to_ns, TRUE, found, error))
			return FALSE;
		to_ns = from_ns;
		part_ns *= 2;
	}
	return TRUE;
}

gboolean ltt_view_answer_find(LttViewCall *call, GError **error)
{
	const LttViewAxis *axis = &call->map->axis;
	const gboolean is_back = ltt_view_call_has(call, "before");
	g_autoptr(LttFilter) filter = NULL;
	guint64 at = 0;
	Found found = {0};
	gboolean is_good;

	if (!ltt_view_call_get_filter(call, &filter, error) ||
	    !ltt_view_call_get_offset(call, is_back ? "before" : "from", &at, error))
		return FALSE;
	is_good = is_back ? search_back(call, filter, axis->start_ns + at, &found, error)
			  : search(call, filter, axis->start_ns + at, axis->end_ns, FALSE, &found,
				   error);
	if (is_good && found.is_there) {
		g_string_append_printf(call->answer,
				       "{\"time\":%" G_GUINT64_FORMAT ",\"lane\":%u,\"event\":",
				       found.time_ns - axis->start_ns, found.lane);
		ltt_json_append_string(call->answer, found.name, -1);
		g_string_append_c(call->answer, '}');
	} else {
		g_string_append(call->answer, "{\"time\":null}");
	}
	g_free(found.name);
	return is_good;
}

gboolean ltt_view_answer_filter(LttViewCall *call, GError **error)
{
	g_autoptr(LttFilter) filter = NULL;
	g_autoptr(GPtrArray) doubts = NULL;

	if (!ltt_view_call_get_filter(call, &filter, error))
		return FALSE;
	doubts = filter != NULL ? ltt_filter_check(filter, call->map->trace) : g_ptr_array_new();
	g_string_append(call->answer, "{\"doubts\":[");
	for (guint i = 0; i < doubts->len; i++) {
		const LttDoubt *doubt = doubts->pdata[i];

		g_string_append_printf(call->answer,
				       "%s{\"byte\":%" G_GINT64_FORMAT ",\"message\":",
				       i > 0 ? "," : "", doubt->byte);
		ltt_json_append_string(call->answer, doubt->message, -1);
		if (doubt->nearest != NULL) {
			g_string_append(call->answer, ",\"nearest\":");
			ltt_json_append_string(call->answer, doubt->nearest, -1);
		}
		g_string_append_c(call->answer, '}');
	}
	g_string_append(call->answer, "]}");
	return TRUE;
}
