/* row.c - see row-priv.h. */
#include "view/tsp/row-priv.h"

#include "view/tsp/entry-priv.h"

#include <ltt/ltt-hash.h>

static void clear_state(gpointer data)
{
	LttTspState *state = data;

	g_free(state->label);
	g_free(state->style);
}

void ltt_tsp_rows_init(LttTspRows *rows, const GArray *items)
{
	g_autoptr(GHashTable) known = g_hash_table_new(NULL, NULL);

	rows->by_entry = g_hash_table_new_full(ltt_hash_int64, g_int64_equal, NULL,
					       (GDestroyNotify)g_array_unref);
	rows->lanes = g_array_new(FALSE, FALSE, sizeof(guint));
	for (guint i = 0; i < items->len; i++) {
		const gint64 *item = &g_array_index(items, gint64, i);
		GArray *row;
		guint16 depth;
		guint lane;

		if (!ltt_tsp_entry_is_row((guint64)*item, &lane, &depth))
			continue;
		row = g_array_new(FALSE, FALSE, sizeof(LttTspState));
		g_array_set_clear_func(row, clear_state);
		g_hash_table_insert(rows->by_entry, (gpointer)item, row);
		if (g_hash_table_add(known, GUINT_TO_POINTER(lane)))
			g_array_append_val(rows->lanes, lane);
	}
}

void ltt_tsp_rows_clear(LttTspRows *rows)
{
	g_clear_pointer(&rows->by_entry, g_hash_table_unref);
	g_clear_pointer(&rows->lanes, g_array_unref);
}

void ltt_tsp_rows_add(const LttTspRows *rows, guint lane, guint16 depth, const LttTspState *state)
{
	const gint64 id = (gint64)ltt_tsp_entry(LTT_TSP_ROW, lane, depth);
	GArray *row = g_hash_table_lookup(rows->by_entry, &id);
	LttTspState added = *state;

	if (row != NULL)
		g_array_append_val(row, added);
	else
		clear_state(&added);
}

static gint compare_starts(gconstpointer a, gconstpointer b)
{
	const LttTspState *first = a;
	const LttTspState *second = b;

	if (first->start_ns != second->start_ns)
		return first->start_ns < second->start_ns ? -1 : 1;
	return (gint)first->is_pixel - (gint)second->is_pixel;
}

/* States of a row must not overlap: pixels give way. */
static void separate(GArray *row)
{
	guint64 free_ns = 0;

	g_array_sort(row, compare_starts);
	for (guint i = 0; i < row->len; i++) {
		LttTspState *state = &g_array_index(row, LttTspState, i);
		const LttTspState *next = i + 1 < row->len ? state + 1 : NULL;

		if (state->is_pixel) {
			state->start_ns = MAX(state->start_ns, free_ns);
			if (next != NULL && !next->is_pixel)
				state->end_ns = MIN(state->end_ns, next->start_ns);
			state->end_ns = MAX(state->end_ns, state->start_ns);
		}
		free_ns = MAX(free_ns, state->end_ns);
	}
}

static void append_state(GString *out, const LttTspState *state)
{
	g_string_append_printf(out,
			       "{\"start\":%" G_GUINT64_FORMAT ",\"end\":%" G_GUINT64_FORMAT ",",
			       state->start_ns, state->end_ns);
	ltt_tsp_append_text(out, "label", state->label);
	g_string_append(out, ",\"style\":{");
	ltt_tsp_append_text(out, "parentKey", state->style);
	g_string_append(out, ",\"values\":{}}}");
}

void ltt_tsp_rows_append(const LttTspRows *rows, const GArray *items, GString *out)
{
	const char *separator = "";

	for (guint i = 0; i < items->len; i++) {
		const gint64 *item = &g_array_index(items, gint64, i);
		GArray *row = g_hash_table_lookup(rows->by_entry, item);

		if (row == NULL)
			continue;
		separate(row);
		g_string_append_printf(out, "%s{\"entryId\":%" G_GINT64_FORMAT ",\"states\":[",
				       separator, *item);
		for (guint n = 0; n < row->len; n++) {
			if (n > 0)
				g_string_append_c(out, ',');
			append_state(out, &g_array_index(row, LttTspState, n));
		}
		g_string_append(out, "]}");
		g_hash_table_remove(rows->by_entry, item);
		separator = ",";
	}
}
