/* counters.c - the counters of the whole trace (counters-priv.h). */
#include "view/counters-priv.h"

#include <ltt/ltt-facility.h>
#include <ltt/ltt-join.h>
#include <ltt/ltt-value.h>

#include <math.h>

/* Cells of all tracks. With more, the bins get twice as long. */
#define MAX_CELLS (512 * 1024)

/* A field of an event type. */
typedef struct Field {
	guint index;
	char *name; /* "facility.event.field"; owned */
} Field;

/* ---- numbers ---- */

static double to_double(const LttViewNumber *number)
{
	switch (number->kind) {
	case LTT_INT:
		return (double)number->i;
	case LTT_UINT:
		return (double)number->u;
	default:
		return number->f;
	}
}

static gboolean is_less(const LttViewNumber *a, const LttViewNumber *b)
{
	if (a->kind == LTT_INT && b->kind == LTT_INT)
		return a->i < b->i;
	if (a->kind == LTT_UINT && b->kind == LTT_UINT)
		return a->u < b->u;
	return to_double(a) < to_double(b);
}

static LttViewNumber read_number(const LttValue *value)
{
	LttViewNumber number = {.kind = value->layout->kind};

	if (number.kind == LTT_INT)
		number.i = ltt_value_get_int(value);
	else if (number.kind == LTT_UINT)
		number.u = ltt_value_get_uint(value);
	else
		number.f = ltt_value_get_float(value);
	return number;
}

void ltt_view_number_append(GString *out, const LttViewNumber *number)
{
	char text[G_ASCII_DTOSTR_BUF_SIZE];

	if (number->kind == LTT_INT)
		g_string_append_printf(out, "%" G_GINT64_FORMAT, number->i);
	else if (number->kind == LTT_UINT)
		g_string_append_printf(out, "%" G_GUINT64_FORMAT, number->u);
	else if (isfinite(number->f))
		g_string_append(out, g_ascii_dtostr(text, sizeof(text), number->f));
	else
		g_string_append(out, "null");
}

/* ---- cells ---- */

static void merge(LttCounterCell *cell, const LttCounterCell *other)
{
	cell->n += other->n;
	if (is_less(&other->min, &cell->min) || isnan(to_double(&cell->min)))
		cell->min = other->min;
	if (is_less(&cell->max, &other->max) || isnan(to_double(&cell->max)))
		cell->max = other->max;
	cell->last = other->last;
}

void ltt_view_counters_add(GArray *cells, const LttCounterCell *added)
{
	LttCounterCell *last =
		cells->len > 0 ? &g_array_index(cells, LttCounterCell, cells->len - 1) : NULL;

	if (last != NULL && last->bin >= added->bin)
		merge(last, added);
	else
		g_array_append_vals(cells, added, 1);
}

/* Joins the cells after the bins became twice as long. */
static void coarsen(GArray *cells)
{
	const guint n = cells->len;
	g_autofree LttCounterCell *old = g_memdup2(cells->data, n * sizeof(LttCounterCell));

	g_array_set_size(cells, 0);
	for (guint i = 0; i < n; i++) {
		old[i].bin /= 2;
		ltt_view_counters_add(cells, &old[i]);
	}
}

static void double_bins(LttViewCounters *counters)
{
	GHashTableIter iter;
	gpointer cells;

	counters->axis.bin_ns *= 2;
	counters->n_cells = 0;
	g_hash_table_iter_init(&iter, counters->tracks);
	while (g_hash_table_iter_next(&iter, NULL, &cells)) {
		coarsen(cells);
		counters->n_cells += ((const GArray *)cells)->len;
	}
}

static void limit_cells(LttViewCounters *counters)
{
	const LttViewAxis *axis = &counters->axis;

	while (counters->n_cells > MAX_CELLS && axis->bin_ns < axis->end_ns - axis->start_ns)
		double_bins(counters);
}

/* ---- events ---- */

static void clear_field(gpointer data)
{
	g_free(((Field *)data)->name);
}

static GArray *find_fields(const LttEvent *event)
{
	GArray *fields = g_array_new(FALSE, FALSE, sizeof(Field));
	const LttLayout *layout = event->layout;

	g_array_set_clear_func(fields, clear_field);
	for (guint i = 0; layout != NULL && layout->kind == LTT_STRUCT && i < layout->n_members;
	     i++) {
		const LttField *member = ltt_type_get_field(layout->type, i);
		const LttTypeKind kind = layout->members[i].layout->kind;
		Field field = {.index = i};

		if (member->role != LTT_FIELD_COUNTER ||
		    (kind != LTT_INT && kind != LTT_UINT && kind != LTT_FLOAT))
			continue;
		field.name = g_strdup_printf("%s.%s", event->type->full_name, member->name);
		g_array_append_val(fields, field);
	}
	return fields;
}

