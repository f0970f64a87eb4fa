/* percentile.c - percentile(x, p) and median(x): exact, and always one of the values.
 *
 * Uses the nearest-rank definition, as percentile_disc() of the SQL standard and `ltt latency`: the
 * least value that at least p percent of the values do not exceed. While all numbers are of one kind,
 * only their bits are kept; otherwise each is kept with its kind.
 */
#include "base/rank-priv.h"
#include "sql/number-priv.h"
#include "sql/order-priv.h"
#include "sql/sql-priv.h"

typedef struct Values {
	/* LttSqlNumberBits, or LttSqlNumber if is_mixed; from sqlite3_realloc64(), which applies the
	 * memory limit */
	gpointer numbers;
	gsize n;
	gsize capacity;
	LttSqlNumberKind kind; /* of all, unless is_mixed */
	gboolean is_mixed;
	gboolean has_percent;
	double percent;
} Values;

static gsize get_item_bytes(const Values *values)
{
	return values->is_mixed ? sizeof(LttSqlNumber) : sizeof(LttSqlNumberBits);
}

static LttSqlNumber get_number(const Values *values, gconstpointer item)
{
	if (values->is_mixed)
		return *(const LttSqlNumber *)item;
	return (LttSqlNumber){values->kind, *(const LttSqlNumberBits *)item};
}

static gboolean resize(Values *values, gsize capacity)
{
	gpointer numbers = sqlite3_realloc64(values->numbers, capacity * get_item_bytes(values));

	if (numbers == NULL)
		return FALSE;
	values->numbers = numbers;
	values->capacity = capacity;
	return TRUE;
}

/* Keeps the kind of each number from now on. Moves the last number first, because the items grow. */
static gboolean become_mixed(Values *values)
{
	values->is_mixed = TRUE;
	if (!resize(values, values->capacity)) {
		values->is_mixed = FALSE;
		return FALSE;
	}
	for (gsize i = values->n; i-- > 0;) {
		const LttSqlNumberBits bits = ((const LttSqlNumberBits *)values->numbers)[i];

		((LttSqlNumber *)values->numbers)[i] = (LttSqlNumber){values->kind, bits};
	}
	return TRUE;
}

/* Returns: FALSE if out of memory */
static gboolean add_number(Values *values, const LttSqlNumber *number)
{
	if (values->n == 0)
		values->kind = number->kind;
	if (values->n == values->capacity && !resize(values, MAX(values->capacity * 2, 64)))
		return FALSE;
	if (number->kind != values->kind && !values->is_mixed && !become_mixed(values))
		return FALSE;
	if (values->is_mixed)
		((LttSqlNumber *)values->numbers)[values->n++] = *number;
	else
		((LttSqlNumberBits *)values->numbers)[values->n++] = number->bits;
	return TRUE;
}

static void add_value(sqlite3_context *context, Values *values, sqlite3_value *value)
{
	const LttSqlNumber number = ltt_sql_number_of(value);

	if (number.kind == LTT_SQL_NUMBER_NONE)
		sqlite3_result_error(context, "percentile() and median(): expected numbers", -1);
	else if (number.kind != LTT_SQL_NUMBER_NULL && !add_number(values, &number))
		sqlite3_result_error_nomem(context);
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

static gint compare(gconstpointer a, gconstpointer b, gpointer data)
{
	const LttSqlNumber left = get_number(data, a);
	const LttSqlNumber right = get_number(data, b);

	return ltt_sql_number_compare(&left, &right);
}

/* Most values are integers. */
static gint compare_integers(gconstpointer a, gconstpointer b, gpointer data)
{
	const gint64 left = ((const LttSqlNumberBits *)a)->integer;
	const gint64 right = ((const LttSqlNumberBits *)b)->integer;

	(void)data;
	return left < right ? -1 : left > right;
}

/* SQLite also calls this to free the values of a query that was cancelled. */
static void finish(sqlite3_context *context)
{
	Values *values = sqlite3_aggregate_context(context, 0);
	LttSqlOrder order = {.env = sqlite3_user_data(context), .data = values};
	gconstpointer item;
	gsize rank;

	if (values == NULL || values->n == 0) {
		if (values != NULL)
			sqlite3_free(values->numbers);
		return;
	}
	rank = ltt_rank_of(values->n, values->percent);
	order.item_bytes = get_item_bytes(values);
	order.compare = !values->is_mixed && values->kind == LTT_SQL_NUMBER_INTEGER
				? compare_integers
				: compare;
	item = ltt_sql_select_rank(&order, values->numbers, values->n, rank - 1, NULL);
	if (item == NULL) {
		sqlite3_result_error_code(context, SQLITE_INTERRUPT);
	} else {
		const LttSqlNumber number = get_number(values, item);

		ltt_sql_number_return(context, &number);
	}
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
