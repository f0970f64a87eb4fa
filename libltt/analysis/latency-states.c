/* latency-states.c - see ltt-latency-states.h.
 *
 *	pass 1  pairs  ──► slow intervals of each thread, by begin
 *	pass 2  states ──► the parts of stretches in these intervals ──► tallies
 */
#include "analysis/state-tally-priv.h"
#include "analysis/states-priv.h"
#include "base/job-priv.h"
#include "reader/trace-priv.h"

#include <ltt/ltt-hash.h>
#include <ltt/ltt-latency-states.h>

typedef struct Interval {
	guint64 begin_ns;
	guint64 end_ns;
	LttTally *tally; /* borrowed */
} Interval;

typedef struct Thread {
	GArray *intervals; /* of Interval; by begin */
	guint first;       /* earlier ones are over */
} Thread;

typedef struct Finding {
	const LttLatencyRequest *request;
	GHashTable *threads; /* recording << 32 | tid, to Thread */
	LttTally *slow;
	GPtrArray *longest; /* of LttTally */
	LttLatencyStates states;
} Finding;

static void free_thread(gpointer data)
{
	g_array_unref(((Thread *)data)->intervals);
	g_free(data);
}

/* ---- intervals ---- */

static void add_interval(Finding *finding, const LttTracefile *tracefile, guint32 tid,
			 const Interval *interval)
{
	const guint64 id = (guint64)tracefile->recording << 32 | tid;
	Thread *thread = g_hash_table_lookup(finding->threads, &id);

	if (thread == NULL) {
		thread = g_new0(Thread, 1);
		thread->intervals = g_array_new(FALSE, FALSE, sizeof(Interval));
		g_hash_table_insert(finding->threads, g_memdup2(&id, sizeof(id)), thread);
	}
	g_array_append_val(thread->intervals, *interval);
}

static void add_pair(Finding *finding, const LttPair *pair)
{
	const Interval interval = {pair->begin_ns, pair->end_ns, finding->slow};

	if (pair->end_ns - pair->begin_ns < finding->states.threshold_ns)
		return;
	if (!pair->begin->has_thread || finding->states.n_slow >= LTT_MAX_SLOW_PAIRS) {
		finding->states.n_left_out++;
		return;
	}
	finding->states.n_slow++;
	if (!pair->end->has_thread || pair->end->tid != pair->begin->tid)
		finding->states.n_crossing++;
	add_interval(finding, pair->begin->tracefile, pair->begin->tid, &interval);
}

/* ltt_latency() has reported damage already. */
static gboolean read_pairs(Finding *finding, GError **error)
{
	const LttJobCallbacks *asked = &finding->request->callbacks;
	const LttJobCallbacks quiet = {NULL, asked->on_progress, asked->user_data};
	g_autoptr(LttPairs) pairs = ltt_pairs_new(&finding->request->pairs, error);
	const LttPair *pair;
	LttStep step;

	if (pairs == NULL)
		return FALSE;
	ltt_pairs_set_callbacks(pairs, &quiet);
	do {
		g_autoptr(GError) failure = NULL;

		step = ltt_pairs_next(pairs, &pair, &failure);
		if (step == LTT_STEP_EVENT)
			add_pair(finding, pair);
		if (step == LTT_STEP_ERROR) {
			if (!ltt_job_pass_damage(&quiet, failure, error))
				return FALSE;
			ltt_pairs_skip_block(pairs);
		}
	} while (step != LTT_STEP_END);
	return TRUE;
}

static void add_longest(Finding *finding, const LttLatencySummary *latency)
{
	finding->states.n_longest = latency->n_longest;
	for (guint i = 0; i < latency->n_longest; i++) {
		const LttLatencyPair *pair = &latency->longest[i];
		const Interval interval = {pair->begin_ns, pair->end_ns, ltt_tally_new()};

		g_ptr_array_add(finding->longest, interval.tally);
		if (pair->has_thread)
			add_interval(finding, pair->begin_tracefile, pair->tid, &interval);
	}
}

static gint compare_intervals(gconstpointer left, gconstpointer right)
{
	const Interval *a = left;
	const Interval *b = right;

	return (a->begin_ns > b->begin_ns) - (a->begin_ns < b->begin_ns);
}

static void sort_intervals(Finding *finding)
{
	GHashTableIter iter;
	gpointer thread;

	g_hash_table_iter_init(&iter, finding->threads);
	while (g_hash_table_iter_next(&iter, NULL, &thread))
		g_array_sort(((Thread *)thread)->intervals, compare_intervals);
}

/* ---- states ---- */

