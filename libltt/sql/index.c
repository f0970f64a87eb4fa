/* index.c - see index-priv.h. */
#include "sql/index-priv.h"

#include "sql/order-priv.h"

#include <ltt/ltt-hash.h>

#define MIN_HEADS_BITS 4
#define LOOK_ENTRIES   262144 /* between two checks for cancelling */

LttSqlIndex *ltt_sql_index_new(guint column, gboolean is_hash)
{
	LttSqlIndex *index = g_new0(LttSqlIndex, 1);

	index->column = column;
	index->is_hash = is_hash;
	index->runs = g_ptr_array_new_with_free_func((GDestroyNotify)ltt_sql_run_unref);
	index->entries = g_array_new(FALSE, FALSE, sizeof(LttSqlEntry));
	return index;
}

void ltt_sql_index_free(LttSqlIndex *index)
{
	if (index == NULL)
		return;
	if (index->index_bytes != NULL)
		*index->index_bytes -= index->n_bytes;
	g_ptr_array_unref(index->runs);
	g_array_unref(index->entries);
	g_free(index->heads);
	g_free(index);
}

/* ---- building ---- */

/* The arguments of adding a run. */
typedef struct Building {
	LttSqlIndex *index;
	LttSqlTable *table;
	const LttSqlMatch *matches;
	guint n_matches;
} Building;

static gboolean add_run(LttSqlRun *run, gpointer data, GError **error)
{
	const Building *building = data;
	LttSqlIndex *index = building->index;
	LttSqlTable *table = building->table;
	const LttSqlColumn *column = ltt_sql_table_get(table, index->column);
	const LttArray *array = ltt_sql_column_find(column, run);
	const guint n_before = index->entries->len;
	LttSqlEntry entry = {.run = index->runs->len, .next = LTT_SQL_NO_ENTRY};

	if (run->n_rows > LTT_SQL_NO_ENTRY - 1 - n_before) {
		g_set_error(error, LTT_ERROR, LTT_ERROR_LIMIT, "a join needs too many rows of %s",
			    table->name);
		return FALSE;
	}
	for (gsize row = 0; array != NULL && row < run->n_rows; row++) {
		if (!ltt_sql_matches_hold(building->matches, building->n_matches, table, run,
					  row) ||
		    !ltt_sql_key_of_row(column, array, row, &entry.key))
			continue;
		entry.row = (guint32)row;
		g_array_append_val(index->entries, entry);
	}
	if (index->entries->len == n_before)
		return TRUE;
	g_ptr_array_add(index->runs, ltt_sql_run_ref(run));
	return ltt_sql_table_take_bytes(
		table, run->n_bytes + (index->entries->len - n_before) * sizeof(LttSqlEntry),
		&index->n_bytes, error);
}

static guint find_head(const LttSqlIndex *index, guint64 key)
{
	return (guint)(ltt_hash_number(key) >> index->shift);
}

/* Goes backward, so that the entries of a head are in the order of the rows. */
static gboolean make_heads(LttSqlIndex *index, LttSqlTable *table, GError **error)
{
	guint bits = MIN_HEADS_BITS;
	gsize n_heads;

	while (((gsize)1 << bits) < index->entries->len)
		bits++;
	n_heads = (gsize)1 << bits;
	index->shift = 64 - bits;
	if (!ltt_sql_table_take_bytes(table, n_heads * sizeof(guint32), &index->n_bytes, error))
		return FALSE;
	index->heads = g_new(guint32, n_heads);
	for (gsize i = 0; i < n_heads; i++)
		index->heads[i] = LTT_SQL_NO_ENTRY;
	for (guint i = index->entries->len; i-- > 0;) {
		LttSqlEntry *entry = &g_array_index(index->entries, LttSqlEntry, i);
		guint32 *head = &index->heads[find_head(index, entry->key)];

		entry->next = *head;
		*head = i;
		if (i % LOOK_ENTRIES == 0 && !ltt_sql_env_goes_on(table->source->env, error))
			return FALSE;
	}
	return TRUE;
}

static gint compare_times(gconstpointer a, gconstpointer b, gpointer data)
{
	const LttSqlEntry *first = a;
	const LttSqlEntry *second = b;

	(void)data;
	if (first->key != second->key)
		return first->key < second->key ? -1 : 1;
	if (first->run != second->run)
		return first->run < second->run ? -1 : 1;
	return first->row < second->row ? -1 : first->row > second->row;
}

static gboolean fill(LttSqlIndex *index, LttSqlTable *table, const LttSqlScan *scan,
		     const LttSqlMatch *matches, guint n_matches, GError **error)
{
	Building building = {index, table, matches, n_matches};
	const LttSqlOrder order = {sizeof(LttSqlEntry), compare_times, NULL, table->source->env};

	if (!ltt_sql_source_read(table->source, scan, add_run, &building, error))
		return FALSE;
	if (index->is_hash)
		return make_heads(index, table, error);
	return ltt_sql_sort(&order, index->entries->data, index->entries->len, error);
}

/* Another query that is open may build the index again. */
static void empty(LttSqlIndex *index)
{
	g_array_set_size(index->entries, 0);
	g_ptr_array_set_size(index->runs, 0);
	g_clear_pointer(&index->heads, g_free);
	*index->index_bytes -= index->n_bytes;
	index->n_bytes = 0;
}

gboolean ltt_sql_index_build(LttSqlIndex *index, LttSqlTable *table, const LttSqlScan *scan,
			     const LttSqlMatch *matches, guint n_matches, GError **error)
{
	index->index_bytes = table->index_bytes;
	index->is_built = fill(index, table, scan, matches, n_matches, error);
	if (!index->is_built)
		empty(index);
	return index->is_built;
}

/* ---- finding ---- */

guint32 ltt_sql_index_start(const LttSqlIndex *index, guint64 key)
{
	return index->heads[find_head(index, key)];
}

guint32 ltt_sql_index_match(const LttSqlIndex *index, guint32 entry, guint64 key)
{
	while (entry != LTT_SQL_NO_ENTRY && ltt_sql_index_get(index, entry)->key != key)
		entry = ltt_sql_index_get(index, entry)->next;
	return entry;
}

guint32 ltt_sql_index_seek(const LttSqlIndex *index, guint64 time_ns)
{
	guint32 from = 0;
	guint32 to = index->entries->len;

	while (from < to) {
		const guint32 middle = from + (to - from) / 2;

		if (ltt_sql_index_get(index, middle)->key < time_ns)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}
