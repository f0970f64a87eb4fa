/* states-text.c - `ltt stat --states` as text: threads, what they waited for, and CPUs. */
#include "amount.h"
#include "states.h"
#include "table.h"
#include "tool.h"

#include <ltt/ltt-time.h>

/* Rows of the table of waits, unless --top is given. */
#define MAX_WAITS 20

const char states_missing[] =
	"the trace has no events that determine the states of threads; expected a "
	"trace of `ltt record --kernel`, "
	"or an imported one with events of the scheduler";

char *states_name_waker(const LttWaker *waker)
{
	switch (waker->kind) {
	case LTT_WAKER_THREAD:
		return g_strdup_printf("%u/%u", waker->pid, waker->tid);
	case LTT_WAKER_IRQ:
		return waker->has_number ? g_strdup_printf("irq %u", waker->number)
					 : g_strdup("irq");
	case LTT_WAKER_SOFTIRQ:
		return waker->has_number ? g_strdup_printf("softirq %u", waker->number)
					 : g_strdup("softirq");
	default:
		return g_strdup("-");
	}
}

static char *time_or_dash(guint64 time_ns)
{
	return time_ns > 0 ? ltt_duration_to_string(time_ns) : g_strdup("-");
}

static void add_thread(Table *table, char *tid, char *pid, const LttStateTally *tally,
		       const char *name)
{
	const LttStateTime *states = tally->states;

	table_add(table, tid, pid, time_or_dash(states[LTT_THREAD_RUNNING].total_ns),
		  amount_count(states[LTT_THREAD_RUNNING].n),
		  time_or_dash(states[LTT_THREAD_RUNNABLE].total_ns),
		  time_or_dash(states[LTT_THREAD_PREEMPTED].total_ns),
		  amount_count(states[LTT_THREAD_PREEMPTED].n),
		  time_or_dash(states[LTT_THREAD_WAITING].total_ns),
		  amount_count(states[LTT_THREAD_WAITING].n),
		  time_or_dash(states[LTT_THREAD_UNKNOWN].total_ns),
		  g_strdup(name != NULL ? name : ""), NULL);
}

static void add_time(LttStateTime *to, const LttStateTime *from)
{
	to->total_ns += from->total_ns;
	to->n += from->n;
	to->longest_ns = MAX(to->longest_ns, from->longest_ns);
}

static void print_threads(const LttStateSums *sums, guint n_top)
{
	g_autoptr(Table) table =
		table_new("thread", ">process", ">running", ">times", ">runnable", ">preempted",
			  ">times", ">waiting", ">times", ">unknown", "name", NULL);
	const guint n =
		sums->n_threads > n_top && sums->n_threads - n_top > 1 ? n_top : sums->n_threads;
	LttStateTally rest = {.n_waits = 0};

	for (guint i = 0; i < sums->n_threads; i++) {
		const LttStateThreadSum *thread = &sums->threads[i];

		if (i < n)
			add_thread(table, g_strdup_printf("%u", thread->tid),
				   thread->has_pid ? g_strdup_printf("%u", thread->pid)
						   : g_strdup("-"),
				   &thread->tally, thread->name);
		for (guint s = 0; i >= n && s < LTT_N_THREAD_STATES; s++)
			add_time(&rest.states[s], &thread->tally.states[s]);
	}
	if (n < sums->n_threads)
		add_thread(table, g_strdup_printf("%u others", sums->n_threads - n), g_strdup(""),
			   &rest, NULL);
	table_print(table);
}

/* A cause of a thread. */
typedef struct Cause {
	const LttStateThreadSum *thread;
	const LttStateWaitSum *wait;
} Cause;

static gint compare_causes(gconstpointer left, gconstpointer right)
{
	const Cause *a = left;
	const Cause *b = right;

	if (a->wait->time.total_ns != b->wait->time.total_ns)
		return a->wait->time.total_ns > b->wait->time.total_ns ? -1 : 1;
	return (a->thread->tid > b->thread->tid) - (a->thread->tid < b->thread->tid);
}

static void print_waits(const LttStateSums *sums, guint n_top)
{
	g_autoptr(Table) table = table_new("waits of", "for", ">waiting", ">times", ">longest",
					   "woken by", "name", NULL);
	g_autoptr(GArray) causes = g_array_new(FALSE, FALSE, sizeof(Cause));
	const guint n_max = n_top == G_MAXINT ? MAX_WAITS : n_top;

	for (guint i = 0; i < sums->n_threads; i++) {
		for (guint n = 0; n < sums->threads[i].tally.n_waits; n++) {
			const Cause cause = {&sums->threads[i], &sums->threads[i].tally.waits[n]};

			g_array_append_val(causes, cause);
		}
	}
	g_array_sort(causes, compare_causes);
	for (guint i = 0; i < MIN(causes->len, n_max); i++) {
		const Cause *cause = &g_array_index(causes, Cause, i);
		const LttStateTime *time = &cause->wait->time;

		table_add(table, g_strdup_printf("%u", cause->thread->tid),
			  g_strdup(cause->wait->cause), ltt_duration_to_string(time->total_ns),
			  amount_count(time->n), ltt_duration_to_string(time->longest_ns),
			  states_name_waker(&cause->wait->waker),
			  g_strdup(cause->thread->name != NULL ? cause->thread->name : ""), NULL);
	}
	if (causes->len > n_max)
		table_add(table, g_strdup_printf("%u others", causes->len - n_max), NULL);
	table_print(table);
}

static void print_cpus(const LttStateSums *sums)
{
	static const LttCpuState order[] = {LTT_CPU_THREAD, LTT_CPU_SOFTIRQ, LTT_CPU_IRQ,
					    LTT_CPU_IDLE, LTT_CPU_UNKNOWN};
	g_autoptr(Table) table = table_new("CPU", ">thread", ">%", ">softirq", ">%", ">irq", ">%",
					   ">idle", ">%", ">unknown", ">%", NULL);

	for (guint i = 0; i < sums->n_cpus; i++) {
		const LttStateCpuSum *cpu = &sums->cpus[i];
		char *cells[2 * G_N_ELEMENTS(order)];

		for (guint n = 0; n < G_N_ELEMENTS(order); n++) {
			const guint64 time_ns = cpu->states[order[n]].total_ns;

			cells[2 * n] = time_or_dash(time_ns);
			cells[2 * n + 1] = amount_percent(time_ns, sums->to_ns - sums->from_ns);
		}
		table_add(table, g_strdup_printf("%d", ltt_tracefile_get_cpu(cpu->tracefile)),
			  cells[0], cells[1], cells[2], cells[3], cells[4], cells[5], cells[6],
			  cells[7], cells[8], cells[9], NULL);
	}
	table_print(table);
}

void states_print_text(const LttStateSums *sums, guint n_top)
{
	g_autofree char *from = amount_time(sums->from_ns);
	g_autofree char *to = amount_time(sums->to_ns);
	g_autofree char *length = amount_time(sums->to_ns - sums->from_ns);
	g_autofree char *gaps = amount_count(sums->n_gaps);

	tool_print("from       %s\n", from);
	tool_print("to         %s  (after %s s)\n", to, length);
	if (sums->n_gaps > 0)
		tool_print("gaps       %s times events are missing; states are unknown until the "
			   "next event\n",
			   gaps);
	print_threads(sums, n_top);
	print_waits(sums, n_top);
	print_cpus(sums);
}
