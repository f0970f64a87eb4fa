/* hosts.h - the machine of a row of a table, if the trace has events of several machines. */
#ifndef HOSTS_H
#define HOSTS_H

#include "json.h"

#include <ltt/ltt-trace.h>

/* Returns: the title of the last column of a table; NULL: the trace has one machine and the table no such
 * column */
const char *hosts_get_title(const LttTrace *trace);

/* Returns: (transfer full) (nullable): the cell of that column; NULL likewise */
char *hosts_dup_cell(const LttTrace *trace, guint host);

/* Prints the member "host" of an object if the trace has several machines. */
void hosts_print_json(Json *json, const LttTrace *trace, guint host);

#endif
