/* window.c - see window-priv.h. */
#include "view/async-priv.h"
#include "view/start-priv.h"

#include <string.h>

/* ---- pixels ---- */

/* The latest bin of each depth of a lane, by index + 1. */
typedef struct Latest {
	GArray *by_depth; /* of guint */
	guint of_events;
} Latest;

typedef struct Painter {
	const LttViewWindow *window;
	LttViewPicture *picture;
	GHashTable *latest; /* Latest by lane number, for the wanted lanes */
} Painter;

static void free_latest(gpointer data)
{
	Latest *latest = data;

	g_array_unref(latest->by_depth);
	g_free(latest);
}

static guint64 get_length(const LttViewWindow *window)
{
	return window->to_ns - window->from_ns;
}

static guint *find_latest(Latest *latest, guint16 depth)
{
	if (depth == LTT_VIEW_EVENTS_DEPTH)
		return &latest->of_events;
	if (latest->by_depth->len <= depth)
		g_array_set_size(latest->by_depth, depth + 1U);
	return &g_array_index(latest->by_depth, guint, depth);
}

/* Adds to the bin of a pixel. The bins of a lane and depth need not come in order, but most do. */
static void add_bin(Painter *painter, Latest *latest, const LttViewBin *added)
{
	GArray *bins = painter->picture->bins;
	guint *place = find_latest(latest, added->depth);
	LttViewBin *bin = *place > 0 ? &g_array_index(bins, LttViewBin, *place - 1) : NULL;

	if (bin != NULL && bin->pixel == added->pixel) {
		ltt_view_pixel_merge(bin, added);
		return;
	}
	g_array_append_vals(bins, added, 1);
	*place = bins->len;
}

/* @is_left_out: only a rectangle is added, which takes a row of asynchronous spans */
static void add_span(Painter *painter, Latest *latest, guint lane, const LttLaneSpan *span,
		     gboolean is_left_out)
{
	const LttViewWindow *window = painter->window;
	const guint64 length_ns = span->end_ns - span->begin_ns;
	const LttViewRect rect = {.lane = lane, .span = *span, .is_left_out = is_left_out};
	LttViewBin bin = {
		.lane = lane,
		.depth = span->depth,
		.name = span->name,
		.longest_ns = length_ns,
		.covered_ns = length_ns,
		.n = 1,
	};

	if (span->begin_ns >= window->to_ns || span->end_ns < window->from_ns)
		return;
	if ((unsigned __int128)length_ns * window->n_pixels >= get_length(window)) {
		g_array_append_val(painter->picture->rects, rect);
		return;
	}
	if (is_left_out)
		return;
	bin.pixel = ltt_view_get_pixel(window, span->begin_ns);
	add_bin(painter, latest, &bin);
}

/* ---- from the map ---- */

/* Divides a number among @n parts. Returns: that of part @i */
static guint64 get_share(guint64 number, guint64 i, guint64 n)
{
	return number / n + (i < number % n);
}

/* A cell that is wider than a pixel is spread over its pixels. */
static void paint_cell(Painter *painter, const LttViewAxis *axis, const LttLane *lane,
		       const LttLaneCell *cell, Latest *latest)
{
	const guint64 time_ns = axis->start_ns + cell->bin * axis->bin_ns;
	const guint first = ltt_view_get_pixel(painter->window, time_ns);
	const guint last = ltt_view_get_pixel(painter->window, time_ns + axis->bin_ns - 1);
	const guint n_pixels = (unsigned __int128)axis->bin_ns * painter->window->n_pixels >
					       get_length(painter->window)
				       ? last - first + 1
				       : 1;

	for (guint i = 0; i < n_pixels; i++) {
		const LttViewBin bin = {
			.lane = lane->id,
			.pixel = first + i,
			.depth = cell->depth,
			.n = (guint32)get_share(cell->n, i, n_pixels),
			.name = cell->name,
			.longest_ns = cell->longest / n_pixels,
			.covered_ns = get_share(cell->covered, i, n_pixels),
		};

		if (bin.n > 0 || bin.covered_ns > 0)
			add_bin(painter, latest, &bin);
	}
}

