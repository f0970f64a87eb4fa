/* states.c - see ltt-states.h.
 *
 *	events ──► state-types.c ──► states.c ──► state-cpus.c ──► state-threads.c ──► stretches
 */
#include "analysis/states-priv.h"
#include "base/bytes-priv.h"
#include "reader/trace-priv.h"

LttStates *ltt_states_make(LttTrace *trace, const LttStatesRange *range)
{
	LttStates *states = g_new0(LttStates, 1);
	guint64 start_ns = 0;
	guint64 end_ns = 0;

	ltt_trace_get_span(trace, &start_ns, &end_ns);
	states->select = ltt_select_new();
	ltt_select_set_all(states->select, TRUE);
	if (range->first_ns > 0 || range->until_ns != G_MAXUINT64)
		ltt_select_set_window(states->select, range->first_ns, range->until_ns);
	states->is_cut = range->until_ns != G_MAXUINT64;
	states->merge = ltt_merge_new(trace, states->select);
	ltt_merge_read_ahead(states->merge);
	ltt_state_types_init(&states->types);
	ltt_state_threads_init(&states->threads, trace, MAX(range->from_ns, start_ns),
			       MIN(range->to_ns, end_ns));
	states->cpus = g_ptr_array_new_with_free_func(g_free);
	states->by_tracefile = g_hash_table_new(NULL, NULL);
	states->names = g_string_chunk_new(256);
	return states;
}

LttStates *ltt_states_new(LttTrace *trace, guint64 from_ns, guint64 to_ns)
{
	return ltt_states_make(trace, &(const LttStatesRange){.from_ns = from_ns,
							      .to_ns = to_ns,
							      .until_ns = G_MAXUINT64});
}

void ltt_states_free(LttStates *states)
{
	if (states == NULL)
		return;
	ltt_merge_free(states->merge);
	ltt_select_free(states->select);
	ltt_state_types_clear(&states->types);
	ltt_state_threads_clear(&states->threads);
	g_ptr_array_unref(states->cpus);
	g_hash_table_unref(states->by_tracefile);
	g_string_chunk_free(states->names);
	g_free(states);
}

void ltt_states_set_callbacks(LttStates *states, const LttJobCallbacks *callbacks)
{
	ltt_merge_set_callbacks(states->merge, callbacks);
}

void ltt_states_set_event_func(LttStates *states, LttStatesEventFunc on_event, gpointer user_data)
{
	states->on_event = on_event;
	states->event_data = user_data;
}

void ltt_states_set_wanted_func(LttStates *states, LttStatesWantedFunc is_wanted,
				gpointer user_data)
{
	states->threads.is_wanted = is_wanted;
	states->threads.wanted_data = user_data;
	ltt_state_threads_hide(&states->threads);
	for (guint i = 0; i < states->cpus->len; i++) {
		LttStateCpu *cpu = states->cpus->pdata[i];

		cpu->is_hidden =
			ltt_state_is_hidden(&states->threads, cpu->recording, 0, cpu->tracefile);
	}
}

/* ---- events ---- */

static LttStateCpu *need_cpu(LttStates *states, const LttTracefile *tracefile)
{
	LttStateCpu *cpu = g_hash_table_lookup(states->by_tracefile, tracefile);

	if (cpu == NULL) {
		cpu = ltt_state_cpu_new(&states->threads, tracefile);
		g_ptr_array_add(states->cpus, cpu);
		g_hash_table_insert(states->by_tracefile, (gpointer)tracefile, cpu);
	}
	return cpu;
}

static void lose(LttStates *states, LttStateCpu *cpu)
{
	ltt_state_threads_note_gap(&states->threads, cpu->recording, cpu->seen_ns);
	ltt_state_cpu_lose(cpu);
}

/* A block begins with the total of the block before. */
static void take_total(LttStates *states, const LttEvent *event)
{
	LttStateCpu *cpu;
	guint64 total;

	if (ltt_tracefile_get_cpu(event->tracefile) < 0 || event->payload_bytes < sizeof(total))
		return;
	cpu = need_cpu(states, event->tracefile);
	total = ltt_load_u64(event->payload, event->byte_order);
	if (total > cpu->n_lost && (cpu->has_states || ltt_tracefile_is_kernel(cpu->tracefile)))
		lose(states, cpu);
	cpu->n_lost = MAX(cpu->n_lost, total);
	cpu->seen_ns = MAX(cpu->seen_ns, event->time_ns);
}

/* The state of a thread when the recording began. It had no event before, so it has been in this state
 * since events are recorded. */
