/* core.c - convert tracepoints to events of the facility core. */
#include "record/kernel/core-priv.h"

#include "base/bytes-priv.h"
#include "tracepoint/raw-priv.h"

#include <eventdefs/core.h>

/* Bits of prev_state, as the kernel reports them to tracers. */
#define TASK_INTERRUPTIBLE   0x01
#define TASK_UNINTERRUPTIBLE 0x02
#define TASK_STOPPED         0x04
#define TASK_TRACED          0x08
#define TASK_DEAD            0x10
#define TASK_ZOMBIE          0x20
#define TASK_PARKED          0x40
#define TASK_IDLE            0x80

static guint64 get_number(const LttCoreSource *source, guint index)
{
	const LttTracepointField *place = source->fields->numbers[index];

	if (place->offset + place->size > source->raw_bytes)
		return 0;
	return ltt_load_uint(source->raw + place->offset, place->width, LTT_NATIVE_ENDIAN);
}

/* Returns: (transfer full): the string of the event */
static char *get_text(const LttCoreSource *source)
{
	const LttTracepointField *place = source->fields->text;
	const LttRawData text =
		ltt_raw_locate(source->raw, source->raw_bytes, place->offset, place->base);

	return g_strndup((const char *)text.bytes, text.size);
}

static guint32 map_state(guint64 state)
{
	if (state & TASK_UNINTERRUPTIBLE)
		return core_schedchange_out_state_WaitUninterruptible;
	if (state & (TASK_INTERRUPTIBLE | TASK_PARKED | TASK_IDLE))
		return core_schedchange_out_state_WaitInterruptible;
	if (state & (TASK_DEAD | TASK_ZOMBIE))
		return core_schedchange_out_state_Zombie;
	if (state & (TASK_STOPPED | TASK_TRACED))
		return core_schedchange_out_state_Traced;
	return core_schedchange_out_state_Running; /* preempted */
}

static void convert_switch(LttCoreState *state, const LttCoreSource *source, LttPayload *payload)
{
	const struct core_schedchange event = {
		.out = (guint32)get_number(source, 0),
		.in = (guint32)get_number(source, 2),
		.out_state = map_state(get_number(source, 1)),
	};

	g_hash_table_insert(state->waits, GUINT_TO_POINTER(event.out),
			    GUINT_TO_POINTER(event.out_state));
	write_core_schedchange(payload, &event);
}

/* A waiting thread has left a CPU. If that event is not read yet, or the id was reused, assumes the
 * most common state of waiting threads. */
static void convert_wakeup(LttCoreState *state, const LttCoreSource *source, LttPayload *payload)
{
	const guint32 tid = (guint32)get_number(source, 0);
	gpointer wait = GUINT_TO_POINTER(core_schedchange_out_state_WaitInterruptible);

	g_hash_table_lookup_extended(state->waits, GUINT_TO_POINTER(tid), NULL, &wait);
	if (GPOINTER_TO_UINT(wait) == core_schedchange_out_state_Running ||
	    GPOINTER_TO_UINT(wait) == core_schedchange_out_state_Zombie)
		wait = GUINT_TO_POINTER(core_schedchange_out_state_WaitInterruptible);
	write_core_wakeup(payload, &(const struct core_wakeup){
					   .pid = tid,
					   .state = GPOINTER_TO_UINT(wait),
				   });
}

/* The tracepoint does not say which code was interrupted. Only the idle thread, whose id is 0, is known
 * to execute kernel code. */
static void convert_irq_entry(LttCoreState *state, const LttCoreSource *source, LttPayload *payload)
{
	(void)state;
	write_core_irq_entry(payload, &(const struct core_irq_entry){
					      .irq_id = (guint32)get_number(source, 0),
					      .kernel = source->tid == 0,
				      });
}

static void convert_soft_irq_entry(LttCoreState *state, const LttCoreSource *source,
				   LttPayload *payload)
{
	(void)state;
	write_core_soft_irq_entry(payload, &(const struct core_soft_irq_entry){
						   .vector = (guint32)get_number(source, 0),
					   });
}

static void convert_nothing(LttCoreState *state, const LttCoreSource *source, LttPayload *payload)
{
	(void)state;
	(void)source;
	(void)payload;
}

