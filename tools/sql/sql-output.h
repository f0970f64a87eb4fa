/* sql-output.h - print the result of a query as text, CSV, JSON lines or Markdown. */
#ifndef SQL_OUTPUT_H
#define SQL_OUTPUT_H

#include <ltt/ltt-sql.h>

#define SQL_OUTPUT_FORMATS "text|csv|json|markdown"

/* Sets the format of all further results. Returns: FALSE, with a message printed, if there is no
 * such format */
gboolean sql_output_set(const char *name);

/* Prints the rows of a query. Returns: FALSE with an error of the query; without one if nothing more
 * can be printed */
gboolean sql_output_print(LttSqlQuery *query, GError **error);

#endif
