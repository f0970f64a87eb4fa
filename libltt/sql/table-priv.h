/* table-priv.h - a table of SQL: its source, its columns, and the indices of the running queries. */
#ifndef LTT_SQL_TABLE_PRIV_H
#define LTT_SQL_TABLE_PRIV_H

#ifndef LTT_BUILDING
#error "sql/table-priv.h is private to libltt; use <ltt/ltt-sql.h>"
#endif

#include "sql/source-priv.h"

#include <sqlite3.h>

/* The collation of columns with integers above 2^63-1 (digits.c). */
#define LTT_SQL_DIGITS "digits"

/* SQLite's limit, hidden columns included. */
#define LTT_SQL_MAX_COLUMNS 2000

typedef struct LttSqlTable {
	char *name;
	char *description;    /* NULL: none */
	gboolean is_hidden;   /* .tables does not list it */
	LttSqlSource *source; /* owned */
	GArray *columns;      /* of LttSqlColumn */
	guint n_left_out;     /* columns above the limit */
	GHashTable *indices;  /* key -> LttSqlIndex of the running queries; NULL: none */
	guint64 *index_bytes; /* of all tables */
	guint64 max_index_bytes;
} LttSqlTable;

/* @source: (transfer full): its columns are added by the functions below */
LttSqlTable *ltt_sql_table_new(const char *name, const char *description, LttSqlSource *source);
void ltt_sql_table_free(LttSqlTable *table);

/* Adds the columns of a column of the source: one, or one for each scalar of a struct or union
 * ("a.b"), the hidden number of each enum ("a_code"), and the hidden name of an address in code
 * ("a_symbol"). */
void ltt_sql_table_add(LttSqlTable *table, const LttColumn *column, guint root);

/* Removes the last columns of fields, so that no more are left than SQLite allows with those of the place. */
void ltt_sql_table_limit_fields(LttSqlTable *table);

/* Adds a column of the place of the event, unless another column has its name. */
void ltt_sql_table_add_place(LttSqlTable *table, const char *name, LttSqlForm form,
			     gboolean is_hidden);

/* Adds the columns trace and host, which distinguish the rows of several traces or machines; else they
 * are hidden, and a function, whose arguments are its hidden columns, does not have them. */
void ltt_sql_table_add_origin(LttSqlTable *table, gboolean is_function);

/* Adds a parameter of a table-valued function, after all other columns. */
void ltt_sql_table_add_parameter(LttSqlTable *table, const char *name);

/* Makes the names of all columns unique, ignoring case. */
void ltt_sql_table_settle_names(LttSqlTable *table);

/* Adds @n_bytes, the size of rows that an index or group keeps, to @n_taken and to the total of all
 * tables. Returns: FALSE with LTT_ERROR_LIMIT if the total exceeds the limit; the sums include
 * @n_bytes in this case, too */
gboolean ltt_sql_table_take_bytes(LttSqlTable *table, guint64 n_bytes, guint64 *n_taken,
				  GError **error);

static inline const LttSqlColumn *ltt_sql_table_get(const LttSqlTable *table, guint column)
{
	return &g_array_index(table->columns, LttSqlColumn, column);
}

/* Returns: the type that a column declares; "" for a column of both numbers and texts */
const char *ltt_sql_column_get_type(const LttSqlColumn *column);

/* Returns: (transfer full): "CREATE TABLE ...". @separator: between columns */
char *ltt_sql_table_declare(const LttSqlTable *table, const char *separator, gboolean with_hidden);

/* Returns: (transfer full): @name as an identifier of SQL, in quotes if it needs them */
char *ltt_sql_quote(const char *name);

/* Returns: the array that has the values of a column; NULL: it was not read */
static inline const LttArray *ltt_sql_column_find(const LttSqlColumn *column, const LttSqlRun *run)
{
	const LttArray *array = run->roots[column->root];

	for (guint i = 0; array != NULL && i < column->depth; i++)
		array = &array->children[column->path[i]];
	return array;
}

/* Makes a value the result of a column. */
void ltt_sql_value_result(sqlite3_context *context, const LttSqlTable *table, guint index,
			  const LttSqlRun *run, gsize row);

/* guard.c. Returns: the bytes that a value may have in the statement */
gsize ltt_sql_get_value_limit(sqlite3_context *context);

/* symbols.c: the same for the functions at the addresses of @array. @tracefile: of the row */
void ltt_sql_symbol_result(sqlite3_context *context, const LttSqlTable *table,
			   const LttTracefile *tracefile, const LttArray *array,
			   const LttSqlRun *run, gsize row);

/* source-spans.c, source-pairs.c. Return: (transfer full): the spans of the trace (ltt-span.h), and
 * the pairs of events (ltt-pair.h) as a function of two types and a key */
LttSqlTable *ltt_sql_spans_table(LttSqlEnv *env);

/* Return: (transfer full): the states of threads, in about the order in which they end */
LttSqlTable *ltt_sql_sched_table(LttSqlEnv *env);
LttSqlTable *ltt_sql_thread_state_table(LttSqlEnv *env);
LttSqlTable *ltt_sql_pairs_table(LttSqlEnv *env);

/* Returns: the id of a row */
static inline gint64 ltt_sql_run_get_id(const LttSqlRun *run, gsize row)
{
	return run->places != NULL ? run->places[row] : run->first_id + (gint64)row;
}

#endif
