/* sql-priv.h - a database: the tables of a trace in SQLite. */
#ifndef LTT_SQL_SQL_PRIV_H
#define LTT_SQL_SQL_PRIV_H

#ifndef LTT_BUILDING
#error "sql/sql-priv.h is private to libltt; use <ltt/ltt-sql.h>"
#endif

#include "sql/lists-priv.h"

#include <ltt/ltt-sql.h>

struct LttSql {
	sqlite3 *db;
	LttSqlEnv env;
	LttTables *tables;
	GPtrArray *event_tables; /* of LttSqlTable, borrowed: one for each event type */
	GPtrArray *all;          /* of LttSqlTable, owned */
	GHashTable *by_name;     /* in lower case -> LttSqlTable */
	GHashTable *numbers;     /* in lower case -> the last number of a table with that name */
	LttSqlLists *lists;
	guint64 index_bytes;
	guint64 max_index_bytes;
	guint n_queries;
	guint64 max_steps; /* 0: no limit */
	guint64 n_steps;   /* of the running queries */
	GPtrArray *
		reads; /* of LttSqlRead: what the statement that is compiled reads; NULL: none is */
	gboolean drops_view; /* whether the guard has just allowed to drop a view */
};

/* A column that a statement reads. */
typedef struct LttSqlRead {
	const LttSqlTable *table;
	const LttSqlColumn *column;
} LttSqlRead;

/* Adds the error of SQLite @code, of the last call on the database, to @error. */
void ltt_sql_take_error(LttSql *sql, int code, GError **error);

/* Returns: a value of the row, until the next step */
sqlite3_value *ltt_sql_query_get_value(const LttSqlQuery *query, guint column);

/* Returns: (transfer full): @message of SQLite about @text, with a suggestion for a mistyped
 * name */
char *ltt_sql_explain(const LttSql *sql, const char *text, const char *message);

/* @columns: (element-type LttSqlRead): the columns that the statement reads. @text: (array length=length): of
 * the statement. Returns: (transfer full) (element-type LttDoubt): texts that are compared with one of these
 * columns, which never has that value */
GPtrArray *ltt_sql_check_literals(const LttSql *sql, const GPtrArray *columns, const char *text,
				  gsize length);

/* ---- guard.c ---- */

/* The most comparisons of two bytes in a call of a function that takes quadratic time: about half a second, in which it
 * cannot be cancelled. */
#define LTT_MAX_SQL_COMPARISONS ((guint64)250 * 1000 * 1000)

/* Returns: the size limit of a value in a statement. It is smaller for a statement with more calls of functions and
 * operators in a row, because SQLite can be cancelled only between two rows. @text: (array length=length): the
 * statement */
int ltt_sql_limit_value(sqlite3 *db, const char *text, gsize length);

/* Sets the limits of a database, forbids unsafe statements, and notes what a statement reads. */
void ltt_sql_guard(LttSql *sql);

/* Compares bytes as the collation BINARY does. Returns: less than, equal to or greater than 0 */
int ltt_sql_compare_bytes(const void *left, int left_length, const void *right, int right_length);

/* ---- functions ---- */

/* Each adds some functions. Returns: a code of SQLite */
int ltt_sql_add_digits(sqlite3 *db);
int ltt_sql_add_text_functions(sqlite3 *db);
int ltt_sql_add_checked_functions(sqlite3 *db);
int ltt_sql_add_time_functions(sqlite3 *db);
int ltt_sql_add_histogram(sqlite3 *db);

/* @env: must outlive the database, as in the next ones */
int ltt_sql_add_percentiles(sqlite3 *db, LttSqlEnv *env);
int ltt_sql_add_span_join(sqlite3 *db, LttSqlEnv *env);

/* symbol(), for the addresses of a trace. @symbols: must outlive the database */
int ltt_sql_add_symbol_function(sqlite3 *db, LttSymbols *symbols);

#endif
