/* histogram.c - histogram(x): the number of values in each interval, as lines of text.
 *
 *	[-2, -1) 1 ###
 *	[-1, 0) 0
 *	[0, 1) 2 #####
 *	[1, 2) 17 ########################################
 *
 * Intervals end at powers of two, so one histogram can show both nanoseconds and seconds, and a
 * single pass over the values is enough. They are numbered from that of 0:
 *
 *	-3        -2        -1       0       1       2       3
 *	[-4, -2)  [-2, -1)  [-1, 0)  [0, 1)  [1, 2)  [2, 4)  [4, 8)
 */
#include "sql/number-priv.h"
#include "sql/sql-priv.h"

#include <math.h>

/* Reals are below 2^1024. Infinite ones count in the first or last interval. */
#define LAST_INTERVAL   1024
#define FIRST_INTERVAL  (-LAST_INTERVAL - 1)
#define N_INTERVALS     (LAST_INTERVAL - FIRST_INTERVAL + 1)
#define BAR_LENGTH      40
#define LONGEST_INTEGER 64 /* limits up to this power of two are printed with all digits */

typedef struct Histogram {
	guint64 counts[N_INTERVALS];
} Histogram;

/* ---- intervals ---- */

static gint count_bits(guint64 number)
{
	return number == 0 ? 0 : 64 - __builtin_clzll(number);
}

static gint find_interval_of_real(double real)
{
	int exponent;
	double part;

	if (isinf(real))
		return real > 0 ? LAST_INTERVAL : FIRST_INTERVAL;
	part = frexp(fabs(real), &exponent); /* 0, or from 0.5 to less than 1 */
	if (real >= 0)
		return MAX(exponent, 0);
	/* The lower limit of an interval belongs to it. */
	return -1 - MAX(part == 0.5 ? exponent - 1 : exponent, 0);
}

static gint find_interval(const LttSqlNumber *number)
{
	if (number->kind == LTT_SQL_NUMBER_REAL)
		return find_interval_of_real(number->bits.real);
	if (number->kind == LTT_SQL_NUMBER_LARGE)
		return count_bits(number->bits.large);
	if (number->bits.integer >= 0)
		return count_bits((guint64)number->bits.integer);
	return -1 - count_bits(-(guint64)number->bits.integer - 1);
}

/* The lower limit of an interval, which is the upper one of the interval before. */
static char *print_limit(gint interval)
{
	const gint power = interval > 0 ? interval - 1 : -1 - interval;
	const double limit = ldexp(interval > 0 ? 1 : -1, power);
	char text[G_ASCII_DTOSTR_BUF_SIZE];

	if (interval == 0)
		return g_strdup("0");
	if (isinf(limit) || power > LAST_INTERVAL - 1)
		return g_strdup(interval > 0 ? "Inf" : "-Inf");
	return power <= LONGEST_INTEGER ? g_strdup_printf("%.0f", limit)
					: g_strdup(g_ascii_dtostr(text, sizeof(text), limit));
}

/* ---- the function ---- */

static void step(sqlite3_context *context, int n_values, sqlite3_value **values)
{
	Histogram *histogram = sqlite3_aggregate_context(context, sizeof(Histogram));
	const LttSqlNumber number = ltt_sql_number_of(values[0]);

	(void)n_values;
	if (histogram == NULL)
		sqlite3_result_error_nomem(context);
	else if (number.kind == LTT_SQL_NUMBER_NONE)
		sqlite3_result_error(context, "histogram(): expected numbers", -1);
	else if (number.kind != LTT_SQL_NUMBER_NULL)
		histogram->counts[find_interval(&number) - FIRST_INTERVAL]++;
}

static void finish(sqlite3_context *context)
{
	const Histogram *histogram = sqlite3_aggregate_context(context, 0);
	g_autoptr(GString) text = g_string_new(NULL);
	gint first = 0;
	gint last = N_INTERVALS - 1;
	guint64 most = 1;

	if (histogram == NULL)
		return;
	while (first < N_INTERVALS && histogram->counts[first] == 0)
		first++;
	while (last > first && histogram->counts[last] == 0)
		last--;
	for (gint i = first; i <= last && i < N_INTERVALS; i++)
		most = MAX(most, histogram->counts[i]);
	for (gint i = first; i <= last && i < N_INTERVALS; i++) {
		g_autofree char *from = print_limit(i + FIRST_INTERVAL);
		g_autofree char *to = print_limit(i + FIRST_INTERVAL + 1);
		const guint length = (guint)((histogram->counts[i] * BAR_LENGTH + most - 1) / most);
		g_autofree char *bar = g_strnfill(length, '#');

		g_string_append_printf(text, "%s[%s, %s%c %" G_GUINT64_FORMAT "%s%s",
				       i > first ? "\n" : "", from, to,
				       i == N_INTERVALS - 1 ? ']' : ')', histogram->counts[i],
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
