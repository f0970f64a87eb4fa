/* latency-text.c - `ltt latency` as text: a table of percentiles, a histogram, the longest pairs. */
#include "amount.h"
#include "latency.h"
#include "table.h"
#include "tool.h"

#include <ltt/ltt-time.h>

#define BAR_COLUMNS    40
#define HISTOGRAM_ROWS 24

static const double percents[] = {50, 90, 99, 99.9};

/* @name: "1 begin", "2 begins". Prints nothing for a count of 0. */
static void print_note(guint64 n, const char *name, const char *rest)
{
	g_autofree char *count = amount_count(n);

	if (n > 0)
		tool_print("  %s %s%s %s\n", count, name, n == 1 ? "" : "s", rest);
}

static void print_counts(const LttLatencySummary *latency, const LatencyView *view)
{
	const LttPairCounts *counts = &latency->counts;
	g_autofree char *pairs = amount_count(counts->n_pairs);
	g_autofree char *begin = tool_escape(view->begin);
	g_autofree char *end = tool_escape(view->end);
	g_autofree char *by = tool_escape(latency->key_name);

	tool_print("%s to %s, by %s: %s pair%s\n", begin, end, by, pairs,
		   counts->n_pairs == 1 ? "" : "s");
	print_note(counts->n_open, "begin", "without an end");
	print_note(counts->n_lone_ends, "end", "without a begin");
	print_note(counts->n_early_ends, "end", "earlier than the begin, in no pair");
	print_note(counts->n_without_key, "event", "without the key");
	print_note(counts->n_filtered, "pair", "left out by the filter");
	print_note(counts->n_over_limit, "begin", "left out: too many are open at a time");
}

static char *show_name(const LttLatencyGroup *group)
{
	return g_strdup(group->name != NULL ? group->name : "-");
}

static void add_row(Table *table, char *name, LttDistribution *durations)
{
	char *cells[G_N_ELEMENTS(percents)];

	for (guint i = 0; i < G_N_ELEMENTS(percents); i++)
		cells[i] = ltt_duration_to_string(
			ltt_distribution_get_percentile(durations, percents[i]));
	table_add(table, name, amount_count(ltt_distribution_get_n(durations)),
		  ltt_duration_to_string(ltt_distribution_get_min(durations)),
		  ltt_duration_to_string((guint64)ltt_distribution_get_mean(durations)), cells[0],
		  cells[1], cells[2], cells[3],
		  ltt_duration_to_string(ltt_distribution_get_max(durations)), NULL);
}

static void print_percentiles(const LttLatencySummary *latency, const LatencyView *view)
{
	g_autoptr(Table) table =
		table_new(view->group != NULL ? view->group : "latency", ">pairs", ">min", ">mean",
			  ">p50", ">p90", ">p99", ">p99.9", ">max", NULL);
	const guint n = MIN(latency->n_groups, view->n_top);
	g_autofree char *limit = amount_count(LTT_MAX_EXACT_DURATIONS);

	for (guint i = 0; i < n; i++)
		add_row(table, show_name(&latency->groups[i]), latency->groups[i].durations);
	if (n < latency->n_groups) {
		g_autoptr(LttDistribution) rest = ltt_distribution_new();

		for (guint i = n; i < latency->n_groups; i++)
			ltt_distribution_merge(rest, latency->groups[i].durations);
		add_row(table, g_strdup_printf("%u others", latency->n_groups - n), rest);
	}
	add_row(table, g_strdup("all"), latency->durations);
	table_print(table);
	if (!ltt_distribution_is_exact(latency->durations))
		tool_print("  percentiles of more than %s pairs are exact to %.1f %%\n", limit,
			   100 * LTT_DISTRIBUTION_ERROR);
}

static void print_histogram(const LttLatencySummary *latency)
{
	g_autoptr(GArray) rows = ltt_distribution_get_histogram(latency->durations, HISTOGRAM_ROWS);
	g_autoptr(Table) table = table_new(">from", ">to", ">pairs", "", NULL);
	guint64 most = 0;

	for (guint i = 0; i < rows->len; i++)
		most = MAX(most, g_array_index(rows, LttHistogramRow, i).n);
	for (guint i = 0; i < rows->len; i++) {
		const LttHistogramRow *row = &g_array_index(rows, LttHistogramRow, i);
		/* At least one column for one pair. */
		const double bar = (double)row->n / (double)most * BAR_COLUMNS;
		const gsize columns = row->n > 0 ? MAX((gsize)(bar + 0.5), 1) : 0;

		table_add(table, ltt_duration_to_string(row->from_ns),
			  ltt_duration_to_string(row->to_ns), amount_count(row->n),
			  g_strnfill(columns, '#'), NULL);
	}
	table_print(table);
}

char *latency_command(const LttLatencyPair *pair, const LatencyView *view)
{
	const guint64 duration_ns = pair->end_ns - pair->begin_ns;
	g_autofree char *middle = amount_time(pair->begin_ns + duration_ns / 2);
	g_autofree char *from = amount_time(pair->begin_ns);
	g_autofree char *to = amount_time(pair->end_ns + 1);

	/* --around takes the same time on both sides of an instant in nanoseconds. */
	if (duration_ns % 2 == 0)
		return g_strdup_printf("ltt dump --around %s,%" G_GUINT64_FORMAT "ns %s", middle,
				       duration_ns, view->traces);
	return g_strdup_printf("ltt dump --from %s --to %s %s", from, to, view->traces);
}

