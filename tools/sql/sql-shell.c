/* sql-shell.c - see sql-shell.h.
 *
 * libedit edits the lines. Ctrl-C stops a query, or drops the lines that were typed.
 */
#include "sql-shell.h"

#include "sql-run.h"
#include "tool.h"

#include <histedit.h>

#include <errno.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define MAX_HISTORY 1000

static LttSql *running; /* that Ctrl-C stops */
static volatile sig_atomic_t is_interrupted;
static gboolean goes_on; /* the statement has more lines */

static void stop_query(int number)
{
	(void)number;
	is_interrupted = 1;
	if (running != NULL)
		ltt_sql_cancel(running);
}

/* Without SA_RESTART, so that reading a line ends, too. */
static void watch_interrupts(void)
{
	const struct sigaction action = {.sa_handler = stop_query};

	sigaction(SIGINT, &action, NULL);
}

static char *get_prompt(EditLine *line)
{
	static char first[] = "ltt> ";
	static char further[] = "...> ";

	(void)line;
	return goes_on ? further : first;
}

/* ---- history ---- */

static char *find_history(void)
{
	g_autofree char *states = tool_user_folder(g_get_user_state_dir(), ".local/state");
	g_autofree char *folder = g_build_filename(states, "ltt", NULL);

	g_mkdir_with_parents(folder, 0700);
	return g_build_filename(folder, "sql-history", NULL);
}

static void load_history(History *past, const char *path)
{
	HistEvent event;

	history(past, &event, H_SETSIZE, MAX_HISTORY);
	history(past, &event, H_SETUNIQUE, 1);
	history(past, &event, H_LOAD, path);
}

/* ---- lines ---- */

/* Takes a line. Returns: FALSE after `.quit` */
static gboolean take_line(LttSql *sql, const char *line, GString *text)
{
	gboolean quits = FALSE;

	if (text->len == 0 && sql_run_is_command(line)) {
		sql_run_command(sql, line, &quits);
		return !quits;
	}
	g_string_append(text, line);
	if (text->str[strspn(text->str, " \t\r\n;")] == '\0') {
		g_string_truncate(text, 0);
	} else if (ltt_sql_is_complete(text->str)) {
		running = sql;
		sql_run_text(sql, text->str);
		running = NULL;
		g_string_truncate(text, 0);
	}
	return TRUE;
}

static void read_lines(EditLine *editor, History *past, LttSql *sql, SqlShellFunc on_result,
		       gpointer user_data)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (;;) {
		const char *line;
		HistEvent event;
		int length;

		is_interrupted = 0;
		goes_on = text->len > 0;
		line = el_gets(editor, &length);
		if (line == NULL && is_interrupted) {
			g_string_truncate(text, 0);
			tool_write_text("\n");
			tool_flush();
			continue;
		}
		if (line == NULL || length <= 0)
			return;
		if (line[strspn(line, " \t\n")] != '\0')
			history(past, &event, H_ENTER, line);
		if (!take_line(sql, line, text))
			return;
		on_result(user_data);
		tool_flush();
	}
}

void sql_shell_run(LttSql *sql, SqlShellFunc on_result, gpointer user_data)
{
	g_autofree char *path = find_history();
	EditLine *editor = el_init("ltt", stdin, stdout, stderr);
	History *past = history_init();
	HistEvent event;

	load_history(past, path);
	el_set(editor, EL_PROMPT, get_prompt);
	el_set(editor, EL_EDITOR, "emacs");
	el_set(editor, EL_HIST, history, past);
	el_source(editor, NULL);
	watch_interrupts();
	tool_print(".help shows the commands, .tables the tables.\n");
	tool_flush();
	read_lines(editor, past, sql, on_result, user_data);
	history(past, &event, H_SAVE, path);
	history_end(past);
	el_end(editor);
}
