/* cmd-sql.c - `ltt sql`: run SQL queries on a trace. */
#include "commands.h"
#include "progress.h"
#include "reading.h"
#include "result-place.h"
#include "several.h"
#include "sql-output.h"
#include "sql-run.h"
#include "sql-shell.h"

#include <ltt/ltt-sql.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Memory of SQLite, so that a query cannot take all of the machine. */
#define MAX_MEMORY_BYTES ((guint64)2 << 30)

#define MAX_SCRIPT_BYTES (16 * 1024 * 1024)

static char *format;
static char *output;
static SeveralClocks clocks;
static gboolean all_events;
static gint n_threads = -1;

static const GOptionEntry options[] = {
	{"format", 'f', 0, G_OPTION_ARG_FILENAME, &format,
	 "format of results; text is the default; json prints a line for\n"
	 "each row",
	 SQL_OUTPUT_FORMATS},
	{"output", 'o', 0, G_OPTION_ARG_FILENAME, &output,
	 "save all tables to a new SQLite database", "FILE"},
	{"all", 0, 0, G_OPTION_ARG_NONE, &all_events,
	 "include hidden events in the table events, and in counts", NULL},
	{"jobs", 'j', 0, G_OPTION_ARG_INT, &n_threads,
	 "decode with N threads; the default is the number of CPUs, up\n"
	 "to 4",
	 "N"},
	SEVERAL_OPTIONS(clocks),
	{NULL, 0, 0, 0, NULL, NULL, NULL},
};

static const ToolUsage usage = {
	.arguments = "TRACE... [QUERY]",
	.about =
		"Run an SQL query on a trace, or on several traces on one timeline. Each event "
		"type "
		"is a\n"
		"table: http_request has the events http.request. The table events has all events. "
		"Without\n"
		"QUERY, read statements from a terminal, where .help lists the commands, or from "
		"standard\n"
		"input.\n",
	.options = options,
	.notes = "  ltt sql TRACE .tables\n"
		 "  ltt sql TRACE 'SELECT type, count(*) FROM events GROUP BY type'\n"
		 "  ltt sql --format csv TRACE 'SELECT * FROM core_irq_entry ORDER BY time LIMIT "
		 "10'\n"
		 "  ltt sql -o events.sqlite TRACE\n",
	.min_arguments = 1,
	.max_arguments = -1,
};

/* Whether a text without a space is a statement, such as VALUES(1), and not the name of a file, such as
 * values-1.tar. */
static gboolean is_statement(const char *text)
{
	static const char *const words[] = {
		"alter",  "analyze", "attach",  "begin",   "commit",   "create",
		"delete", "detach",  "drop",    "end",     "explain",  "insert",
		"pragma", "reindex", "release", "replace", "rollback", "savepoint",
		"select", "update",  "vacuum",  "values",  "with",
	};
	gsize length = 0;

	while (g_ascii_isalpha(text[length]))
		length++;
	if (!g_str_has_prefix(text + length, "/*") &&
	    (g_ascii_isdigit(text[length]) ||
	     (text[length] != '\0' && strchr("_-./", text[length]))))
		return FALSE;
	for (gsize i = 0; i < G_N_ELEMENTS(words); i++)
		if (strlen(words[i]) == length && g_ascii_strncasecmp(words[i], text, length) == 0)
			return TRUE;
	return FALSE;
}

/* Whether the last argument is a query: no file has its name, and it looks like one. */
static gboolean is_query(const char *argument)
{
	return !g_file_test(argument, G_FILE_TEST_EXISTS) &&
	       (argument[strcspn(argument, " \t\n\r\f;")] != '\0' || is_statement(argument) ||
		sql_run_is_command(argument));
}

/* ---- running ---- */

static void report_problems(gpointer reading)
{
	reading_report_problems(reading);
}

static char *read_script(void)
{
	g_autoptr(GString) script = g_string_new(NULL);
	char bytes[65536];
	gsize length;

	while ((length = fread(bytes, 1, sizeof(bytes), stdin)) > 0) {
		g_string_append_len(script, bytes, (gssize)length);
		if (script->len <= MAX_SCRIPT_BYTES)
			continue;
		tool_fail("standard input: expected at most %d bytes of SQL", MAX_SCRIPT_BYTES);
		return NULL;
	}
	if (strlen(script->str) == script->len)
		return g_string_free(g_steal_pointer(&script), FALSE);
	tool_fail("standard input: expected SQL, found a NUL byte");
	return NULL;
}

static void save(LttSql *sql)
{
	const LttSqlSaveRequest request = {
		.sql = sql, .path = output, .callbacks = PROGRESS_CALLBACKS};
	g_autoptr(GError) error = NULL;
	LttSqlSaveSummary summary;
	gboolean ok;

	/* The job does not know how much is done. */
	progress_start(NULL, TRUE);
	ok = ltt_sql_save(&request, &summary, &error);
	progress_end();
	if (ok)
		tool_note("%s: %" G_GUINT64_FORMAT " rows", output, summary.n_rows);
	else
		tool_fail_error(error);
}

static void run(LttSql *sql, const char *query, Reading *reading)
{
	g_autofree char *script = NULL;

	if (output != NULL) {
		save(sql);
	} else if (query != NULL) {
		sql_run_script(sql, query);
	} else if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)) {
		sql_shell_run(sql, report_problems, reading);
	} else {
		script = read_script();
		if (script != NULL)
			sql_run_script(sql, script);
	}
	reading_report_problems(reading);
}

static gboolean settle(const char *query)
{
	if (n_threads == 0 || n_threads < -1) {
		tool_fail("--jobs: %d: expected a number of threads, 1 or more", n_threads);
		return FALSE;
	}
	if (output != NULL && *output == '\0') {
		tool_fail("-o FILE is missing; see `%s --help`", g_get_prgname());
		return FALSE;
	}
	if (output != NULL && query != NULL) {
		tool_fail("--output saves all tables, without a QUERY");
		return FALSE;
	}
	return format == NULL || sql_output_set(format);
}

static gboolean open_traces(char **paths, guint n_paths, Reading *reading)
{
	if (n_paths == 1 && several_is_plain(&clocks))
		return reading_open(paths[0], reading);
	return reading_take(several_open(paths, n_paths, &clocks), reading);
}

static void ask(Reading *reading, const char *query)
{
	const LttSqlRequest request = {
		.trace = reading->trace,
		.all = all_events,
		.n_threads = n_threads > 0 ? (guint)n_threads : 0,
		.max_memory_bytes = MAX_MEMORY_BYTES,
		.callbacks = {.on_problem = tool_problem},
	};
	g_autoptr(GError) error = NULL;
	g_autoptr(LttSql) sql = ltt_sql_new(&request, &error);

	if (sql == NULL)
		tool_fail_error(error);
	else
		run(sql, query, reading);
}

int cmd_sql(int argc, char **argv)
{
	const char *query = NULL;
	Reading reading;

	if (!tool_parse(&usage, &argc, &argv))
		return tool_end();
	if (argc > 2 && is_query(argv[argc - 1]))
		query = argv[--argc];
	if (!settle(query) || !result_place_check(output, argv + 1, (guint)(argc - 1)))
		return tool_end();
	if (open_traces(argv + 1, (guint)(argc - 1), &reading))
		ask(&reading, query);
	reading_close(&reading);
	return tool_end();
}
