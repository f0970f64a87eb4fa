/* map-draw.c - the second pass over the trace: fills the lanes, and saves places to start from (map-priv.h). */
#include "view/counters-priv.h"
#include "view/damage-priv.h"

/* Events between two counts of the cells. */
#define LIMIT_EVENTS (64 * LTT_VIEW_YIELD_EVENTS)

typedef struct Drawing {
	LttViewMap *map;
	GHashTable *types;
	LttViewDamageWalk *damages;
	guint64 next_point_ns; /* start of the next bin */
	guint64 point_events;  /* between two points */
	guint64 n_since_point;
	guint64 n_open_in_points;
	guint64 n_events;
} Drawing;

/* ---- points ---- */

void ltt_view_point_clear(gpointer data)
{
	g_clear_pointer(&((LttViewPoint *)data)->open, g_bytes_unref);
}

static LttViewPoint make_point(const LttSpans *spans, guint64 time_ns)
{
	g_autoptr(LttOpenSpans) open = ltt_spans_save_open(spans);
	GByteArray *bytes = g_byte_array_new();

	ltt_open_spans_pack(open, bytes);
	return (LttViewPoint){
		.time_ns = time_ns,
		.open = g_byte_array_free_to_bytes(bytes),
		.n_open = ltt_open_spans_get_n(open),
	};
}

static guint64 count_open(const GArray *points)
{
	guint64 n = 0;

	for (guint i = 0; i < points->len; i++)
		n += g_array_index(points, LttViewPoint, i).n_open;
	return n;
}

/* Drops every second point. */
static void thin_points(Drawing *drawing)
{
	GArray *points = drawing->map->points;

	for (guint i = points->len; i > 0; i--)
		if (i % 2 == 0)
			g_array_remove_index(points, i - 1);
	drawing->n_open_in_points = count_open(points);
	drawing->point_events *= 2;
}

static void add_point(Drawing *drawing, const LttSpans *spans, guint64 time_ns)
{
	const LttViewPoint point = make_point(spans, time_ns);

	drawing->n_open_in_points += point.n_open;
	drawing->n_since_point = 0;
	g_array_append_val(drawing->map->points, point);
	if (drawing->n_open_in_points > LTT_VIEW_POINT_SPANS)
		thin_points(drawing);
}

/* The next map of a running recording reads the events from `until_ns` on. */
static void save_end(const Drawing *drawing, const LttSpans *spans)
{
	LttViewMap *map = drawing->map;

	if (map->until_ns != G_MAXUINT64)
		map->end = (LttViewEnd){
			.open = make_point(spans, map->until_ns).open,
			.point_events = drawing->point_events,
			.n_since_point = drawing->n_since_point,
		};
}

/* ---- events and spans ---- */

/* Stores the progress for requests, and lets them run. */
static void publish_progress(Drawing *drawing, guint64 time_ns)
{
	drawing->map->done.n_done = drawing->n_events;
	drawing->map->drawn_ns = time_ns;
	if (drawing->n_events % LIMIT_EVENTS == 0)
		ltt_view_map_limit_cells(drawing->map);
	ltt_view_map_yield(drawing->map);
}

/* Called with the lock held. */
static void take_event(LttSpans *spans, const LttEvent *event, gpointer user_data)
{
	Drawing *drawing = user_data;
	LttViewMap *map = drawing->map;
	const LttViewType *type;
	LttLane *lane;

	if (event == NULL) {
		save_end(drawing, spans);
		return;
	}
	if (++drawing->n_events % LTT_VIEW_YIELD_EVENTS == 0)
		publish_progress(drawing, event->time_ns);
	if (event->time_ns >= drawing->next_point_ns) {
		const guint64 bin = ltt_view_axis_bin(&map->axis, event->time_ns);

		if (drawing->n_since_point >= drawing->point_events)
			add_point(drawing, spans, event->time_ns);
		drawing->next_point_ns = map->axis.start_ns + (bin + 1) * map->axis.bin_ns;
	}
	drawing->n_since_point++;
	ltt_view_map_note_time(map, event);
	ltt_view_damage_walk_take_event(drawing->damages, event);
	lane = ltt_view_map_cpu_lane(map, event);
	if (lane != NULL)
		ltt_lane_add_event(lane, &map->lane_axis, event->time_ns, 0);
	ltt_view_counters_take(map, event);
	type = ltt_view_types_find(drawing->types, map, event->type);
	if (!type->is_of_span)
		ltt_lane_add_event(ltt_view_map_lane(map, event, NULL), &map->lane_axis,
				   event->time_ns, type->name);
}

