/* tool.h - messages, exit status, options and output of all commands.
 *
 * Results go to standard output, messages to standard error, as "ltt COMMAND: place: what is
 * wrong". The most severe message determines the exit status: 0 none, 1 a problem, 2 a failure.
 * State is per process, as standard output and the exit status are.
 */
#ifndef TOOL_H
#define TOOL_H

#include <ltt/ltt-error.h>
#include <ltt/ltt-eventdefs.h>
#include <ltt/ltt-job.h>

typedef enum ToolStatus {
	TOOL_DONE = 0,
	TOOL_PROBLEMS = 1, /* done, with warnings */
	TOOL_FAILED = 2,   /* not done */
} ToolStatus;

/* Ignores SIGPIPE and SIGXFSZ: the failed write reports its error. Called only by ltt.c and
 * apart-main.c. @command: name for messages; NULL: "ltt" itself. */
void tool_start(const char *command);

/* Restores the effect of these signals, and of SIGBUS, from before tool_start(): for a child process that will execute
 * a program of the user. */
void tool_restore_signals(void);

/* Print a message to standard error; control bytes are escaped. tool_note() does not change the
 * exit status, tool_warn() makes it at least 1; tool_fail() and tool_fail_error() make it 2 and
 * return it. */
void tool_note(const char *format, ...) G_GNUC_PRINTF(1, 2);
void tool_warn(const char *format, ...) G_GNUC_PRINTF(1, 2);
int tool_fail(const char *format, ...) G_GNUC_PRINTF(1, 2);
int tool_fail_error(const GError *error);

/* Makes the exit status at least 1, without a message. */
void tool_differ(void);

/* Returns: (transfer full): @text, from a trace or a command line, with control bytes escaped for a
 * terminal */
char *tool_escape(const char *text);

/* @folder: absolute, or of an XDG variable: a relative path there is ignored, as the XDG Base Directory
 * Specification demands. @fallback: its default, in the home folder
 * Returns: (transfer full) */
char *tool_user_folder(const char *folder, const char *fallback);

/* Prints lines to standard error, without the command in front, that belong to the last message. */
void tool_show(const char *lines);

/* An LttProblemFunc: warns of a problem of a trace. */
void tool_problem(const LttProblem *problem, gpointer user_data);

/* Write results, through a buffer. After an error (a full disk, a closed pipe) all further output
 * is discarded; tool_end() reports it. */
void tool_write(const char *bytes, gsize length);
void tool_write_text(const char *text);
void tool_print(const char *format, ...) G_GNUC_PRINTF(1, 2);

/* Writes what the buffer has, before the command waits for input. */
void tool_flush(void);

/* Returns: FALSE after a write to standard output has failed: a long operation can stop */
gboolean tool_can_write(void);

/* An LttWriteFunc; sets @error to LTT_ERROR_IO once tool_can_write() is FALSE, to stop the caller.
 * The caller need not report it: tool_end() does. */
gboolean tool_write_piece(const char *bytes, gsize length, gpointer user_data, GError **error);

/* Prints a remark on a description in the form of compilers, which editors recognise: "PATH:LINE:
 * message", or "PATH:LINE: warning: message". A warning makes the exit status at least 1, an error
 * makes it 2. */
void tool_remark(const char *path, const LttRemark *remark);

/* Returns: the exit status so far */
ToolStatus tool_status(void);

/* Flushes the output and reports an error of writing; a pipe closed by its reader is not an error.
 * Returns: the exit status */
int tool_end(void);

/* Arguments, options and help text of a command. */
typedef struct ToolUsage {
	const char *arguments;       /* "TRACE"; each further line is another form */
	const char *about;           /* description; each line ends with "\n" */
	const GOptionEntry *options; /* (nullable): ends with an entry without a name */
	const GOptionEntry *shared;  /* (nullable): further options, below shared_heading */
	const char *shared_heading;
	const char *notes;    /* (nullable): end of the help text, such as examples */
	int min_arguments;    /* number of arguments that are not options */
	int max_arguments;    /* -1: any number */
	gboolean posix_order; /* options end at the first argument: PROGRAM ARG... */
} ToolUsage;

/**
 * tool_parse:
 * @argc: (inout): argument count of the command; on return without the options
 * @argv: (inout): arguments of the command; on return without the options, argv[0] is the name
 *
 * Parses and removes the options of a command line; adds "--help". Options that take text should
 * be of type G_OPTION_ARG_FILENAME, which accepts any bytes in any locale. The value of a long
 * option with G_OPTION_FLAG_OPTIONAL_ARG, follows "="; it is empty if it is missing.
 *
 * The completion of shells parses the help text. An option's arg_description and the words of
 * @usage->arguments determine the values that it offers: DIR: directories; TRACE: directories and
 * archives; XML; FILE, OUT and ARG: any files; PROGRAM: a program and its arguments; GLOB, BEGIN and
 * END: event names; FIELD: field names; LIST: CPUs; SIGNAL. Words in lower case, separated by "|",
 * are the values themselves. The values of KIND are in @usage->notes, below a line "Kinds:", each
 * between two spaces.
 *
 * Returns: FALSE, with help or an error message printed, if the command must return tool_end()
 */
gboolean tool_parse(const ToolUsage *usage, int *argc, char ***argv);

#endif
