/* checked-functions.c - a time limit for the SQL functions printf, trim, strftime and json_patch, and for JSON
 * functions with many paths.
 *
 * One call of printf with a precision of 2000000000 takes half a minute in SQLite, and cannot be
 * cancelled. Such calls fail here. SQLite answers the others in a database of their own, because a
 * function that replaces another one cannot call it.
 */
#include "sql/sql-priv.h"

#include <string.h>

#define MAX_ARGUMENTS 100

#define MAX_TIME_FORMAT_BYTES (4 * 1024 * 1024)

#define JSON_SUBTYPE ((guint)'J') /* of a value that is JSON, in SQLite */

/* Calls with fewer arguments go to the functions of SQLite: they take at most half a second, and are faster. */
#define MANY_ARGUMENTS 16

#define LEAST_MEMBER_BYTES 5 /* of an object: "":1, */

typedef struct Function {
	const char *name;
	int n_values; /* -1: any number */
	/* Returns: whether a call takes a short time */
	gboolean (*is_short)(int n_values, sqlite3_value **values);
} Function;

/* ---- printf ---- */

typedef struct Format {
	const char *at;
	int n_values;
	sqlite3_value **values;
	int next; /* value */
	guint64 n_bytes;
} Format;

/* Takes a width or a precision. Returns: its absolute value */
static guint64 take_length(Format *format)
{
	guint64 length = 0;

	if (*format->at == '*') {
		const int value = format->next < format->n_values
					  ? sqlite3_value_int(format->values[format->next])
					  : 0;

		format->at++;
		format->next++;
		return (guint64)ABS((gint64)value);
	}
	for (; g_ascii_isdigit(*format->at); format->at++)
		length = MIN(length * 10 + (guint64)g_ascii_digit_value(*format->at), G_MAXUINT32);
	return length;
}

/* Takes a conversion, after the %, and adds the bytes that it prints at least. */
static void take_conversion(Format *format)
{
	guint64 width;
	guint64 precision = 0;

	format->at += strspn(format->at, "-+ #!0,");
	width = take_length(format);
	if (*format->at == '.') {
		format->at++;
		precision = take_length(format);
	}
	format->at += strspn(format->at, "l");
	/* Of a text, the precision is the most. */
	if (*format->at != '\0' && strchr("sqQwz", *format->at) != NULL)
		precision = 0;
	format->n_bytes += width + precision;
	if (*format->at == '\0')
		return;
	if (*format->at != '%' && *format->at != 'n')
		format->next++;
	format->at++;
}

static gboolean is_short_format(int n_values, sqlite3_value **values)
{
	Format format = {.n_values = n_values, .values = values, .next = 1};

	format.at = n_values > 0 ? (const char *)sqlite3_value_text(values[0]) : NULL;
	while (format.at != NULL && (format.at = strchr(format.at, '%')) != NULL) {
		format.at++;
		take_conversion(&format);
	}
	return format.n_bytes <= LTT_MAX_SQL_VALUE_BYTES;
}

/* ---- strftime ---- */

/* Each conversion computes a date: some 200 ns. */
static gboolean is_short_time_format(int n_values, sqlite3_value **values)
{
	return n_values == 0 || sqlite3_value_bytes(values[0]) <= MAX_TIME_FORMAT_BYTES;
}

/* ---- trim, json_patch ---- */

static guint64 multiply_bytes(sqlite3_value **values)
{
	return (guint64)sqlite3_value_bytes(values[0]) * (guint64)sqlite3_value_bytes(values[1]);
}

/* Each character at the ends of the text is compared with each of the others. */
static gboolean is_short_trim(int n_values, sqlite3_value **values)
{
	(void)n_values;
	return multiply_bytes(values) <= LTT_MAX_SQL_COMPARISONS;
}

/* Each key is compared with each key of the other object. */
static gboolean is_short_patch(int n_values, sqlite3_value **values)
{
	(void)n_values;
	return multiply_bytes(values) / (LEAST_MEMBER_BYTES * LEAST_MEMBER_BYTES) <=
	       LTT_MAX_SQL_COMPARISONS;
}

/* For each path, SQLite may visit all elements of the document. */
static gboolean has_short_paths(int n_values, sqlite3_value **values)
{
	return (guint64)sqlite3_value_bytes(values[0]) * (guint64)n_values <=
	       LTT_MAX_SQL_COMPARISONS;
}

/* ---- calls ---- */

