/* tables.c - find the tables of a trace and their columns.
 *
 * Includes facilities that are described but not loaded, because a tracefile may load them.
 */
#include "table/table-priv.h"

#include "reader/trace-priv.h"
#include "table/column-priv.h"

#include <ltt/ltt-hash.h>
#include <ltt/ltt-join.h>

#include <string.h>

struct LttTables {
	GPtrArray *all; /* of LttTable, by name */
};

/* ---- one table ---- */

static void clear_column(gpointer column)
{
	ltt_column_clear(column);
}

static void clear_version(gpointer version)
{
	g_free(((LttTableVersion *)version)->columns);
}

LttTable *ltt_table_ref(const LttTable *table)
{
	LttTable *counted = (LttTable *)table;

	g_atomic_int_inc(&counted->n_refs);
	return counted;
}

void ltt_table_unref(LttTable *table)
{
	if (!g_atomic_int_dec_and_test(&table->n_refs))
		return;
	g_hash_table_unref(table->by_name);
	g_array_unref(table->columns);
	g_array_unref(table->versions);
	g_free(table->traces);
	g_free(table->hosts);
	g_free(table->name);
	g_free(table->description);
	g_free(table);
}

/* Takes ownership of the column. */
static void append_column(LttTable *table, const LttColumn *column)
{
	g_hash_table_insert(table->by_name, (gpointer)column->name,
			    GUINT_TO_POINTER(table->columns->len + 1));
	g_array_append_vals(table->columns, column, 1);
}

static void add_base_column(LttTable *table, const char *name, LttColumnKind kind, guint8 width)
{
	LttColumn column;

	ltt_column_init_number(&column, name, kind, width, kind != LTT_COLUMN_TIME);
	append_column(table, &column);
}

static gboolean has_origins(const LttTrace *trace)
{
	return ltt_trace_get_n_members(trace) > 1 || ltt_trace_has_hosts(trace);
}

/* Adds the trace and the machine of each event. */
static void add_origin_columns(LttTable *table)
{
	const guint n = ltt_trace_get_n_members(table->trace);
	const guint n_hosts = ltt_trace_get_n_hosts(table->trace);
	g_autofree const char **paths = g_new(const char *, n);
	g_autofree const char **names = g_new(const char *, n_hosts);
	LttColumn column;

	for (guint i = 0; i < n; i++)
		paths[i] = ltt_trace_get_path(ltt_trace_get_member(table->trace, i));
	for (guint i = 0; i < n_hosts; i++)
		names[i] = ltt_trace_get_host(table->trace, i);
	table->traces = g_new(gint32, n);
	table->hosts = g_new(gint32, n_hosts);
	ltt_column_init_texts(&column, "trace", paths, n, table->traces);
	append_column(table, &column);
	ltt_column_init_texts(&column, "host", names, n_hosts, table->hosts);
	append_column(table, &column);
}

static LttTable *new_table(LttTrace *trace, const char *name, const char *description)
{
	LttTable *table = g_new(LttTable, 1);

	*table = (LttTable){
		.n_refs = 1,
		.name = g_strdup(name),
		.description = g_strdup(description),
		.trace = trace,
		.columns = g_array_new(FALSE, FALSE, sizeof(LttColumn)),
		.versions = g_array_new(FALSE, FALSE, sizeof(LttTableVersion)),
	};
	g_array_set_clear_func(table->columns, clear_column);
	g_array_set_clear_func(table->versions, clear_version);
	table->by_name = g_hash_table_new(ltt_hash_text, g_str_equal);
	add_base_column(table, "time", LTT_COLUMN_TIME, sizeof(gint64));
	add_base_column(table, "cpu", LTT_COLUMN_INT, sizeof(gint32));
	add_base_column(table, "pid", LTT_COLUMN_UINT, sizeof(guint32));
	add_base_column(table, "tid", LTT_COLUMN_UINT, sizeof(guint32));
	if (has_origins(trace))
		add_origin_columns(table);
	table->n_base = table->columns->len;
	return table;
}

const char *ltt_table_get_name(const LttTable *table)
{
	return table->name;
}

const char *ltt_table_get_description(const LttTable *table)
{
	return table->description;
}

gboolean ltt_table_is_hidden(const LttTable *table)
{
	return table->role != LTT_ROLE_ORDINARY;
}

guint ltt_table_get_n_columns(const LttTable *table)
{
	return table->columns->len;
}

