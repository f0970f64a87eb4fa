/* state-types.c - see state-types-priv.h. */
#include "analysis/state-types-priv.h"

#include <ltt/ltt-eventdefs.h>
#include <ltt/ltt-states.h>

#include <string.h>

/* Bits of the state of a thread in Linux. */
#define BIT_INTERRUPTIBLE   0x01
#define BIT_UNINTERRUPTIBLE 0x02
#define BITS_STOPPED        0x0c
#define BITS_DEAD           0x30
#define BITS_IDLE           0xc0

static const struct {
	const char *word;
	LttStateKind kind;
	guint needs; /* bits, by LttStateArg */
} kinds[] = {
	{"switch", LTT_STATE_SWITCH,
	 1 << LTT_STATE_ARG_OUT | 1 << LTT_STATE_ARG_IN | 1 << LTT_STATE_ARG_STATE},
	{"waking", LTT_STATE_WAKING, 1 << LTT_STATE_ARG_THREAD},
	{"wakeup", LTT_STATE_WAKEUP, 1 << LTT_STATE_ARG_THREAD},
	{"fork", LTT_STATE_FORK, 1 << LTT_STATE_ARG_THREAD},
	{"exec", LTT_STATE_EXEC, 0},
	{"irq_entry", LTT_STATE_IRQ_ENTRY, 0},
	{"irq_exit", LTT_STATE_IRQ_EXIT, 0},
	{"softirq_entry", LTT_STATE_SOFTIRQ_ENTRY, 0},
	{"softirq_exit", LTT_STATE_SOFTIRQ_EXIT, 0},
	{"syscall_entry", LTT_STATE_SYSCALL_ENTRY, 0},
	{"syscall_exit", LTT_STATE_SYSCALL_EXIT, 0},
	{"fault", LTT_STATE_FAULT, 0},
	{"fault_end", LTT_STATE_FAULT_END, 0},
	{"kernel_fault", LTT_STATE_KERNEL_FAULT, 0},
	{"limited", LTT_STATE_LIMITED, 0},
	{"thread", LTT_STATE_THREAD, 1 << LTT_STATE_ARG_THREAD | 1 << LTT_STATE_ARG_STATE},
};

static const char *const arg_names[LTT_N_STATE_ARGS] = {
	[LTT_STATE_ARG_OUT] = "out",         [LTT_STATE_ARG_IN] = "in",
	[LTT_STATE_ARG_STATE] = "state",     [LTT_STATE_ARG_THREAD] = "thread",
	[LTT_STATE_ARG_PROCESS] = "process", [LTT_STATE_ARG_NUMBER] = "number",
	[LTT_STATE_ARG_ADDRESS] = "address",
};

/* ---- declarations ---- */

/* Traces that were recorded before the attribute existed describe the events without it. */
const char *ltt_state_declaration(const LttEventType *type)
{
	const LttFacility *shipped;
	const LttEventType *same;

	if (type->state != NULL)
		return type->state;
	shipped = ltt_eventdefs_get_shipped(ltt_facility_get_name(type->facility));
	if (shipped == NULL ||
	    ltt_facility_get_checksum(shipped) != ltt_facility_get_checksum(type->facility))
		return NULL;
	same = ltt_facility_find_event(shipped, type->name);
	return same != NULL ? same->state : NULL;
}

static void read_arg(LttStateType *type, const char *word, const LttLayout *layout)
{
	const char *equals = strchr(word, '=');
	g_autofree char *path_text = NULL;
	LttKeyPath path;

	if (equals == NULL)
		return;
	if (g_str_has_prefix(word, "name=")) {
		g_free(type->name);
		type->name = g_strdup(equals + 1);
		return;
	}
	path_text = g_strconcat("data.", equals + 1, NULL);
	for (guint i = 0; i < LTT_N_STATE_ARGS; i++) {
		const gsize length = strlen(arg_names[i]);

		if ((gsize)(equals - word) != length || memcmp(word, arg_names[i], length) != 0 ||
		    (type->has & 1 << i) != 0)
			continue;
		if (layout != NULL && ltt_key_path_parse(path_text, &path, NULL) &&
		    ltt_key_getter_init(&type->args[i], &path, layout))
			type->has |= 1 << i;
		ltt_key_path_clear(&path);
	}
}

/* A word that this version does not know says nothing to it. */
static LttStateKind find_kind(const LttStateType *type, const char *word)
{
	for (guint i = 0; i < G_N_ELEMENTS(kinds); i++)
		if (g_str_equal(kinds[i].word, word) &&
		    (type->has & kinds[i].needs) == kinds[i].needs)
			return kinds[i].kind;
	return LTT_STATE_NONE;
}

static LttStateType *new_type(const LttEvent *event)
{
	const char *declaration = ltt_state_declaration(event->type);
	LttStateType *type = g_new0(LttStateType, 1);
	g_auto(GStrv) words = NULL;

	if (declaration == NULL)
		return type;
	words = g_strsplit(declaration, " ", -1);
	if (words[0] == NULL)
		return type;
	for (guint i = 1; words[i] != NULL; i++)
		read_arg(type, words[i], event->layout);
	type->kind = find_kind(type, words[0]);
	return type;
}

