/* number-priv.h - exact numbers of queries: integers up to 2^64-1, and reals.
 *
 * SQLite has integers up to 2^63-1. Greater ones of a trace are texts of their digits (doc/sql.md),
 * which SQLite would convert to reals.
 */
#ifndef LTT_SQL_NUMBER_PRIV_H
#define LTT_SQL_NUMBER_PRIV_H

#ifndef LTT_BUILDING
#error "sql/number-priv.h is private to libltt; use <ltt/ltt-sql.h>"
#endif

#include <glib.h>
#include <sqlite3.h>

typedef enum LttSqlNumberKind {
	LTT_SQL_NUMBER_NONE,
	LTT_SQL_NUMBER_NULL,
	LTT_SQL_NUMBER_INTEGER, /* up to 2^63-1 */
	LTT_SQL_NUMBER_LARGE,   /* an integer from 2^63 to 2^64-1 */
	LTT_SQL_NUMBER_REAL,
} LttSqlNumberKind;

typedef union LttSqlNumberBits {
	gint64 integer;
	guint64 large;
	double real;
} LttSqlNumberBits;

typedef struct LttSqlNumber {
	LttSqlNumberKind kind;
	LttSqlNumberBits bits;
} LttSqlNumber;

/* The number of a value, also of a text. */
LttSqlNumber ltt_sql_number_of(sqlite3_value *value);

/* Compares two numbers exactly, also an integer with a real. Returns: less than, equal to or greater
 *   than 0 */
gint ltt_sql_number_compare(const LttSqlNumber *left, const LttSqlNumber *right);

void ltt_sql_number_return(sqlite3_context *context, const LttSqlNumber *number);

#endif
