/* tool.h - what every command does the same way: messages, exit status, options, output.
 *
 * Results go to standard output, everything said about them to standard error, as
 * "ltt COMMAND: place: what is wrong". The exit status is the worst that was said: 0 nothing,
 * 1 a problem, 2 a failure. State is per process, as standard output and the exit status are.
 */
#ifndef TOOL_H
#define TOOL_H

#include <ltt/ltt-error.h>
#include <ltt/ltt-eventdefs.h>

typedef enum ToolStatus {
	TOOL_DONE = 0,
	TOOL_PROBLEMS = 1, /* done, but something was said about it */
	TOOL_FAILED = 2,   /* could not be done */
} ToolStatus;

/* Called by ltt.c alone. @command: name for messages; NULL: "ltt" itself. */
void tool_start(const char *command);

/* Says something on stderr; control bytes are escaped. The first leaves the exit status as it is,
 * the second makes it 1 at least; the others make it 2 and return that. */
void tool_note(const char *format, ...) G_GNUC_PRINTF(1, 2);
void tool_warn(const char *format, ...) G_GNUC_PRINTF(1, 2);
int tool_fail(const char *format, ...) G_GNUC_PRINTF(1, 2);
int tool_fail_error(const GError *error);

/* Makes the exit status 1 at least, with nothing to say but the result. */
void tool_differ(void);

/* Returns: (transfer full): text from a trace or a command line, safe for a terminal */
char *tool_escape(const char *text);

/* Shows lines on stderr, without the command in front, that go with what was said last. */
void tool_show(const char *lines);

/* Warns of a problem of a trace. It is an LttProblemFunc. */
void tool_problem(const LttProblem *problem, gpointer user_data);

/* Writes results, through a buffer. An error is kept until tool_end(); after one (a full disk, a
 * closed pipe) all writes are dropped. */
void tool_write(const char *bytes, gsize length);
void tool_write_text(const char *text);
void tool_print(const char *format, ...) G_GNUC_PRINTF(1, 2);

/* Returns: FALSE once standard output takes no more: long work can stop */
gboolean tool_can_write(void);

/* As an LttWriteFunc; @error is set to LTT_ERROR_IO as soon as tool_can_write() is FALSE, for the
 * printer's sake: tool_end() says what there is to say. */
gboolean tool_write_piece(const char *bytes, gsize length, gpointer user_data, GError **error);

/* Says a remark on a description as compilers do, so that editors find the place: "PATH:LINE:
 * message" without the command, and "warning: " in front of the message of a warning. A warning
 * makes the exit status 1 at least, an error 2. */
void tool_remark(const char *path, const LttRemark *remark);

/* The worst so far. */
ToolStatus tool_status(void);

/* Writes out what is buffered and says if that failed; a pipe closed by its reader is no failure.
 * Returns: the exit status */
int tool_end(void);

/* How a command is called. */
typedef struct ToolUsage {
	const char *arguments;       /* "TRACE"; several forms: a line each */
	const char *about;           /* a few lines on what it does, "\n" at the end of each */
	const GOptionEntry *options; /* (nullable): ends with an entry without a name */
	const GOptionEntry
		*shared; /* (nullable): more of them, shown under a heading of their own */
	const char *shared_heading;
	const char *notes;    /* (nullable): examples and the like, shown last */
	int min_arguments;    /* that are not options */
	int max_arguments;    /* -1: any number */
	gboolean posix_order; /* what follows the first argument is the argument's (PROGRAM ARG...)
			       */
} ToolUsage;

/**
 * tool_parse:
 * @argc: the command's; afterwards the number of words that are not options, the command's name
 * included
 * @argv: the command's; likewise
 *
 * Takes the options out of a command line. Texts belong in G_OPTION_ARG_FILENAME options, which
 * takes bytes as they are, whatever the locale. "--help" is added.
 *
 * The shells' completion reads the help texts: an option's arg_description and the words of
 * @usage->arguments say what can stand there. DIR: a folder; TRACE: one or an archive; XML; FILE,
 * OUT and ARG: any file; PROGRAM: a program and its arguments; GLOB: names of events; FIELD: names
 * of their fields; LIST: CPUs; SIGNAL. Words in lower case with "|" between them are the values
 * themselves; those of another word, KIND, may be listed in @usage->notes below a line "Kinds:",
 * each with two blanks in front and behind.
 *
 * Returns: FALSE if the command is over, because help was asked for (it has been printed) or the
 *   command line is wrong (it has been said); return tool_end() then
 */
gboolean tool_parse(const ToolUsage *usage, int *argc, char ***argv);

#endif
