/* guard.c - forbid queries to write, open files, load code, or take all memory.
 *
 * The text of a query is untrusted: it may come, for example, from a web page.
 */
#include "sql/sql-priv.h"

#include <string.h>

#define MAX_QUERY_BYTES (1024 * 1024)

/* The size limit of the values in all calls for a row. JSON functions take about a second for them. */
#define MAX_CALL_BYTES (32 * 1024 * 1024)

/* A shorter comparison does not check whether the query is cancelled. */
#define LOOK_BYTES 65536

#define OPERATORS_PER_CALL 8 /* take about as long as a call of a function */

#define UNKNOWN_CALLS 1000 /* of a statement whose program is unknown */

/* KiB of the sorter and of temporary tables in memory; the rest spills to a temporary file. The sorter sorts
 * and merges that much in one step, which cannot be cancelled: with 64 MiB, Ctrl-C took seconds. */
#define CACHE_PRAGMA "PRAGMA cache_size = -8192"

static const struct {
	int id;
	int value;
} limits[] = {
	{SQLITE_LIMIT_LENGTH, LTT_MAX_SQL_VALUE_BYTES},
	{SQLITE_LIMIT_SQL_LENGTH, MAX_QUERY_BYTES},
	{SQLITE_LIMIT_COLUMN, LTT_SQL_MAX_COLUMNS},
	{SQLITE_LIMIT_EXPR_DEPTH, 200},
	{SQLITE_LIMIT_COMPOUND_SELECT, 200},
	{SQLITE_LIMIT_VDBE_OP, 1000000},
	{SQLITE_LIMIT_FUNCTION_ARG, 100},
	{SQLITE_LIMIT_ATTACHED, 0},
	{SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000},
	{SQLITE_LIMIT_VARIABLE_NUMBER, 1000},
	{SQLITE_LIMIT_TRIGGER_DEPTH, 1},
	{SQLITE_LIMIT_WORKER_THREADS, 0},
};

static gboolean is_one_of(const char *word, const char *const *words)
{
	for (; word != NULL && *words != NULL; words++) {
		if (g_ascii_strcasecmp(word, *words) == 0)
			return TRUE;
	}
	return FALSE;
}

/* Pragmas that only report. */
static const char *const pragmas[] = {"table_info",    "table_xinfo",     "table_list",
				      "function_list", "compile_options", NULL};

/* CREATE VIEW and span_join write the schema, which is in memory. */
static const char *const schemas[] = {"sqlite_master", "sqlite_temp_master", NULL};

static const char *const functions[] = {"load_extension", "fts3_tokenizer", "readfile",
					"writefile",      "edit",           NULL};

static const char *const modules[] = {"span_join", "span_left_join", NULL};

/* Returns: (nullable): a table of the trace; NULL: it is a view or a span_join */
static const LttSqlTable *find(const LttSql *sql, const char *name)
{
	g_autofree char *folded = g_ascii_strdown(name, -1);

	return g_hash_table_lookup(sql->by_name, folded);
}

/* Notes a column that the statement reads. */
static void note(LttSql *sql, const char *table_name, const char *column_name)
{
	const LttSqlTable *table = find(sql, table_name);

	for (guint i = 0; table != NULL && i < table->columns->len; i++) {
		const LttSqlColumn *column = ltt_sql_table_get(table, i);

		if (g_ascii_strcasecmp(column->name, column_name) == 0) {
			LttSqlRead *read = g_new(LttSqlRead, 1);

			*read = (LttSqlRead){table, column};
			g_ptr_array_add(sql->reads, read);
		}
	}
}

