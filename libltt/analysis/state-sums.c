/* state-sums.c - see ltt-state-sums.h. */
#include "analysis/stat-priv.h"
#include "analysis/state-tally-priv.h"
#include "analysis/states-priv.h"
#include "base/error-priv.h"
#include "base/job-priv.h"
#include "filter/select-priv.h"
#include "reader/trace-priv.h"

#include <ltt/ltt-hash.h>
#include <ltt/ltt-merge.h>

/* A thread that is added up, also the key of the table. */
typedef struct Thread {
	guint64 id; /* machine << 32 | tid */
	gboolean has_pid;
	guint32 pid;
	guint64 last_ns;
	LttTally *tally;
} Thread;

typedef struct Adding {
	const LttStateSumsRequest *request;
	GHashTable *threads; /* Thread to itself */
	GHashTable *chosen;  /* ids of the threads to add up; NULL: all */
	GHashTable *cpus;    /* LttTracefile to LttStateCpuSum */
	gboolean has_cpus;   /* only some CPUs are selected */
	LttStateSums sums;
} Adding;

static void free_thread(gpointer data)
{
	ltt_tally_free(((Thread *)data)->tally);
	g_free(data);
}

/* ---- the selection ---- */

static guint64 make_id(guint32 machine, guint32 tid)
{
	return (guint64)machine << 32 | tid;
}

static gboolean take_window(Adding *adding)
{
	const LttSelect *select = adding->request->select;
	guint64 from_ns = 0;
	guint64 to_ns = G_MAXUINT64;
	guint64 start_ns;
	guint64 end_ns;

	if (!ltt_trace_get_span(adding->request->trace, &start_ns, &end_ns))
		return FALSE;
	if (select != NULL)
		ltt_select_get_window(select, &from_ns, &to_ns);
	adding->sums.from_ns = MAX(from_ns, start_ns);
	adding->sums.to_ns = MAX(MIN(to_ns, end_ns), adding->sums.from_ns);
	return TRUE;
}

static gboolean is_on_cpu(const Adding *adding, const LttStretch *stretch)
{
	if (!adding->has_cpus)
		return TRUE;
	return stretch->cpu != NULL &&
	       ltt_select_wants_tracefile(adding->request->select, stretch->cpu);
}

static void find_cpus(Adding *adding)
{
	LttTrace *trace = adding->request->trace;

	for (guint i = 0; adding->request->select != NULL && i < ltt_trace_get_n_tracefiles(trace);
	     i++)
		if (!ltt_select_wants_tracefile(adding->request->select,
						ltt_trace_get_tracefile(trace, i)))
			adding->has_cpus = TRUE;
}

/* Finds the threads with a selected event. Damage is reported when the states are read. */
static gboolean find_chosen(Adding *adding, GError **error)
{
	g_autoptr(LttMerge) merge = NULL;
	const LttEvent *event;
	LttStep step;

	if (adding->request->select == NULL || !ltt_select_asks_events(adding->request->select))
		return TRUE;
	adding->chosen = g_hash_table_new_full(ltt_hash_int64, g_int64_equal, g_free, NULL);
	merge = ltt_merge_new(adding->request->trace, adding->request->select);
	ltt_merge_set_callbacks(merge, &adding->request->callbacks);
	for (;;) {
		g_autoptr(GError) failure = NULL;

		step = ltt_merge_next(merge, &event, &failure);
		if (step == LTT_STEP_END)
			return TRUE;
		if (step == LTT_STEP_EVENT && event->has_thread) {
			const guint64 id = make_id(event->tracefile->host, event->tid);

			if (!g_hash_table_contains(adding->chosen, &id))
				g_hash_table_add(adding->chosen, g_memdup2(&id, sizeof(id)));
		}
		if (step == LTT_STEP_ERROR &&
		    !g_error_matches(failure, LTT_ERROR, LTT_ERROR_CORRUPT)) {
			g_propagate_error(error, g_steal_pointer(&failure));
			return FALSE;
		}
		if (step == LTT_STEP_ERROR)
			ltt_merge_skip_block(merge);
	}
}

/* ---- adding up ---- */

static void add_thread(Adding *adding, const LttStretch *stretch)
{
	const Thread asked = {.id = make_id(stretch->machine, stretch->tid)};
	Thread *thread = g_hash_table_lookup(adding->threads, &asked);

	if (adding->chosen != NULL && !g_hash_table_contains(adding->chosen, &asked.id))
		return;
	if (thread == NULL) {
		thread = g_new(Thread, 1);
		*thread = asked;
		thread->tally = ltt_tally_new();
		g_hash_table_add(adding->threads, thread);
	}
	if (stretch->has_pid) {
		thread->has_pid = TRUE;
		thread->pid = stretch->pid;
	}
	thread->last_ns = stretch->end_ns - 1;
	ltt_tally_add(thread->tally, stretch, 0, G_MAXUINT64);
}

static void add_cpu(Adding *adding, const LttStretch *stretch)
{
	LttStateCpuSum *sum = g_hash_table_lookup(adding->cpus, stretch->cpu);

	if (sum == NULL) {
		sum = g_new0(LttStateCpuSum, 1);
		sum->tracefile = stretch->cpu;
		g_hash_table_insert(adding->cpus, (gpointer)stretch->cpu, sum);
	}
	ltt_state_time_add(&sum->states[stretch->cpu_state], stretch->end_ns - stretch->begin_ns);
}

