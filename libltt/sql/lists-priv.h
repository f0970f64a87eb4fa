/* lists-priv.h - the tables with few rows: types, processes, threads, losses and bookmarks. */
#ifndef LTT_SQL_LISTS_PRIV_H
#define LTT_SQL_LISTS_PRIV_H

#ifndef LTT_BUILDING
#error "sql/lists-priv.h is private to libltt; use <ltt/ltt-sql.h>"
#endif

#include "sql/table-priv.h"

typedef struct LttSqlLists LttSqlLists;

/* @event_tables: (element-type LttSqlTable): borrowed */
LttSqlLists *ltt_sql_lists_new(LttSqlEnv *env, GPtrArray *event_tables);
void ltt_sql_lists_free(LttSqlLists *lists);

/* @table: (transfer full) */
typedef void (*LttSqlAddFunc)(LttSqlTable *table, gpointer user_data);

/* Makes the tables, which must not outlive @lists. */
void ltt_sql_lists_add(LttSqlLists *lists, LttSqlAddFunc add_table, gpointer user_data);

#endif
