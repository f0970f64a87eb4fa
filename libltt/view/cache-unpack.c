/* cache-unpack.c - the map from bytes that cache-pack.c wrote, or that are damaged (cache-priv.h).
 *
 * All of it is read and checked first, and then moved into the map. By then requests may have added
 * lanes and names to the map, so those of the bytes get the numbers that they have there.
 */
#include "view/cache-priv.h"
#include "view/counters-priv.h"
#include "view/damage-priv.h"

#include <ltt/ltt-join.h>

/* What the bytes contain. */
typedef struct Packed {
	LttTrace *trace;
	const LttViewAxis *axis;
	LttStatSummary stat;
	guint64 *member_last_ns;
	GPtrArray *names;
	guint64 lane_bin_ns;
	GPtrArray *lanes; /* of LttLane */
	GPtrArray *counter_names;
	guint64 counter_bin_ns;
	GHashTable *tracks; /* as in LttViewCounters */
	guint64 n_counter_cells;
	GArray *points;
	guint n_omitted;
	GArray *damages;
	guint64 n_problems;
	GPtrArray *problems;
} Packed;

/* ---- texts ---- */

static GPtrArray *take_texts(LttSerial *in)
{
	GPtrArray *texts = g_ptr_array_new_with_free_func(g_free);
	const guint n = ltt_serial_take_n(in, sizeof(guint32));

	for (guint i = 0; i < n && !in->is_bad; i++) {
		char *text = ltt_serial_take_text(in);

		ltt_serial_expect(in, text != NULL);
		if (text != NULL)
			g_ptr_array_add(texts, text);
	}
	return texts;
}

/* ---- the ends of the traces ---- */

static guint64 *take_ends(LttSerial *in, const LttTrace *trace)
{
	const guint n = ltt_trace_get_n_members(trace);
	guint64 *ends_ns = g_new0(guint64, n);

	for (guint i = 0; i < n; i++)
		ends_ns[i] = ltt_serial_take_u64(in);
	return ends_ns;
}

/* ---- lanes ---- */

static void take_key(LttSerial *in, const Packed *packed, LttLaneKey *key)
{
	key->kind = (LttLaneKind)ltt_serial_take_below(in, LTT_LANE_OTHERS + 1);
	key->member = ltt_serial_take_below(in, ltt_trace_get_n_members(packed->trace));
	key->host = ltt_serial_take_below(in, ltt_trace_get_n_hosts(packed->trace));
	key->pid = ltt_serial_take_u32(in);
	key->tid = ltt_serial_take_u32(in);
	key->has_thread = (gboolean)ltt_serial_take_below(in, 2);
	if (key->kind == LTT_LANE_ASYNC || key->kind == LTT_LANE_COUNTER)
		ltt_serial_expect(in, key->tid < packed->names->len);
	else if (key->kind == LTT_LANE_THREAD && !key->has_thread)
		ltt_serial_expect(in, key->tid < ltt_trace_get_n_tracefiles(packed->trace));
}

/* Cells are in the order of bins and depths. */
static void take_cells(LttSerial *in, const Packed *packed, LttLane *lane)
{
	const guint n = ltt_serial_take_n(in, 32);
	LttLaneCell last = {0};

	for (guint i = 0; i < n && !in->is_bad; i++) {
		LttLaneCell cell = {.bin = ltt_serial_take_below(in, LTT_VIEW_BINS)};

		cell.name = ltt_serial_take_below(in, packed->names->len);
		cell.longest = ltt_serial_take_u64(in);
		cell.covered = ltt_serial_take_u64(in);
		cell.n = ltt_serial_take_u32(in);
		cell.depth = (guint16)ltt_serial_take_below(in, G_MAXUINT16 + 1);
		ltt_serial_expect(in, cell.depth < lane->n_depths ||
					      cell.depth == LTT_VIEW_EVENTS_DEPTH);
		ltt_serial_expect(in, i == 0 || last.bin < cell.bin ||
					      (last.bin == cell.bin && last.depth < cell.depth));
		g_array_append_val(lane->cells, cell);
		last = cell;
	}
}