/* Where the map is not drawn yet, the lane of a CPU shows an estimate from its blocks. */
static void paint_blocks(Painter *painter, LttViewMap *map, const LttLane *lane, Latest *latest)
{
	const LttViewWindow *window = painter->window;
	const guint64 from_ns = MAX(window->from_ns, map->drawn_ns);
	const guint n = from_ns < window->to_ns
				? window->n_pixels - ltt_view_get_pixel(window, from_ns)
				: 0;
	g_autofree guint64 *counts = g_new0(guint64, MAX(n, 1));
	const LttViewBins bins = {from_ns, window->to_ns, n, counts};

	if (n == 0)
		return;
	ltt_view_blocks_fill_cpu(ltt_view_map_read_blocks(map), lane->key.member,
				 (gint)lane->key.tid, &bins);
	for (guint i = 0; i < n; i++) {
		const LttViewBin bin = {
			.lane = lane->id,
			.pixel = window->n_pixels - n + i,
			.depth = LTT_VIEW_EVENTS_DEPTH,
			.n = (guint32)MIN(counts[i], G_MAXUINT32),
		};

		if (bin.n > 0)
			add_bin(painter, latest, &bin);
	}
}

static void paint_lane(Painter *painter, LttViewMap *map, const LttLane *lane, Latest *latest)
{
	const LttViewWindow *window = painter->window;
	const guint32 last = ltt_view_axis_bin(&map->lane_axis, window->to_ns - 1);

	for (guint i = ltt_lane_find_long(lane, window->from_ns); i < lane->longs->len; i++)
		add_span(painter, latest, lane->id, &g_array_index(lane->longs, LttLaneSpan, i),
			 FALSE);
	for (guint i = 0; lane->opens != NULL && i < lane->opens->len; i++)
		add_span(painter, latest, lane->id, &g_array_index(lane->opens, LttLaneSpan, i),
			 FALSE);
	for (guint i =
		     ltt_lane_find_cell(lane, ltt_view_axis_bin(&map->lane_axis, window->from_ns));
	     i < lane->cells->len; i++) {
		const LttLaneCell *cell = &g_array_index(lane->cells, LttLaneCell, i);

		if (cell->bin > last)
			break;
		paint_cell(painter, &map->lane_axis, lane, cell, latest);
	}
	if (lane->key.kind == LTT_LANE_CPU && map->stage < LTT_VIEW_READY)
		paint_blocks(painter, map, lane, latest);
}

static void paint_from_map(Painter *painter, LttViewMap *map)
{
	GHashTableIter iter;
	gpointer number;
	gpointer latest;

	g_hash_table_iter_init(&iter, painter->latest);
	while (g_hash_table_iter_next(&iter, &number, &latest))
		paint_lane(painter, map, map->lanes->pdata[GPOINTER_TO_UINT(number)], latest);
}

/* ---- from the events ---- */

typedef struct Walk {
	Painter *painter;
	LttViewMap *map;
	GHashTable *types;
	guint64 n_events;
} Walk;

static Latest *find_wanted(const Painter *painter, const LttLane *lane)
{
	return lane != NULL ? g_hash_table_lookup(painter->latest, GUINT_TO_POINTER(lane->id))
			    : NULL;
}

static void paint_event(const Walk *walk, const LttLane *lane, const LttEvent *event, guint32 name)
{
	Latest *latest = find_wanted(walk->painter, lane);
	const LttViewBin bin = {
		.lane = lane != NULL ? lane->id : 0,
		.pixel = ltt_view_get_pixel(walk->painter->window, event->time_ns),
		.depth = LTT_VIEW_EVENTS_DEPTH,
		.n = 1,
		.name = name,
	};

	if (latest != NULL)
		add_bin(walk->painter, latest, &bin);
}

static gboolean is_selected(const LttViewWindow *window, const LttEvent *event)
{
	return window->filter == NULL || ltt_filter_matches(window->filter, event);
}

/* Called with the lock held. */
static void take_event(LttSpans *spans, const LttEvent *event, gpointer user_data)
{
	Walk *walk = user_data;
	const LttViewType *type;

	(void)spans;
	if (event == NULL) /* the end */
		return;
	if (++walk->n_events % LTT_VIEW_YIELD_EVENTS == 0)
		ltt_view_map_yield(walk->map);
	if (event->time_ns < walk->painter->window->from_ns ||
	    !is_selected(walk->painter->window, event))
		return;
	type = ltt_view_types_find(walk->types, walk->map, event->type);
	paint_event(walk, ltt_view_map_cpu_lane(walk->map, event), event, type->name);
	if (!type->is_of_span)
		paint_event(walk, ltt_view_map_lane(walk->map, event, NULL), event, type->name);
}

