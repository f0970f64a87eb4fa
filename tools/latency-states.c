/* latency-states.c - `ltt latency --states`: the states of threads during slow pairs. */
#include "amount.h"
#include "latency.h"
#include "states.h"
#include "table.h"
#include "tool.h"

#include <ltt/ltt-time.h>

static void add_row(Table *table, char *name, const LttStateTime *time, guint64 all_ns, char *waker)
{
	if (time->total_ns == 0) {
		g_free(name);
		g_free(waker);
		return;
	}
	table_add(table, name, ltt_duration_to_string(time->total_ns),
		  amount_percent(time->total_ns, all_ns), amount_count(time->n),
		  ltt_duration_to_string(time->longest_ns), waker, NULL);
}

static void print_tally(const LttStateTally *tally)
{
	g_autoptr(Table) table =
		table_new("state", ">time", ">%", ">times", ">longest", "woken by", NULL);
	guint64 all_ns = 0;

	for (guint i = 0; i < LTT_N_THREAD_STATES; i++)
		all_ns += tally->states[i].total_ns;
	add_row(table, g_strdup("running"), &tally->states[LTT_THREAD_RUNNING], all_ns,
		g_strdup(""));
	add_row(table, g_strdup("runnable"), &tally->states[LTT_THREAD_RUNNABLE], all_ns,
		g_strdup(""));
	add_row(table, g_strdup("preempted"), &tally->states[LTT_THREAD_PREEMPTED], all_ns,
		g_strdup(""));
	for (guint i = 0; i < tally->n_waits; i++)
		add_row(table, g_strdup_printf("waiting: %s", tally->waits[i].cause),
			&tally->waits[i].time, all_ns, states_name_waker(&tally->waits[i].waker));
	add_row(table, g_strdup("unknown"), &tally->states[LTT_THREAD_UNKNOWN], all_ns,
		g_strdup(""));
	table_print(table);
	tool_print("  while it was running, also shortly before and after: %" G_GUINT64_FORMAT
		   " system calls, %" G_GUINT64_FORMAT " page faults\n",
		   tally->n_syscalls, tally->n_faults);
}

void latency_print_states_text(const LttLatencySummary *latency, const LttLatencyStates *states)
{
	g_autofree char *threshold = ltt_duration_to_string(states->threshold_ns);
	g_autofree char *n_slow = amount_count(states->n_slow);

	tool_print("\n%s pairs of %s or more: states of the thread that began them\n", n_slow,
		   threshold);
	if (states->n_crossing > 0)
		tool_print("  %" G_GUINT64_FORMAT " of them end in another thread\n",
			   states->n_crossing);
	if (states->n_left_out > 0)
		tool_print("  %" G_GUINT64_FORMAT " further ones have no known thread, or are too "
			   "many\n",
			   states->n_left_out);
	print_tally(&states->slow);
	for (guint i = 0; i < states->n_longest; i++) {
		g_autofree char *begin = amount_time(latency->longest[i].begin_ns);
		g_autofree char *mostly = ltt_state_tally_describe(&states->longest[i]);

		tool_print("\nfrom %s: mostly %s\n", begin, mostly);
		print_tally(&states->longest[i]);
	}
}

static void print_one(Json *json, const char *key, const LttStateTally *tally)
{
	g_autofree char *mostly = ltt_state_tally_describe(tally);

	json_open(json, key, '{');
	json_text(json, "mostly", mostly);
	states_print_json_tally(json, tally);
	json_close(json, '}');
}

void latency_print_states_json(Json *json, const LttLatencyStates *states)
{
	json_open(json, "states", '{');
	json_number(json, "threshold_ns", states->threshold_ns);
	json_number(json, "slow", states->n_slow);
	json_number(json, "left_out", states->n_left_out);
	json_number(json, "crossing", states->n_crossing);
	print_one(json, "sum", &states->slow);
	json_open(json, "longest", '[');
	for (guint i = 0; i < states->n_longest; i++)
		print_one(json, NULL, &states->longest[i]);
	json_close(json, ']');
	json_close(json, '}');
}
