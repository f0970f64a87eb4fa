/* lane.c - see lane-priv.h. */
#include "view/lane-priv.h"

#include <ltt/ltt-hash.h>

/* ---- the axis ---- */

void ltt_view_axis_init(LttViewAxis *axis, guint64 start_ns, guint64 end_ns)
{
	const guint64 length_ns = MAX(end_ns - start_ns, 1);

	axis->start_ns = start_ns;
	axis->end_ns = end_ns;
	axis->bin_ns = length_ns / LTT_VIEW_BINS + 1;
}

guint32 ltt_view_axis_bin(const LttViewAxis *axis, guint64 time_ns)
{
	if (time_ns <= axis->start_ns)
		return 0;
	return (guint32)MIN((time_ns - axis->start_ns) / axis->bin_ns, LTT_VIEW_BINS - 1);
}

gboolean ltt_view_axis_is_full(const LttViewAxis *axis)
{
	return (axis->end_ns - axis->start_ns) / axis->bin_ns >= LTT_VIEW_BINS;
}

/* ---- lanes ---- */

static LttLaneClosed get_totals(const LttLane *lane)
{
	return (LttLaneClosed){
		.n_events = lane->n_events,
		.first_ns = lane->first_ns,
		.last_ns = lane->last_ns,
		.n_depths = lane->n_depths,
		.rows = lane->rows,
	};
}

static void set_totals(LttLane *lane, const LttLaneClosed *totals)
{
	lane->n_events = totals->n_events;
	lane->first_ns = totals->first_ns;
	lane->last_ns = totals->last_ns;
	lane->n_depths = totals->n_depths;
	lane->rows = totals->rows;
}

LttLane *ltt_lane_new(const LttLaneKey *key, guint id)
{
	LttLane *lane = g_new0(LttLane, 1);

	lane->key = *key;
	lane->id = id;
	lane->first_ns = G_MAXUINT64;
	lane->cells = g_array_new(FALSE, FALSE, sizeof(LttLaneCell));
	lane->longs = g_array_new(FALSE, FALSE, sizeof(LttLaneSpan));
	return lane;
}

void ltt_lane_free(gpointer data)
{
	LttLane *lane = data;

	g_array_unref(lane->cells);
	g_array_unref(lane->longs);
	g_clear_pointer(&lane->opens, g_array_unref);
	g_free(lane);
}

LttLane *ltt_lane_copy_closed(const LttLane *lane)
{
	LttLane *copy = g_memdup2(lane, sizeof(*lane));

	if (lane->opens != NULL)
		set_totals(copy, &lane->closed);
	copy->opens = NULL;
	copy->cells = g_array_copy(lane->cells);
	copy->longs = g_array_copy(lane->longs);
	return copy;
}

guint ltt_lane_key_hash(gconstpointer data)
{
	const LttLaneKey *key = data;
	const guint64 place = (guint64)key->host << 32 | key->member;
	const guint64 kind = (guint64)key->kind << 1 | (guint64)key->has_thread;

	return (guint)ltt_hash_pair(ltt_hash_pair(place, kind), (guint64)key->pid << 32 | key->tid);
}

gboolean ltt_lane_key_equal(gconstpointer a, gconstpointer b)
{
	const LttLaneKey *first = a;
	const LttLaneKey *second = b;

	return first->tid == second->tid && first->pid == second->pid &&
	       first->kind == second->kind && first->member == second->member &&
	       first->host == second->host && first->has_thread == second->has_thread;
}

/* ---- asynchronous spans ---- */

guint16 ltt_async_rows_take(LttAsyncRows *rows, guint64 begin_ns, guint64 end_ns)
{
	for (guint16 i = 0; i < LTT_ASYNC_ROWS; i++) {
		if (i < rows->n && rows->free_from_ns[i] > begin_ns)
			continue;
		rows->free_from_ns[i] = end_ns;
		rows->n = MAX(rows->n, i + 1U);
		return i;
	}
	return LTT_ASYNC_ROWS - 1;
}

/* ---- cells ---- */

/* Compares by bin, then by depth. */
static gboolean is_before(const LttLaneCell *cell, guint32 bin, guint16 depth)
{
	return cell->bin != bin ? cell->bin < bin : cell->depth < depth;
}

/* Spans come in the order of their ends, and those of many bins are no cells: the place is near the
 * end. */
static LttLaneCell *find_or_add(LttLane *lane, guint32 bin, guint16 depth)
{
	const LttLaneCell cell = {.bin = bin, .depth = depth};
	LttLaneCell *cells = (LttLaneCell *)(gpointer)lane->cells->data;
	guint at = lane->cells->len;

	while (at > 0 && !is_before(&cells[at - 1], bin, depth)) {
		at--;
		if (cells[at].bin == bin && cells[at].depth == depth)
			return &cells[at];
	}
	g_array_insert_val(lane->cells, at, cell);
	return &g_array_index(lane->cells, LttLaneCell, at);
}

static void note(LttLane *lane, guint64 begin_ns, guint64 end_ns)
{
	lane->n_events++;
	lane->first_ns = MIN(lane->first_ns, begin_ns);
	lane->last_ns = MAX(lane->last_ns, end_ns);
}

void ltt_lane_add_event(LttLane *lane, const LttViewAxis *axis, guint64 time_ns, guint32 name)
{
	LttLaneCell *cell =
		find_or_add(lane, ltt_view_axis_bin(axis, time_ns), LTT_VIEW_EVENTS_DEPTH);

	note(lane, time_ns, time_ns);
	cell->n++;
	cell->name = name;
}