static void add_stretch(Finding *finding, const LttStretch *stretch)
{
	const guint64 id = (guint64)stretch->recording << 32 | stretch->tid;
	Thread *thread = stretch->subject == LTT_STRETCH_OF_THREAD
				 ? g_hash_table_lookup(finding->threads, &id)
				 : NULL;

	if (thread == NULL)
		return;
	while (thread->first < thread->intervals->len &&
	       g_array_index(thread->intervals, Interval, thread->first).end_ns <=
		       stretch->begin_ns)
		thread->first++;
	for (guint i = thread->first; i < thread->intervals->len; i++) {
		const Interval *interval = &g_array_index(thread->intervals, Interval, i);

		if (interval->begin_ns >= stretch->end_ns)
			break;
		ltt_tally_add(interval->tally, stretch, interval->begin_ns, interval->end_ns);
	}
}

static gboolean read_states(Finding *finding, GError **error)
{
	const LttJobCallbacks *asked = &finding->request->callbacks;
	const LttJobCallbacks quiet = {NULL, asked->on_progress, asked->user_data};
	g_autoptr(LttStates) states = ltt_states_new(finding->request->pairs.trace, 0, G_MAXUINT64);
	const LttStretch *stretch;
	LttStep step;

	ltt_states_set_callbacks(states, &quiet);
	do {
		g_autoptr(GError) failure = NULL;

		step = ltt_states_next(states, &stretch, &failure);
		if (step == LTT_STEP_EVENT)
			add_stretch(finding, stretch);
		if (step == LTT_STEP_ERROR) {
			if (!ltt_job_pass_damage(&quiet, failure, error))
				return FALSE;
			ltt_states_skip_block(states);
		}
	} while (step != LTT_STEP_END);
	finding->states.n_events = ltt_states_get_n_events(states);
	return TRUE;
}

/* ---- the result ---- */

static void finish(Finding *finding, LttLatencyStates *states)
{
	*states = finding->states;
	ltt_tally_finish(finding->slow, &states->slow);
	states->longest = g_new0(LttStateTally, states->n_longest);
	for (guint i = 0; i < states->n_longest; i++)
		ltt_tally_finish(finding->longest->pdata[i], &states->longest[i]);
}

gboolean ltt_latency_states(const LttLatencyRequest *request, const LttLatencySummary *latency,
			    double percentile, LttLatencyStates *states, GError **error)
{
	Finding finding = {
		.request = request,
		.threads =
			g_hash_table_new_full(ltt_hash_int64, g_int64_equal, g_free, free_thread),
		.slow = ltt_tally_new(),
		.longest = g_ptr_array_new_with_free_func((GDestroyNotify)ltt_tally_free),
	};
	gboolean ok;

	finding.states.threshold_ns =
		ltt_distribution_get_percentile(latency->durations, percentile);
	ok = read_pairs(&finding, error);
	if (ok) {
		add_longest(&finding, latency);
		sort_intervals(&finding);
		ok = read_states(&finding, error);
	}
	if (ok)
		finish(&finding, states);
	g_hash_table_unref(finding.threads);
	g_ptr_array_unref(finding.longest);
	ltt_tally_free(finding.slow);
	return ok;
}

char *ltt_state_tally_describe(const LttStateTally *tally)
{
	const guint64 ready_ns = tally->states[LTT_THREAD_RUNNABLE].total_ns +
				 tally->states[LTT_THREAD_PREEMPTED].total_ns;
	const guint64 running_ns = tally->states[LTT_THREAD_RUNNING].total_ns;
	const guint64 unknown_ns = tally->states[LTT_THREAD_UNKNOWN].total_ns;
	const guint64 wait_ns = tally->n_waits > 0 ? tally->waits[0].time.total_ns : 0;
	const guint64 most_ns = MAX(MAX(ready_ns, running_ns), MAX(unknown_ns, wait_ns));

	if (most_ns == 0)
		return g_strdup("no time");
	if (most_ns == wait_ns)
		return g_strdup_printf("waiting: %s", tally->waits[0].cause);
	if (most_ns == ready_ns)
		return g_strdup("runnable, without a CPU");
	if (most_ns == unknown_ns)
		return g_strdup("unknown");
	return g_strdup_printf("running, %" G_GUINT64_FORMAT " page faults", tally->n_faults);
}

void ltt_latency_states_clear(LttLatencyStates *states)
{
	ltt_state_tally_clear(&states->slow);
	for (guint i = 0; i < states->n_longest; i++)
		ltt_state_tally_clear(&states->longest[i]);
	g_free(states->longest);
	*states = (LttLatencyStates){0};
}
