/* colour.c - see colour.h.
 *
 * Adds the escape sequences to the output of the printer, which separates columns by two spaces, so
 * that output without colour costs nothing more. Each write resets the attributes at its end: the
 * terminal is never left in bold, however the program ends.
 */
#include "colour.h"

#include "terminal.h"
#include "tool.h"

#include <ltt/ltt-nearest.h>

#include <string.h>
#include <unistd.h>

#define PLAIN "\033[m"

/* Attributes of the first columns; NULL: none. */
static const char *const shades[] = {"\033[2m", NULL, "\033[1m"}; /* time, tracefile, event */

static guint column;
static guint n_blanks;    /* spaces before the next byte */
static gboolean is_in_it; /* part of the column has been written */

static const char *get_shade(void)
{
	return column < G_N_ELEMENTS(shades) ? shades[column] : NULL;
}

static void end_column(GString *text)
{
	if (is_in_it && get_shade() != NULL)
		g_string_append(text, PLAIN);
	is_in_it = FALSE;
}

static void add_byte(GString *text, char byte)
{
	if (byte == '\n' || byte == ' ') {
		end_column(text);
		n_blanks++;
		if (byte == '\n') {
			column = 0;
			n_blanks = 0;
		} else if (n_blanks == 2) {
			column++;
		}
	} else {
		n_blanks = 0;
		if (!is_in_it && get_shade() != NULL)
			g_string_append(text, get_shade());
		is_in_it = TRUE;
	}
	g_string_append_c(text, byte);
}

static gboolean write_shaded(const char *bytes, gsize length, gpointer user_data, GError **error)
{
	g_autoptr(GString) text = g_string_sized_new(length + length / 4);
	const char *end = bytes + length;

	while (bytes < end) {
		if (column < G_N_ELEMENTS(shades)) {
			add_byte(text, *bytes++);
		} else {
			const char *newline = memchr(bytes, '\n', (gsize)(end - bytes));
			const char *rest = newline != NULL ? newline : end;

			g_string_append_len(text, bytes, rest - bytes);
			bytes = rest;
			if (newline != NULL)
				add_byte(text, *bytes++);
		}
	}
	end_column(text);
	return tool_write_piece(text->str, text->len, user_data, error);
}

static gboolean is_for_eyes(void)
{
	const char *no_color = g_getenv("NO_COLOR");

	return isatty(STDOUT_FILENO) && (no_color == NULL || *no_color == '\0') &&
	       g_strcmp0(g_getenv("TERM"), "dumb") != 0;
}

LttWriteFunc colour_writer(const char *when, gboolean is_text)
{
	static const char *const words[] = {"auto", "always", "never", NULL};
	const char *near;
	gboolean wanted;

	if (when == NULL)
		when = "auto";
	if (!g_strv_contains(words, when)) {
		near = ltt_nearest(when, words);
		tool_fail("--color: %s: expected auto, always or never%s%s%s", when,
			  near != NULL ? "; did you mean " : "", near != NULL ? near : "",
			  near != NULL ? "?" : "");
		return NULL;
	}
	wanted = g_str_equal(when, "always") || (g_str_equal(when, "auto") && is_for_eyes());
	return wanted && is_text ? write_shaded : terminal_write;
}
