/* async.c - see async-priv.h. */
#include "view/async-priv.h"

static gint compare_begins(gconstpointer a, gconstpointer b)
{
	const LttViewRect *first = *(const LttViewRect *const *)a;
	const LttViewRect *second = *(const LttViewRect *const *)b;

	return first->span.begin_ns < second->span.begin_ns
		       ? -1
		       : first->span.begin_ns > second->span.begin_ns;
}

static LttAsyncRows *find_rows(GHashTable *by_lane, guint lane)
{
	LttAsyncRows *rows = g_hash_table_lookup(by_lane, GUINT_TO_POINTER(lane));

	if (rows == NULL) {
		rows = g_new0(LttAsyncRows, 1);
		g_hash_table_insert(by_lane, GUINT_TO_POINTER(lane), rows);
	}
	return rows;
}

void ltt_view_stack_async(const LttViewMap *map, LttViewPicture *picture)
{
	g_autoptr(GHashTable) by_lane = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	g_autoptr(GPtrArray) rects = g_ptr_array_new();

	for (guint i = 0; i < picture->rects->len; i++) {
		LttViewRect *rect = &g_array_index(picture->rects, LttViewRect, i);
		const LttLane *lane = map->lanes->pdata[rect->lane];

		if (lane->key.kind == LTT_LANE_ASYNC)
			g_ptr_array_add(rects, rect);
	}
	g_ptr_array_sort(rects, compare_begins);
	for (guint i = 0; i < rects->len; i++) {
		LttViewRect *rect = rects->pdata[i];

		rect->span.depth = ltt_async_rows_take(find_rows(by_lane, rect->lane),
						       rect->span.begin_ns, rect->span.end_ns);
	}
}