/* Long spans are in the order of their ends. */
static void take_longs(LttSerial *in, const Packed *packed, LttLane *lane)
{
	const guint n = ltt_serial_take_n(in, 28);
	guint64 last_ns = 0;

	for (guint i = 0; i < n && !in->is_bad; i++) {
		LttLaneSpan span = {.begin_ns = ltt_serial_take_u64(in)};

		span.end_ns = ltt_serial_take_u64(in);
		span.name = ltt_serial_take_below(in, packed->names->len);
		span.depth = (guint16)ltt_serial_take_below(in, lane->n_depths);
		span.outcome = (guint8)ltt_serial_take_below(in, LTT_SPAN_OPEN + 1);
		ltt_serial_expect(in, span.begin_ns <= span.end_ns && span.end_ns >= last_ns);
		g_array_append_val(lane->longs, span);
		last_ns = span.end_ns;
	}
}

static LttLane *take_lane(LttSerial *in, const Packed *packed, guint id)
{
	LttLaneKey key = {0};
	LttLane *lane;

	take_key(in, packed, &key);
	lane = ltt_lane_new(&key, id);
	lane->n_events = ltt_serial_take_u64(in);
	lane->first_ns = ltt_serial_take_u64(in);
	lane->last_ns = ltt_serial_take_u64(in);
	lane->n_depths = ltt_serial_take_below(in, LTT_VIEW_EVENTS_DEPTH);
	take_cells(in, packed, lane);
	take_longs(in, packed, lane);
	return lane;
}

static void take_lanes(LttSerial *in, Packed *packed)
{
	guint n;

	packed->lane_bin_ns = ltt_serial_take_u64(in);
	ltt_serial_expect(in, packed->lane_bin_ns >= packed->axis->bin_ns);
	n = ltt_serial_take_n(in, 60);
	for (guint i = 0; i < n && !in->is_bad; i++)
		g_ptr_array_add(packed->lanes, take_lane(in, packed, i));
}

/* ---- counters ---- */

static LttViewNumber take_number(LttSerial *in)
{
	LttViewNumber number = {.kind = (LttTypeKind)ltt_serial_take_u32(in)};

	number.u = ltt_serial_take_u64(in);
	ltt_serial_expect(in, number.kind == LTT_INT || number.kind == LTT_UINT ||
				      number.kind == LTT_FLOAT);
	return number;
}

static GArray *take_track(LttSerial *in, guint lane)
{
	GArray *cells = g_array_new(FALSE, FALSE, sizeof(LttCounterCell));
	const guint n = ltt_serial_take_n(in, 44);
	guint64 next = 0;

	for (guint i = 0; i < n && !in->is_bad; i++) {
		LttCounterCell cell = {.lane = lane,
				       .bin = ltt_serial_take_below(in, LTT_VIEW_BINS)};

		cell.n = ltt_serial_take_u32(in);
		cell.min = take_number(in);
		cell.max = take_number(in);
		cell.last = take_number(in);
		ltt_serial_expect(in, cell.bin >= next);
		g_array_append_val(cells, cell);
		next = (guint64)cell.bin + 1;
	}
	return cells;
}

static void take_counters(LttSerial *in, Packed *packed)
{
	guint n;

	packed->counter_names = take_texts(in);
	packed->counter_bin_ns = ltt_serial_take_u64(in);
	ltt_serial_expect(in, packed->counter_bin_ns >= packed->axis->bin_ns);
	n = ltt_serial_take_n(in, 2 * sizeof(guint32));
	for (guint i = 0; i < n && !in->is_bad; i++) {
		const guint lane = ltt_serial_take_below(in, packed->lanes->len);
		GArray *cells = take_track(in, lane);

		packed->n_counter_cells += cells->len;
		g_hash_table_insert(packed->tracks, GUINT_TO_POINTER(lane), cells);
	}
}

/* ---- points ---- */

