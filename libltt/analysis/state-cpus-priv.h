/* state-cpus-priv.h - what each CPU does: its current thread, and the interrupts on top of it.
 *
 *	stack    [ softirq ][ irq ]       the state of the CPU is that of the top
 *	current  thread, or idle          below the stack
 *
 * An event on a CPU proves what the CPU has been doing since its previous event. After the last one
 * its state is unknown.
 */
#ifndef LTT_ANALYSIS_STATE_CPUS_PRIV_H
#define LTT_ANALYSIS_STATE_CPUS_PRIV_H

#ifndef LTT_BUILDING
#error "analysis/state-cpus-priv.h is private to libltt; use <ltt/ltt-states.h>"
#endif

#include "analysis/state-threads-priv.h"

/* Interrupts of one CPU that interrupt each other. */
#define LTT_MAX_IRQ_DEPTH 16

typedef struct LttStateCpu {
	LttStateThreads *threads; /* borrowed */
	const LttTracefile *tracefile;
	guint32 recording;
	gboolean has_current;
	guint32 tid;             /* of the current thread; 0: idle */
	LttStateThread *current; /* NULL: idle */
	guint depth;
	LttWaker stack[LTT_MAX_IRQ_DEPTH]; /* kind: IRQ or SOFTIRQ */
	guint64 seen_ns;                   /* the last event */
	guint64 n_lost;                    /* the last total of lost events */
	gboolean is_hidden;                /* its stretches are not wanted */
	gboolean has_states;               /* it has events that say something about states */

	/* The open stretch. */
	LttCpuState state;
	gboolean has_tid;
	guint32 stretch_tid;
	guint64 since_ns;
} LttStateCpu;

/* An event with its time and thread. */
typedef struct LttStateMoment {
	guint64 now_ns;
	gboolean has_thread;
	guint32 tid;
	gboolean has_pid; /* that of the thread is known */
	guint32 pid;
} LttStateMoment;

LttStateCpu *ltt_state_cpu_new(LttStateThreads *threads, const LttTracefile *tracefile);

/* Each of these handles one event of the CPU. @cpus: (element-type LttStateCpu): all */
void ltt_state_cpu_switch(LttStateCpu *cpu, GPtrArray *cpus, const LttStateMoment *moment,
			  guint32 in, LttThreadState next, const LttWait *wait,
			  gboolean has_exited);
void ltt_state_cpu_exec(LttStateCpu *cpu, GPtrArray *cpus, const LttStateMoment *moment);
void ltt_state_cpu_enter(LttStateCpu *cpu, GPtrArray *cpus, const LttStateMoment *moment,
			 const LttWaker *irq);
void ltt_state_cpu_leave(LttStateCpu *cpu, GPtrArray *cpus, const LttStateMoment *moment,
			 LttWakerKind kind);

/* Notes that an event proves the current thread. Returns: (nullable): that thread; NULL: idle or
 *   unknown */
LttStateThread *ltt_state_cpu_observe(LttStateCpu *cpu, GPtrArray *cpus,
				      const LttStateMoment *moment);

/* Returns: what wakes threads on this CPU now */
LttWaker ltt_state_cpu_get_waker(const LttStateCpu *cpu, const LttStateMoment *moment);

/* Makes the state unknown since the last event. */
void ltt_state_cpu_lose(LttStateCpu *cpu);

/* Ends the open stretch. */
void ltt_state_cpu_end(LttStateCpu *cpu, guint64 end_ns);

#endif