/* Called with the lock held. */
static void take_span(const Walk *walk, const LttSpan *span)
{
	const LttViewWindow *window = walk->painter->window;
	const gboolean is_left_out = !is_selected(window, span->begin) &&
				     (span->end == NULL || !is_selected(window, span->end));
	LttLaneSpan drawn = {
		.begin_ns = span->begin_ns,
		.end_ns = span->end_ns,
		.depth = (guint16)span->depth,
		.outcome = (guint8)span->outcome,
	};
	const LttLane *lane;
	Latest *latest;

	if (is_left_out && !span->is_async)
		return;
	if (span->outcome == LTT_SPAN_OPEN)
		drawn.end_ns = ltt_view_map_find_open_end(walk->map, span->begin, window->to_ns);
	drawn.name = ltt_view_map_name(walk->map, span->name);
	lane = ltt_view_map_lane(walk->map, span->begin, span->is_async ? span->name : NULL);
	latest = find_wanted(walk->painter, lane);
	if (latest != NULL)
		add_span(walk->painter, latest, lane->id, &drawn, is_left_out);
}

static gboolean paint_from_events(Painter *painter, LttViewMap *map, LttViewStart start,
				  const LttJobCallbacks *callbacks, GError **error)
{
	g_autoptr(GHashTable) types = ltt_view_types_new();
	g_autoptr(LttSelect) select = ltt_select_new();
	g_autoptr(LttSpans) spans = ltt_view_start_spans(map, start, painter->window->from_ns,
							 painter->window->to_ns, select);
	Walk walk = {.painter = painter, .map = map, .types = types};
	const LttSpan *span;
	LttStep step;
	gboolean is_good = TRUE;

	ltt_spans_set_event_func(spans, take_event, &walk);
	ltt_spans_set_callbacks(spans, callbacks);
	ltt_view_map_lock(map);
	do {
		g_autoptr(GError) failure = NULL;

		step = ltt_spans_next(spans, &span, &failure);
		if (step == LTT_STEP_EVENT)
			take_span(&walk, span);
		else if (step == LTT_STEP_ERROR)
			is_good = ltt_view_skip(spans, &failure, error);
	} while (step != LTT_STEP_END && is_good);
	ltt_view_map_unlock(map);
	painter->picture->n_read = walk.n_events;
	return is_good;
}

/* ---- a picture ---- */

static void add_wanted(Painter *painter, LttViewMap *map, const guint *lanes, guint n_lanes)
{
	ltt_view_map_lock(map);
	for (guint i = 0; i < n_lanes; i++) {
		Latest *latest;

		if (lanes[i] >= map->lanes->len)
			continue;
		latest = g_new0(Latest, 1);
		latest->by_depth = g_array_new(FALSE, TRUE, sizeof(guint));
		g_hash_table_insert(painter->latest, GUINT_TO_POINTER(lanes[i]), latest);
	}
	ltt_view_map_unlock(map);
}

static void drop_left_out(LttViewPicture *picture)
{
	GArray *rects = picture->rects;
	guint n = 0;

	for (guint i = 0; i < rects->len; i++) {
		const LttViewRect *rect = &g_array_index(rects, LttViewRect, i);

		if (!rect->is_left_out)
			g_array_index(rects, LttViewRect, n++) = *rect;
	}
	g_array_set_size(rects, n);
}

gboolean ltt_view_draw(LttViewMap *map, const LttViewWindow *window, const guint *lanes,
		       guint n_lanes, const LttJobCallbacks *callbacks, LttViewPicture *picture,
		       GError **error)
{
	g_autoptr(GHashTable) latest = g_hash_table_new_full(NULL, NULL, NULL, free_latest);
	Painter painter = {.window = window, .picture = picture, .latest = latest};
	gboolean is_limited;
	const LttViewStart start = ltt_view_choose_start(map, window, &is_limited);
	gboolean is_good = TRUE;

	*picture = (LttViewPicture){
		.rects = g_array_new(FALSE, FALSE, sizeof(LttViewRect)),
		.bins = g_array_new(FALSE, FALSE, sizeof(LttViewBin)),
		.is_exact = start == LTT_VIEW_START_POINT,
		.is_limited = is_limited,
	};
	add_wanted(&painter, map, lanes, n_lanes);
	if (start != LTT_VIEW_START_NOWHERE) {
		is_good = paint_from_events(&painter, map, start, callbacks, error);
	} else {
		ltt_view_map_lock(map);
		paint_from_map(&painter, map);
		ltt_view_map_unlock(map);
	}
	if (!is_good) {
		ltt_view_picture_clear(picture);
		return FALSE;
	}
	ltt_view_map_lock(map);
	ltt_view_stack_async(map, picture);
	ltt_view_map_unlock(map);
	drop_left_out(picture);
	ltt_view_pixels_join(picture->bins);
	return TRUE;
}

void ltt_view_picture_clear(LttViewPicture *picture)
{
	g_clear_pointer(&picture->rects, g_array_unref);
	g_clear_pointer(&picture->bins, g_array_unref);
}