static const GArray *need_fields(LttViewCounters *counters, const LttEvent *event)
{
	GArray *fields = g_hash_table_lookup(counters->types, event->type);

	if (fields != NULL)
		return fields;
	fields = find_fields(event);
	g_hash_table_insert(counters->types, (gpointer)event->type, fields);
	if (fields->len > 0 && !g_ptr_array_find_with_equal_func(
				       counters->names, event->type->full_name, g_str_equal, NULL))
		g_ptr_array_add(counters->names, g_strdup(event->type->full_name));
	return fields;
}

static guint find_lane(LttViewMap *map, const LttEvent *event, const Field *field)
{
	const LttLaneKey key = {
		.kind = LTT_LANE_COUNTER,
		.member = ltt_trace_find_member(map->trace, event->tracefile),
		.host = ltt_tracefile_get_host(event->tracefile),
		.has_thread = event->has_thread,
		.pid = event->has_thread ? event->pid : 0,
		.tid = ltt_view_map_name(map, field->name),
	};

	return ltt_view_map_add_lane(map, &key)->id;
}

void ltt_view_counters_visit(LttViewMap *map, const LttEvent *event, LttViewNumberFunc func,
			     gpointer user_data)
{
	const GArray *fields = need_fields(map->counters, event);
	LttValue payload;
	LttValue value;

	if (fields->len == 0 || !ltt_event_get_value(event, &payload))
		return;
	for (guint i = 0; i < fields->len; i++) {
		const Field *field = &g_array_index(fields, Field, i);
		LttViewNumber number;

		if (!ltt_value_get_item(&payload, field->index, &value))
			continue;
		number = read_number(&value);
		func(find_lane(map, event, field), &number, user_data);
	}
}

typedef struct Taking {
	LttViewMap *map;
	guint64 time_ns;
} Taking;

static void take_number(guint lane_id, const LttViewNumber *number, gpointer data)
{
	const Taking *taking = data;
	LttViewCounters *counters = taking->map->counters;
	LttLane *lane = taking->map->lanes->pdata[lane_id];
	const LttCounterCell added = {.lane = lane_id,
				      .bin = ltt_view_axis_bin(&counters->axis, taking->time_ns),
				      .n = 1,
				      .min = *number,
				      .max = *number,
				      .last = *number};
	GArray *cells = g_hash_table_lookup(counters->tracks, GUINT_TO_POINTER(lane_id));
	guint n;

	lane->n_events++;
	lane->first_ns = MIN(lane->first_ns, taking->time_ns);
	lane->last_ns = MAX(lane->last_ns, taking->time_ns);
	if (lane->key.kind != LTT_LANE_COUNTER)
		return;
	if (cells == NULL) {
		cells = g_array_new(FALSE, FALSE, sizeof(LttCounterCell));
		g_hash_table_insert(counters->tracks, GUINT_TO_POINTER(lane_id), cells);
	}
	n = cells->len;
	ltt_view_counters_add(cells, &added);
	counters->n_cells += cells->len - n;
}

void ltt_view_counters_take(LttViewMap *map, const LttEvent *event)
{
	Taking taking = {map, event->time_ns};

	ltt_view_counters_visit(map, event, take_number, &taking);
	limit_cells(map->counters);
}

/* ---- the counters ---- */

static gpointer copy_text(gconstpointer text, gpointer user_data)
{
	(void)user_data;
	return g_strdup(text);
}

LttViewCounters *ltt_view_counters_new(const LttViewAxis *axis)
{
	LttViewCounters *counters = g_new0(LttViewCounters, 1);

	counters->axis = *axis;
	counters->types = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
	counters->names = g_ptr_array_new_with_free_func(g_free);
	counters->tracks = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
	return counters;
}

void ltt_view_counters_copy(LttViewCounters *counters, const LttViewCounters *before)
{
	GHashTableIter iter;
	gpointer lane;
	gpointer cells;

	g_hash_table_iter_init(&iter, before->tracks);
	while (g_hash_table_iter_next(&iter, &lane, &cells))
		g_hash_table_insert(counters->tracks, lane, g_array_copy(cells));
	g_ptr_array_extend(counters->names, before->names, copy_text, NULL);
	counters->n_cells = before->n_cells;
	counters->axis.bin_ns = before->axis.bin_ns;
	while (ltt_view_axis_is_full(&counters->axis))
		double_bins(counters);
}

void ltt_view_counters_free(LttViewCounters *counters)
{
	g_hash_table_unref(counters->types);
	g_ptr_array_unref(counters->names);
	g_hash_table_unref(counters->tracks);
	g_free(counters);
}
