/* database.c - open the database of a trace, with its tables. */
#include "sql/module-priv.h"
#include "sql/sql-priv.h"

#include <ltt/ltt-hash.h>
#include <ltt/ltt-join.h>
#include <ltt/ltt-states.h>
#include <ltt/ltt-system.h>

#include <string.h>

#define MOST_THREADS 4

#define LETTERS_AND_DIGITS G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS

/* Traces up to this size are grouped in memory. For larger ones SQLite sorts in temporary files. */
#define MAX_GROUPED_BYTES ((guint64)512 * 1024 * 1024)

/* Steps of SQLite's virtual machine between two checks for cancelling: some microseconds, but up to a second if each
 * row needs functions of texts of LTT_MAX_SQL_VALUE_BYTES. */
#define LOOK_STEPS 50

/* ---- tables ---- */

static void free_table(gpointer table)
{
	ltt_sql_table_free(table);
}

static gboolean is_taken(const LttSql *sql, const char *name)
{
	g_autofree char *folded = g_ascii_strdown(name, -1);

	return g_hash_table_contains(sql->by_name, folded);
}

/* Returns: 2, 3, ... for each name. A number that was taken once is not tried again. */
static guint next_number(LttSql *sql, const char *base)
{
	char *folded = g_ascii_strdown(base, -1);
	const guint last = GPOINTER_TO_UINT(g_hash_table_lookup(sql->numbers, folded));
	const guint number = MAX(last, 1) + 1;

	g_hash_table_replace(sql->numbers, folded, GUINT_TO_POINTER(number));
	return number;
}

/* Returns: whether SQLite has tables of this name, or refuses to create one */
static gboolean is_reserved(const char *name)
{
	static const char *const prefixes[] = {"sqlite", "pragma", "json_each", "json_tree", NULL};

	for (guint i = 0; prefixes[i] != NULL; i++) {
		if (g_ascii_strncasecmp(name, prefixes[i], strlen(prefixes[i])) == 0)
			return TRUE;
	}
	return FALSE;
}

/* Returns: (transfer full): a unique name of a table, made of the letters and digits of @name */
static char *choose_name(LttSql *sql, const char *name)
{
	g_autofree char *plain = g_strcanon(g_strdup(name), LETTERS_AND_DIGITS, '_');
	g_autofree char *base = g_strconcat(is_reserved(plain) ? "ltt_" : "", plain, NULL);
	char *chosen = g_strdup(base);

	while (is_taken(sql, chosen)) {
		g_free(chosen);
		chosen = g_strdup_printf("%s_%u", base, next_number(sql, base));
	}
	return chosen;
}

static void add_table(LttSqlTable *table, gpointer data)
{
	LttSql *sql = data;

	ltt_sql_table_settle_names(table);
	table->index_bytes = &sql->index_bytes;
	table->max_index_bytes = sql->max_index_bytes;
	g_ptr_array_add(sql->all, table);
	g_hash_table_insert(sql->by_name, g_ascii_strdown(table->name, -1), table);
	ltt_sql_module_add(sql->db, table);
}

static void add_places(LttSqlTable *table)
{
	ltt_sql_table_add_place(table, "tracefile", LTT_SQL_FORM_TRACEFILE, TRUE);
	ltt_sql_table_add_origin(table, FALSE);
}

/* Returns: whether ltt_sql_table_add_origin() adds a column. Of several traces, no field has such a name. */
static gboolean is_place(const LttSql *sql, const LttColumn *column)
{
	return ltt_sql_env_has_origins(&sql->env) &&
	       (g_str_equal(column->name, "trace") || g_str_equal(column->name, "host"));
}

static void add_event_tables(LttSql *sql)
{
	for (guint i = 0; i < ltt_tables_get_n(sql->tables); i++) {
		const LttTable *of = ltt_tables_get(sql->tables, i);
		g_autofree char *name = choose_name(sql, ltt_table_get_name(of));
		LttSqlTable *table = ltt_sql_table_new(name, ltt_table_get_description(of),
						       ltt_sql_source_table(&sql->env, of));

		table->is_hidden = ltt_table_is_hidden(of);
		for (guint column = 0; column < ltt_table_get_n_columns(of); column++) {
			if (!is_place(sql, ltt_table_get_column(of, column)))
				ltt_sql_table_add(table, ltt_table_get_column(of, column), column);
		}
		ltt_sql_table_limit_fields(table);
		add_places(table);
		g_ptr_array_add(sql->event_tables, table);
		add_table(table, sql);
	}
}

static void add_events(LttSql *sql)
{
	LttSqlTable *table = ltt_sql_table_new("events", "all events; data has the fields as JSON",
					       ltt_sql_source_events(&sql->env));

	for (guint root = 0; root < LTT_SQL_N_EVENTS_ROOTS; root++)
		ltt_sql_table_add(table, &ltt_sql_events_columns[root], root);
	/* There is no number of a type. */
	g_array_remove_index(table->columns, LTT_SQL_EVENTS_TYPE + 1);
	add_places(table);
	g_array_index(table->columns, LttSqlColumn, LTT_SQL_N_EVENTS_ROOTS).is_hidden = FALSE;
	add_table(table, sql);
}

/* ---- the database ---- */

/* Returns: whether to stop */
static int look(void *data)
{
	LttSql *sql = data;

	sql->n_steps += LOOK_STEPS;
	return !ltt_sql_env_goes_on(&sql->env, NULL) ||
	       (sql->max_steps != 0 && sql->n_steps > sql->max_steps);
}