const LttColumn *ltt_table_get_column(const LttTable *table, guint index)
{
	return &g_array_index(table->columns, LttColumn, index);
}

gint ltt_table_find_column(const LttTable *table, const char *name)
{
	return GPOINTER_TO_INT(g_hash_table_lookup(table->by_name, name)) - 1;
}

const LttTableVersion *ltt_table_find_version(const LttTable *table, const LttEventType *type)
{
	for (guint i = 0; i < table->versions->len; i++) {
		const LttTableVersion *version =
			&g_array_index(table->versions, LttTableVersion, i);

		if (version->type == type)
			return version;
	}
	return NULL;
}

/* ---- the columns of a version ---- */

/* Returns: the columns for the fields of a payload, by member */
static GArray *columns_of(const LttTrace *trace, const LttLayout *layout)
{
	GArray *columns = g_array_new(FALSE, FALSE, sizeof(LttColumn));
	g_autoptr(GHashTable) taken = g_hash_table_new(ltt_hash_text, g_str_equal);
	LttColumn column;

	g_array_set_clear_func(columns, clear_column);
	if (layout == NULL)
		return columns;
	if (layout->kind != LTT_STRUCT) {
		ltt_column_init(&column, "value", layout);
		g_array_append_val(columns, column);
		return columns;
	}
	g_hash_table_add(taken, (gpointer) "time");
	g_hash_table_add(taken, (gpointer) "cpu");
	g_hash_table_add(taken, (gpointer) "pid");
	g_hash_table_add(taken, (gpointer) "tid");
	if (has_origins(trace)) {
		g_hash_table_add(taken, (gpointer) "trace");
		g_hash_table_add(taken, (gpointer) "host");
	}
	for (guint i = 0; i < layout->n_members; i++) {
		g_autofree char *name = ltt_column_dup_name(taken, layout->members[i].name);

		ltt_column_init(&column, name, layout->members[i].layout);
		column.role = ltt_type_get_field(layout->type, i)->role;
		g_array_append_val(columns, column);
		g_hash_table_add(taken, (gpointer)column.name);
	}
	return columns;
}

static gboolean agrees(const LttTable *table, const GArray *columns)
{
	for (guint i = 0; i < columns->len; i++) {
		const LttColumn *column = &g_array_index(columns, LttColumn, i);
		const gint index = ltt_table_find_column(table, column->name);

		if (index >= 0 &&
		    !ltt_columns_agree(ltt_table_get_column(table, (guint)index), column))
			return FALSE;
	}
	return TRUE;
}

/* A column that a version does not have is null in its rows. */
static void let_be_null(LttTable *table, const LttTableVersion *version)
{
	g_autofree gboolean *has = g_new0(gboolean, table->columns->len);

	for (guint i = 0; i < version->n_members; i++)
		has[version->columns[i]] = TRUE;
	for (guint i = table->n_base; i < table->columns->len; i++) {
		if (!has[i])
			ltt_column_let_be_null(&g_array_index(table->columns, LttColumn, i));
	}
}

/* Adds a version with which the table agrees. @columns: (transfer full) */
static void add_version(LttTable *table, const LttEventType *type, GArray *columns)
{
	LttTableVersion version = {
		.type = type,
		.n_members = columns->len,
		.columns = g_new(guint, columns->len),
	};

	for (guint i = 0; i < columns->len; i++) {
		LttColumn *column = &g_array_index(columns, LttColumn, i);
		gint index = ltt_table_find_column(table, column->name);

		if (index < 0) {
			index = (gint)table->columns->len;
			if (table->versions->len > 0)
				ltt_column_let_be_null(column);
			append_column(table, column);
			*column = (LttColumn){0};
		} else {
			ltt_column_widen(&g_array_index(table->columns, LttColumn, index), column);
		}
		version.columns[i] = (guint)index;
	}
	let_be_null(table, &version);
	g_array_append_val(table->versions, version);
	g_array_unref(columns);
}

/* ---- all tables ---- */

/* Full name of an event type -> tables of its versions. */
typedef GHashTable Families;

