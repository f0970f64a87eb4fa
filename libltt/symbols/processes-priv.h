/* processes-priv.h - the mappings of each process, and those that it inherits from its parents.
 *
 * An id can belong to several processes, one after the other, and a process to several programs. Each has a
 * life from its fork or exec to the next one with this id:
 *
 *	           fork by 9          fork by 7
 *	id 12  --------|------------------|---------
 *	  of unknown   child of 9         child of 7
 *	  parent
 */
#ifndef LTT_SYMBOLS_PROCESSES_PRIV_H
#define LTT_SYMBOLS_PROCESSES_PRIV_H

#ifndef LTT_BUILDING
#error "symbols/processes-priv.h is private to libltt; use <ltt/ltt-symbols.h>"
#endif

#include "symbols/mappings-priv.h"
#include "symbols/ranges-priv.h"

typedef struct LttProcesses LttProcesses;

LttProcesses *ltt_processes_new(void);
void ltt_processes_free(LttProcesses *processes);

/* Adds a mapping of the process @key. Calls come in the order of time. */
void ltt_processes_map(LttProcesses *processes, guint64 key, const LttRange *range);

/* A process @key begins at @time_ns with the mappings of the process @parent. */
void ltt_processes_fork(LttProcesses *processes, guint64 key, guint64 parent, guint64 time_ns);

/* The process @key runs another program from @time_ns on, without the mappings before. */
void ltt_processes_exec(LttProcesses *processes, guint64 key, guint64 time_ns);

/* Finds the mapping in the process that lives at the time or, at the time of its fork, in a parent.
 * @valid: (inout): shortened to the times with this answer
 * Returns: (nullable): valid until the next call; its time is above @time_ns if the address was mapped
 *   later only */
const LttRange *ltt_processes_find(LttProcesses *processes, guint64 key, guint64 address,
				   guint64 time_ns, LttMappingsSpan *valid);

#endif
