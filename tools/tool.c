/* tool.c - messages, exit status and standard output of a command.
 *
 * Standard output is written with write(2) and not with stdio, to distinguish a full disk from a
 * closed pipe, and to avoid another copy of the library's output.
 *
 * The signals of a failed write, SIGPIPE and SIGXFSZ, have an empty handler, so that the write returns
 * an error. It is not SIG_IGN, because execve(2) resets handlers: a helper that a command starts gets
 * the default.
 */
#define _GNU_SOURCE /* F_SETPIPE_SZ */

#include "tool.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define BUFFER_BYTES 65536

/* Size of the pipe for large output. It holds several pieces, so that writer and reader wait less
 * often. */
#define PIPE_BYTES (256 * 1024)

static const char *command_name;
static ToolStatus worst;
static GString *buffer;
static int write_errno; /* errno of the failed write to standard output; 0: none failed */

static const int ignored[] = {SIGPIPE, SIGXFSZ};
static struct sigaction before_start[G_N_ELEMENTS(ignored)];
static struct sigaction bus_before; /* the library handles SIGBUS while it records */

static void ignore_signal(int number)
{
	(void)number;
}

void tool_start(const char *command)
{
	const struct sigaction action = {.sa_handler = ignore_signal, .sa_flags = SA_RESTART};
	struct sigaction before;
	g_autofree char *prgname =
		command != NULL ? g_strconcat("ltt ", command, NULL) : g_strdup("ltt");

	command_name = command;
	g_set_prgname(prgname);
	for (guint i = 0; i < G_N_ELEMENTS(ignored); i++) {
		sigaction(ignored[i], &action, &before);
		if (before.sa_handler != ignore_signal) /* not in a second call */
			before_start[i] = before;
	}
	sigaction(SIGBUS, NULL, &bus_before);
}

void tool_restore_signals(void)
{
	for (guint i = 0; i < G_N_ELEMENTS(ignored); i++)
		sigaction(ignored[i], &before_start[i], NULL);
	sigaction(SIGBUS, &bus_before, NULL);
}

char *tool_escape(const char *text)
{
	const LttProblem problem = {.block = LTT_NOWHERE, .byte = LTT_NOWHERE, .message = text};

	return ltt_problem_to_string(&problem);
}

char *tool_user_folder(const char *folder, const char *fallback)
{
	return g_path_is_absolute(folder) ? g_strdup(folder)
					  : g_build_filename(g_get_home_dir(), fallback, NULL);
}

/* Writes a line with one write(2), so that lines of several processes do not mix. */
static void say_line(const char *text)
{
	g_autofree char *safe = tool_escape(text);
	g_autofree char *line = g_strconcat(safe, "\n", NULL);
	ssize_t written;

	do {
		written = write(STDERR_FILENO, line, strlen(line));
	} while (written < 0 && errno == EINTR);
}

static void say(const char *text)
{
	g_autofree char *line = g_strdup_printf("ltt%s%s: %s", command_name != NULL ? " " : "",
						command_name != NULL ? command_name : "", text);

	say_line(line);
}

static void say_status(ToolStatus status, const char *format, va_list arguments)
{
	g_autofree char *text = g_strdup_vprintf(format, arguments);

	worst = MAX(worst, status);
	say(text);
}

void tool_note(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say_status(TOOL_DONE, format, arguments);
	va_end(arguments);
}

void tool_warn(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say_status(TOOL_PROBLEMS, format, arguments);
	va_end(arguments);
}

void tool_differ(void)
{
	worst = MAX(worst, TOOL_PROBLEMS);
}

int tool_fail(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say_status(TOOL_FAILED, format, arguments);
	va_end(arguments);
	return TOOL_FAILED;
}

int tool_fail_error(const GError *error)
{
	return tool_fail("%s", error->message);
}

void tool_show(const char *lines)
{
	g_auto(GStrv) all = g_strsplit(lines, "\n", 0);

	for (guint i = 0; all[i] != NULL; i++)
		say_line(all[i]);
}

void tool_problem(const LttProblem *problem, gpointer user_data)
{
	g_autofree char *text = ltt_problem_to_string(problem);

	(void)user_data;
	tool_warn("%s", text);
}

void tool_remark(const char *path, const LttRemark *remark)
{
	g_autofree char *place =
		remark->line > 0 ? g_strdup_printf("%s:%u", path, remark->line) : g_strdup(path);
	g_autofree char *text = g_strdup_printf(
		"%s: %s%s", place, remark->is_error ? "" : "warning: ", remark->message);

	worst = MAX(worst, remark->is_error ? TOOL_FAILED : TOOL_PROBLEMS);
	say_line(text);
}

ToolStatus tool_status(void)
{
	return worst;
}

gboolean tool_can_write(void)
{
	return write_errno == 0;
}

static void write_all(const char *bytes, gsize length)
{
	while (length > 0 && write_errno == 0) {
		ssize_t written = write(STDOUT_FILENO, bytes, length);

		if (written >= 0) {
			bytes += written;
			length -= (gsize)written;
		} else if (errno != EINTR) {
			write_errno = errno;
		}
	}
}

void tool_flush(void)
{
	if (buffer == NULL)
		return;
	write_all(buffer->str, buffer->len);
	g_string_truncate(buffer, 0);
}

static GString *room(void)
{
	if (buffer == NULL)
		buffer = g_string_sized_new(BUFFER_BYTES);
	if (buffer->len >= BUFFER_BYTES)
		tool_flush();
	return buffer;
}

void tool_write(const char *bytes, gsize length)
{
	if (length < BUFFER_BYTES) {
		g_string_append_len(room(), bytes, (gssize)length);
		return;
	}
	tool_flush();
	write_all(bytes, length);
}

void tool_write_text(const char *text)
{
	tool_write(text, strlen(text));
}

void tool_print(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	g_string_append_vprintf(room(), format, arguments);
	va_end(arguments);
}

/* Enlarges the pipe of standard output, if it is one and the system permits it. */
static void widen_pipe(void)
{
	static gboolean is_done;
	const int has_bytes = is_done ? PIPE_BYTES : fcntl(STDOUT_FILENO, F_GETPIPE_SZ);

	is_done = TRUE;
	if (has_bytes >= 0 && has_bytes < PIPE_BYTES)
		(void)fcntl(STDOUT_FILENO, F_SETPIPE_SZ, PIPE_BYTES);
}

gboolean tool_write_piece(const char *bytes, gsize length, gpointer user_data, GError **error)
{
	(void)user_data;
	if (length >= BUFFER_BYTES / 2)
		widen_pipe();
	tool_flush();
	write_all(bytes, length);
	if (write_errno == 0)
		return TRUE;
	g_set_error(error, LTT_ERROR, LTT_ERROR_IO, "standard output: could not write: %s",
		    g_strerror(write_errno));
	return FALSE;
}

int tool_end(void)
{
	tool_flush();
	if (buffer != NULL)
		g_string_free(buffer, TRUE);
	buffer = NULL;
	if (write_errno != 0 && write_errno != EPIPE)
		tool_fail("standard output: could not write: %s", g_strerror(write_errno));
	return (int)worst;
}