static void add_type(Families *families, LttTrace *trace, const LttEventType *type,
		     const LttLayout *layout, LttEventRole role)
{
	GPtrArray *family = g_hash_table_lookup(families, type->full_name);
	g_autofree char *name = NULL;
	GArray *columns = columns_of(trace, layout);
	LttTable *table;

	if (family == NULL) {
		family = g_ptr_array_new();
		g_hash_table_insert(families, type->full_name, family);
	}
	for (guint i = 0; i < family->len; i++) {
		table = family->pdata[i];
		if (ltt_table_find_version(table, type) != NULL || agrees(table, columns)) {
			if (ltt_table_find_version(table, type) == NULL)
				add_version(table, type, columns);
			else
				g_array_unref(columns);
			return;
		}
	}
	name = family->len == 0 ? g_strdup(type->full_name)
				: g_strdup_printf("%s_%u", type->full_name, family->len + 1);
	table = new_table(trace, name, type->description);
	table->role = role;
	add_version(table, type, columns);
	g_ptr_array_add(family, table);
}

/* @slots: (nullable): where the facility is loaded, from @base_code on */
static void add_facility(Families *families, LttTrace *trace, const LttFacility *facility,
			 const LttLayouts *layouts, const LttSlots *slots, guint32 base_code)
{
	for (guint i = 0; i < ltt_facility_get_n_events(facility); i++) {
		const LttSlot *slot =
			slots != NULL ? ltt_slots_get(slots, (guint16)(base_code + i)) : NULL;

		add_type(families, trace, ltt_facility_get_event(facility, i),
			 ltt_layouts_get(layouts, i),
			 slot != NULL ? slot->role : LTT_ROLE_ORDINARY);
	}
}

/* @trace: the trace to read; @member: the same, or a member of the joined trace */
static void add_trace(Families *families, LttTrace *trace, const LttTrace *member)
{
	const LttArch *arch = ltt_system_get_arch(member->system);

	for (guint i = 0; i < ltt_trace_get_n_loads(member); i++) {
		const LttLoad *load = ltt_trace_get_load(member, i);

		add_facility(families, trace, load->facility, load->layouts, member->slots,
			     load->base_code);
	}
	for (guint i = 0; i < member->described->len; i++) {
		g_autoptr(LttLayouts) layouts = ltt_layouts_new(member->described->pdata[i], arch);

		add_facility(families, trace, member->described->pdata[i], layouts, NULL, 0);
	}
}

/* The second table of "a" and the first of "a_2" have the same name. */
static gint compare_tables(gconstpointer a, gconstpointer b)
{
	const LttTable *first = *(LttTable *const *)a;
	const LttTable *second = *(LttTable *const *)b;
	const gint order = strcmp(first->name, second->name);

	return order != 0
		       ? order
		       : strcmp(g_array_index(first->versions, LttTableVersion, 0).type->full_name,
				g_array_index(second->versions, LttTableVersion, 0)
					.type->full_name);
}

LttTables *ltt_tables_new(LttTrace *trace)
{
	g_autoptr(GHashTable) families = g_hash_table_new_full(ltt_hash_text, g_str_equal, NULL,
							       (GDestroyNotify)g_ptr_array_unref);
	LttTables *tables = g_new(LttTables, 1);
	GHashTableIter iter;
	gpointer family;

	if (trace->members == NULL)
		add_trace(families, trace, trace);
	for (guint i = 0; trace->members != NULL && i < trace->members->len; i++)
		add_trace(families, trace, trace->members->pdata[i]);
	tables->all = g_ptr_array_new_with_free_func((GDestroyNotify)ltt_table_unref);
	g_hash_table_iter_init(&iter, families);
	while (g_hash_table_iter_next(&iter, NULL, &family)) {
		for (guint i = 0; i < ((GPtrArray *)family)->len; i++)
			g_ptr_array_add(tables->all, ((GPtrArray *)family)->pdata[i]);
	}
	g_ptr_array_sort(tables->all, compare_tables);
	return tables;
}

void ltt_tables_free(LttTables *tables)
{
	if (tables == NULL)
		return;
	g_ptr_array_unref(tables->all);
	g_free(tables);
}

guint ltt_tables_get_n(const LttTables *tables)
{
	return tables->all->len;
}

const LttTable *ltt_tables_get(const LttTables *tables, guint index)
{
	return tables->all->pdata[index];
}

const LttTable *ltt_tables_find(const LttTables *tables, const char *name)
{
	for (guint i = 0; i < tables->all->len; i++) {
		if (g_str_equal(ltt_tables_get(tables, i)->name, name))
			return tables->all->pdata[i];
	}
	return NULL;
}
