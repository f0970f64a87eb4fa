/* module-priv.h - tables as virtual tables of SQLite. */
#ifndef LTT_SQL_MODULE_PRIV_H
#define LTT_SQL_MODULE_PRIV_H

#ifndef LTT_BUILDING
#error "sql/module-priv.h is private to libltt; use <ltt/ltt-sql.h>"
#endif

#include "sql/table-priv.h"

/* Registers @table with the database. Queries find it by its name. It must outlive the database.
 * Returns: a code of SQLite */
int ltt_sql_module_add(sqlite3 *db, LttSqlTable *table);

/* Returns: the code of SQLite for an error of the library; its message becomes that of @vtab */
int ltt_sql_module_fail(sqlite3_vtab *vtab, GError *error);

#endif