/* Returns: (transfer full) (nullable): spans that ltt_view_unpack_open() can unpack; NULL: they are damaged */
static GBytes *take_open(LttSerial *in, LttTrace *trace, guint *n_open)
{
	const guint length = ltt_serial_take_n(in, 1);
	const guint8 *bytes = ltt_serial_take_bytes(in, length);
	g_autoptr(LttOpenSpans) open =
		bytes != NULL ? ltt_open_spans_unpack(trace, bytes, length) : NULL;

	ltt_serial_expect(in, open != NULL);
	if (open == NULL)
		return NULL;
	*n_open = ltt_open_spans_get_n(open);
	return g_bytes_new(bytes, length);
}

static void take_points(LttSerial *in, Packed *packed)
{
	const guint n = ltt_serial_take_n(in, 12);
	guint64 last_ns = 0;

	for (guint i = 0; i < n && !in->is_bad; i++) {
		LttViewPoint point = {.time_ns = ltt_serial_take_u64(in)};

		point.open = take_open(in, packed->trace, &point.n_open);
		ltt_serial_expect(in, point.time_ns >= last_ns);
		g_array_append_val(packed->points, point);
		last_ns = point.time_ns;
	}
}

/* ---- damage ---- */

static void take_damages(LttSerial *in, Packed *packed)
{
	const guint n = ltt_serial_take_n(in, 28);

	packed->damages = ltt_view_damages_new();
	for (guint i = 0; i < n && !in->is_bad; i++) {
		LttViewDamage damage = {
			.file = ltt_serial_take_below(in,
						      ltt_trace_get_n_tracefiles(packed->trace)),
		};

		damage.lane = ltt_serial_take_u32(in);
		damage.from_ns = ltt_serial_take_u64(in);
		damage.to_ns = ltt_serial_take_u64(in);
		damage.text = ltt_serial_take_text(in);
		ltt_serial_expect(in, damage.lane < packed->lanes->len ||
					      damage.lane == LTT_VIEW_NO_LANE);
		ltt_serial_expect(in, damage.from_ns >= packed->axis->start_ns &&
					      damage.from_ns <= damage.to_ns &&
					      damage.to_ns <= packed->axis->end_ns &&
					      damage.text != NULL);
		g_array_append_val(packed->damages, damage);
	}
}

/* ---- the map ---- */

static void free_packed(Packed *packed)
{
	ltt_stat_summary_clear(&packed->stat);
	g_clear_pointer(&packed->member_last_ns, g_free);
	g_clear_pointer(&packed->names, g_ptr_array_unref);
	g_clear_pointer(&packed->lanes, g_ptr_array_unref);
	g_clear_pointer(&packed->counter_names, g_ptr_array_unref);
	g_clear_pointer(&packed->tracks, g_hash_table_unref);
	g_clear_pointer(&packed->points, g_array_unref);
	g_clear_pointer(&packed->damages, g_array_unref);
	g_clear_pointer(&packed->problems, g_ptr_array_unref);
}

/* Replaces the names of a lane by their numbers in the map. */
static void rename_lane(LttLane *lane, const guint32 *names)
{
	if (lane->key.kind == LTT_LANE_ASYNC || lane->key.kind == LTT_LANE_COUNTER)
		lane->key.tid = names[lane->key.tid];
	for (guint i = 0; i < lane->cells->len; i++) {
		LttLaneCell *cell = &g_array_index(lane->cells, LttLaneCell, i);

		cell->name = names[cell->name];
	}
	for (guint i = 0; i < lane->longs->len; i++) {
		LttLaneSpan *span = &g_array_index(lane->longs, LttLaneSpan, i);

		span->name = names[span->name];
	}
}

/* Returns: the number of the lane in the map, which gets the contents of @lane */
static guint move_lane(LttViewMap *map, LttLane *lane)
{
	LttLane *own = ltt_view_map_add_lane(map, &lane->key);

	own->n_events = lane->n_events;
	own->first_ns = lane->first_ns;
	own->last_ns = lane->last_ns;
	own->n_depths = lane->n_depths;
	g_array_unref(own->cells);
	g_array_unref(own->longs);
	own->cells = g_array_ref(lane->cells);
	own->longs = g_array_ref(lane->longs);
	return own->id;
}

