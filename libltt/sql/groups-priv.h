/* groups-priv.h - the rows of a table, grouped by the value of a column.
 *
 * SQLite groups by sorting, which takes most of the time of a GROUP BY. If the table returns rows
 * with equal values together, SQLite needs no sort.
 *
 *	groups, sorted                                entries, in the order of the rows
 *	"OK"     first 0  last 5                      +-----+-----+------+
 *	"ERROR"  first 2  last 2                      | run | row | next |
 *	                                              +-----+-----+------+
 */
#ifndef LTT_SQL_GROUPS_PRIV_H
#define LTT_SQL_GROUPS_PRIV_H

#ifndef LTT_BUILDING
#error "sql/groups-priv.h is private to libltt; use <ltt/ltt-sql.h>"
#endif

#include "sql/key-priv.h"

typedef struct LttSqlGroups LttSqlGroups;

/* A place in the groups. */
typedef struct LttSqlGroupPlace {
	guint group;
	guint32 entry;
	const LttSqlRun *run;
	gsize row;
} LttSqlGroupPlace;

/* Returns: whether rows can be grouped by a column: its values can be compared */
gboolean ltt_sql_column_has_groups(const LttSqlColumn *column);

/* Reads the rows of @scan that satisfy all of @matches, and groups them by @column.
 * Returns: (transfer full) (nullable): NULL with an error of the source, or LTT_ERROR_LIMIT */
LttSqlGroups *ltt_sql_groups_new(LttSqlTable *table, const LttSqlScan *scan,
				 const LttSqlMatch *matches, guint n_matches, guint column,
				 GError **error);
void ltt_sql_groups_free(LttSqlGroups *groups); /* NULL is allowed and ignored */

/* Move to the first row, and to the next one. Return: FALSE at the end */
gboolean ltt_sql_groups_start(const LttSqlGroups *groups, LttSqlGroupPlace *place);
gboolean ltt_sql_groups_next(const LttSqlGroups *groups, LttSqlGroupPlace *place);

#endif
