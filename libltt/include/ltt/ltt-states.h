/* ltt-states.h - the state of each thread and each CPU at each time, from events of the kernel.
 *
 *	         switch in            switch out, waits     waking              switch in
 *	  ───────────┬─────────────────────────┬──────────────────┬────────────────────┬─────
 *	  RUNNABLE   │         RUNNING         │     WAITING      │      RUNNABLE      │ RUNNING
 *	                      │ switch out, could run on
 *	                      ▼
 *	                  PREEMPTED
 *
 * The descriptions of events declare their effect on states (doc/format.md, 8.10), so that
 * recordings of `ltt record --kernel` and imported recordings are read in the same way.
 *
 *	g_autoptr(LttStates) states = ltt_states_new(trace, 0, G_MAXUINT64);
 *	const LttStretch *stretch;
 *	while (ltt_states_next(states, &stretch, &error) == LTT_STEP_EVENT)
 *		if (stretch->subject == LTT_STRETCH_OF_THREAD && stretch->state == LTT_THREAD_WAITING)
 *			waited_ns += stretch->end_ns - stretch->begin_ns;
 *
 * A state that the events do not determine is UNKNOWN: before the first event of a thread or CPU,
 * after lost events up to the next event that determines a state, and, for the states of a CPU,
 * after its last event. If two events contradict each other, because events between them are
 * missing from the trace, the time between them is UNKNOWN.
 *
 * Interrupts of a CPU do not change the state of the thread that they interrupt.
 */
#ifndef LTT_STATES_H
#define LTT_STATES_H

#include <ltt/ltt-cursor.h>
#include <ltt/ltt-job.h>
#include <ltt/ltt-trace.h>

G_BEGIN_DECLS

typedef enum LttThreadState {
	LTT_THREAD_UNKNOWN,
	LTT_THREAD_RUNNING,   /* on a CPU */
	LTT_THREAD_RUNNABLE,  /* was woken and waits for a CPU */
	LTT_THREAD_PREEMPTED, /* lost its CPU and waits for one */
	LTT_THREAD_WAITING,   /* for LttWait */
} LttThreadState;
#define LTT_N_THREAD_STATES 5

typedef enum LttCpuState {
	LTT_CPU_UNKNOWN,
	LTT_CPU_THREAD,  /* runs a thread, outside of interrupts */
	LTT_CPU_SOFTIRQ, /* runs a softirq, in any thread */
	LTT_CPU_IRQ,     /* runs an interrupt handler */
	LTT_CPU_IDLE,
} LttCpuState;
#define LTT_N_CPU_STATES 5

/* The cause of a wait. */
typedef enum LttWaitKind {
	LTT_WAIT_UNKNOWN, /* not in the trace, for example without events of system calls */
	LTT_WAIT_SYSCALL, /* in a system call */
	LTT_WAIT_FAULT,   /* outside of system calls, after a page fault */
	LTT_WAIT_STOPPED, /* stopped by a signal or a debugger */
	LTT_WAIT_OTHER,   /* outside of system calls, without a page fault */
} LttWaitKind;

typedef struct LttWait {
	LttWaitKind kind;
	gboolean is_uninterruptible; /* in the disk sleep state "D" */
	const char *syscall;         /* its name; NULL: not known */
	gboolean has_number;         /* of the system call */
	guint32 number;
	gboolean has_address; /* of the lock word of a futex, or of the page fault */
	guint64 address;
} LttWait;

/* The source of a wakeup. */
typedef enum LttWakerKind {
	LTT_WAKER_UNKNOWN,
	LTT_WAKER_THREAD,
	LTT_WAKER_IRQ,
	LTT_WAKER_SOFTIRQ,
} LttWakerKind;

typedef struct LttWaker {
	LttWakerKind kind;
	guint32 pid; /* THREAD; of a new thread: the thread that created it; PREEMPTED: 0 */
	guint32 tid;
	gboolean has_number; /* IRQ: as in control/interrupts; SOFTIRQ: its vector */
	guint32 number;
} LttWaker;

typedef enum LttStretchSubject {
	LTT_STRETCH_OF_THREAD,
	LTT_STRETCH_OF_CPU,
} LttStretchSubject;

/* A stretch of time in one state. Read only; valid until the next call on the LttStates. */
typedef struct LttStretch {
	LttStretchSubject subject;
	guint64 begin_ns;
	guint64 end_ns;     /* after begin_ns */
	guint32 machine;    /* for ltt_trace_get_host() */
	gboolean has_begun; /* FALSE: the window begins within the stretch */
	gboolean has_ended; /* likewise for the end of the window or the recording */
	guint32 recording;  /* the traces that tell of it (ltt_states_new()) */

	/* Of a thread: the CPU on which it runs, or ran last. NULL: unknown */
	const LttTracefile *cpu;
	/* Of a thread; of a CPU: its current thread */
	gboolean has_pid;
	guint32 pid;
	gboolean has_tid;
	guint32 tid;

	LttThreadState state; /* of a thread */
	LttWait wait;         /* WAITING; RUNNING that ends with WAITING: for that */
	LttThreadState next;  /* the following one */
	gboolean has_exited;  /* RUNNING: the thread ends with it */
	LttWaker waker;       /* WAITING: ends it; RUNNABLE: began it; PREEMPTED: gets the CPU */
	guint32 n_syscalls;   /* RUNNING: system calls that began */
	guint32 n_faults;     /* RUNNING: page faults */

	LttCpuState cpu_state; /* of a CPU */
} LttStretch;

