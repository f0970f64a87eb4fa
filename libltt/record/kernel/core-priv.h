/* core-priv.h - tracepoints that the facility core describes.
 *
 *	sched_switch          core.schedchange
 *	sched_wakeup[_new]    core.wakeup
 *	irq_handler_entry     core.irq_entry       irq_handler_exit   core.irq_exit
 *	softirq_entry         core.soft_irq_entry  softirq_exit       core.soft_irq_exit
 *	raw_syscalls:sys_enter core.syscall_entry  sys_exit           core.syscall_exit
 *	sched_process_fork    core.process_fork
 *	sched_process_exec    core.process_exec
 */
#ifndef LTT_RECORD_KERNEL_CORE_PRIV_H
#define LTT_RECORD_KERNEL_CORE_PRIV_H

#ifndef LTT_BUILDING
#error "record/kernel/core-priv.h is private to libltt; use <ltt/ltt-kernel.h>"
#endif

#include "tracepoint/format-priv.h"

#include <ltt/ltt-payload.h>

#define LTT_MAX_CORE_NUMBERS 3

/* State from which some fields of core are derived, because the kernel's event lacks them. */
typedef struct LttCoreState {
	GHashTable *waits; /* thread id -> state in which it left the CPU */
} LttCoreState;

typedef struct LttCoreMapping LttCoreMapping;

/* The fields of a tracepoint that its mapping uses. */
typedef struct LttCoreFields {
	const LttTracepointField *numbers[LTT_MAX_CORE_NUMBERS];
	const LttTracepointField *text; /* location of a string */
} LttCoreFields;

/* A raw event of a tracepoint with a mapping. */
typedef struct LttCoreSource {
	const LttCoreFields *fields;
	const guint8 *raw;
	gsize raw_bytes;
	guint32 tid;
} LttCoreSource;

struct LttCoreMapping {
	const char *system;
	const char *name;
	const char *numbers[LTT_MAX_CORE_NUMBERS]; /* names; NULL: no more */
	const char *text;                          /* name; NULL: none */
	guint event;                               /* index in core */
	void (*convert)(LttCoreState *state, const LttCoreSource *source, LttPayload *payload);
};

/* Finds the mapping of a tracepoint. @fields: (out): the fields that it uses. Returns: (nullable):
 *   NULL: none, or the tracepoint lacks a field of the expected kind */
const LttCoreMapping *ltt_core_find(const char *system, const LttTracepoint *tracepoint,
				    LttCoreFields *fields);

#endif
