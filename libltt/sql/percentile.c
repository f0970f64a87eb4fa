/* percentile.c - percentile(x, p) and median(x): exact, and always one of the values.
 *
 * Uses the nearest-rank definition, as percentile_disc() of the SQL standard and `ltt latency`: the
 * least value that at least p percent of the values do not exceed. Numbers are kept as doubles, or
 * as integers while all are integers.
 */
#include "sql/order-priv.h"
#include "sql/sql-priv.h"

#include <math.h>

typedef union Number {
	gint64 integer;
	double real;
} Number;

typedef struct Values {
	Number *numbers; /* from sqlite3_realloc64(), which applies the memory limit */
	gsize n;
	gsize capacity;
	gboolean has_reals;
	gboolean has_percent;
	double percent;
} Values;

static void become_reals(Values *values)
{
	for (gsize i = 0; i < values->n; i++)
		values->numbers[i].real = (double)values->numbers[i].integer;
	values->has_reals = TRUE;
}

static gboolean grow(Values *values)
{
	const gsize capacity = MAX(values->capacity * 2, 64);
	Number *numbers = sqlite3_realloc64(values->numbers, capacity * sizeof(Number));

	if (numbers == NULL)
		return FALSE;
	values->numbers = numbers;
	values->capacity = capacity;
	return TRUE;
}

static void add_value(sqlite3_context *context, Values *values, sqlite3_value *value)
{
	const int type = sqlite3_value_numeric_type(value);

	if (type == SQLITE_NULL)
		return;
	if (type != SQLITE_INTEGER && type != SQLITE_FLOAT) {
		sqlite3_result_error(context, "percentile() and median(): expected numbers", -1);
		return;
	}
	if (values->n == values->capacity && !grow(values)) {
		sqlite3_result_error_nomem(context);
		return;
	}
	if (type == SQLITE_FLOAT && !values->has_reals)
		become_reals(values);
	if (values->has_reals)
		values->numbers[values->n++].real = sqlite3_value_double(value);
	else
		values->numbers[values->n++].integer = sqlite3_value_int64(value);
}

static void step_median(sqlite3_context *context, int n_values, sqlite3_value **arguments)
{
	Values *values = sqlite3_aggregate_context(context, sizeof(Values));

	(void)n_values;
	if (values == NULL) {
		sqlite3_result_error_nomem(context);
		return;
	}
	values->percent = 50;
	add_value(context, values, arguments[0]);
}

static void step_percentile(sqlite3_context *context, int n_values, sqlite3_value **arguments)
{
	Values *values = sqlite3_aggregate_context(context, sizeof(Values));
	const double percent = sqlite3_value_double(arguments[1]);
	const int type = sqlite3_value_numeric_type(arguments[1]);

	(void)n_values;
	if (values == NULL) {
		sqlite3_result_error_nomem(context);
		return;
	}
	if ((type != SQLITE_INTEGER && type != SQLITE_FLOAT) || !(percent >= 0 && percent <= 100) ||
	    (values->has_percent && percent != values->percent)) {
		sqlite3_result_error(
			context, "percentile(x, p): expected the same p from 0 to 100 in all rows",
			-1);
		return;
	}
	values->has_percent = TRUE;
	values->percent = percent;
	add_value(context, values, arguments[0]);
}

static gint compare_integers(gconstpointer a, gconstpointer b, gpointer data)
{
	const gint64 first = ((const Number *)a)->integer;
	const gint64 second = ((const Number *)b)->integer;

	(void)data;
	return first < second ? -1 : first > second;
}

static gint compare_reals(gconstpointer a, gconstpointer b, gpointer data)
{
	const double first = ((const Number *)a)->real;
	const double second = ((const Number *)b)->real;

	(void)data;
	return first < second ? -1 : first > second;
}

/* SQLite also calls this to free the values of a query that was cancelled. */
static void finish(sqlite3_context *context)
{
	Values *values = sqlite3_aggregate_context(context, 0);
	LttSqlOrder order = {.item_bytes = sizeof(Number), .env = sqlite3_user_data(context)};
	const Number *number;
	gsize rank;

	if (values == NULL || values->n == 0) {
		if (values != NULL)
			sqlite3_free(values->numbers);
		return;
	}
	rank = (gsize)ceil(values->percent / 100 * (double)values->n);
	rank = CLAMP(rank, 1, values->n);
	order.compare = values->has_reals ? compare_reals : compare_integers;
	number = ltt_sql_select_rank(&order, values->numbers, values->n, rank - 1, NULL);
	if (number == NULL)
		sqlite3_result_error_code(context, SQLITE_INTERRUPT);
	else if (values->has_reals)
		sqlite3_result_double(context, number->real);
	else
		sqlite3_result_int64(context, number->integer);
	sqlite3_free(values->numbers);
}

int ltt_sql_add_percentiles(sqlite3 *db, LttSqlEnv *env)
{
	const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
	int code = sqlite3_create_function(db, "percentile", 2, flags, env, NULL, step_percentile,
					   finish);

	if (code == SQLITE_OK)
		code = sqlite3_create_function(db, "median", 1, flags, env, NULL, step_median,
					       finish);
	return code;
}
