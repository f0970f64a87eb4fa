/* answer-sql.c - the result of a query of SQL, and the tables that it can use.
 *
 * Each request opens a database of its own, so that queries share nothing and need no lock. libltt-sql
 * keeps them from writing and from opening files; here rows, bytes and memory are limited.
 */
#include "view/request-priv.h"

#include <ltt/ltt-print.h>
#include <ltt/ltt-sql.h>
#include <string.h>

/* Rows of one answer, and its bytes, above which no further row is added. */
#define MAX_ROWS     100000
#define MAX_BYTES    (16 * 1024 * 1024)
#define DEFAULT_ROWS 1000

/* Bytes of a text or blob that are answered. */
#define MAX_VALUE_BYTES 4096

/* Memory of all queries: SQLite's own, and the indices of each. */
#define MAX_SQLITE_BYTES ((guint64)96 * 1024 * 1024)
#define MAX_INDEX_BYTES  ((guint64)32 * 1024 * 1024)

/* Queries at the same time. */
#define MAX_QUERIES 4

/* ---- values ---- */

/* Returns: @length, or less, so that no character of UTF-8 is divided */
static gsize limit_length(const char *text, gsize length)
{
	gsize limit = MAX_VALUE_BYTES;

	if (length <= limit)
		return length;
	while (limit > MAX_VALUE_BYTES - 4 && ((guint8)text[limit] & 0xc0) == 0x80)
		limit--;
	return limit;
}

static void append_float(GString *out, double value)
{
	char digits[G_ASCII_DTOSTR_BUF_SIZE];

	g_ascii_dtostr(digits, sizeof(digits), value);
	if (value - value == 0)
		g_string_append(out, digits);
	else
		g_string_append_printf(out, "{\"number\":\"%s\"}", digits); /* infinite */
}

static void append_bytes(GString *out, const char *bytes, gsize length)
{
	g_string_append(out, "{\"bytes\":\"");
	for (gsize i = 0; i < length; i++)
		g_string_append_printf(out, "%02x", (guint8)bytes[i]);
	g_string_append(out, "\"}");
}

/* Returns: whether the value was too long, and its end is missing */
static gboolean append_value(GString *out, const LttSqlQuery *query, guint column)
{
	const LttSqlKind kind = ltt_sql_query_get_kind(query, column);
	const gint64 number = kind == LTT_SQL_INT ? ltt_sql_query_get_int(query, column) : 0;
	const char *text = NULL;
	gsize length = 0;
	gsize shown;

	switch (kind) {
	case LTT_SQL_NULL:
		g_string_append(out, "null");
		return FALSE;
	case LTT_SQL_INT:
		g_string_append_printf(out,
				       number >= -LTT_VIEW_MAX_EXACT && number <= LTT_VIEW_MAX_EXACT
					       ? "%" G_GINT64_FORMAT
					       : "{\"number\":\"%" G_GINT64_FORMAT "\"}",
				       number);
		return FALSE;
	case LTT_SQL_FLOAT:
		append_float(out, ltt_sql_query_get_float(query, column));
		return FALSE;
	case LTT_SQL_TEXT:
	case LTT_SQL_BYTES:
		break;
	}
	text = ltt_sql_query_get_text(query, column, &length);
	if (text == NULL)
		text = "";
	shown = limit_length(text, length);
	if (kind == LTT_SQL_BYTES)
		append_bytes(out, text, shown);
	else
		ltt_json_append_string(out, text, (gssize)shown);
	return shown < length;
}

/* ---- results ---- */

typedef struct Result {
	GString *columns;
	GString *rows;
	guint64 n_rows;
	guint64 n_cut; /* values whose end is missing */
	gboolean is_more;
} Result;

static void clear_result(Result *result)
{
	g_string_truncate(result->columns, 0);
	g_string_truncate(result->rows, 0);
	result->n_rows = 0;
	result->n_cut = 0;
	result->is_more = FALSE;
}

static void append_row(Result *result, const LttSqlQuery *query, guint n_columns)
{
	g_string_append(result->rows, result->n_rows++ > 0 ? ",[" : "[");
	for (guint i = 0; i < n_columns; i++) {
		if (i > 0)
			g_string_append_c(result->rows, ',');
		if (append_value(result->rows, query, i))
			result->n_cut++;
	}
	g_string_append_c(result->rows, ']');
}

/* Runs a statement, up to @limit rows. */
static gboolean run_statement(LttSqlQuery *query, guint64 limit, Result *result, GError **error)
{
	const guint n_columns = ltt_sql_query_get_n_columns(query);
	LttStep step;

	clear_result(result);
	for (guint i = 0; i < n_columns; i++) {
		if (i > 0)
			g_string_append_c(result->columns, ',');
		ltt_json_append_string(result->columns, ltt_sql_query_get_name(query, i), -1);
	}
	while ((step = ltt_sql_query_next(query, error)) == LTT_STEP_EVENT) {
		if (result->n_rows == limit || result->rows->len >= MAX_BYTES) {
			result->is_more = TRUE;
			return TRUE;
		}
		append_row(result, query, n_columns);
	}
	return step == LTT_STEP_END;
}

/* Puts the place of a mistake, which is known if the statement does not compile, before the message. */
static void add_place(const LttSql *sql, gsize start, GError **error)
{
	const gint64 place = ltt_sql_get_mistake(sql);

	if (place >= 0 && error != NULL && g_error_matches(*error, LTT_ERROR, LTT_ERROR_INVALID))
		g_prefix_error(error, "byte %" G_GINT64_FORMAT ": ", (gint64)start + place);
}

