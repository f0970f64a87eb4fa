/* groups.c - see groups-priv.h. */
#include "sql/groups-priv.h"

#include "sql/order-priv.h"

#include <ltt/ltt-hash.h>

#include <string.h>

#define NO_ENTRY  G_MAXUINT32
#define MIN_SLOTS 64

typedef struct Entry {
	guint32 run;
	guint32 row;
	guint32 next;
} Entry;

typedef struct Group {
	guint64 key; /* 0 of nulls */
	gboolean is_null;
	guint32 first;
	guint32 last;
} Group;

struct LttSqlGroups {
	LttSqlTable *table;
	const LttSqlColumn *column;
	const LttSqlMatch *matches;
	guint n_matches;
	GPtrArray *runs; /* of LttSqlRun */
	GArray *entries; /* of Entry */
	GArray *groups;  /* of Group */
	guint32 *slots;  /* by hash: index of a group, plus 1; 0: none */
	gsize n_slots;
	guint64 n_bytes; /* of table->index_bytes */
};

gboolean ltt_sql_column_has_groups(const LttSqlColumn *column)
{
	return ltt_sql_column_has_keys(column);
}

void ltt_sql_groups_free(LttSqlGroups *groups)
{
	if (groups == NULL)
		return;
	*groups->table->index_bytes -= groups->n_bytes;
	g_ptr_array_unref(groups->runs);
	g_array_unref(groups->entries);
	g_array_unref(groups->groups);
	g_free(groups->slots);
	g_free(groups);
}

/* ---- values ---- */

static const char *get_text(const LttSqlColumn *column, const LttArray *array, gsize row,
			    gsize *length)
{
	const char *text;

	if (column->form == LTT_SQL_FORM_TEXT) {
		*length = (gsize)(array->offsets[row + 1] - array->offsets[row]);
		return (const char *)array->values + array->offsets[row];
	}
	text = array->texts[((const gint32 *)array->values)[row]];
	*length = strlen(text);
	return text;
}

/* The key of a number is the number itself. Texts with the same key may differ. */
static gboolean is_equal(const LttSqlGroups *groups, const Group *group, const LttArray *array,
			 gsize row)
{
	const LttSqlColumn *column = groups->column;
	const Entry *entry = &g_array_index(groups->entries, Entry, group->first);
	const LttArray *other = ltt_sql_column_find(column, groups->runs->pdata[entry->run]);
	const char *text;
	const char *other_text;
	gsize length;
	gsize other_length;

	if (column->form != LTT_SQL_FORM_TEXT && column->form != LTT_SQL_FORM_LABEL)
		return TRUE;
	text = get_text(column, array, row, &length);
	other_text = get_text(column, other, entry->row, &other_length);
	return length == other_length && (length == 0 || memcmp(text, other_text, length) == 0);
}

/* ---- slots ---- */

static gsize find_start(const LttSqlGroups *groups, guint64 key)
{
	return (gsize)ltt_hash_number(key) & (groups->n_slots - 1);
}

static void grow(LttSqlGroups *groups)
{
	groups->n_slots = MAX(groups->n_slots * 2, MIN_SLOTS);
	g_free(groups->slots);
	groups->slots = g_new0(guint32, groups->n_slots);
	for (guint i = 0; i < groups->groups->len; i++) {
		gsize slot = find_start(groups, g_array_index(groups->groups, Group, i).key);

		while (groups->slots[slot] != 0)
			slot = (slot + 1) & (groups->n_slots - 1);
		groups->slots[slot] = i + 1;
	}
}

/* Returns: the group of a value; a new one has no entry yet */
static Group *need_group(LttSqlGroups *groups, const LttArray *array, gsize row)
{
	Group group = {.first = NO_ENTRY};
	gsize slot;

	group.is_null = !ltt_sql_key_of_row(groups->column, array, row, &group.key);
	if (group.is_null)
		group.key = 0;
	if (groups->groups->len * 2 >= groups->n_slots)
		grow(groups);
	for (slot = find_start(groups, group.key); groups->slots[slot] != 0;
	     slot = (slot + 1) & (groups->n_slots - 1)) {
		Group *known = &g_array_index(groups->groups, Group, groups->slots[slot] - 1);

		if (known->key == group.key && known->is_null == group.is_null &&
		    (group.is_null || is_equal(groups, known, array, row)))
			return known;
	}
	g_array_append_val(groups->groups, group);
	groups->slots[slot] = groups->groups->len;
	return &g_array_index(groups->groups, Group, groups->groups->len - 1);
}

/* ---- rows ---- */

