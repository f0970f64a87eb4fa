/* table.h - a table with aligned columns.
 *
 *	Table *table = table_new("facilities", ">events", NULL);
 *	table_add(table, g_strdup("core"), g_strdup("12"), NULL);
 *	table_print(table);
 *
 *	facilities  events
 *	  core          12
 */
#ifndef TABLE_H
#define TABLE_H

#include <glib.h>

typedef struct Table Table;

/* Makes a table with these headings, up to NULL. A heading with ">" in front aligns its column to
 * the right. Further columns are aligned to the left. */
Table *table_new(const char *first_heading, ...) G_GNUC_NULL_TERMINATED;
void table_free(Table *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Table, table_free)

/* Adds a row of cells, up to NULL; takes ownership of the cells. */
void table_add(Table *table, char *first_cell, ...) G_GNUC_NULL_TERMINATED;

/* Writes the table to standard output. Control bytes are escaped. */
void table_print(const Table *table);

#endif
