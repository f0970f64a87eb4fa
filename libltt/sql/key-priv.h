/* key-priv.h - equality of values as equality of 64-bit keys.
 *
 * A key is a number itself or a hash of a text. Equal values have equal keys, so a lookup by key
 * misses no row; SQLite compares the values again.
 */
#ifndef LTT_SQL_KEY_PRIV_H
#define LTT_SQL_KEY_PRIV_H

#ifndef LTT_BUILDING
#error "sql/key-priv.h is private to libltt; use <ltt/ltt-sql.h>"
#endif

#include "sql/table-priv.h"

/* The rows that can be equal to a value. */
typedef enum LttSqlReach {
	LTT_SQL_REACH_NONE, /* none */
	LTT_SQL_REACH_KEY,  /* rows with its key */
	LTT_SQL_REACH_ALL,  /* all rows: its type differs */
} LttSqlReach;

/* Returns: whether a column has keys */
gboolean ltt_sql_column_has_keys(const LttSqlColumn *column);

/* Returns: FALSE for a null, with @key not set */
gboolean ltt_sql_key_of_row(const LttSqlColumn *column, const LttArray *array, gsize row,
			    guint64 *key);

/* @key: (out): set for LTT_SQL_REACH_KEY */
LttSqlReach ltt_sql_key_of_value(const LttSqlColumn *column, sqlite3_value *value, guint64 *key);

/* A set of values. A row matches if its column has one of them. */
typedef struct LttSqlMatch {
	guint column;
	gboolean is_any; /* rows with other values match too */
	guint64 first;   /* a key, if n_keys is 1 or more */
	guint n_keys;
	GHashTable *keys; /* more than one key: the set of them; NULL else */
} LttSqlMatch;

void ltt_sql_match_init(LttSqlMatch *match, guint column);
void ltt_sql_match_clear(LttSqlMatch *match);
void ltt_sql_match_add(LttSqlMatch *match, const LttSqlTable *table, sqlite3_value *value);

/* Returns: FALSE if the row has none of the values */
gboolean ltt_sql_match_holds(const LttSqlMatch *match, const LttSqlTable *table,
			     const LttSqlRun *run, gsize row);

/* Returns: whether the row satisfies all of @matches */
static inline gboolean ltt_sql_matches_hold(const LttSqlMatch *matches, guint n_matches,
					    const LttSqlTable *table, const LttSqlRun *run,
					    gsize row)
{
	for (guint i = 0; i < n_matches; i++) {
		if (!ltt_sql_match_holds(&matches[i], table, run, row))
			return FALSE;
	}
	return TRUE;
}

#endif