static const Function functions[] = {
	{"printf", -1, is_short_format},
	{"format", -1, is_short_format},
	{"trim", 2, is_short_trim},
	{"ltrim", 2, is_short_trim},
	{"rtrim", 2, is_short_trim},
	{"json_patch", 2, is_short_patch},
	{"strftime", -1, is_short_time_format},
	{"json_extract", MANY_ARGUMENTS, has_short_paths},
	{"json_remove", MANY_ARGUMENTS, has_short_paths},
	{"json_set", MANY_ARGUMENTS, has_short_paths},
	{"json_insert", MANY_ARGUMENTS, has_short_paths},
	{"json_replace", MANY_ARGUMENTS, has_short_paths},
};

typedef struct Caller {
	const Function *function;
	sqlite3 *db;
	sqlite3_stmt **statements; /* by number of arguments; NULL: not called */
} Caller;

static void free_caller(void *data)
{
	Caller *caller = data;

	for (guint i = 0; caller->statements != NULL && i <= MAX_ARGUMENTS; i++)
		sqlite3_finalize(caller->statements[i]);
	g_free(caller->statements);
	sqlite3_close(caller->db);
	g_free(caller);
}

static gboolean is_json(sqlite3_value *value)
{
	return sqlite3_value_subtype(value) == JSON_SUBTYPE;
}

/* Compiles a call. A parameter has no subtype, so that JSON is marked as such. Returns: (nullable) */
static sqlite3_stmt *compile(const Caller *caller, int n_values, sqlite3_value **values)
{
	g_autoptr(GString) text = g_string_new("SELECT ");
	sqlite3_stmt *statement = NULL;

	g_string_append_printf(text, "%s(", caller->function->name);
	for (int i = 0; i < n_values; i++)
		g_string_append_printf(text, "%s%s", i > 0 ? "," : "",
				       is_json(values[i]) ? "json(?)" : "?");
	g_string_append_c(text, ')');
	sqlite3_prepare_v2(caller->db, text->str, -1, &statement, NULL);
	return statement;
}

/* Sets the result from @statement. @statement: (nullable) */
static void run(sqlite3_context *context, const Caller *caller, sqlite3_stmt *statement,
		int n_values, sqlite3_value **values)
{
	for (int i = 0; i < n_values && statement != NULL; i++)
		sqlite3_bind_value(statement, i + 1, values[i]);
	if (statement != NULL && sqlite3_step(statement) == SQLITE_ROW)
		sqlite3_result_value(context, sqlite3_column_value(statement, 0));
	else
		sqlite3_result_error(context, sqlite3_errmsg(caller->db), -1);
	sqlite3_reset(statement);
	sqlite3_clear_bindings(statement);
}

static void call(sqlite3_context *context, int n_values, sqlite3_value **values)
{
	Caller *caller = sqlite3_user_data(context);
	gboolean has_json = FALSE;

	if (n_values > MAX_ARGUMENTS || !caller->function->is_short(n_values, values)) {
		sqlite3_result_error_toobig(context);
		return;
	}
	if (caller->db == NULL && sqlite3_open(":memory:", &caller->db) == SQLITE_OK)
		sqlite3_limit(caller->db, SQLITE_LIMIT_LENGTH, LTT_MAX_SQL_VALUE_BYTES);
	if (caller->statements == NULL)
		caller->statements = g_new0(sqlite3_stmt *, MAX_ARGUMENTS + 1);
	for (int i = 0; i < n_values; i++)
		has_json = has_json || is_json(values[i]);
	if (has_json) {
		sqlite3_stmt *statement = compile(caller, n_values, values);

		run(context, caller, statement, n_values, values);
		sqlite3_finalize(statement);
		return;
	}
	if (caller->statements[n_values] == NULL)
		caller->statements[n_values] = compile(caller, n_values, values);
	run(context, caller, caller->statements[n_values], n_values, values);
}

/* Adds calls of @function with @n_values; -1: any number. Returns: a code of SQLite */
static int add(sqlite3 *db, const Function *function, int n_values)
{
	const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS | SQLITE_SUBTYPE;
	Caller *caller = g_new0(Caller, 1);

	caller->function = function;
	return sqlite3_create_function_v2(db, function->name, n_values, flags, caller, call, NULL,
					  NULL, free_caller);
}

int ltt_sql_add_checked_functions(sqlite3 *db)
{
	int code = SQLITE_OK;

	for (guint i = 0; i < G_N_ELEMENTS(functions) && code == SQLITE_OK; i++) {
		const Function *function = &functions[i];
		const int last =
			function->is_short == has_short_paths ? MAX_ARGUMENTS : function->n_values;

		for (int n = function->n_values; n <= last && code == SQLITE_OK; n++)
			code = add(db, function, n);
	}
	return code;
}
