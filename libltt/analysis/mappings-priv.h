/* mappings-priv.h - the files mapped in each process and in the kernel, with their addresses. */
#ifndef LTT_ANALYSIS_MAPPINGS_PRIV_H
#define LTT_ANALYSIS_MAPPINGS_PRIV_H

#ifndef LTT_BUILDING
#error "analysis/mappings-priv.h is private to libltt; use <ltt/ltt-stack.h>"
#endif

#include <ltt/ltt-stack.h>

typedef struct LttMappings LttMappings;

LttMappings *ltt_mappings_new(void);
void ltt_mappings_free(LttMappings *mappings);

/* Returns: whether a facility of the trace describes mappings */
gboolean ltt_mappings_are_in(const LttTrace *trace);

/* Records the mapping, build id, kernel symbol or new process that an event describes; ignores
 * other events. */
void ltt_mappings_take(LttMappings *mappings, const LttEvent *event);

/* Records only build ids. */
void ltt_mappings_take_build_id(LttMappings *mappings, const LttEvent *event);

/* Sets module, offset and symbol of a frame, whose other members are set. */
void ltt_mappings_find(const LttMappings *mappings, guint32 pid, LttStackFrame *frame);

#endif