static int add_functions(sqlite3 *db, LttSqlEnv *env)
{
	static int (*const all[])(sqlite3 *) = {
		ltt_sql_add_digits,
		ltt_sql_add_text_functions,
		ltt_sql_add_checked_functions,
		ltt_sql_add_time_functions,
		ltt_sql_add_histogram,
	};
	int code = ltt_sql_add_symbol_function(db, env->symbols);

	if (code == SQLITE_OK)
		code = ltt_sql_add_percentiles(db, env);
	if (code == SQLITE_OK)
		code = ltt_sql_add_span_join(db, env);
	for (guint i = 0; i < G_N_ELEMENTS(all) && code == SQLITE_OK; i++)
		code = all[i](db);
	return code;
}

/* Returns: the approximate size of all tracefiles */
static guint64 get_bytes(const LttTrace *trace)
{
	const guint64 block_bytes = ltt_system_get_block_bytes(ltt_trace_get_system(trace));
	guint64 n_blocks = 0;

	for (guint i = 0; i < ltt_trace_get_n_tracefiles(trace); i++)
		n_blocks += ltt_tracefile_get_n_blocks(ltt_trace_get_tracefile(trace, i));
	return n_blocks * block_bytes;
}

LttSql *ltt_sql_new(const LttSqlRequest *request, GError **error)
{
	LttSql *sql = g_new0(LttSql, 1);
	const guint n_threads = request->n_threads != 0 ? request->n_threads
							: MIN(g_get_num_processors(), MOST_THREADS);

	sql->env = (LttSqlEnv){
		.trace = request->trace,
		.symbols = ltt_symbols_new(request->trace),
		.all = request->all,
		.n_threads = n_threads,
		.is_small = get_bytes(request->trace) <= MAX_GROUPED_BYTES,
		.callbacks = request->callbacks,
		.reported = g_hash_table_new_full(ltt_hash_text, g_str_equal, g_free, NULL),
	};
	sql->max_index_bytes = request->max_index_bytes != 0 ? request->max_index_bytes
							     : LTT_DEFAULT_SQL_INDEX_BYTES;
	sql->max_steps = request->max_steps;
	sql->tables = ltt_tables_new(request->trace);
	sql->event_tables = g_ptr_array_new();
	sql->all = g_ptr_array_new_with_free_func(free_table);
	sql->by_name = g_hash_table_new_full(ltt_hash_text, g_str_equal, g_free, NULL);
	sql->numbers = g_hash_table_new_full(ltt_hash_text, g_str_equal, g_free, NULL);
	sql->lists = ltt_sql_lists_new(&sql->env, sql->event_tables);
	if (sqlite3_open(":memory:", &sql->db) != SQLITE_OK ||
	    add_functions(sql->db, &sql->env) != SQLITE_OK) {
		g_set_error(error, LTT_ERROR, LTT_ERROR_LIMIT, "SQLite: %s",
			    sqlite3_errmsg(sql->db));
		ltt_sql_free(sql);
		return NULL;
	}
	if (request->max_memory_bytes != 0)
		sqlite3_hard_heap_limit64((sqlite3_int64)request->max_memory_bytes);
	ltt_sql_guard(sql);
	sqlite3_progress_handler(sql->db, LOOK_STEPS, look, sql);
	add_events(sql);
	ltt_sql_lists_add(sql->lists, add_table, sql);
	add_table(ltt_sql_spans_table(&sql->env), sql);
	if (ltt_states_are_recorded(sql->env.trace)) {
		add_table(ltt_sql_sched_table(&sql->env), sql);
		add_table(ltt_sql_thread_state_table(&sql->env), sql);
	}
	add_table(ltt_sql_pairs_table(&sql->env), sql);
	add_event_tables(sql);
	return sql;
}

void ltt_sql_free(LttSql *sql)
{
	if (sql == NULL)
		return;
	sqlite3_close(sql->db);
	g_ptr_array_unref(sql->all);
	g_ptr_array_unref(sql->event_tables);
	g_hash_table_unref(sql->by_name);
	g_hash_table_unref(sql->numbers);
	ltt_sql_lists_free(sql->lists);
	ltt_tables_free(sql->tables);
	g_hash_table_unref(sql->env.reported);
	ltt_symbols_free(sql->env.symbols);
	g_free(sql);
}

void ltt_sql_cancel(LttSql *sql)
{
	g_atomic_int_set(&sql->env.is_cancelled, TRUE);
}

/* ---- the schema ---- */

static gint compare_names(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

GPtrArray *ltt_sql_list_tables(const LttSql *sql, gboolean with_hidden)
{
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < sql->all->len; i++) {
		const LttSqlTable *table = sql->all->pdata[i];

		if (with_hidden || !table->is_hidden)
			g_ptr_array_add(names, g_strdup(table->name));
	}
	g_ptr_array_sort(names, compare_names);
	return names;
}

char *ltt_sql_dup_schema(const LttSql *sql, const char *name)
{
	g_autofree char *folded = g_ascii_strdown(name, -1);
	const LttSqlTable *table = g_hash_table_lookup(sql->by_name, folded);
	g_autofree char *text = NULL;

	if (table == NULL)
		return NULL;
	text = ltt_sql_table_declare(table, ",\n    ", TRUE);
	if (table->description == NULL)
		return g_strconcat(text, ";", NULL);
	return g_strdup_printf("-- %s\n%s;", table->description, text);
}
