/* answer-find.c - the next or the previous event that a filter selects, and the doubts about a filter. */
#include "view/request-priv.h"

#include <ltt/ltt-merge.h>
#include <ltt/ltt-print.h>
#include <ltt/ltt-trace.h>

/* The first window of a search is this part of the trace; each further one is twice as long. */
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

/* What to find in [from_ns, to_ns): the event with the least time, or with the greatest. At equal times, the
 * first in the order of the merge, or the last. */
typedef struct Search {
	LttViewCall *call;
	LttFilter *filter;
	guint64 from_ns;
	guint64 to_ns;
	gboolean is_back;
	gboolean is_sorted; /* FALSE: later events of the merge may have earlier times */
} Search;

static gboolean is_better(const Search *search, const LttEvent *event, const Found *found)
{
	if (!found->is_there)
		return TRUE;
	return search->is_back ? event->time_ns >= found->time_ns : event->time_ns < found->time_ns;
}

/* Searches a part of the window. */
static gboolean search_part(const Search *search, guint64 from_ns, guint64 to_ns, Found *found,
			    GError **error)
{
	LttViewMap *map = search->call->map;
	g_autoptr(LttSelect) select = ltt_select_new();
	g_autoptr(LttMerge) merge = NULL;
	const LttEvent *event;
	LttStep step;

	ltt_select_set_window(select, from_ns, to_ns);
	ltt_select_set_filter(select, search->filter);
	merge = ltt_merge_new(map->trace, select);
	ltt_merge_set_callbacks(merge, &(LttJobCallbacks){.on_progress = ltt_view_call_is_wanted,
							  .user_data = search->call});
	do {
		step = ltt_view_next(merge, &event, error);
		if (step == LTT_STEP_EVENT && is_better(search, event, found))
			note(map, event, found);
	} while (step == LTT_STEP_EVENT && (search->is_back || !search->is_sorted));
	return step != LTT_STEP_ERROR;
}

static gboolean search_parts(const Search *search, Found *found, GError **error)
{
	const LttViewAxis *axis = &search->call->map->axis;
	guint64 part_ns = (axis->end_ns - axis->start_ns) / FIRST_PART + 1;
	guint64 from_ns = search->from_ns;
	guint64 to_ns = search->to_ns;

	while (from_ns < to_ns && !found->is_there) {
		const guint64 length_ns = MIN(part_ns, to_ns - from_ns);
		const guint64 first_ns = search->is_back ? to_ns - length_ns : from_ns;

		if (!search_part(search, first_ns, first_ns + length_ns, found, error))
			return FALSE;
		if (search->is_back)
			to_ns -= length_ns;
		else
			from_ns += length_ns;
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
	is_good = search_parts(
		&(const Search){
			.call = call,
			.filter = filter,
			.from_ns = axis->start_ns + (is_back ? 0 : at),
			.to_ns = is_back ? axis->start_ns + at : axis->end_ns,
			.is_back = is_back,
			.is_sorted = ltt_trace_is_sorted(call->map->trace),
		},
		&found, error);
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