static void take_span(LttViewMap *map, const LttSpan *span)
{
	LttLane *lane = ltt_view_map_lane(map, span->begin, span->is_async ? span->name : NULL);
	LttLaneSpan drawn = {
		.begin_ns = span->begin_ns,
		.end_ns = span->end_ns,
		.name = ltt_view_map_name(map, span->name),
		.depth = (guint16)span->depth,
		.outcome = (guint8)span->outcome,
	};

	if (span->outcome != LTT_SPAN_OPEN || map->until_ns == G_MAXUINT64) {
		ltt_lane_add_span(lane, &map->lane_axis, &drawn);
		return;
	}
	/* The last event may have been read for the map that this one continues. */
	drawn.end_ns = MAX(ltt_view_map_find_last(map, span->begin), span->begin_ns);
	ltt_lane_add_open(lane, &drawn);
}

static gboolean keep_on(const LttProgress *progress, gpointer user_data)
{
	const LttViewMap *map = user_data;

	(void)progress;
	return !g_atomic_int_get(&map->is_cancelled);
}

LttSelect *ltt_view_map_select(const LttViewMap *map)
{
	LttSelect *select = ltt_select_new();

	if (map->until_ns != G_MAXUINT64)
		ltt_select_set_window(select, map->axis.start_ns, map->until_ns);
	return select;
}

LttSpans *ltt_view_spans_new(const LttViewMap *map, LttSelect *select, GBytes *open)
{
	g_autoptr(LttOpenSpans) spans = NULL;
	const guint8 *bytes;
	gsize length;

	if (open != NULL) {
		bytes = g_bytes_get_data(open, &length);
		spans = ltt_open_spans_unpack(map->trace, bytes, length);
	}
	return spans != NULL ? ltt_spans_new_from(map->trace, select, spans)
			     : ltt_spans_new(map->trace, select);
}

gboolean ltt_view_skip(LttSpans *spans, GError **failure, GError **error)
{
	if (!g_error_matches(*failure, LTT_ERROR, LTT_ERROR_CORRUPT)) {
		g_propagate_error(error, g_steal_pointer(failure));
		return FALSE;
	}
	ltt_spans_skip_block(spans);
	return TRUE;
}

/* Returns: (transfer full): a selection of the events that no earlier map has drawn */
static LttSelect *select_rest(const LttViewMap *map)
{
	LttSelect *select = ltt_view_map_select(map);

	if (map->begin.open != NULL)
		ltt_select_set_window(select, map->drawn_ns, map->until_ns);
	return select;
}

gboolean ltt_view_map_draw(LttViewMap *map, GError **error)
{
	g_autoptr(GHashTable) types = ltt_view_types_new();
	g_autoptr(LttSelect) select = select_rest(map);
	g_autoptr(LttSpans) spans = ltt_view_spans_new(map, select, map->begin.open);
	g_autoptr(LttViewDamageWalk) damages = ltt_view_damage_walk_new(map);
	Drawing drawing = {
		.map = map,
		.types = types,
		.damages = damages,
		.point_events = MAX(map->begin.point_events, LTT_VIEW_POINT_EVENTS),
		.n_since_point = map->begin.n_since_point,
		.n_open_in_points = count_open(map->points),
	};
	const LttSpan *span;
	LttStep step;
	gboolean is_good = TRUE;

	ltt_spans_set_symbols(spans, map->symbols);
	ltt_spans_set_event_func(spans, take_event, &drawing);
	ltt_spans_set_callbacks(spans,
				&(LttJobCallbacks){.on_progress = keep_on, .user_data = map});
	ltt_view_map_lock(map);
	do {
		g_autoptr(GError) failure = NULL;

		step = ltt_spans_next(spans, &span, &failure);
		if (step == LTT_STEP_EVENT)
			take_span(map, span);
		if (step == LTT_STEP_ERROR) {
			ltt_view_damage_walk_take_error(damages, failure);
			is_good = ltt_view_skip(spans, &failure, error);
		}
	} while (step != LTT_STEP_END && is_good);
	map->n_drawn = drawing.n_events;
	map->drawn_ns = map->axis.end_ns;
	ltt_view_map_unlock(map);
	return is_good;
}
