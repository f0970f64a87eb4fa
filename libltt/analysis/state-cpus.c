/* state-cpus.c - see state-cpus-priv.h. */
#include "analysis/state-cpus-priv.h"
#include "reader/trace-priv.h"

LttStateCpu *ltt_state_cpu_new(LttStateThreads *threads, const LttTracefile *tracefile)
{
	LttStateCpu *cpu = g_new0(LttStateCpu, 1);

	cpu->threads = threads;
	cpu->tracefile = tracefile;
	cpu->recording = tracefile->recording;
	cpu->is_hidden = ltt_state_is_hidden(threads, cpu->recording, 0, tracefile);
	return cpu;
}

/* ---- stretches ---- */

static void give(const LttStateCpu *cpu, guint64 end_ns, gboolean has_ended)
{
	if (cpu->is_hidden)
		return;
	ltt_state_give(cpu->threads,
		       &(const LttStretch){
			       .subject = LTT_STRETCH_OF_CPU,
			       .begin_ns = cpu->since_ns,
			       .end_ns = end_ns,
			       .recording = cpu->recording,
			       .has_begun = cpu->since_ns > 0,
			       .has_ended = has_ended,
			       .cpu = cpu->tracefile,
			       .has_tid = cpu->has_tid,
			       .tid = cpu->stretch_tid,
			       .has_pid = cpu->current != NULL && cpu->current->has_pid &&
					  cpu->current->tid == cpu->stretch_tid,
			       .pid = cpu->current != NULL ? cpu->current->pid : 0,
			       .cpu_state = cpu->state,
		       });
}

static LttCpuState get_state(const LttStateCpu *cpu)
{
	if (cpu->depth > 0)
		return cpu->stack[cpu->depth - 1].kind == LTT_WAKER_IRQ ? LTT_CPU_IRQ
									: LTT_CPU_SOFTIRQ;
	if (!cpu->has_current)
		return LTT_CPU_UNKNOWN;
	return cpu->tid == 0 ? LTT_CPU_IDLE : LTT_CPU_THREAD;
}

/* Begins a stretch if the state or the thread has changed. */
static void update(LttStateCpu *cpu, guint64 now_ns)
{
	const LttCpuState state = get_state(cpu);

	if (state == cpu->state && cpu->has_current == cpu->has_tid &&
	    (!cpu->has_tid || cpu->tid == cpu->stretch_tid))
		return;
	now_ns = MAX(now_ns, cpu->since_ns);
	give(cpu, now_ns, TRUE);
	cpu->state = state;
	cpu->has_tid = cpu->has_current;
	cpu->stretch_tid = cpu->tid;
	cpu->since_ns = now_ns;
}

/* ---- the current thread ---- */

static void forget(LttStateCpu *cpu)
{
	cpu->has_current = FALSE;
	cpu->depth = 0;
	update(cpu, cpu->seen_ns);
	cpu->current = NULL;
	cpu->tid = 0;
}

void ltt_state_cpu_lose(LttStateCpu *cpu)
{
	if (cpu->current != NULL)
		ltt_state_thread_lose(cpu->threads, cpu->current, cpu->seen_ns);
	forget(cpu);
}

static void contradict(LttStateCpu *cpu)
{
	cpu->threads->n_gaps++;
	ltt_state_cpu_lose(cpu);
}

/* A thread runs on one CPU only. */
static void take_from_others(const LttStateCpu *cpu, GPtrArray *cpus, const LttStateThread *thread)
{
	for (guint i = 0; thread->state == LTT_THREAD_RUNNING && i < cpus->len; i++) {
		LttStateCpu *other = cpus->pdata[i];

		if (other != cpu && other->current == thread)
			contradict(other);
	}
}

/* Makes @tid the current thread. @is_switched: it was switched in now; else an event shows that it
 * has been running */
static void set_current(LttStateCpu *cpu, GPtrArray *cpus, guint32 tid, gboolean is_switched,
			guint64 now_ns)
{
	LttStateThread *thread = NULL;

	if (tid != 0) {
		thread = ltt_state_threads_find(cpu->threads, cpu->recording, tid, now_ns);
		take_from_others(cpu, cpus, thread);
		if (!is_switched && thread->state != LTT_THREAD_UNKNOWN)
			ltt_state_thread_doubt(cpu->threads, thread);
		ltt_state_thread_set(cpu->threads, thread, LTT_THREAD_RUNNING, now_ns);
		thread->cpu = cpu->tracefile;
	}
	cpu->has_current = TRUE;
	cpu->tid = tid;
	cpu->current = thread;
}

/* If only some threads are recorded, the next switch from another one is not. */
static void switch_in(LttStateCpu *cpu, GPtrArray *cpus, guint32 tid, guint64 now_ns)
{
	LttStateThread *thread = NULL;

	if (tid != 0 && cpu->threads->is_limited)
		thread = ltt_state_threads_find(cpu->threads, cpu->recording, tid, now_ns);
	if (!cpu->threads->is_limited || (thread != NULL && thread->is_followed)) {
		set_current(cpu, cpus, tid, TRUE, now_ns);
		return;
	}
	if (thread != NULL)
		ltt_state_thread_lose(cpu->threads, thread, now_ns);
	cpu->has_current = FALSE;
	cpu->current = NULL;
	cpu->tid = 0;
}

