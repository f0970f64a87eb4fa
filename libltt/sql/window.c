/* window.c - convert comparisons of the time to a window in nanoseconds.
 *
 * A window may be wider than the comparison, because SQLite compares again.
 */
#include "sql/cursor-priv.h"

#include <math.h>

/* Rounds a number of SQL outwards. Returns: FALSE if it limits nothing */
static gboolean get_time(sqlite3_value *value, gboolean is_upper, gint64 *time_ns)
{
	double real;

	switch (sqlite3_value_numeric_type(value)) {
	case SQLITE_INTEGER:
		*time_ns = sqlite3_value_int64(value);
		return TRUE;
	case SQLITE_FLOAT:
		real = sqlite3_value_double(value);
		real = is_upper ? ceil(real) : floor(real);
		if (!(real > -9.2e18 && real < 9.2e18))
			return FALSE;
		*time_ns = (gint64)real;
		return TRUE;
	default:
		return FALSE;
	}
}

static void raise_from(LttSqlWindow *window, gint64 from_ns)
{
	window->from_ns = MAX(window->from_ns, (guint64)MAX(from_ns, 0));
}

static void lower_to(LttSqlWindow *window, gint64 last_ns)
{
	if (last_ns < 0)
		window->is_empty = TRUE;
	else
		window->to_ns = MIN(window->to_ns, (guint64)last_ns + 1);
}

void ltt_sql_window_narrow(LttSqlWindow *window, LttSqlAction limit, sqlite3_value *value)
{
	gint64 time_ns;

	if (sqlite3_value_type(value) == SQLITE_NULL) {
		window->is_empty = TRUE;
		return;
	}
	if ((limit == LTT_SQL_AT || limit == LTT_SQL_FROM || limit == LTT_SQL_AFTER) &&
	    get_time(value, FALSE, &time_ns))
		raise_from(window, time_ns);
	if ((limit == LTT_SQL_AT || limit == LTT_SQL_UNTIL || limit == LTT_SQL_BEFORE) &&
	    get_time(value, TRUE, &time_ns))
		lower_to(window, time_ns);
	if (window->from_ns >= window->to_ns)
		window->is_empty = TRUE;
}
