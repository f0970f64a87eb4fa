/* index-priv.h - find the rows of a table by the value of a column, or by time.
 *
 * SQLite cannot index a virtual table, and would read the whole inner table of a join for each row
 * of the outer one. An index reads it once, keeps its runs in memory, and finds rows in them by a
 * hash or, for ranges of times, by binary search.
 *
 *	heads, by hash of the key      entries, in the order of the rows
 *	+---+                          +-----+-----+-----+------+
 *	| 4 | ----------+              | key | run | row | next |
 *	| - |           |              +-----+-----+-----+------+
 *	| 0 |           +------------> |  17 |   0 |   4 |    9 |
 *	+---+                          +-----+-----+-----+------+
 */
#ifndef LTT_SQL_INDEX_PRIV_H
#define LTT_SQL_INDEX_PRIV_H

#ifndef LTT_BUILDING
#error "sql/index-priv.h is private to libltt; use <ltt/ltt-sql.h>"
#endif

#include "sql/key-priv.h"

#define LTT_SQL_NO_ENTRY G_MAXUINT32

typedef struct LttSqlEntry {
	guint64 key; /* hash of the value, or the time */
	guint32 run;
	guint32 row;
	guint32 next; /* next entry with the same hash; LTT_SQL_NO_ENTRY: none */
} LttSqlEntry;

typedef struct LttSqlIndex {
	guint n_probes; /* calls so far; the first one does not build the index */
	gboolean is_built;
	gboolean is_hash;
	guint column;
	guint64 *index_bytes; /* of the database; includes n_bytes */
	guint64 n_bytes;
	GPtrArray *runs; /* of LttSqlRun */
	GArray *entries; /* of LttSqlEntry; of a time index by rising key */
	guint32 *heads;
	guint shift; /* of the hash, to the number of heads */
} LttSqlIndex;

/* @is_hash: index the values of @column; FALSE: index times */
LttSqlIndex *ltt_sql_index_new(guint column, gboolean is_hash);
void ltt_sql_index_free(LttSqlIndex *index);

/* Reads the rows of @scan that satisfy all of @matches.
 * Returns: FALSE with an error of the source, or LTT_ERROR_LIMIT */
gboolean ltt_sql_index_build(LttSqlIndex *index, LttSqlTable *table, const LttSqlScan *scan,
			     const LttSqlMatch *matches, guint n_matches, GError **error);

static inline const LttSqlEntry *ltt_sql_index_get(const LttSqlIndex *index, guint32 entry)
{
	return &g_array_index(index->entries, LttSqlEntry, entry);
}

/* Returns: the first entry with @key from @entry on along `next`; LTT_SQL_NO_ENTRY: none */
guint32 ltt_sql_index_match(const LttSqlIndex *index, guint32 entry, guint64 key);

/* Returns: the first entry of the hash of @key, which may have another key */
guint32 ltt_sql_index_start(const LttSqlIndex *index, guint64 key);

/* Returns: the first entry whose time is not below @time_ns; the number of entries: none */
guint32 ltt_sql_index_seek(const LttSqlIndex *index, guint64 time_ns);

#endif