static void print_longest(const LttLatencySummary *latency, const LatencyView *view)
{
	g_autoptr(Table) table =
		view->group != NULL
			? table_new(">longest", ">begin", latency->key_name, "tracefile",
				    view->group, NULL)
			: table_new(">longest", ">begin", latency->key_name, "tracefile", NULL);

	for (guint i = 0; i < latency->n_longest; i++) {
		const LttLatencyPair *pair = &latency->longest[i];

		table_add(table, ltt_duration_to_string(pair->end_ns - pair->begin_ns),
			  amount_time(pair->begin_ns), g_strdup(pair->key),
			  g_strdup(ltt_tracefile_get_label(pair->begin_tracefile)),
			  view->group != NULL ? g_strdup(pair->group != NULL ? pair->group : "-")
					      : NULL,
			  NULL);
	}
	table_print(table);
	tool_print("\ncommands that print the events of each:\n");
	for (guint i = 0; i < latency->n_longest; i++) {
		g_autofree char *command = latency_command(&latency->longest[i], view);
		g_autofree char *safe = tool_escape(command);

		tool_print("  %s\n", safe);
	}
}

void latency_print_text(const LttLatencySummary *latency, const LatencyView *view)
{
	print_counts(latency, view);
	if (latency->counts.n_pairs == 0)
		return;
	tool_print("\n");
	print_percentiles(latency, view);
	tool_print("\n");
	print_histogram(latency);
	if (latency->n_longest > 0) {
		tool_print("\n");
		print_longest(latency, view);
	}
	if (view->states != NULL)
		latency_print_states_text(latency, view->states);
}

/* ---- two traces ---- */

static const char *describe_verdict(LttLatencyVerdict verdict)
{
	switch (verdict) {
	case LTT_LATENCY_SLOWER:
		return "slower";
	case LTT_LATENCY_FASTER:
		return "faster";
	case LTT_LATENCY_NOISE:
		return "noise";
	default:
		return "too few pairs";
	}
}

/* Both values of a number: "1.2 ms -> 1.4 ms". */
static char *show_both(const LttLatencyChange *change, double percent)
{
	g_autofree char *before = NULL;
	g_autofree char *after = NULL;

	if (change->before != NULL)
		before = ltt_duration_to_string(
			ltt_distribution_get_percentile(change->before, percent));
	if (change->after != NULL)
		after = ltt_duration_to_string(
			ltt_distribution_get_percentile(change->after, percent));
	return g_strdup_printf("%s -> %s", before != NULL ? before : "-",
			       after != NULL ? after : "-");
}

static char *show_counts(const LttLatencyChange *change)
{
	g_autofree char *before =
		amount_count(change->before != NULL ? ltt_distribution_get_n(change->before) : 0);
	g_autofree char *after =
		amount_count(change->after != NULL ? ltt_distribution_get_n(change->after) : 0);

	return g_strdup_printf("%s -> %s", before, after);
}

static void add_change(Table *table, char *name, const LttLatencyChange *change)
{
	const gboolean is_judged = change->verdict != LTT_LATENCY_TOO_FEW;
	const double p = change->change.p;
	char *longer = is_judged ? g_strdup_printf("%.1f %%", 100 * change->change.later_is_longer)
				 : g_strdup("-");
	char *chance = g_strdup("-");

	if (is_judged) {
		g_free(chance);
		chance = p < 0.0001 ? g_strdup("< 0.0001") : g_strdup_printf("%.4f", p);
	}
	table_add(table, name, show_counts(change), show_both(change, 50), show_both(change, 90),
		  show_both(change, 99), longer, chance,
		  g_strdup(describe_verdict(change->verdict)), NULL);
}

void latency_print_change_text(const LttLatencySummary *before, const LttLatencySummary *after,
			       const LatencyView *view)
{
	LttLatencyChange all;
	g_autoptr(GArray) changes = ltt_latency_compare(before, after, &all);
	g_autoptr(Table) table =
		table_new(view->group != NULL ? view->group : "latency", ">pairs", ">p50", ">p90",
			  ">p99", ">longer", ">p", "verdict", NULL);
	const guint n = MIN(changes->len, view->n_top);

	tool_print("before: ");
	print_counts(before, view);
	tool_print("after:  ");
	print_counts(after, view);
	tool_print("\n");
	for (guint i = 0; i < n; i++) {
		const LttLatencyChange *change = &g_array_index(changes, LttLatencyChange, i);

		add_change(table, g_strdup(change->name != NULL ? change->name : "-"), change);
	}
	add_change(table, g_strdup("all"), &all);
	table_print(table);
	if (n < changes->len)
		tool_print("  and %u further groups\n", changes->len - n);
	tool_print("\nlonger: how often a pair after is longer than one before; p: of the "
		   "Mann-Whitney U test;\nnoise: p is %g or more\n",
		   LTT_LATENCY_SIGNIFICANCE);
}
