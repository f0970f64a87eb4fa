/* ltt-state-sums.h - the time of each thread and each CPU, by state (doc/states.md).
 *
 *	const LttStateSumsRequest request = {.trace = trace};
 *	g_auto(LttStateSums) sums = {0};
 *
 *	if (ltt_state_sums(&request, &sums, &error))
 *		printf("%" G_GUINT64_FORMAT " ns\n", sums.threads[0].tally.states[LTT_THREAD_RUNNING].total_ns);
 */
#ifndef LTT_STATE_SUMS_H
#define LTT_STATE_SUMS_H

#include <ltt/ltt-job.h>
#include <ltt/ltt-select.h>
#include <ltt/ltt-states.h>

G_BEGIN_DECLS

typedef struct LttStateTime {
	guint64 total_ns;
	guint64 n; /* stretches */
	guint64 longest_ns;
} LttStateTime;

/* The time that was spent waiting for one cause. */
typedef struct LttStateWaitSum {
	char *cause; /* ltt_wait_to_text() */
	LttStateTime time;
	LttWaker waker; /* ended the longest one */
} LttStateWaitSum;

/* Causes with waits of their own; further ones are added to "others". */
#define LTT_MAX_STATE_CAUSES 1000

/* Time by state. */
typedef struct LttStateTally {
	LttStateTime states[LTT_N_THREAD_STATES];
	guint64 n_syscalls; /* that began */
	guint64 n_faults;   /* page faults */
	guint n_waits;      /* the most time first */
	LttStateWaitSum *waits;
} LttStateTally;

typedef struct LttStateThreadSum {
	char *name;      /* NULL: unknown */
	guint32 machine; /* for ltt_trace_get_host() */
	gboolean has_pid;
	guint32 pid;
	guint32 tid;
	LttStateTally tally;
} LttStateThreadSum;

typedef struct LttStateCpuSum {
	const LttTracefile *tracefile; /* of the trace */
	LttStateTime states[LTT_N_CPU_STATES];
} LttStateCpuSum;

/* Read only. */
typedef struct LttStateSums {
	guint64 from_ns; /* the window; to_ns is exclusive */
	guint64 to_ns;
	guint n_threads; /* the longest running first, then by tid */
	LttStateThreadSum *threads;
	guint n_cpus; /* in the order of the trace */
	LttStateCpuSum *cpus;
	guint64 n_events; /* that determine states */
	guint64 n_gaps;   /* times that events were lost, or contradicted each other */
} LttStateSums;

typedef struct LttStateSumsRequest {
	LttTrace *trace; /* must outlive the summary */
	/* (nullable): its window; its CPUs: only the time on, or since the thread was last on, these;
	 * its event names and filter: only threads that have such an event in the window */
	LttSelect *select;
	LttJobCallbacks callbacks; /* problems: damaged blocks; progress in events */
} LttStateSumsRequest;

/**
 * ltt_state_sums:
 * @summary: (out): set on success; free its contents with ltt_state_sums_clear()
 *
 * Returns: FALSE with
 *   LTT_ERROR_IO         a file could not be read
 *   LTT_ERROR_LIMIT      out of memory for a block
 *   LTT_ERROR_CANCELLED
 */
gboolean ltt_state_sums(const LttStateSumsRequest *request, LttStateSums *summary, GError **error);

/* Frees the contents. A summary of zeros is allowed. */
void ltt_state_sums_clear(LttStateSums *summary);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LttStateSums, ltt_state_sums_clear)

G_END_DECLS

#endif /* LTT_STATE_SUMS_H */
