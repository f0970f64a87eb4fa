/* state-types-priv.h - the effect of each event type of a trace on the states of threads and CPUs.
 *
 * The description of an event type declares it (doc/format.md, 8.10). It is resolved at the first
 * event of the type.
 */
#ifndef LTT_ANALYSIS_STATE_TYPES_PRIV_H
#define LTT_ANALYSIS_STATE_TYPES_PRIV_H

#ifndef LTT_BUILDING
#error "analysis/state-types-priv.h is private to libltt; use <ltt/ltt-states.h>"
#endif

#include "analysis/key-priv.h"

typedef enum LttStateKind {
	LTT_STATE_NONE,
	LTT_STATE_SWITCH,
	LTT_STATE_WAKING,
	LTT_STATE_WAKEUP,
	LTT_STATE_FORK,
	LTT_STATE_EXEC,
	LTT_STATE_IRQ_ENTRY,
	LTT_STATE_IRQ_EXIT,
	LTT_STATE_SOFTIRQ_ENTRY,
	LTT_STATE_SOFTIRQ_EXIT,
	LTT_STATE_SYSCALL_ENTRY,
	LTT_STATE_SYSCALL_EXIT,
	LTT_STATE_FAULT,
	LTT_STATE_FAULT_END,
	LTT_STATE_KERNEL_FAULT,
	LTT_STATE_THREAD,
	LTT_STATE_LIMITED,
} LttStateKind;

typedef enum LttStateArg {
	LTT_STATE_ARG_OUT,
	LTT_STATE_ARG_IN,
	LTT_STATE_ARG_STATE,
	LTT_STATE_ARG_THREAD,
	LTT_STATE_ARG_PROCESS,
	LTT_STATE_ARG_NUMBER,
	LTT_STATE_ARG_ADDRESS,
} LttStateArg;
#define LTT_N_STATE_ARGS 7

/* The state in which a thread leaves a CPU. */
typedef enum LttTaskState {
	LTT_TASK_READY,
	LTT_TASK_SLEEP,
	LTT_TASK_DISK_SLEEP,
	LTT_TASK_STOPPED,
	LTT_TASK_DEAD,
	LTT_TASK_UNKNOWN,
} LttTaskState;

typedef struct LttStateType {
	LttStateKind kind;
	char *name; /* of a system call; NULL: not declared */
	guint has;  /* bits, by LttStateArg */
	LttKeyGetter args[LTT_N_STATE_ARGS];
} LttStateType;

/* Types that are found without a search of the hash table; a power of 2. */
#define LTT_STATE_TYPES_CACHED 16

typedef struct LttStateTypes {
	GHashTable *by_type; /* LttEventType to LttStateType */
	const LttEventType *last[LTT_STATE_TYPES_CACHED];
	const LttStateType *last_found[LTT_STATE_TYPES_CACHED];
} LttStateTypes;

void ltt_state_types_init(LttStateTypes *types);
void ltt_state_types_clear(LttStateTypes *types);
const LttStateType *ltt_state_types_resolve(LttStateTypes *types, const LttEvent *event);

static inline guint ltt_state_types_slot(const LttEventType *type)
{
	return (guint)((gsize)type / sizeof(*type)) % LTT_STATE_TYPES_CACHED;
}

static inline const LttStateType *ltt_state_types_find(LttStateTypes *types, const LttEvent *event)
{
	const guint slot = ltt_state_types_slot(event->type);

	return event->type == types->last[slot] ? types->last_found[slot]
						: ltt_state_types_resolve(types, event);
}

/* Returns: (nullable): the declaration of an event type; that of the shipped description for a
 *   shipped type whose trace describes it without one */
const char *ltt_state_declaration(const LttEventType *type);

/* @number: (out): set on success. Returns: FALSE if the event does not have it */
gboolean ltt_state_get(const LttStateType *type, LttStateArg arg, const LttEvent *event,
		       guint64 *number);

/* Returns: (nullable): the label of an argument that is an enum; NULL: it has none */
const char *ltt_state_find_label(const LttStateType *type, LttStateArg arg, const LttEvent *event);

/* Returns: the number of a thread; 0 if the event does not have it */
guint32 ltt_state_get_thread(const LttStateType *type, LttStateArg arg, const LttEvent *event);

/* Returns: the argument LTT_STATE_ARG_STATE: an enum with the labels of core, or a number with the
 *   bits of the Linux kernel */
LttTaskState ltt_state_get_task_state(const LttStateType *type, const LttEvent *event);

#endif
