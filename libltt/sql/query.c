/* query.c - run the statements of a query (ltt-sql.h). */
#include "sql/sql-priv.h"

#include <string.h>

struct LttSqlQuery {
	LttSql *sql;
	sqlite3_stmt *statement;
	GPtrArray *doubts; /* of LttDoubt */
	int max_value_bytes;
	LttStep last;    /* result of the last step; before the first one LTT_STEP_EVENT */
	GError *failure; /* if it failed */
};

static LttError find_code(int code)
{
	switch (code & 0xff) {
	case SQLITE_INTERRUPT:
		return LTT_ERROR_CANCELLED;
	case SQLITE_NOMEM:
	case SQLITE_TOOBIG:
	case SQLITE_FULL:
		return LTT_ERROR_LIMIT;
	case SQLITE_IOERR:
	case SQLITE_CANTOPEN:
		return LTT_ERROR_IO;
	case SQLITE_CORRUPT:
		return LTT_ERROR_CORRUPT;
	default:
		return LTT_ERROR_INVALID;
	}
}

void ltt_sql_take_error(LttSql *sql, int code, GError **error)
{
	const LttError ours = find_code(code);

	if (ours == LTT_ERROR_CANCELLED && sql->max_steps != 0 && sql->n_steps > sql->max_steps) {
		g_set_error(error, LTT_ERROR, LTT_ERROR_LIMIT,
			    "the query needs more than %" G_GUINT64_FORMAT " steps",
			    sql->max_steps);
	} else if (ours == LTT_ERROR_CANCELLED) {
		g_atomic_int_set(&sql->env.is_cancelled, FALSE);
		g_set_error_literal(error, LTT_ERROR, ours, "the query was cancelled");
	} else if ((code & 0xff) == SQLITE_AUTH) {
		g_set_error_literal(
			error, LTT_ERROR, LTT_ERROR_INVALID,
			"not allowed: a statement can read, create a view, or drop one");
	} else {
		g_set_error_literal(error, LTT_ERROR, ours, sqlite3_errmsg(sql->db));
	}
}

/* Indices live until the last query ends, because queries may share them. */
static void end_query(LttSql *sql)
{
	if (--sql->n_queries > 0)
		return;
	sql->n_steps = 0;
	for (guint i = 0; i < sql->all->len; i++)
		g_clear_pointer(&((LttSqlTable *)sql->all->pdata[i])->indices, g_hash_table_unref);
}

gboolean ltt_sql_is_complete(const char *text)
{
	return sqlite3_complete(text);
}

LttSqlQuery *ltt_sql_query_new(LttSql *sql, const char *text, const char **rest, GError **error)
{
	LttSqlQuery *query;
	g_autoptr(GPtrArray) reads = g_ptr_array_new_with_free_func(g_free);
	sqlite3_stmt *statement;
	const char *end;
	int code;

	sql->reads = reads;
	sqlite3_limit(sql->db, SQLITE_LIMIT_LENGTH, LTT_MAX_SQL_VALUE_BYTES);
	code = sqlite3_prepare_v2(sql->db, text, -1, &statement, &end);
	sql->reads = NULL;
	if (code == SQLITE_ERROR) {
		g_autofree char *message = ltt_sql_explain(sql, text, sqlite3_errmsg(sql->db));

		g_set_error_literal(error, LTT_ERROR, LTT_ERROR_INVALID, message);
		return NULL;
	}
	if (code != SQLITE_OK) {
		ltt_sql_take_error(sql, code, error);
		return NULL;
	}
	if (rest != NULL)
		*rest = end;
	if (statement == NULL)
		return NULL;
	query = g_new0(LttSqlQuery, 1);
	query->sql = sql;
	query->last = LTT_STEP_EVENT;
	query->statement = statement;
	query->max_value_bytes = sqlite3_stmt_isexplain(statement) != 0
					 ? LTT_MAX_SQL_VALUE_BYTES
					 : ltt_sql_limit_value(sql->db, text, (gsize)(end - text));
	query->doubts = ltt_sql_check_literals(sql, reads, text, (gsize)(end - text));
	sql->n_queries++;
	return query;
}