static gboolean read_states(Adding *adding, GError **error)
{
	const LttJobCallbacks *callbacks = &adding->request->callbacks;
	g_autoptr(LttStates) states =
		ltt_states_new(adding->request->trace, adding->sums.from_ns, adding->sums.to_ns);
	const LttStretch *stretch;
	LttStep step;

	ltt_states_set_callbacks(states, callbacks);
	do {
		g_autoptr(GError) failure = NULL;

		step = ltt_states_next(states, &stretch, &failure);
		if (step == LTT_STEP_ERROR) {
			if (!ltt_job_pass_damage(callbacks, failure, error))
				return FALSE;
			ltt_states_skip_block(states);
		} else if (step == LTT_STEP_EVENT && is_on_cpu(adding, stretch)) {
			if (stretch->subject == LTT_STRETCH_OF_THREAD)
				add_thread(adding, stretch);
			else
				add_cpu(adding, stretch);
		}
	} while (step != LTT_STEP_END);
	adding->sums.n_events = ltt_states_get_n_events(states);
	adding->sums.n_gaps = ltt_states_get_n_gaps(states);
	return TRUE;
}

/* ---- the result ---- */

static gint compare_threads(gconstpointer left, gconstpointer right)
{
	const LttStateThreadSum *a = left;
	const LttStateThreadSum *b = right;
	const guint64 a_ns = a->tally.states[LTT_THREAD_RUNNING].total_ns;
	const guint64 b_ns = b->tally.states[LTT_THREAD_RUNNING].total_ns;

	if (a_ns != b_ns)
		return a_ns > b_ns ? -1 : 1;
	return a->tid != b->tid ? (a->tid > b->tid) - (a->tid < b->tid)
				: (a->machine > b->machine) - (a->machine < b->machine);
}

static gint compare_cpus(gconstpointer left, gconstpointer right)
{
	const LttStateCpuSum *a = left;
	const LttStateCpuSum *b = right;

	return (gint)ltt_tracefile_get_index(a->tracefile) -
	       (gint)ltt_tracefile_get_index(b->tracefile);
}

static void finish(Adding *adding, LttStateSums *summary)
{
	GArray *threads = g_array_new(FALSE, FALSE, sizeof(LttStateThreadSum));
	GArray *cpus = g_array_new(FALSE, FALSE, sizeof(LttStateCpuSum));
	GHashTableIter iter;
	gpointer data;

	g_hash_table_iter_init(&iter, adding->threads);
	while (g_hash_table_iter_next(&iter, &data, NULL)) {
		const Thread *thread = data;
		LttStateThreadSum sum = {.machine = (guint32)(thread->id >> 32),
					 .has_pid = thread->has_pid,
					 .pid = thread->pid,
					 .tid = (guint32)thread->id};

		sum.name = ltt_stat_find_thread_name(adding->request->trace, sum.machine, sum.pid,
						     sum.tid, thread->last_ns);
		ltt_tally_finish(thread->tally, &sum.tally);
		g_array_append_val(threads, sum);
	}
	g_hash_table_iter_init(&iter, adding->cpus);
	while (g_hash_table_iter_next(&iter, NULL, &data))
		g_array_append_vals(cpus, data, 1);
	g_array_sort(threads, compare_threads);
	g_array_sort(cpus, compare_cpus);
	*summary = adding->sums;
	summary->n_threads = threads->len;
	summary->threads = (LttStateThreadSum *)(gpointer)g_array_free(threads, FALSE);
	summary->n_cpus = cpus->len;
	summary->cpus = (LttStateCpuSum *)(gpointer)g_array_free(cpus, FALSE);
}

gboolean ltt_state_sums(const LttStateSumsRequest *request, LttStateSums *summary, GError **error)
{
	Adding adding = {
		.request = request,
		.threads = g_hash_table_new_full(ltt_hash_int64, g_int64_equal, free_thread, NULL),
		.cpus = g_hash_table_new_full(NULL, NULL, NULL, g_free),
	};
	gboolean ok = TRUE;

	find_cpus(&adding);
	if (take_window(&adding))
		ok = find_chosen(&adding, error) && read_states(&adding, error);
	if (ok)
		finish(&adding, summary);
	g_hash_table_unref(adding.threads);
	g_hash_table_unref(adding.cpus);
	g_clear_pointer(&adding.chosen, g_hash_table_unref);
	return ok;
}

char *ltt_stretch_find_name(LttTrace *trace, const LttStretch *stretch)
{
	return ltt_stat_find_thread_name(trace, stretch->machine, stretch->pid, stretch->tid,
					 stretch->end_ns - 1);
}

void ltt_state_sums_clear(LttStateSums *summary)
{
	for (guint i = 0; i < summary->n_threads; i++) {
		g_free(summary->threads[i].name);
		ltt_state_tally_clear(&summary->threads[i].tally);
	}
	g_free(summary->threads);
	g_free(summary->cpus);
	*summary = (LttStateSums){0};
}
