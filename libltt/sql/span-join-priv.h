/* span-join-priv.h - a span_join, and the walk over its two sides. */
#ifndef LTT_SQL_SPAN_JOIN_PRIV_H
#define LTT_SQL_SPAN_JOIN_PRIV_H

#ifndef LTT_BUILDING
#error "sql/span-join-priv.h is private to libltt; use <ltt/ltt-sql.h>"
#endif

#include "sql/sql-priv.h"

typedef struct LttSqlSide {
	char *table;
	char *partition; /* column; NULL: none */
	char *time;      /* "time" or "ts" */
	gboolean has_dur;
	gboolean has_partition;
	GPtrArray *columns; /* names of the others */
} LttSqlSide;

typedef struct LttSqlSpanJoin {
	sqlite3_vtab base;
	sqlite3 *db;
	LttSqlEnv *env;
	gboolean is_left; /* also return what the second side does not cover */
	LttSqlSide sides[2];
} LttSqlSpanJoin;

void ltt_sql_span_join_free(LttSqlSpanJoin *join);

/* span-join-walk.c: the callbacks of its cursors. */
int ltt_sql_span_join_open(sqlite3_vtab *vtab, sqlite3_vtab_cursor **result);
int ltt_sql_span_join_close(sqlite3_vtab_cursor *base);
int ltt_sql_span_join_filter(sqlite3_vtab_cursor *base, int number, const char *plan, int n_values,
			     sqlite3_value **values);
int ltt_sql_span_join_next(sqlite3_vtab_cursor *base);
int ltt_sql_span_join_is_at_end(sqlite3_vtab_cursor *base);
int ltt_sql_span_join_get(sqlite3_vtab_cursor *base, sqlite3_context *context, int column);
int ltt_sql_span_join_get_id(sqlite3_vtab_cursor *base, sqlite3_int64 *id);

#endif
