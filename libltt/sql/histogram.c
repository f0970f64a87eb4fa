/* histogram.c - histogram(x): the number of values in each interval, as lines of text.
 *
 *	[1.02 us, 2.05 us)     17 ########
 *
 * Intervals end at powers of two, so one histogram can show both nanoseconds and seconds, and a
 * single pass over the values is enough. The values are durations in nanoseconds.
 */
#include "sql/sql-priv.h"

/* Values below 1, and [1, 2), [2, 4) ... */
#define N_INTERVALS 65
#define BAR_LENGTH  40

typedef struct Histogram {
	guint64 counts[N_INTERVALS];
} Histogram;

static void step(sqlite3_context *context, int n_values, sqlite3_value **values)
{
	Histogram *histogram = sqlite3_aggregate_context(context, sizeof(Histogram));
	const int type = sqlite3_value_numeric_type(values[0]);
	guint interval = 0;
	gint64 number;

	(void)n_values;
	if (histogram == NULL) {
		sqlite3_result_error_nomem(context);
		return;
	}
	if (type == SQLITE_NULL)
		return;
	if (type != SQLITE_INTEGER && type != SQLITE_FLOAT) {
		sqlite3_result_error(context, "histogram(): expected numbers", -1);
		return;
	}
	for (number = sqlite3_value_int64(values[0]); number > 0; number >>= 1)
		interval++;
	histogram->counts[interval]++;
}

static char *print_limit(guint interval)
{
	return g_strdup_printf("%" G_GUINT64_FORMAT,
			       interval == 0 ? 0 : (guint64)1 << (interval - 1));
}

static void finish(sqlite3_context *context)
{
	const Histogram *histogram = sqlite3_aggregate_context(context, 0);
	g_autoptr(GString) text = g_string_new(NULL);
	guint first = 0;
	guint last = N_INTERVALS - 1;
	guint64 most = 1;

	if (histogram == NULL)
		return;
	while (first < N_INTERVALS && histogram->counts[first] == 0)
		first++;
	while (last > first && histogram->counts[last] == 0)
		last--;
	for (guint i = first; i <= last && i < N_INTERVALS; i++)
		most = MAX(most, histogram->counts[i]);
	for (guint i = first; i <= last && i < N_INTERVALS; i++) {
		g_autofree char *from = print_limit(i);
		g_autofree char *to = print_limit(i + 1);
		const guint length = (guint)((histogram->counts[i] * BAR_LENGTH + most - 1) / most);
		g_autofree char *bar = g_strnfill(length, '#');

		g_string_append_printf(text, "%s[%s, %s) %" G_GUINT64_FORMAT "%s%s",
				       i > first ? "\n" : "", from, to, histogram->counts[i],
				       length > 0 ? " " : "", bar);
	}
	sqlite3_result_text64(context, text->str, text->len, SQLITE_TRANSIENT, SQLITE_UTF8);
}

int ltt_sql_add_histogram(sqlite3 *db)
{
	return sqlite3_create_function(db, "histogram", 1,
				       SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, NULL,
				       NULL, step, finish);
}