const GPtrArray *ltt_sql_query_get_doubts(const LttSqlQuery *query)
{
	return query->doubts;
}

gint64 ltt_sql_get_mistake(const LttSql *sql)
{
	return sqlite3_error_offset(sql->db);
}

void ltt_sql_query_free(LttSqlQuery *query)
{
	if (query == NULL)
		return;
	sqlite3_finalize(query->statement);
	end_query(query->sql);
	g_ptr_array_unref(query->doubts);
	g_clear_error(&query->failure);
	g_free(query);
}

guint ltt_sql_query_get_n_columns(const LttSqlQuery *query)
{
	return (guint)sqlite3_column_count(query->statement);
}

const char *ltt_sql_query_get_name(const LttSqlQuery *query, guint column)
{
	return sqlite3_column_name(query->statement, (int)column);
}

static LttStep step(LttSqlQuery *query, GError **error)
{
	int code;

	sqlite3_limit(query->sql->db, SQLITE_LIMIT_LENGTH, query->max_value_bytes);
	code = sqlite3_step(query->statement);

	if (code == SQLITE_ROW)
		return LTT_STEP_EVENT;
	if (code == SQLITE_DONE)
		return LTT_STEP_END;
	/* A table that exceeds a limit has a message of its own. */
	if (code == SQLITE_TOOBIG &&
	    g_str_equal(sqlite3_errmsg(query->sql->db), sqlite3_errstr(SQLITE_TOOBIG)))
		g_set_error(error, LTT_ERROR, LTT_ERROR_LIMIT,
			    "string or blob too big: it can have %d bytes in this statement",
			    query->max_value_bytes);
	else
		ltt_sql_take_error(query->sql, code, error);
	return LTT_STEP_ERROR;
}

/* SQLite would begin the statement again after its end, and after an error. */
LttStep ltt_sql_query_next(LttSqlQuery *query, GError **error)
{
	if (query->last == LTT_STEP_EVENT)
		query->last = step(query, &query->failure);
	if (query->last == LTT_STEP_ERROR && error != NULL)
		*error = g_error_copy(query->failure);
	return query->last;
}

sqlite3_value *ltt_sql_query_get_value(const LttSqlQuery *query, guint column)
{
	return sqlite3_column_value(query->statement, (int)column);
}

LttSqlKind ltt_sql_query_get_kind(const LttSqlQuery *query, guint column)
{
	switch (sqlite3_column_type(query->statement, (int)column)) {
	case SQLITE_INTEGER:
		return LTT_SQL_INT;
	case SQLITE_FLOAT:
		return LTT_SQL_FLOAT;
	case SQLITE_TEXT:
		return LTT_SQL_TEXT;
	case SQLITE_BLOB:
		return LTT_SQL_BYTES;
	default:
		return LTT_SQL_NULL;
	}
}

gint64 ltt_sql_query_get_int(const LttSqlQuery *query, guint column)
{
	return sqlite3_column_int64(query->statement, (int)column);
}

double ltt_sql_query_get_float(const LttSqlQuery *query, guint column)
{
	return sqlite3_column_double(query->statement, (int)column);
}

const char *ltt_sql_query_get_text(const LttSqlQuery *query, guint column, gsize *length)
{
	const LttSqlKind kind = ltt_sql_query_get_kind(query, column);
	const char *text =
		kind == LTT_SQL_BYTES
			? sqlite3_column_blob(query->statement, (int)column)
			: (const char *)sqlite3_column_text(query->statement, (int)column);

	if (text == NULL && kind == LTT_SQL_BYTES)
		text = "";
	if (length != NULL)
		*length = (gsize)sqlite3_column_bytes(query->statement, (int)column);
	return text;
}