static void take_thread(LttStates *states, const LttStateType *type, const LttEvent *event)
{
	const guint32 tid = ltt_state_get_thread(type, LTT_STATE_ARG_THREAD, event);
	const LttTaskState task = ltt_state_get_task_state(type, event);
	LttStateThreads *threads = &states->threads;
	LttStateThread *thread =
		ltt_state_threads_find(threads, event->tracefile->recording, tid, event->time_ns);
	LttWait wait = {.kind = LTT_WAIT_UNKNOWN};
	guint64 number;

	if (tid == 0 || thread->state != LTT_THREAD_UNKNOWN || thread->since_ns != 0)
		return;
	thread->is_followed = TRUE;
	thread->has_pid = ltt_state_get(type, LTT_STATE_ARG_PROCESS, event, &number);
	thread->pid = thread->has_pid ? (guint32)number : 0;
	if (ltt_state_get(type, LTT_STATE_ARG_NUMBER, event, &number) && (gint64)number >= -1) {
		thread->call_state = (gint64)number >= 0 ? LTT_CALL_INSIDE : LTT_CALL_NONE;
		thread->call = (LttWait){
			.kind = LTT_WAIT_SYSCALL, .has_number = TRUE, .number = (guint32)number};
		thread->call.syscall = ltt_state_find_label(type, LTT_STATE_ARG_NUMBER, event);
		thread->call.has_address =
			ltt_state_get(type, LTT_STATE_ARG_ADDRESS, event, &thread->call.address) &&
			thread->call.address != 0;
	}
	switch (task) {
	case LTT_TASK_SLEEP:
	case LTT_TASK_DISK_SLEEP:
		wait = ltt_state_thread_get_cause(thread);
		break;
	case LTT_TASK_STOPPED:
		wait.kind = LTT_WAIT_STOPPED;
		break;
	case LTT_TASK_DEAD:
		thread->has_exited = TRUE;
		return;
	default:
		return;
	}
	wait.is_uninterruptible = task == LTT_TASK_DISK_SLEEP;
	ltt_state_thread_wait(threads, thread, wait, threads->has_gaps ? event->time_ns : 0);
}

static void take_switch(LttStates *states, LttStateCpu *cpu, const LttStateType *type,
			const LttEvent *event)
{
	const guint32 out = ltt_state_get_thread(type, LTT_STATE_ARG_OUT, event);
	const LttTaskState task = ltt_state_get_task_state(type, event);
	const LttWait wait = {
		.kind = task == LTT_TASK_STOPPED ? LTT_WAIT_STOPPED : LTT_WAIT_UNKNOWN,
		.is_uninterruptible = task == LTT_TASK_DISK_SLEEP,
	};
	const LttStateMoment moment = {event->time_ns, TRUE, out,
				       event->has_thread && event->tid == out, event->pid};
	const LttThreadState next = task == LTT_TASK_READY     ? LTT_THREAD_PREEMPTED
				    : task == LTT_TASK_UNKNOWN ? LTT_THREAD_UNKNOWN
							       : LTT_THREAD_WAITING;

	ltt_state_cpu_switch(cpu, states->cpus, &moment,
			     ltt_state_get_thread(type, LTT_STATE_ARG_IN, event), next, &wait,
			     task == LTT_TASK_DEAD);
}

static void take_wakeup(LttStates *states, const LttStateCpu *cpu, const LttStateType *type,
			const LttEvent *event, const LttStateMoment *moment)
{
	const guint32 tid = ltt_state_get_thread(type, LTT_STATE_ARG_THREAD, event);
	const LttWaker waker = ltt_state_cpu_get_waker(cpu, moment);
	LttStateThread *thread;

	if (tid == 0)
		return;
	thread = ltt_state_threads_find(&states->threads, cpu->recording, tid, event->time_ns);
	if (type->kind == LTT_STATE_FORK)
		ltt_state_thread_create(&states->threads, thread, &waker, event->time_ns);
	else
		ltt_state_thread_wake(&states->threads, thread, &waker,
				      type->kind == LTT_STATE_WAKEUP, event->time_ns);
}

static void enter_call(LttStateThread *thread, const LttStateType *type, const LttEvent *event)
{
	guint64 number;

	thread->call_state = LTT_CALL_INSIDE;
	thread->call = (LttWait){.kind = LTT_WAIT_SYSCALL, .syscall = type->name};
	thread->call.has_number = ltt_state_get(type, LTT_STATE_ARG_NUMBER, event, &number);
	thread->call.number = thread->call.has_number ? (guint32)number : 0;
	if (type->name == NULL)
		thread->call.syscall = ltt_state_find_label(type, LTT_STATE_ARG_NUMBER, event);
	thread->call.has_address =
		ltt_state_get(type, LTT_STATE_ARG_ADDRESS, event, &thread->call.address);
	thread->has_fault = FALSE;
	thread->n_syscalls++;
}

static void take_fault(LttStateThread *thread, const LttStateType *type, const LttEvent *event)
{
	thread->n_faults++;
	if (type->kind != LTT_STATE_FAULT)
		return;
	thread->has_fault = TRUE;
	thread->fault = (LttWait){.kind = LTT_WAIT_FAULT};
	thread->fault.has_address =
		ltt_state_get(type, LTT_STATE_ARG_ADDRESS, event, &thread->fault.address);
}

