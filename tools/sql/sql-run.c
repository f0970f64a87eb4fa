/* sql-run.c - see sql-run.h. */
#include "sql-run.h"

#include "sql-output.h"
#include "terminal.h"
#include "tool.h"

#include <ltt/ltt-filter.h>
#include <ltt/ltt-nearest.h>

#include <string.h>

static const char help[] = ".tables [all]    list the tables; all: also those of hidden events\n"
			   ".schema [TABLE]  show the columns of a table, or of all\n"
			   ".mode FORMAT     print results as text, csv, json or markdown\n"
			   ".help            show this text\n"
			   ".quit            leave the shell\n"
			   "\n"
			   "A statement of SQL ends with a semicolon and may have several lines. "
			   "Ctrl-C stops a query.\n";

static char **as_words(GPtrArray *names)
{
	g_ptr_array_add(names, NULL);
	return (char **)g_ptr_array_free(names, FALSE);
}

/* ---- statements ---- */

static void warn_of_doubts(const LttSqlQuery *query)
{
	const GPtrArray *doubts = ltt_sql_query_get_doubts(query);

	for (guint i = 0; i < doubts->len; i++) {
		const LttDoubt *doubt = doubts->pdata[i];

		if (doubt->nearest != NULL)
			tool_warn("%s; did you mean '%s'?", doubt->message, doubt->nearest);
		else
			tool_warn("%s", doubt->message);
	}
}

gboolean sql_run_text(LttSql *sql, const char *text)
{
	while (*text != '\0') {
		g_autoptr(GError) error = NULL;
		const char *rest = text;
		g_autoptr(LttSqlQuery) query = ltt_sql_query_new(sql, text, &rest, &error);
		gboolean ok = error == NULL;

		if (query == NULL && ok)
			return TRUE;
		if (ok)
			warn_of_doubts(query);
		if (ok)
			ok = sql_output_print(query, &error);
		if (error != NULL)
			tool_fail_error(error);
		if (!ok)
			return FALSE;
		text = rest;
	}
	return TRUE;
}

/* ---- commands ---- */

gboolean sql_run_is_command(const char *line)
{
	return line[0] == '.' && g_ascii_isalpha(line[1]);
}

static void list_tables(const LttSql *sql, gboolean all)
{
	g_auto(GStrv) names = as_words(ltt_sql_list_tables(sql, all));

	for (guint i = 0; names[i] != NULL; i++)
		tool_print("%s\n", names[i]);
}

static gboolean show_schema(const LttSql *sql, const char *table)
{
	g_auto(GStrv) names = as_words(ltt_sql_list_tables(sql, TRUE));
	const char *near;

	for (guint i = 0; names[i] != NULL; i++) {
		g_autofree char *schema = NULL;

		if (table != NULL && g_ascii_strcasecmp(names[i], table) != 0)
			continue;
		schema = ltt_sql_dup_schema(sql, names[i]);
		terminal_write(schema, strlen(schema), NULL, NULL);
		tool_write_text("\n");
		if (table != NULL)
			return TRUE;
	}
	if (table == NULL)
		return TRUE;
	near = ltt_nearest(table, (const char *const *)names);
	if (near != NULL)
		tool_fail("no such table: %s; did you mean %s?", table, near);
	else
		tool_fail("no such table: %s; .tables lists the tables", table);
	return FALSE;
}

gboolean sql_run_command(LttSql *sql, const char *line, gboolean *quits)
{
	static const char *const commands[] = {".tables", ".schema", ".mode",
					       ".help",   ".quit",   NULL};
	g_autofree char *text = g_strstrip(g_strdup(line));
	g_auto(GStrv) words = g_strsplit_set(text, " \t", 2);
	const char *argument = words[1] != NULL ? g_strstrip(words[1]) : NULL;
	const char *near;

	*quits = g_str_equal(words[0], ".quit") || g_str_equal(words[0], ".exit");
	if (*quits)
		return TRUE;
	if (g_str_equal(words[0], ".tables")) {
		list_tables(sql, argument != NULL && g_str_equal(argument, "all"));
		return TRUE;
	}
	if (g_str_equal(words[0], ".schema"))
		return show_schema(sql, argument);
	if (g_str_equal(words[0], ".mode"))
		return sql_output_set(argument != NULL ? argument : "");
	if (g_str_equal(words[0], ".help")) {
		tool_write_text(help);
		return TRUE;
	}
	near = ltt_nearest(words[0], commands);
	if (near != NULL)
		tool_fail("%s: no such command; did you mean %s?", words[0], near);
	else
		tool_fail("%s: no such command; .help lists them", words[0]);
	return FALSE;
}

gboolean sql_run_script(LttSql *sql, const char *script)
{
	g_auto(GStrv) lines = g_strsplit(script, "\n", -1);
	g_autoptr(GString) text = g_string_new(NULL);
	gboolean quits = FALSE;

	for (guint i = 0; lines[i] != NULL && !quits; i++) {
		const gboolean is_start = text->str[strspn(text->str, " \t\r\n;")] == '\0';

		if (is_start && sql_run_is_command(lines[i])) {
			if (!sql_run_command(sql, lines[i], &quits))
				return FALSE;
			continue;
		}
		g_string_append(text, lines[i]);
		g_string_append_c(text, '\n');
		if (strchr(lines[i], ';') == NULL || !ltt_sql_is_complete(text->str))
			continue;
		if (!sql_run_text(sql, text->str))
			return FALSE;
		g_string_truncate(text, 0);
	}
	return sql_run_text(sql, text->str);
}