/* Runs all statements; the result is that of the last one. */
static gboolean run_all(LttSql *sql, const char *text, guint64 limit, Result *result,
			GError **error)
{
	const char *rest = text;

	while (*rest != '\0') {
		const gsize start = (gsize)(rest - text);
		g_autoptr(GError) failure = NULL;
		g_autoptr(LttSqlQuery) query = ltt_sql_query_new(sql, rest, &rest, &failure);

		if (failure != NULL) {
			add_place(sql, start, &failure);
			g_propagate_error(error, g_steal_pointer(&failure));
			return FALSE;
		}
		if (query != NULL && !run_statement(query, limit, result, error))
			return FALSE;
	}
	return TRUE;
}

/* ---- requests ---- */

/* A request, with the problems that its query has met. */
typedef struct Request {
	LttViewCall *call;
	guint64 n_problems;
	char *problem; /* the first one; NULL: none; owned */
} Request;

static void note_problem(const LttProblem *problem, gpointer data)
{
	Request *request = data;

	if (request->n_problems++ == 0)
		request->problem = ltt_problem_to_string(problem);
}

static gboolean is_wanted(const LttProgress *progress, gpointer data)
{
	const Request *request = data;

	return ltt_view_call_is_wanted(progress, request->call);
}

/* @about: must outlive the database */
static LttSql *open_database(Request *about, GError **error)
{
	const LttSqlRequest request = {
		.trace = about->call->map->trace,
		.max_memory_bytes = MAX_SQLITE_BYTES,
		.max_index_bytes = MAX_INDEX_BYTES,
		.callbacks = {.on_problem = note_problem,
			      .on_progress = is_wanted,
			      .user_data = about},
	};

	return ltt_sql_new(&request, error);
}

/* The result is of a part of the trace if blocks of it are damaged or cannot be read. */
static void append_problems(GString *out, const Request *request)
{
	g_string_append_printf(out, ",\"problems\":%" G_GUINT64_FORMAT, request->n_problems);
	if (request->problem == NULL)
		return;
	g_string_append(out, ",\"problem\":");
	ltt_json_append_string(out, request->problem, -1);
}

static gboolean run_query(Request *request, const char *text, guint64 limit, GError **error)
{
	GString *answer = request->call->answer;
	g_autoptr(GString) columns = g_string_new(NULL);
	g_autoptr(GString) rows = g_string_new(NULL);
	g_autoptr(LttSql) sql = open_database(request, error);
	Result result = {.columns = columns, .rows = rows};

	if (sql == NULL || !run_all(sql, text, limit, &result, error))
		return FALSE;
	g_string_append_printf(answer, "{\"columns\":[%s],\"rows\":[", columns->str);
	g_string_append_len(answer, rows->str, (gssize)rows->len);
	g_string_append_printf(answer, "],\"more\":%s,\"cut\":%" G_GUINT64_FORMAT,
			       result.is_more ? "true" : "false", result.n_cut);
	append_problems(answer, request);
	g_string_append_c(answer, '}');
	return TRUE;
}

static gboolean answer_query(LttViewCall *call, const char *text, guint64 limit, GError **error)
{
	Request request = {.call = call};
	const gboolean is_good = run_query(&request, text, limit, error);

	g_free(request.problem);
	return is_good;
}

gboolean ltt_view_answer_sql(LttViewCall *call, GError **error)
{
	const char *text;
	guint64 limit = DEFAULT_ROWS;
	gboolean is_good;

	if (!ltt_view_call_get_text(call, "query", &text, error) ||
	    !ltt_view_call_get_number(call, "limit", 1, MAX_ROWS, &limit, error))
		return FALSE;
	if (text == NULL) {
		g_set_error_literal(error, LTT_ERROR, LTT_ERROR_INVALID, "query: expected SQL");
		return FALSE;
	}
	if (g_atomic_int_add(&call->map->n_queries, 1) < MAX_QUERIES) {
		is_good = answer_query(call, text, limit, error);
	} else {
		g_set_error(error, LTT_ERROR, LTT_ERROR_INVALID,
			    "%d other queries are running; repeat this one when they end",
			    MAX_QUERIES);
		is_good = FALSE;
	}
	g_atomic_int_add(&call->map->n_queries, -1);
	return is_good;
}

gboolean ltt_view_answer_tables(LttViewCall *call, GError **error)
{
	Request request = {.call = call}; /* reads no blocks */
	g_autoptr(LttSql) sql = open_database(&request, error);
	g_autoptr(GPtrArray) names = NULL;

	if (sql == NULL)
		return FALSE;
	names = ltt_sql_list_tables(sql, FALSE);
	g_string_append(call->answer, "{\"tables\":[");
	for (guint i = 0; i < names->len; i++) {
		g_autofree char *schema = ltt_sql_dup_schema(sql, names->pdata[i]);

		g_string_append(call->answer, i > 0 ? ",{\"name\":" : "{\"name\":");
		ltt_json_append_string(call->answer, names->pdata[i], -1);
		g_string_append(call->answer, ",\"schema\":");
		ltt_json_append_string(call->answer, schema, -1);
		g_string_append_c(call->answer, '}');
	}
	g_string_append(call->answer, "]}");
	return TRUE;
}
