/* state-threads-priv.h - the states of threads, and the stretches that are ready.
 *
 * Each thread has one open stretch. A change of its state ends the stretch and begins the next one.
 * Lost events make the state of all threads uncertain that do not run on another CPU. They are noted
 * in a list of gaps, and a thread is compared with it when its next event is read:
 *
 *	open stretch   since ├──────── WAITING ───────┊────── UNKNOWN ─────┤ next event
 *	gap                                           ├─ lost ─┤
 */
#ifndef LTT_ANALYSIS_STATE_THREADS_PRIV_H
#define LTT_ANALYSIS_STATE_THREADS_PRIV_H

#ifndef LTT_BUILDING
#error "analysis/state-threads-priv.h is private to libltt; use <ltt/ltt-states.h>"
#endif

#include "analysis/state-recordings-priv.h"

#include <ltt/ltt-states.h>

typedef enum LttCallState {
	LTT_CALL_UNKNOWN,
	LTT_CALL_NONE,
	LTT_CALL_INSIDE, /* the members of `call` are valid */
} LttCallState;

typedef struct LttStateThread {
	guint32 recording;
	guint32 tid;
	gboolean has_pid;
	guint32 pid;
	LttThreadState state;
	gboolean has_exited;
	gboolean is_followed; /* its own events are recorded, if only those of some threads are */
	gboolean is_dubious;  /* events of it are missing although none were lost */
	gboolean is_hidden;   /* its stretches are not wanted */
	guint64 since_ns;     /* begin of the open stretch; 0: before the trace */
	guint n_gaps;         /* that were noted when the state was proven */
	gboolean has_gap;     /* a gap since then that the list no longer has */
	guint64 gap_ns;       /* its begin */
	const LttTracefile *cpu;
	LttWait wait;
	LttWaker waker;
	gboolean has_pending; /* it was being woken while it was running */
	LttWaker pending;
	LttCallState call_state;
	LttWait call;
	gboolean has_fault; /* since it left the last system call */
	LttWait fault;
	guint32 n_syscalls; /* in the open stretch */
	guint32 n_faults;
} LttStateThread;

/* Lost events: the begin of the time in which they occurred. */
typedef struct LttStateGap {
	guint32 recording;
	guint64 begin_ns;
} LttStateGap;

/* Threads that are found without a search of the hash table; a power of 2. */
#define LTT_STATE_CACHED 1024

typedef struct LttStateThreads {
	LttStateRecordings *recordings;
	GHashTable *by_id;                        /* of LttStateThread; never removed */
	LttStateThread *cached[LTT_STATE_CACHED]; /* the last ones, by the low bits of the tid */
	GArray *gaps;  /* of LttStateGap; those not yet folded into the threads */
	GArray *ready; /* of LttStretch */
	guint64 from_ns;
	guint64 to_ns;
	guint64 n_gaps;                /* losses and contradictions */
	gboolean has_gaps;             /* events were lost */
	gboolean is_limited;           /* only events of some threads are recorded */
	LttStatesWantedFunc is_wanted; /* NULL: all stretches are */
	gpointer wanted_data;
} LttStateThreads;

void ltt_state_threads_init(LttStateThreads *threads, LttTrace *trace, guint64 from_ns,
			    guint64 to_ns);
void ltt_state_threads_clear(LttStateThreads *threads);

/* Returns: whether the stretches of a thread, or of a CPU, are not wanted. @cpu: (nullable) */
gboolean ltt_state_is_hidden(const LttStateThreads *threads, guint32 recording, guint32 tid,
			     const LttTracefile *cpu);

/* Decides for all threads again whether they are hidden. */
void ltt_state_threads_hide(LttStateThreads *threads);

/* Adds a stretch to those that are ready, cut to the window and to its recording, unless it is empty.
 * Sets its machine. */
void ltt_state_give(LttStateThreads *threads, const LttStretch *stretch);

/* Returns: the thread; one that is seen for the first time is UNKNOWN, one that has exited begins
 *   again at @now_ns */
LttStateThread *ltt_state_threads_find(LttStateThreads *threads, guint32 recording, guint32 tid,
				       guint64 now_ns);

/* Ends the open stretch at @now_ns and begins one of @state. */
void ltt_state_thread_set(LttStateThreads *threads, LttStateThread *thread, LttThreadState state,
			  guint64 now_ns);

/* A running thread leaves its CPU and waits. The cause follows from what it was doing. */
void ltt_state_thread_wait(LttStateThreads *threads, LttStateThread *thread, LttWait wait,
			   guint64 now_ns);

/* A running thread loses its CPU. @by: the thread that gets the CPU; 0: none */
void ltt_state_thread_preempt(LttStateThreads *threads, LttStateThread *thread, guint32 by,
			      guint64 now_ns);

/* Returns: what a thread waits for that leaves its CPU now */
LttWait ltt_state_thread_get_cause(const LttStateThread *thread);

/* A thread is being woken, or was. @is_done: it can run now */
void ltt_state_thread_wake(LttStateThreads *threads, LttStateThread *thread, const LttWaker *waker,
			   gboolean is_done, guint64 now_ns);

/* A running thread ends. */
void ltt_state_thread_exit(LttStateThreads *threads, LttStateThread *thread, guint64 now_ns);

/* The thread is created. */
void ltt_state_thread_create(LttStateThreads *threads, LttStateThread *thread,
			     const LttWaker *creator, guint64 now_ns);

/* Its state is unknown from @at_ns on. */
void ltt_state_thread_lose(LttStateThreads *threads, LttStateThread *thread, guint64 at_ns);

/* Makes the whole open stretch unknown, because an event shows that the thread runs. A thread that was
 * woken or preempted is still in the same system call. */
void ltt_state_thread_doubt(LttStateThreads *threads, LttStateThread *thread);

/* Notes that events were lost from @begin_ns on. */
void ltt_state_threads_note_gap(LttStateThreads *threads, guint32 recording, guint64 begin_ns);

/* Moves the gaps from the list to the threads that they concern. */
void ltt_state_threads_fold_gaps(LttStateThreads *threads);

/* Ends all open stretches at @end_ns. No thread may be running. */
void ltt_state_threads_end(LttStateThreads *threads, guint64 end_ns);

#endif
