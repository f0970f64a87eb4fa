/* point.c - show a mistake in a filter: the expression, and a caret below the place.
 *
 * The caret is correct also for characters of two columns or none. A long expression is shortened
 * to fit a line.
 */
#include "base/utf8-priv.h"

#include <ltt/ltt-filter.h>

#include <string.h>

/* Maximum columns shown on either side of the mistake, and maximum bytes examined for them. */
#define SIDE_COLUMNS 36
#define SIDE_BYTES   4096

#define MARGIN "  "
#define CUT    "..."

/* A character of the expression, as it is shown. */
typedef struct Shown {
	gsize length; /* in the expression */
	const char *text;
	gsize text_bytes;
	guint columns;
} Shown;

/* Returns: how to show the character at @at */
static Shown show(const guint8 *at, gsize available)
{
	Shown shown = {.columns = 1};
	gboolean is_valid;
	gunichar character;

	shown.length = ltt_utf8_measure(at, available, &is_valid);
	if (!is_valid) {
		shown.text = LTT_REPLACEMENT;
		shown.text_bytes = LTT_REPLACEMENT_BYTES;
		return shown;
	}
	character = g_utf8_get_char((const char *)at);
	if (g_unichar_iscntrl(character)) {
		shown.text = " ";
		shown.text_bytes = 1;
		return shown;
	}
	shown.text = (const char *)at;
	shown.text_bytes = shown.length;
	shown.columns = g_unichar_iszerowidth(character) ? 0 : g_unichar_iswide(character) ? 2 : 1;
	return shown;
}

/* Returns: (transfer full) (element-type Shown): the characters of @length bytes */
static GArray *show_all(const guint8 *bytes, gsize length)
{
	GArray *all = g_array_new(FALSE, FALSE, sizeof(Shown));

	for (gsize at = 0; at < length;) {
		const Shown shown = show(bytes + at, length - at);

		g_array_append_val(all, shown);
		at += shown.length;
	}
	return all;
}

/* Appends the last characters of @all that fit the columns. Returns: the number of columns used */
static guint add_end(GString *line, const GArray *all)
{
	guint columns = 0;
	guint first = all->len;

	while (first > 0) {
		const guint more = g_array_index(all, Shown, first - 1).columns;

		if (columns + more > SIDE_COLUMNS)
			break;
		columns += more;
		first--;
	}
	if (first > 0)
		g_string_append(line, CUT);
	for (guint i = first; i < all->len; i++) {
		const Shown *shown = &g_array_index(all, Shown, i);

		g_string_append_len(line, shown->text, (gssize)shown->text_bytes);
	}
	return columns + (first > 0 ? (guint)strlen(CUT) : 0);
}

/* Appends the first characters of @all that fit the columns. */
static void add_start(GString *line, const GArray *all)
{
	guint columns = 0;

	for (guint i = 0; i < all->len; i++) {
		const Shown *shown = &g_array_index(all, Shown, i);

		columns += shown->columns;
		if (columns > SIDE_COLUMNS) {
			g_string_append(line, CUT);
			break;
		}
		g_string_append_len(line, shown->text, (gssize)shown->text_bytes);
	}
}

char *ltt_filter_point(const char *expression, const GError *error)
{
	const gsize length = strlen(expression);
	GString *lines = g_string_new(MARGIN);
	g_autoptr(GArray) before = NULL;
	g_autoptr(GArray) behind = NULL;
	LttProblem problem;
	guint columns;
	gsize place;
	gsize start;

	ltt_problem_from_error(error, &problem);
	place = problem.byte == LTT_NOWHERE ? 0 : MIN((gsize)problem.byte, length);
	start = place - MIN(place, SIDE_BYTES);
	before = show_all((const guint8 *)expression + start, place - start);
	behind = show_all((const guint8 *)expression + place, MIN(length - place, SIDE_BYTES));
	columns = add_end(lines, before);
	add_start(lines, behind);
	g_string_append_printf(lines, "\n" MARGIN "%*s^", (int)columns, "");
	return g_string_free(lines, FALSE);
}
