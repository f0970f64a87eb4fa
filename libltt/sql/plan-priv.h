/* plan-priv.h - what a cursor does with the conditions of a query.
 *
 * SQLite asks a table for a plan before a query runs (xBestIndex), and passes the plan back to each
 * cursor (xFilter) as text, which EXPLAIN QUERY PLAN shows:
 *
 *	hash(id) window order|1,7,h4c0
 *	|                    |
 *	for the user for ltt_sql_plan_parse()
 */
#ifndef LTT_SQL_PLAN_PRIV_H
#define LTT_SQL_PLAN_PRIV_H

#ifndef LTT_BUILDING
#error "sql/plan-priv.h is private to libltt; use <ltt/ltt-sql.h>"
#endif

#include "sql/table-priv.h"

/* What to do with a value. SQLite tests all conditions again. */
typedef enum LttSqlAction {
	LTT_SQL_HASH = 'h',  /* look it up in an index */
	LTT_SQL_MATCH = 'm', /* compare it while reading: it is constant */
	LTT_SQL_IN = 'i',    /* the same for a list of values */
	LTT_SQL_CPU = 'c',   /* read only this CPU */
	LTT_SQL_TYPE = 't',  /* read only this type */
	LTT_SQL_PARAMETER = 'p',
	LTT_SQL_AT = '=', /* limits of the time */
	LTT_SQL_FROM = 'g',
	LTT_SQL_AFTER = 'G',
	LTT_SQL_UNTIL = 'l',
	LTT_SQL_BEFORE = 'L',
} LttSqlAction;

#define LTT_SQL_MAX_TERMS 16

typedef struct LttSqlTerm {
	LttSqlAction action;
	gboolean varies; /* the value may change between two calls of xFilter */
	guint column;
} LttSqlTerm;

typedef struct LttSqlPlan {
	gboolean is_ordered;
	gint group;   /* group rows by this column; -1: do not group */
	guint64 used; /* bit mask of columns; bit 63: column 63 and all after it */
	guint n_terms;
	LttSqlTerm terms[LTT_SQL_MAX_TERMS]; /* by argument */
} LttSqlPlan;

/* xBestIndex. Returns: a code of SQLite */
int ltt_sql_plan_choose(const LttSqlTable *table, sqlite3_index_info *info);

void ltt_sql_plan_parse(const char *text, LttSqlPlan *plan);

static inline gboolean ltt_sql_plan_uses(const LttSqlPlan *plan, guint column)
{
	return (plan->used >> MIN(column, 63) & 1) != 0;
}

#endif
