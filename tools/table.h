/* table.h - columns that line up, for people.
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

/* Headings of the columns, up to NULL; ">" in front of one puts its column to the right. Cells
 * beyond the headings stand to the left, without one. */
Table *table_new(const char *first_heading, ...) G_GNUC_NULL_TERMINATED;
void table_free(Table *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Table, table_free)

/* Adds a row: cells up to NULL, which are taken over. */
void table_add(Table *table, char *first_cell, ...) G_GNUC_NULL_TERMINATED;

/* Writes it to standard output. Control bytes are escaped. */
void table_print(const Table *table);

#endif