static int authorize(void *data, int action, const char *first, const char *second,
		     const char *database, const char *trigger)
{
	LttSql *sql = data;
	const gboolean drops_view = sql->drops_view;
	gboolean ok;

	(void)database;
	(void)trigger;
	if (action == SQLITE_READ && sql->reads != NULL && first != NULL && second != NULL)
		note(sql, first, second);
	sql->drops_view = action == SQLITE_DROP_VIEW || action == SQLITE_DROP_TEMP_VIEW;
	switch (action) {
	case SQLITE_SELECT:
	case SQLITE_READ:
	case SQLITE_RECURSIVE:
	case SQLITE_CREATE_VIEW:
	case SQLITE_CREATE_TEMP_VIEW:
	case SQLITE_DROP_VIEW:
	case SQLITE_DROP_TEMP_VIEW:
	case SQLITE_DROP_VTABLE:
		ok = TRUE;
		break;
	case SQLITE_FUNCTION:
		ok = !is_one_of(second, functions);
		break;
	case SQLITE_PRAGMA:
		ok = is_one_of(first, pragmas);
		break;
	case SQLITE_CREATE_VTABLE:
		ok = is_one_of(second, modules);
		break;
	case SQLITE_INSERT:
	case SQLITE_UPDATE:
		ok = is_one_of(first, schemas);
		break;
	case SQLITE_DELETE: /* DROP VIEW deletes the view next, which can have the name of a table */
		ok = drops_view || is_one_of(first, schemas) ||
		     (first != NULL && find(sql, first) == NULL);
		break;
	default:
		ok = FALSE;
		break;
	}
	return ok ? SQLITE_OK : SQLITE_DENY;
}

/* Returns: how many calls of functions an operation of SQLite takes as long as, times OPERATORS_PER_CALL */
static guint weigh(const char *operation)
{
	static const char *const calls[] = {"Function", "PureFunc",   "AggStep",
					    "AggStep1", "AggInverse", NULL};
	static const char *const operators[] = {
		"Concat", "Add",       "Subtract",   "Multiply", "Divide", "Remainder", "BitAnd",
		"BitOr",  "ShiftLeft", "ShiftRight", "BitNot",   "Cast",   "Compare",   "Eq",
		"Ne",     "Lt",        "Le",         "Gt",       "Ge",     NULL};

	if (g_strv_contains(calls, operation))
		return OPERATORS_PER_CALL;
	return g_strv_contains(operators, operation);
}

/* Counts the calls in the program that SQLite compiles a statement to, in which views are expanded, and a column of a
 * subquery is repeated for each use. */
static guint64 count_calls(sqlite3 *db, const char *text, gsize length)
{
	const gsize skipped = MIN(strspn(text, "; \t\n\r\f"), length);
	g_autofree char *explain =
		g_strdup_printf("EXPLAIN %.*s", (int)(length - skipped), text + skipped);
	sqlite3_stmt *statement = NULL;
	guint64 n_operators = 0;
	int code;

	code = sqlite3_prepare_v2(db, explain, -1, &statement, NULL);
	while (code == SQLITE_OK || code == SQLITE_ROW) {
		code = sqlite3_step(statement);
		if (code == SQLITE_ROW)
			n_operators += weigh((const char *)sqlite3_column_text(statement, 1));
	}
	sqlite3_finalize(statement);
	return code == SQLITE_DONE ? n_operators / OPERATORS_PER_CALL : UNKNOWN_CALLS;
}

int ltt_sql_limit_value(sqlite3 *db, const char *text, gsize length)
{
	const guint64 n_calls = count_calls(db, text, length);

	return (int)MIN(LTT_MAX_SQL_VALUE_BYTES, MAX_CALL_BYTES / MAX(1, n_calls));
}

gsize ltt_sql_get_value_limit(sqlite3_context *context)
{
	return (gsize)sqlite3_limit(sqlite3_context_db_handle(context), SQLITE_LIMIT_LENGTH, -1);
}

/* ---- comparisons without case ---- */

/* SQLite's own comparison of two long texts cannot be cancelled, and max(a, b, ...) makes many of them. */
static int compare_nocase(void *data, int left_length, const void *left, int right_length,
			  const void *right)
{
	const int length = MIN(left_length, right_length);
	int order;

	if (length > LOOK_BYTES && !ltt_sql_env_goes_on(&((LttSql *)data)->env, NULL))
		return 0;
	order = sqlite3_strnicmp(left, right, length);
	return order != 0 ? order : left_length - right_length;
}

void ltt_sql_guard(LttSql *sql)
{
	sqlite3 *db = sql->db;

	for (gsize i = 0; i < G_N_ELEMENTS(limits); i++)
		sqlite3_limit(db, limits[i].id, limits[i].value);
	sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	/* "a" is always a column and never a text. Otherwise a mistyped column would be a
	 * constant. */
	sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
	sqlite3_exec(db, CACHE_PRAGMA, NULL, NULL, NULL);
	sqlite3_create_collation(db, "NOCASE", SQLITE_UTF8, sql, compare_nocase);
	sqlite3_set_authorizer(db, authorize, sql);
}
