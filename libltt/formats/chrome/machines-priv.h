/* machines-priv.h - ids and names of processes of several machines.
 *
 * Processes of two machines can have the same id. The ids of each machine after the first are
 * written with a base added, which is the same for processes and threads:
 *
 *	machine of trace    1            2                       3
 *	ids                 0 ...        10,000,000 ...          20,000,000 ...
 */
#ifndef LTT_FORMATS_CHROME_MACHINES_PRIV_H
#define LTT_FORMATS_CHROME_MACHINES_PRIV_H

#ifndef LTT_BUILDING
#error "formats/chrome/machines-priv.h is private to libltt"
#endif

#include <ltt/ltt-trace.h>

/* Returns: the number to add to the ids of processes and threads of a tracefile */
guint32 ltt_chrome_get_base(const LttTracefile *tracefile);

/* Finds the names of processes. @names: ids as written -> name, set by this function; NULL if it
 * is unknown */
void ltt_chrome_find_names(LttTrace *trace, GHashTable *names);

/* @name: (nullable): of the process, as found
 * Returns: (transfer full) (nullable): the text to write: of several machines, with the name of
 *   the machine; NULL: none */
char *ltt_chrome_name_process(const LttTrace *trace, guint32 pid, const char *name);

#endif
