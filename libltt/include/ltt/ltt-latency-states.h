/* ltt-latency-states.h - the states of threads during slow pairs: running, runnable, waiting.
 *
 *	g_auto(LttLatencyStates) states = {0};
 *
 *	if (ltt_latency(&request, &latency, &error) &&
 *	    ltt_latency_states(&request, &latency, 99, &states, &error))
 *		printf("%" G_GUINT64_FORMAT " ns\n",
 *		       states.slow.states[LTT_THREAD_RUNNING].total_ns);
 *
 * The time of a pair is that of the thread that began it, also if the pair ends in another thread.
 */
#ifndef LTT_LATENCY_STATES_H
#define LTT_LATENCY_STATES_H

#include <ltt/ltt-latency.h>
#include <ltt/ltt-state-sums.h>

G_BEGIN_DECLS

/* Slow pairs that are added up; further ones are only counted. */
#define LTT_MAX_SLOW_PAIRS 1000000

/* Read only. */
typedef struct LttLatencyStates {
	guint64 threshold_ns; /* a pair of this duration or more is slow */
	guint64 n_slow;       /* pairs that were added up */
	guint64 n_left_out;   /* slow pairs without a thread, or above LTT_MAX_SLOW_PAIRS */
	guint64 n_crossing;   /* slow pairs that end in another thread */
	LttStateTally slow;
	guint n_longest; /* of the LttLatencySummary, in its order */
	LttStateTally *longest;
	guint64 n_events; /* that determine states */
} LttLatencyStates;

/**
 * ltt_latency_states:
 * @request: that of ltt_latency()
 * @latency: its summary
 * @percentile: pairs of this percentile or above are slow, such as 99
 * @states: (out): set on success; free its contents with ltt_latency_states_clear()
 *
 * Reads the trace twice.
 *
 * Returns: FALSE as ltt_latency()
 */
gboolean ltt_latency_states(const LttLatencyRequest *request, const LttLatencySummary *latency,
			    double percentile, LttLatencyStates *states, GError **error);

/* Returns: (transfer full): the state with the most time, and what a wait was for: "waiting: read",
 *   "running, 812 page faults"; "no time" for an empty tally */
char *ltt_state_tally_describe(const LttStateTally *tally);

/* Frees the contents. A summary of zeros is allowed. */
void ltt_latency_states_clear(LttLatencyStates *states);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LttLatencyStates, ltt_latency_states_clear)

G_END_DECLS

#endif /* LTT_LATENCY_STATES_H */