/* Returns: a cell of one span. @is_first: whether the span begins in @bin */
static LttLaneCell make_cell(const LttViewAxis *axis, const LttLaneSpan *span, guint32 bin,
			     gboolean is_first)
{
	const guint64 start_ns = axis->start_ns + bin * axis->bin_ns;
	const guint64 from_ns = MAX(span->begin_ns, start_ns);
	const guint64 to_ns = MIN(span->end_ns, start_ns + axis->bin_ns);
	const guint64 covered_ns = to_ns > from_ns ? to_ns - from_ns : 0;

	return (LttLaneCell){
		.bin = bin,
		.name = span->name,
		.longest = covered_ns,
		.covered = covered_ns,
		.n = is_first,
		.depth = span->depth,
	};
}

static void merge(LttLaneCell *cell, const LttLaneCell *other)
{
	cell->n += other->n;
	cell->covered += other->covered;
	if (other->longest >= cell->longest) {
		cell->longest = other->longest;
		cell->name = other->name;
	}
}

static void note_span(LttLane *lane, const LttLaneSpan *span)
{
	note(lane, span->begin_ns, span->end_ns);
	if (lane->key.kind == LTT_LANE_ASYNC)
		ltt_async_rows_take(&lane->rows, span->begin_ns, span->end_ns);
	lane->n_depths = MAX(MAX(lane->n_depths, span->depth + 1U), lane->rows.n);
}

void ltt_lane_add_open(LttLane *lane, const LttLaneSpan *span)
{
	if (lane->opens == NULL) {
		lane->opens = g_array_new(FALSE, FALSE, sizeof(LttLaneSpan));
		lane->closed = get_totals(lane);
	}
	note_span(lane, span);
	g_array_append_vals(lane->opens, span, 1);
}

void ltt_lane_add_span(LttLane *lane, const LttViewAxis *axis, const LttLaneSpan *span)
{
	const guint32 first = ltt_view_axis_bin(axis, span->begin_ns);
	const guint32 last = ltt_view_axis_bin(axis, span->end_ns);

	note_span(lane, span);
	if (last - first >= LTT_VIEW_LONG_BINS) {
		g_array_append_vals(lane->longs, span, 1);
		return;
	}
	for (guint32 bin = first; bin <= last; bin++) {
		const LttLaneCell cell = make_cell(axis, span, bin, bin == first);

		merge(find_or_add(lane, bin, span->depth), &cell);
	}
}

/* ---- longer bins ---- */

static gint compare_cells(gconstpointer a, gconstpointer b)
{
	const LttLaneCell *first = a;
	const LttLaneCell *second = b;

	if (first->bin == second->bin && first->depth == second->depth)
		return 0;
	return is_before(first, second->bin, second->depth) ? -1 : 1;
}

/* Appends the cells of a span, not yet in order. */
static void append_cells(GArray *cells, const LttViewAxis *axis, const LttLaneSpan *span)
{
	const guint32 first = ltt_view_axis_bin(axis, span->begin_ns);
	const guint32 last = ltt_view_axis_bin(axis, span->end_ns);

	for (guint32 bin = first; bin <= last; bin++) {
		const LttLaneCell cell = make_cell(axis, span, bin, bin == first);

		g_array_append_val(cells, cell);
	}
}

/* An array keeps the room of its largest size. Returns: (transfer full): a copy without it */
static GArray *shrink(GArray *array)
{
	GArray *copy = g_array_sized_new(FALSE, FALSE, g_array_get_element_size(array), array->len);

	if (array->len > 0)
		g_array_append_vals(copy, array->data, array->len);
	g_array_unref(array);
	return copy;
}

void ltt_lane_coarsen(LttLane *lane, const LttViewAxis *axis)
{
	LttLaneSpan *longs = (LttLaneSpan *)(gpointer)lane->longs->data;
	LttLaneCell *cells;
	guint n_longs = 0;
	guint n = 0;

	for (guint i = 0; i < lane->cells->len; i++)
		g_array_index(lane->cells, LttLaneCell, i).bin /= 2;
	for (guint i = 0; i < lane->longs->len; i++) {
		if (ltt_view_axis_bin(axis, longs[i].end_ns) -
			    ltt_view_axis_bin(axis, longs[i].begin_ns) >=
		    LTT_VIEW_LONG_BINS)
			longs[n_longs++] = longs[i];
		else
			append_cells(lane->cells, axis, &longs[i]);
	}
	g_array_set_size(lane->longs, n_longs);
	g_array_sort(lane->cells, compare_cells);
	cells = (LttLaneCell *)(gpointer)lane->cells->data;
	for (guint i = 0; i < lane->cells->len; i++) {
		if (n > 0 && compare_cells(&cells[n - 1], &cells[i]) == 0)
			merge(&cells[n - 1], &cells[i]);
		else
			cells[n++] = cells[i];
	}
	g_array_set_size(lane->cells, n);
	lane->cells = shrink(lane->cells);
	lane->longs = shrink(lane->longs);
}

/* ---- search ---- */

guint ltt_lane_find_cell(const LttLane *lane, guint32 bin)
{
	guint low = 0;
	guint high = lane->cells->len;

	while (low < high) {
		const guint middle = low + (high - low) / 2;

		if (g_array_index(lane->cells, LttLaneCell, middle).bin < bin)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

guint ltt_lane_find_long(const LttLane *lane, guint64 time_ns)
{
	guint low = 0;
	guint high = lane->longs->len;

	while (low < high) {
		const guint middle = low + (high - low) / 2;

		if (g_array_index(lane->longs, LttLaneSpan, middle).end_ns <= time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
