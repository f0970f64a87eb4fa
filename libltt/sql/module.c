/* module.c - the callbacks of SQLite's virtual tables (sqlite.org/vtab.html).
 *
 * Each table is a module of its own. SQLite finds it by its name without CREATE VIRTUAL TABLE
 * ("eponymous-only"), so the schema of the database is empty.
 */
#include "sql/module-priv.h"

#include "sql/cursor-priv.h"

typedef struct Vtab {
	sqlite3_vtab base;
	LttSqlTable *table;
} Vtab;

int ltt_sql_module_fail(sqlite3_vtab *vtab, GError *error)
{
	int code = SQLITE_ERROR;

	if (g_error_matches(error, LTT_ERROR, LTT_ERROR_CANCELLED))
		code = SQLITE_INTERRUPT;
	else if (g_error_matches(error, LTT_ERROR, LTT_ERROR_LIMIT))
		code = SQLITE_TOOBIG;
	else if (g_error_matches(error, LTT_ERROR, LTT_ERROR_IO))
		code = SQLITE_IOERR;
	sqlite3_free(vtab->zErrMsg);
	vtab->zErrMsg = sqlite3_mprintf("%s", error->message);
	g_error_free(error);
	return code;
}

/* A query that uses the table is incomplete. */
static void report_limit(const LttSqlTable *table)
{
	g_autofree char *message =
		g_strdup_printf("the table %s lacks %u columns: SQLite allows %d; data of the "
				"table events has all fields",
				table->name, table->n_left_out, LTT_SQL_MAX_COLUMNS);
	const LttProblem problem = {.block = LTT_NOWHERE, .byte = LTT_NOWHERE, .message = message};

	if (table->n_left_out > 0)
		ltt_sql_env_report(&problem, table->source->env);
}

static int connect_table(sqlite3 *db, void *data, int argc, const char *const *argv,
			 sqlite3_vtab **result, char **message)
{
	LttSqlTable *table = data;
	g_autofree char *schema = ltt_sql_table_declare(table, ", ", TRUE);
	const int code = sqlite3_declare_vtab(db, schema);
	Vtab *vtab;

	(void)argc;
	(void)argv;
	if (code != SQLITE_OK) {
		*message = sqlite3_mprintf("%s", sqlite3_errmsg(db));
		return code;
	}
	sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS);
	report_limit(table);
	vtab = g_new0(Vtab, 1);
	vtab->table = table;
	*result = &vtab->base;
	return SQLITE_OK;
}

static int disconnect_table(sqlite3_vtab *vtab)
{
	g_free(vtab);
	return SQLITE_OK;
}

static int choose_plan(sqlite3_vtab *vtab, sqlite3_index_info *info)
{
	return ltt_sql_plan_choose(((Vtab *)vtab)->table, info);
}

static int open_cursor(sqlite3_vtab *vtab, sqlite3_vtab_cursor **result)
{
	*result = &ltt_sql_cursor_new(((Vtab *)vtab)->table)->base;
	return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *cursor)
{
	ltt_sql_cursor_free((LttSqlCursor *)cursor);
	return SQLITE_OK;
}

static int filter(sqlite3_vtab_cursor *cursor, int number, const char *plan, int n_values,
		  sqlite3_value **values)
{
	GError *error = NULL;

	(void)number;
	(void)n_values;
	if (ltt_sql_cursor_start((LttSqlCursor *)cursor, plan, values, &error))
		return SQLITE_OK;
	return ltt_sql_module_fail(cursor->pVtab, error);
}

static int next(sqlite3_vtab_cursor *cursor)
{
	GError *error = NULL;

	if (ltt_sql_cursor_next((LttSqlCursor *)cursor, &error))
		return SQLITE_OK;
	return ltt_sql_module_fail(cursor->pVtab, error);
}

static int is_at_end(sqlite3_vtab_cursor *cursor)
{
	return ((LttSqlCursor *)cursor)->is_at_end;
}

static int get_value(sqlite3_vtab_cursor *base, sqlite3_context *context, int column)
{
	const LttSqlCursor *cursor = (LttSqlCursor *)base;

	ltt_sql_value_result(context, cursor->table, (guint)column, cursor->run, cursor->row);
	return SQLITE_OK;
}

static int get_id(sqlite3_vtab_cursor *base, sqlite3_int64 *id)
{
	const LttSqlCursor *cursor = (LttSqlCursor *)base;

	*id = ltt_sql_run_get_id(cursor->run, cursor->row);
	return SQLITE_OK;
}

static const sqlite3_module module = {
	.iVersion = 0,
	.xConnect = connect_table,
	.xBestIndex = choose_plan,
	.xDisconnect = disconnect_table,
	.xOpen = open_cursor,
	.xClose = close_cursor,
	.xFilter = filter,
	.xNext = next,
	.xEof = is_at_end,
	.xColumn = get_value,
	.xRowid = get_id,
};

int ltt_sql_module_add(sqlite3 *db, LttSqlTable *table)
{
	return sqlite3_create_module_v2(db, table->name, &module, table, NULL);
}