static void free_type(gpointer data)
{
	LttStateType *type = data;

	for (guint i = 0; i < LTT_N_STATE_ARGS; i++)
		if ((type->has & 1 << i) != 0)
			ltt_key_getter_clear(&type->args[i]);
	g_free(type->name);
	g_free(type);
}

void ltt_state_types_init(LttStateTypes *types)
{
	*types = (LttStateTypes){
		.by_type = g_hash_table_new_full(NULL, NULL, NULL, free_type),
	};
}

void ltt_state_types_clear(LttStateTypes *types)
{
	g_clear_pointer(&types->by_type, g_hash_table_unref);
}

const LttStateType *ltt_state_types_resolve(LttStateTypes *types, const LttEvent *event)
{
	const guint slot = ltt_state_types_slot(event->type);
	LttStateType *type = g_hash_table_lookup(types->by_type, event->type);

	if (type == NULL) {
		type = new_type(event);
		g_hash_table_insert(types->by_type, (gpointer)event->type, type);
	}
	types->last[slot] = event->type;
	types->last_found[slot] = type;
	return type;
}

gboolean ltt_states_are_recorded(const LttTrace *trace)
{
	for (guint i = 0; i < ltt_trace_get_n_loads(trace); i++) {
		const LttFacility *facility = ltt_trace_get_load(trace, i)->facility;

		for (guint n = 0; n < ltt_facility_get_n_events(facility); n++) {
			const char *declaration =
				ltt_state_declaration(ltt_facility_get_event(facility, n));

			if (declaration != NULL && g_str_has_prefix(declaration, "switch "))
				return TRUE;
		}
	}
	return FALSE;
}

/* ---- values ---- */

static gboolean get_value(const LttStateType *type, LttStateArg arg, const LttEvent *event,
			  LttKeyValue *value)
{
	return (type->has & 1 << arg) != 0 && ltt_key_get(&type->args[arg], event, value) &&
	       (value->kind == LTT_KEY_UINT || value->kind == LTT_KEY_INT);
}

gboolean ltt_state_get(const LttStateType *type, LttStateArg arg, const LttEvent *event,
		       guint64 *number)
{
	LttKeyValue value;

	if (!get_value(type, arg, event, &value))
		return FALSE;
	*number = value.number;
	return TRUE;
}

/* Returns: (nullable): the label, which is often at the index of its distance from the first one */
static const char *find_label(const LttType *type, guint64 number)
{
	const guint n = ltt_type_get_n_labels(type);
	const guint64 guess = n > 0 ? number - (guint64)ltt_type_get_label(type, 0)->value : 0;

	if (guess < n && (guint64)ltt_type_get_label(type, (guint)guess)->value == number)
		return ltt_type_get_label(type, (guint)guess)->name;
	for (guint i = 0; i < n; i++)
		if ((guint64)ltt_type_get_label(type, i)->value == number)
			return ltt_type_get_label(type, i)->name;
	return NULL;
}

const char *ltt_state_find_label(const LttStateType *type, LttStateArg arg, const LttEvent *event)
{
	LttKeyValue value;

	return get_value(type, arg, event, &value) && value.layout != NULL
		       ? find_label(value.layout->type, value.number)
		       : NULL;
}

guint32 ltt_state_get_thread(const LttStateType *type, LttStateArg arg, const LttEvent *event)
{
	guint64 number = 0;

	ltt_state_get(type, arg, event, &number);
	return (guint32)number;
}

static LttTaskState state_of_label(const LttType *type, guint64 number)
{
	static const struct {
		const char *label;
		LttTaskState state;
	} labels[] = {
		{"Running", LTT_TASK_READY},
		{"WaitInterruptible", LTT_TASK_SLEEP},
		{"WaitUninterruptible", LTT_TASK_DISK_SLEEP},
		{"Zombie", LTT_TASK_DEAD},
		{"Traced", LTT_TASK_STOPPED},
		{"Paging", LTT_TASK_DISK_SLEEP},
	};

	const char *found = find_label(type, number);

	for (guint i = 0; found != NULL && i < G_N_ELEMENTS(labels); i++)
		if (g_str_equal(labels[i].label, found))
			return labels[i].state;
	return LTT_TASK_UNKNOWN;
}

/* Bits above these say that a thread that could run was preempted. */
static LttTaskState state_of_bits(guint64 bits)
{
	if ((bits & BIT_UNINTERRUPTIBLE) != 0)
		return LTT_TASK_DISK_SLEEP;
	if ((bits & BIT_INTERRUPTIBLE) != 0)
		return LTT_TASK_SLEEP;
	if ((bits & BITS_DEAD) != 0)
		return LTT_TASK_DEAD;
	if ((bits & BITS_STOPPED) != 0)
		return LTT_TASK_STOPPED;
	return (bits & BITS_IDLE) != 0 ? LTT_TASK_SLEEP : LTT_TASK_READY;
}

LttTaskState ltt_state_get_task_state(const LttStateType *type, const LttEvent *event)
{
	LttKeyValue value;

	if (!get_value(type, LTT_STATE_ARG_STATE, event, &value))
		return LTT_TASK_UNKNOWN;
	return value.layout != NULL ? state_of_label(value.layout->type, value.number)
				    : state_of_bits(value.number);
}
