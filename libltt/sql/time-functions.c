/* time-functions.c - bucket(), dur() and overlaps(). */
#include "sql/sql-priv.h"

#include <ltt/ltt-time.h>

#include <string.h>

/* Returns: FALSE: the value is neither an integer nor a float */
static gboolean get_number(sqlite3_value *value, gint64 *number)
{
	const int type = sqlite3_value_numeric_type(value);

	*number = sqlite3_value_int64(value);
	return type == SQLITE_INTEGER || type == SQLITE_FLOAT;
}

/* A width is a number of nanoseconds, or a duration with a unit: '100ms'. */
static gboolean get_width(sqlite3_value *value, gint64 *width)
{
	const char *text;
	guint64 ns;

	if (get_number(value, width))
		return *width > 0;
	text = (const char *)sqlite3_value_text(value);
	if (text == NULL || !ltt_duration_parse(text, 0, &ns, NULL))
		return FALSE;
	*width = (gint64)MIN(ns, G_MAXINT64);
	return *width > 0;
}

/* bucket(time, width): the start of the interval of @width that contains the time. */
static void bucket(sqlite3_context *context, int n_values, sqlite3_value **values)
{
	gint64 time;
	gint64 width;
	gint64 past;

	(void)n_values;
	if (sqlite3_value_type(values[0]) == SQLITE_NULL ||
	    sqlite3_value_type(values[1]) == SQLITE_NULL)
		return;
	if (!get_number(values[0], &time) || !get_width(values[1], &width)) {
		sqlite3_result_error(context,
				     "bucket(): expected a time, and a width above 0: nanoseconds, "
				     "or a text with a unit, such as '100ms'",
				     -1);
		return;
	}
	past = time % width;
	if (past < 0)
		past += width;
	if (time < G_MININT64 + past)
		past = 0;
	sqlite3_result_int64(context, time - past);
}

/* Floats from here on exceed the integers of a duration. */
#define MAX_DURATION_NS 18446744073709551616.0

/* Returns: (transfer full): the amount of @ns, rounded to whole nanoseconds */
static char *format_duration(double ns)
{
	char digits[G_ASCII_DTOSTR_BUF_SIZE];

	if (ns + 0.5 < MAX_DURATION_NS)
		return ltt_duration_to_string((guint64)(ns + 0.5));
	return g_strdup_printf("%s s",
			       g_ascii_formatd(digits, sizeof(digits), "%.0f", ns / LTT_NS_PER_S));
}

/* dur(ns): a duration as text, as other commands print it: "1.25 ms". */
static void dur(sqlite3_context *context, int n_values, sqlite3_value **values)
{
	const int type = sqlite3_value_numeric_type(values[0]);
	const gint64 number = sqlite3_value_int64(values[0]);
	const double ns = sqlite3_value_double(values[0]);
	g_autofree char *amount = NULL;
	g_autofree char *text = NULL;

	(void)n_values;
	if (type == SQLITE_INTEGER)
		amount = ltt_duration_to_string(number < 0 ? -(guint64)number : (guint64)number);
	else if (type == SQLITE_FLOAT)
		amount = format_duration(ABS(ns));
	else
		return;
	text = g_strconcat(ns < 0 && !g_str_equal(amount, "0 ns") ? "-" : "", amount, NULL);
	sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

/* overlaps(time, dur, time, dur): whether two intervals have an instant in common. An interval
 * includes its start and not its end; one of no length is an instant. */
static void overlaps(sqlite3_context *context, int n_values, sqlite3_value **values)
{
	gint64 number[4];
	gint64 last[2];

	(void)n_values;
	for (guint i = 0; i < 4; i++) {
		if (sqlite3_value_type(values[i]) == SQLITE_NULL)
			return;
		if (!get_number(values[i], &number[i])) {
			sqlite3_result_error(context, "overlaps(): expected numbers", -1);
			return;
		}
	}
	for (guint i = 0; i < 2; i++) {
		const gint64 start = number[2 * i];
		const gint64 length = MAX(number[2 * i + 1], 1);

		last[i] = start > G_MAXINT64 - length ? G_MAXINT64 : start + length - 1;
	}
	sqlite3_result_int(context, number[0] <= last[1] && number[2] <= last[0]);
}

int ltt_sql_add_time_functions(sqlite3 *db)
{
	const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
	int code = sqlite3_create_function(db, "bucket", 2, flags, NULL, bucket, NULL, NULL);

	if (code == SQLITE_OK)
		code = sqlite3_create_function(db, "dur", 1, flags, NULL, dur, NULL, NULL);
	if (code == SQLITE_OK)
		code = sqlite3_create_function(db, "overlaps", 4, flags, NULL, overlaps, NULL,
					       NULL);
	return code;
}