static void note_pid(LttStateThread *thread, const LttStateMoment *moment)
{
	if (thread == NULL || !moment->has_pid || moment->tid != thread->tid)
		return;
	thread->has_pid = TRUE;
	thread->pid = moment->pid;
}

LttStateThread *ltt_state_cpu_observe(LttStateCpu *cpu, GPtrArray *cpus,
				      const LttStateMoment *moment)
{
	if (moment->has_thread && (!cpu->has_current || cpu->tid != moment->tid)) {
		if (cpu->has_current)
			contradict(cpu);
		set_current(cpu, cpus, moment->tid, FALSE, moment->now_ns);
	}
	note_pid(cpu->current, moment);
	update(cpu, moment->now_ns);
	cpu->seen_ns = MAX(cpu->seen_ns, moment->now_ns);
	return cpu->current;
}

/* ---- events ---- */

void ltt_state_cpu_switch(LttStateCpu *cpu, GPtrArray *cpus, const LttStateMoment *moment,
			  guint32 in, LttThreadState next, const LttWait *wait, gboolean has_exited)
{
	LttStateThread *out;

	/* Interrupts do not switch threads: their end is missing. */
	if (cpu->depth > 0)
		contradict(cpu);
	out = ltt_state_cpu_observe(cpu, cpus, moment);
	if (out != NULL && has_exited)
		ltt_state_thread_exit(cpu->threads, out, moment->now_ns);
	else if (out != NULL && next == LTT_THREAD_WAITING) {
		LttWait cause =
			wait->kind == LTT_WAIT_STOPPED ? *wait : ltt_state_thread_get_cause(out);

		cause.is_uninterruptible = wait->is_uninterruptible;
		ltt_state_thread_wait(cpu->threads, out, cause, moment->now_ns);
	} else if (out != NULL && next == LTT_THREAD_PREEMPTED)
		ltt_state_thread_preempt(cpu->threads, out, in, moment->now_ns);
	else if (out != NULL)
		ltt_state_thread_set(cpu->threads, out, next, moment->now_ns);
	switch_in(cpu, cpus, in, moment->now_ns);
	update(cpu, moment->now_ns);
}

/* A thread that replaces the program of its process gets the id of the process. */
void ltt_state_cpu_exec(LttStateCpu *cpu, GPtrArray *cpus, const LttStateMoment *moment)
{
	if (cpu->current != NULL && moment->has_thread && cpu->tid != moment->tid) {
		LttStateThread *now = ltt_state_threads_find(cpu->threads, cpu->recording,
							     moment->tid, moment->now_ns);
		const LttStateThread before = *cpu->current;

		ltt_state_thread_exit(cpu->threads, cpu->current, moment->now_ns);
		if (now->since_ns == 0)
			now->since_ns = moment->now_ns;
		now->call_state = before.call_state;
		now->call = before.call;
		set_current(cpu, cpus, moment->tid, TRUE, moment->now_ns);
	}
	ltt_state_cpu_observe(cpu, cpus, moment);
}

void ltt_state_cpu_enter(LttStateCpu *cpu, GPtrArray *cpus, const LttStateMoment *moment,
			 const LttWaker *irq)
{
	if (cpu->depth == LTT_MAX_IRQ_DEPTH)
		contradict(cpu);
	ltt_state_cpu_observe(cpu, cpus, moment);
	cpu->stack[cpu->depth++] = *irq;
	update(cpu, moment->now_ns);
}

void ltt_state_cpu_leave(LttStateCpu *cpu, GPtrArray *cpus, const LttStateMoment *moment,
			 LttWakerKind kind)
{
	/* Its begin is missing, so that the state since the last event is unknown. */
	if (cpu->has_current && (cpu->depth == 0 || cpu->stack[cpu->depth - 1].kind != kind))
		contradict(cpu);
	ltt_state_cpu_observe(cpu, cpus, moment);
	if (cpu->depth > 0)
		cpu->depth--;
	update(cpu, moment->now_ns);
}

LttWaker ltt_state_cpu_get_waker(const LttStateCpu *cpu, const LttStateMoment *moment)
{
	if (cpu->depth > 0)
		return cpu->stack[cpu->depth - 1];
	/* The idle thread wakes no thread: it was interrupted by another CPU. */
	if (!moment->has_thread || moment->tid == 0)
		return (LttWaker){.kind = LTT_WAKER_UNKNOWN};
	return (LttWaker){.kind = LTT_WAKER_THREAD, .pid = moment->pid, .tid = moment->tid};
}

void ltt_state_cpu_end(LttStateCpu *cpu, guint64 end_ns)
{
	ltt_state_cpu_lose(cpu);
	give(cpu, MAX(end_ns, cpu->since_ns), FALSE);
}
