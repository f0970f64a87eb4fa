/* mappings-priv.h - the files mapped in each process and in the kernel, with their addresses and times.
 *
 *	pid 7    7f10...      7f20...
 *	  |      libm.so      libc.so       an address and a time give the file: the latest mapping
 *	time     plugin.so       :          up to the time that contains the address
 *	  v         :            :
 */
#ifndef LTT_SYMBOLS_MAPPINGS_PRIV_H
#define LTT_SYMBOLS_MAPPINGS_PRIV_H

#ifndef LTT_BUILDING
#error "symbols/mappings-priv.h is private to libltt; use <ltt/ltt-symbols.h>"
#endif

#include <ltt/ltt-stack.h>

typedef struct LttMappings LttMappings;

/* @trace: (transfer none): whose events it takes; must outlive the mappings */
LttMappings *ltt_mappings_new(const LttTrace *trace);
void ltt_mappings_free(LttMappings *mappings); /* NULL is allowed and ignored */

/* Returns: whether a facility of the trace describes mappings */
gboolean ltt_mappings_are_in(const LttTrace *trace);

/* Records the mapping, build id, kernel symbol or new process that an event describes; ignores
 * other events. Events come in the order of time. */
void ltt_mappings_take(LttMappings *mappings, const LttEvent *event);

/* Records only build ids. */
void ltt_mappings_take_build_id(LttMappings *mappings, const LttEvent *event);

/* Returns: the number of the trace and the machine whose processes a tracefile has: those of others may have the
 * same ids */
guint32 ltt_mappings_get_origin(const LttMappings *mappings, const LttTracefile *tracefile);

/* The place of an address in the code. */
typedef struct LttMappingsQuery {
	const LttTracefile *tracefile; /* of the event */
	guint32 pid;
	guint64 time_ns;
} LttMappingsQuery;

/* The times for which an answer is valid; @to_ns exclusive. */
typedef struct LttMappingsSpan {
	guint64 from_ns;
	guint64 to_ns;
} LttMappingsSpan;

/* Sets module, offset and symbol of a frame, whose other members are set. An address that was mapped
 * later only belongs to the earliest such mapping. @valid: (out) (optional) */
void ltt_mappings_find(LttMappings *mappings, const LttMappingsQuery *query, LttStackFrame *frame,
		       LttMappingsSpan *valid);

#endif
