/* sql-run.h - run statements and commands such as `.tables`, and explain their mistakes. */
#ifndef SQL_RUN_H
#define SQL_RUN_H

#include <ltt/ltt-sql.h>

/* Runs all statements of a text, up to the first that fails. Returns: FALSE, with a message printed,
 * if one failed */
gboolean sql_run_text(LttSql *sql, const char *text);

/* Whether a line is a command of the shell: it begins with a point. */
gboolean sql_run_is_command(const char *line);

/* Runs a command of the shell. @quits: (out): whether it was `.quit`. Returns: as sql_run_text() */
gboolean sql_run_command(LttSql *sql, const char *line, gboolean *quits);

/* Runs a script: statements, and commands on lines of their own. Returns: as sql_run_text() */
gboolean sql_run_script(LttSql *sql, const char *script);

#endif