static gboolean take_run(LttSqlRun *run, gpointer data, GError **error)
{
	LttSqlGroups *groups = data;
	const LttArray *array = ltt_sql_column_find(groups->column, run);
	const guint n_before = groups->entries->len;

	if (run->n_rows > NO_ENTRY - 1 - n_before) {
		g_set_error(error, LTT_ERROR, LTT_ERROR_LIMIT, "a group needs too many rows of %s",
			    groups->table->name);
		return FALSE;
	}
	g_ptr_array_add(groups->runs, ltt_sql_run_ref(run));
	for (gsize row = 0; row < run->n_rows; row++) {
		const Entry entry = {groups->runs->len - 1, (guint32)row, NO_ENTRY};
		Group *group;

		if (!ltt_sql_matches_hold(groups->matches, groups->n_matches, groups->table, run,
					  row))
			continue;
		group = need_group(groups, array, row);
		if (group->first == NO_ENTRY)
			group->first = groups->entries->len;
		else
			g_array_index(groups->entries, Entry, group->last).next =
				groups->entries->len;
		group->last = groups->entries->len;
		g_array_append_val(groups->entries, entry);
	}
	return ltt_sql_table_take_bytes(
		groups->table, run->n_bytes + (groups->entries->len - n_before) * sizeof(Entry),
		&groups->n_bytes, error);
}

static int compare_texts(const LttSqlGroups *groups, const Group *a, const Group *b)
{
	const Group *const both[2] = {a, b};
	const char *texts[2];
	gsize lengths[2];
	int order;

	for (guint i = 0; i < 2; i++) {
		const Entry *entry = &g_array_index(groups->entries, Entry, both[i]->first);
		const LttArray *array =
			ltt_sql_column_find(groups->column, groups->runs->pdata[entry->run]);

		texts[i] = get_text(groups->column, array, entry->row, &lengths[i]);
	}
	order = MIN(lengths[0], lengths[1]) > 0
			? memcmp(texts[0], texts[1], MIN(lengths[0], lengths[1]))
			: 0;
	if (order != 0)
		return order;
	return lengths[0] < lengths[1] ? -1 : lengths[0] > lengths[1];
}

/* Sorts as SQLite does, nulls first, because users expect sorted groups. */
static gint compare_groups(gconstpointer first, gconstpointer second, gpointer data)
{
	const LttSqlGroups *groups = data;
	const Group *a = first;
	const Group *b = second;

	if (a->is_null || b->is_null)
		return b->is_null - a->is_null;
	if (groups->column->form == LTT_SQL_FORM_TEXT || groups->column->form == LTT_SQL_FORM_LABEL)
		return compare_texts(groups, a, b);
	if (groups->column->form == LTT_SQL_FORM_WIDE)
		return a->key < b->key ? -1 : a->key > b->key;
	return (gint64)a->key < (gint64)b->key ? -1 : (gint64)a->key > (gint64)b->key;
}

LttSqlGroups *ltt_sql_groups_new(LttSqlTable *table, const LttSqlScan *scan,
				 const LttSqlMatch *matches, guint n_matches, guint column,
				 GError **error)
{
	LttSqlGroups *groups = g_new0(LttSqlGroups, 1);
	const LttSqlOrder order = {sizeof(Group), compare_groups, groups, table->source->env};

	groups->table = table;
	groups->column = ltt_sql_table_get(table, column);
	groups->matches = matches;
	groups->n_matches = n_matches;
	groups->runs = g_ptr_array_new_with_free_func((GDestroyNotify)ltt_sql_run_unref);
	groups->entries = g_array_new(FALSE, FALSE, sizeof(Entry));
	groups->groups = g_array_new(FALSE, FALSE, sizeof(Group));
	if (ltt_sql_source_read(table->source, scan, take_run, groups, error) &&
	    ltt_sql_sort(&order, groups->groups->data, groups->groups->len, error))
		return groups;
	ltt_sql_groups_free(groups);
	return NULL;
}

/* ---- walking ---- */

static gboolean settle(const LttSqlGroups *groups, LttSqlGroupPlace *place)
{
	const Entry *entry = &g_array_index(groups->entries, Entry, place->entry);

	place->run = groups->runs->pdata[entry->run];
	place->row = entry->row;
	return TRUE;
}

gboolean ltt_sql_groups_start(const LttSqlGroups *groups, LttSqlGroupPlace *place)
{
	*place = (LttSqlGroupPlace){.group = 0};
	if (groups->groups->len == 0)
		return FALSE;
	place->entry = g_array_index(groups->groups, Group, 0).first;
	return settle(groups, place);
}

gboolean ltt_sql_groups_next(const LttSqlGroups *groups, LttSqlGroupPlace *place)
{
	place->entry = g_array_index(groups->entries, Entry, place->entry).next;
	if (place->entry == NO_ENTRY) {
		if (++place->group == groups->groups->len)
			return FALSE;
		place->entry = g_array_index(groups->groups, Group, place->group).first;
	}
	return settle(groups, place);
}
