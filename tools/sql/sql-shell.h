/* sql-shell.h - the shell of `ltt sql` on a terminal. */
#ifndef SQL_SHELL_H
#define SQL_SHELL_H

#include <ltt/ltt-sql.h>

/* Called after each statement, to report problems of the trace. */
typedef void (*SqlShellFunc)(gpointer user_data);

/* Reads statements and commands from the terminal until `.quit` or the end of the input. */
void sql_shell_run(LttSql *sql, SqlShellFunc on_result, gpointer user_data);

#endif
