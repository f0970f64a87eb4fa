/* redact-processes-priv.h - where events contain the names and parents of processes. */
#ifndef LTT_REDACT_PROCESSES_PRIV_H
#define LTT_REDACT_PROCESSES_PRIV_H

#ifndef LTT_BUILDING
#error "edit/redact-processes-priv.h is private to libltt; use <ltt/ltt-redact.h>"
#endif

#include <ltt/ltt-trace.h>
#include <ltt/ltt-type.h>

/* Returns: whether an event exists to name a process or its parent, and is left out */
gboolean ltt_redact_drops_process(const LttEvent *event);

/* Returns: whether a field contains the name or the parent of a process, in an event that has other
 *   fields, too. @path: FACILITY.EVENT.FIELD */
gboolean ltt_redact_is_of_process(const char *path, const LttType *type);

/* The names of the processes and threads of a trace. */
typedef struct LttProcessNames LttProcessNames;

LttProcessNames *ltt_process_names_new(LttTrace *trace);
void ltt_process_names_free(LttProcessNames *names); /* NULL is allowed and ignored */

/* Returns: whether @text is the name of a process or the path of a file with such a name */
gboolean ltt_process_names_contain(const LttProcessNames *names, const char *text);

#endif
