/* ltt.c - the program `ltt`: runs the command that the first argument names. */
#include "apart.h"
#include "commands.h"
#include "tool.h"

#include <ltt/ltt-nearest.h>

#include <glib.h>

#define COMMAND_LINE(name, summary) {#name, summary, cmd_##name},
#define APART_LINE(name, summary)   {#name, summary, NULL},
static const Command commands[] = {LTT_COMMANDS(COMMAND_LINE, APART_LINE){NULL, NULL, NULL}};
#undef COMMAND_LINE
#undef APART_LINE

static const Command *find(const char *name)
{
	for (const Command *command = commands; command->name != NULL; command++)
		if (g_str_equal(command->name, name))
			return command;
	return NULL;
}

static void add_overview(GString *text)
{
	g_string_append(text, "usage: ltt COMMAND [OPTION]... ARGUMENT...\n"
			      "       ltt help COMMAND\n"
			      "       ltt --version\n"
			      "\n"
			      "Record, read, check and convert LTT traces.\n"
			      "\n");
	for (const Command *command = commands; command->name != NULL; command++)
		g_string_append_printf(text, "  %-10s %s\n", command->name, command->summary);
	g_string_append(text, "\n"
			      "A TRACE is a trace directory. Commands that only read also accept "
			      "an archive that\n"
			      "`ltt pack` made. Exit status: 0 success; 1 success with warnings or "
			      "problems, which are\n"
			      "reported on standard error; 2 failure.\n"
			      "\n"
			      "`ltt help COMMAND` and `man ltt-COMMAND` describe a command, `man "
			      "ltt` the program.\n");
}

static int unknown_command(const char *name)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	const char *near;

	for (const Command *command = commands; command->name != NULL; command++)
		g_ptr_array_add(names, (gpointer)command->name);
	g_ptr_array_add(names, (gpointer) "help");
	g_ptr_array_add(names, (gpointer) "--version");
	g_ptr_array_add(names, NULL);
	near = ltt_nearest(name, (const char *const *)names->pdata);
	if (near != NULL)
		return tool_fail("%s: no such command; did you mean `ltt %s`?", name, near);
	return tool_fail("%s: no such command; `ltt help` lists them", name);
}

static int unknown_option(const char *word)
{
	static const char *const known[] = {"--version", "--help", NULL};
	const char *near = g_str_equal(word, "-v") || g_str_equal(word, "-V")
				   ? "--version"
				   : ltt_nearest(word, known);

	if (near != NULL && !g_str_equal(word, "--"))
		return tool_fail("%s: no such option; did you mean `ltt %s`?", word, near);
	return tool_fail("%s: no such option; the command must come first, `ltt help` lists the "
			 "commands",
			 word);
}

static int run(const Command *command, int argc, char **argv)
{
	tool_start(command->name);
	return command->run != NULL ? command->run(argc, argv)
				    : apart_run(command->name, argc, argv);
}

static int help(int argc, char **argv)
{
	g_autoptr(GString) text = g_string_new(NULL);
	const Command *command;

	if (argc > 1) {
		char *asked[] = {argv[1], (char *)"--help", NULL};

		command = find(argv[1]);
		return command != NULL ? run(command, 2, asked) : unknown_command(argv[1]);
	}
	add_overview(text);
	tool_write_text(text->str);
	return tool_end();
}

int main(int argc, char **argv)
{
	const Command *command;

	tool_start(NULL);
	if (argc < 2) {
		g_autoptr(GString) text = g_string_new(NULL);

		add_overview(text);
		g_printerr("%s", text->str);
		return TOOL_FAILED;
	}
	if (g_str_equal(argv[1], "--version")) {
		tool_write_text("ltt " LTT_VERSION "\n");
		return tool_end();
	}
	if (g_str_equal(argv[1], "help") || g_str_equal(argv[1], "--help") ||
	    g_str_equal(argv[1], "-h"))
		return help(argc - 1, argv + 1);
	if (argv[1][0] == '-')
		return unknown_option(argv[1]);
	command = find(argv[1]);
	return command != NULL ? run(command, argc - 1, argv + 1) : unknown_command(argv[1]);
}