/* An event of a thread about itself. */
static void take_own(LttStateThread *thread, const LttStateType *type, const LttEvent *event)
{
	switch (type->kind) {
	case LTT_STATE_SYSCALL_ENTRY:
		enter_call(thread, type, event);
		break;
	case LTT_STATE_SYSCALL_EXIT:
		thread->call_state = LTT_CALL_NONE;
		thread->has_fault = FALSE;
		break;
	case LTT_STATE_FAULT_END:
		thread->has_fault = FALSE;
		break;
	default:
		take_fault(thread, type, event);
		break;
	}
}

static void take_on_cpu(LttStates *states, LttStateCpu *cpu, const LttStateType *type,
			const LttEvent *event)
{
	/* A thread that is about to end may have lost its id. */
	const gboolean has_thread = event->has_thread && event->tid != G_MAXUINT32;
	const LttStateMoment moment = {event->time_ns, has_thread, event->tid, has_thread,
				       event->pid};
	LttWaker irq = {.kind = LTT_WAKER_SOFTIRQ};
	LttStateThread *thread;
	guint64 number;

	cpu->has_states = TRUE;
	irq.has_number = ltt_state_get(type, LTT_STATE_ARG_NUMBER, event, &number);
	irq.number = irq.has_number ? (guint32)number : 0;
	switch (type->kind) {
	case LTT_STATE_SWITCH:
		take_switch(states, cpu, type, event);
		break;
	case LTT_STATE_EXEC:
		ltt_state_cpu_exec(cpu, states->cpus, &moment);
		break;
	case LTT_STATE_IRQ_ENTRY:
		irq.kind = LTT_WAKER_IRQ;
		ltt_state_cpu_enter(cpu, states->cpus, &moment, &irq);
		break;
	case LTT_STATE_SOFTIRQ_ENTRY:
		ltt_state_cpu_enter(cpu, states->cpus, &moment, &irq);
		break;
	case LTT_STATE_IRQ_EXIT:
		ltt_state_cpu_leave(cpu, states->cpus, &moment, LTT_WAKER_IRQ);
		break;
	case LTT_STATE_SOFTIRQ_EXIT:
		ltt_state_cpu_leave(cpu, states->cpus, &moment, LTT_WAKER_SOFTIRQ);
		break;
	case LTT_STATE_WAKING:
	case LTT_STATE_WAKEUP:
	case LTT_STATE_FORK:
		ltt_state_cpu_observe(cpu, states->cpus, &moment);
		take_wakeup(states, cpu, type, event, &moment);
		break;
	default:
		thread = ltt_state_cpu_observe(cpu, states->cpus, &moment);
		if (thread != NULL && moment.has_thread) {
			thread->is_followed = TRUE;
			take_own(thread, type, event);
		}
		break;
	}
}

static void take(LttStates *states, const LttEvent *event)
{
	const LttStateType *type;

	states->last_ns = MAX(states->last_ns, event->time_ns);
	if (event->role == LTT_ROLE_EVENTS_LOST) {
		take_total(states, event);
		return;
	}
	type = ltt_state_types_find(&states->types, event);
	if (type->kind == LTT_STATE_NONE)
		return;
	states->n_events++;
	if (type->kind == LTT_STATE_THREAD)
		take_thread(states, type, event);
	else if (type->kind == LTT_STATE_LIMITED)
		states->threads.is_limited = TRUE;
	else if (ltt_tracefile_get_cpu(event->tracefile) >= 0)
		take_on_cpu(states, need_cpu(states, event->tracefile), type, event);
}

static void end(LttStates *states)
{
	const guint64 end_ns = states->threads.to_ns;

	states->has_ended = TRUE;
	if (states->is_cut)
		return;
	for (guint i = 0; i < states->cpus->len; i++) {
		LttStateCpu *cpu = states->cpus->pdata[i];

		if (cpu->has_states)
			ltt_state_cpu_end(cpu, end_ns);
	}
	ltt_state_threads_end(&states->threads, end_ns);
}

/* ---- steps ---- */

LttStep ltt_states_next(LttStates *states, const LttStretch **stretch, GError **error)
{
	const LttEvent *event;

	while (states->n_given == states->threads.ready->len) {
		LttStep step;

		g_array_set_size(states->threads.ready, 0);
		states->n_given = 0;
		if (states->has_ended)
			return LTT_STEP_END;
		step = ltt_merge_next(states->merge, &event, error);
		if (step == LTT_STEP_ERROR)
			return step;
		if (step == LTT_STEP_EVENT && states->on_event != NULL)
			states->on_event(states, event, states->event_data);
		if (step == LTT_STEP_EVENT)
			take(states, event);
		else
			end(states);
	}
	*stretch = &g_array_index(states->threads.ready, LttStretch, states->n_given++);
	return LTT_STEP_EVENT;
}

/* The damaged block may belong to any CPU. */
void ltt_states_skip_block(LttStates *states)
{
	for (guint i = 0; i < states->cpus->len; i++)
		lose(states, states->cpus->pdata[i]);
	ltt_merge_skip_block(states->merge);
}

guint64 ltt_states_get_n_events(const LttStates *states)
{
	return states->n_events;
}

guint64 ltt_states_get_n_gaps(const LttStates *states)
{
	return states->threads.n_gaps;
}