static void move_track(LttViewCounters *counters, guint lane, GArray *cells)
{
	for (guint i = 0; i < cells->len; i++)
		g_array_index(cells, LttCounterCell, i).lane = lane;
	g_hash_table_insert(counters->tracks, GUINT_TO_POINTER(lane), g_array_ref(cells));
}

static void move_counters(LttViewCounters *counters, const Packed *packed, const guint *lanes)
{
	GHashTableIter iter;
	gpointer lane;
	gpointer cells;

	for (guint i = 0; i < packed->counter_names->len; i++)
		g_ptr_array_add(counters->names, g_strdup(packed->counter_names->pdata[i]));
	counters->axis.bin_ns = packed->counter_bin_ns;
	counters->n_cells = packed->n_counter_cells;
	g_hash_table_iter_init(&iter, packed->tracks);
	while (g_hash_table_iter_next(&iter, &lane, &cells))
		move_track(counters, lanes[GPOINTER_TO_UINT(lane)], cells);
}

/* Called with the lock held. */
static void move(LttViewMap *map, Packed *packed)
{
	g_autofree guint32 *names = g_new(guint32, packed->names->len);
	g_autofree guint *lanes = g_new(guint, packed->lanes->len);

	for (guint i = 0; i < packed->names->len; i++)
		names[i] = ltt_view_map_name(map, packed->names->pdata[i]);
	for (guint i = 0; i < packed->lanes->len; i++) {
		rename_lane(packed->lanes->pdata[i], names);
		lanes[i] = move_lane(map, packed->lanes->pdata[i]);
	}
	map->lane_axis.bin_ns = packed->lane_bin_ns;
	move_counters(map->counters, packed, lanes);
	map->stat = packed->stat;
	packed->stat = (LttStatSummary){0};
	g_free(map->member_last_ns);
	map->member_last_ns = g_steal_pointer(&packed->member_last_ns);
	g_array_append_vals(map->points, packed->points->data, packed->points->len);
	g_array_set_clear_func(packed->points, NULL);
	map->n_omitted = packed->n_omitted;
	for (guint i = 0; i < packed->damages->len; i++) {
		LttViewDamage *damage = &g_array_index(packed->damages, LttViewDamage, i);

		if (damage->lane != LTT_VIEW_NO_LANE)
			damage->lane = lanes[damage->lane];
	}
	g_array_unref(map->damages);
	map->damages = g_steal_pointer(&packed->damages);
	map->n_problems = packed->n_problems;
	g_ptr_array_extend_and_steal(map->problems, g_steal_pointer(&packed->problems));
	map->drawn_ns = map->axis.end_ns;
	map->stage = LTT_VIEW_DRAWING;
	map->done = (LttProgress){.unit = LTT_PROGRESS_EVENTS,
				  .n_done = map->stat.total.n_events,
				  .n_total = map->stat.total.n_events};
}

gboolean ltt_view_map_unpack(LttViewMap *map, const guint8 *bytes, gsize length)
{
	LttSerial in = {bytes, length, FALSE};
	Packed packed = {
		.trace = map->trace,
		.axis = &map->axis,
		.lanes = g_ptr_array_new_with_free_func(ltt_lane_free),
		.tracks = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_array_unref),
		.points = g_array_new(FALSE, FALSE, sizeof(LttViewPoint)),
	};
	gboolean is_good;

	g_array_set_clear_func(packed.points, ltt_view_point_clear);
	ltt_view_stat_unpack(&packed.stat, map->trace, &in);
	packed.member_last_ns = take_ends(&in, map->trace);
	packed.names = take_texts(&in);
	take_lanes(&in, &packed);
	packed.n_omitted = ltt_serial_take_u32(&in);
	take_counters(&in, &packed);
	take_points(&in, &packed);
	take_damages(&in, &packed);
	packed.n_problems = ltt_serial_take_u64(&in);
	packed.problems = take_texts(&in);
	is_good = !in.is_bad && in.rest == 0;
	if (is_good) {
		ltt_view_map_lock(map);
		move(map, &packed);
		ltt_view_map_unlock(map);
	}
	free_packed(&packed);
	return is_good;
}