/* Returns: (transfer full): the cause of a wait, in a few words: "futex 0x7f2a10", "read",
 *   "system call 7", "page fault", "stopped", "other", "unknown" */
char *ltt_wait_to_text(const LttWait *wait);

typedef struct LttStates LttStates;

/**
 * ltt_states_new:
 * @trace: must outlive the states
 * @from_ns: the window: stretches are cut to it. States at its begin are known from earlier events
 * @to_ns: exclusive. Later than the end of the trace: that end
 *
 * Threads and CPUs are those with events in the trace. The idle threads, with id 0, are not among the
 * threads: they are a state of the CPUs.
 *
 * In a joined trace, those traces of a machine whose times overlap are one recording. Traces of a machine
 * that follow each other are different recordings, and their threads different threads.
 *
 * Returns: (transfer full): states before the first stretch
 */
LttStates *ltt_states_new(LttTrace *trace, guint64 from_ns, guint64 to_ns);
void ltt_states_free(LttStates *states); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttStates, ltt_states_free)

/* As ltt_merge_set_callbacks(). */
void ltt_states_set_callbacks(LttStates *states, const LttJobCallbacks *callbacks);

/* Moves to the next stretch, about in the order in which they end. The stretches of a CPU follow
 * each other without gaps from the begin of the window, or of their recording, to the end; those of a thread likewise, from
 * its creation, if that is in the window, to its exit. Returns: as ltt_merge_next() */
LttStep ltt_states_next(LttStates *states, const LttStretch **stretch, GError **error);

/* Skips the rest of the block in which the last step failed. Its events are lost ones. */
void ltt_states_skip_block(LttStates *states);

/* ---- starting in the middle ----
 *
 * The state of all threads and CPUs between two events can be saved while a trace is read. From such a
 * place, the states are read without the events before it.
 */

/* Called before each event is read, those without states included. @event: valid until it returns */
typedef void (*LttStatesEventFunc)(LttStates *states, const LttEvent *event, gpointer user_data);

/* @on_event: (nullable): NULL: none */
void ltt_states_set_event_func(LttStates *states, LttStatesEventFunc on_event, gpointer user_data);

/* Returns: whether the stretches of a thread or CPU are returned. @subject: of a thread, its `machine`, `recording`
 *   and `tid`; of a CPU, its `machine`, `recording` and `cpu`; the other members are 0 */
typedef gboolean (*LttStatesWantedFunc)(const LttStretch *subject, gpointer user_data);

/* Leaves out the stretches of other threads and CPUs, which takes less time. Call it before the first
 * step. @is_wanted: called at least once for each thread and CPU */
void ltt_states_set_wanted_func(LttStates *states, LttStatesWantedFunc is_wanted,
				gpointer user_data);

typedef struct LttSavedStates LttSavedStates;

/* Returns: (transfer full): the states so far; from an LttStatesEventFunc: those before its event.
 *   They do not depend on @states */
LttSavedStates *ltt_states_save(LttStates *states);
void ltt_saved_states_free(LttSavedStates *saved); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttSavedStates, ltt_saved_states_free)

/* Returns: the memory that they use, in bytes */
gsize ltt_saved_states_get_size(const LttSavedStates *saved);

/**
 * ltt_states_new_from:
 * @saved: (nullable): saved from states of the same trace; NULL: reads from the start
 * @at_ns: the time of the event before which they were saved, later than that of the previous event
 * @until_ns: events from this time on are not read, and the stretches that are open then are not
 *   returned; G_MAXUINT64: reads to the end of the trace
 *
 * Returns: (transfer full): states that continue from there. Their stretches are those that
 *   ltt_states_new() returns for the whole trace when it reads the same events, with the same begins
 *   and ends
 */
LttStates *ltt_states_new_from(LttTrace *trace, const LttSavedStates *saved, guint64 at_ns,
			       guint64 until_ns);

/* Returns: the index of the first trace of the recording of @stretch (ltt_trace_get_member()) */
guint ltt_stretch_find_member(const LttTrace *trace, const LttStretch *stretch);

/* Returns: (transfer full) (nullable): the name of the thread of @stretch at its end; NULL: unknown */
char *ltt_stretch_find_name(LttTrace *trace, const LttStretch *stretch);

/* Returns: whether the description of any event of @trace declares switches of threads */
gboolean ltt_states_are_recorded(const LttTrace *trace);

G_END_DECLS

#endif /* LTT_STATES_H */