/* The kernel does not record the address of the call. */
static void convert_syscall_entry(LttCoreState *state, const LttCoreSource *source,
				  LttPayload *payload)
{
	(void)state;
	write_core_syscall_entry(payload, &(const struct core_syscall_entry){
						  .syscall_id = (guint32)get_number(source, 0),
					  });
}

static void convert_syscall_exit(LttCoreState *state, const LttCoreSource *source,
				 LttPayload *payload)
{
	(void)state;
	write_core_syscall_exit(payload, &(const struct core_syscall_exit){
						 .result = (gint64)get_number(source, 0),
					 });
}

static void convert_fork(LttCoreState *state, const LttCoreSource *source, LttPayload *payload)
{
	(void)state;
	write_core_process_fork(payload, &(const struct core_process_fork){
						 .parent_pid = (guint32)get_number(source, 0),
						 .child_pid = (guint32)get_number(source, 1),
					 });
}

static void convert_exec(LttCoreState *state, const LttCoreSource *source, LttPayload *payload)
{
	g_autofree char *file_name = get_text(source);

	(void)state;
	write_core_process_exec(payload, &(const struct core_process_exec){
						 .pid = (guint32)get_number(source, 0),
						 .file_name = file_name,
					 });
}

static const LttCoreMapping mappings[] = {
	{"sched",
	 "sched_switch",
	 {"prev_pid", "prev_state", "next_pid"},
	 NULL,
	 core_schedchange_index,
	 convert_switch},
	{"sched", "sched_wakeup", {"pid"}, NULL, core_wakeup_index, convert_wakeup},
	{"sched", "sched_wakeup_new", {"pid"}, NULL, core_wakeup_index, convert_wakeup},
	{"sched",
	 "sched_process_fork",
	 {"parent_pid", "child_pid"},
	 NULL,
	 core_process_fork_index,
	 convert_fork},
	{"sched", "sched_process_exec", {"pid"}, "filename", core_process_exec_index, convert_exec},
	{"irq", "irq_handler_entry", {"irq"}, NULL, core_irq_entry_index, convert_irq_entry},
	{"irq", "irq_handler_exit", {NULL}, NULL, core_irq_exit_index, convert_nothing},
	{"irq", "softirq_entry", {"vec"}, NULL, core_soft_irq_entry_index, convert_soft_irq_entry},
	{"irq", "softirq_exit", {NULL}, NULL, core_soft_irq_exit_index, convert_nothing},
	{"raw_syscalls",
	 "sys_enter",
	 {"id"},
	 NULL,
	 core_syscall_entry_index,
	 convert_syscall_entry},
	{"raw_syscalls", "sys_exit", {"ret"}, NULL, core_syscall_exit_index, convert_syscall_exit},
};

/* Returns: (nullable): NULL: the tracepoint lacks the field, or it has another kind */
static const LttTracepointField *find_field(const LttTracepoint *tracepoint, const char *name,
					    LttTracepointKind kind)
{
	const LttTracepointField *field = ltt_tracepoint_find(tracepoint, name);

	return field != NULL && field->kind == kind ? field : NULL;
}

static gboolean find_fields(const LttCoreMapping *mapping, const LttTracepoint *tracepoint,
			    LttCoreFields *fields)
{
	for (guint i = 0; i < LTT_MAX_CORE_NUMBERS && mapping->numbers[i] != NULL; i++) {
		fields->numbers[i] =
			find_field(tracepoint, mapping->numbers[i], LTT_TRACEPOINT_NUMBER);
		if (fields->numbers[i] == NULL)
			return FALSE;
	}
	if (mapping->text != NULL)
		fields->text = find_field(tracepoint, mapping->text, LTT_TRACEPOINT_LOC_TEXT);
	return mapping->text == NULL || fields->text != NULL;
}

const LttCoreMapping *ltt_core_find(const char *system, const LttTracepoint *tracepoint,
				    LttCoreFields *fields)
{
	for (guint i = 0; i < G_N_ELEMENTS(mappings); i++) {
		const LttCoreMapping *mapping = &mappings[i];

		if (g_str_equal(mapping->system, system) &&
		    g_str_equal(mapping->name, tracepoint->name))
			return find_fields(mapping, tracepoint, fields) ? mapping : NULL;
	}
	return NULL;
}
