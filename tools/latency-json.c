/* latency-json.c - `ltt latency --json`. The keys are a contract (doc/latency.md). */
#include "json.h"
#include "latency.h"
#include "tool.h"

#define HISTOGRAM_ROWS 64

static const struct {
	const char *key;
	double percent;
} percentiles[] = {{"p50", 50}, {"p90", 90}, {"p99", 99}, {"p99.9", 99.9}};

/* Durations are null without pairs. */
static void print_duration(Json *json, const char *key, gboolean is_there, guint64 duration_ns)
{
	if (is_there)
		json_number(json, key, duration_ns);
	else
		json_null(json, key);
}

/* @durations: (nullable) */
static void print_durations(Json *json, LttDistribution *durations)
{
	const guint64 n = durations != NULL ? ltt_distribution_get_n(durations) : 0;
	const gboolean has_pairs = n > 0;

	json_number(json, "pairs", n);
	print_duration(json, "min", has_pairs, has_pairs ? ltt_distribution_get_min(durations) : 0);
	if (has_pairs)
		json_decimal(json, "mean", ltt_distribution_get_mean(durations));
	else
		json_null(json, "mean");
	for (guint i = 0; i < G_N_ELEMENTS(percentiles); i++)
		print_duration(json, percentiles[i].key, has_pairs,
			       has_pairs ? ltt_distribution_get_percentile(durations,
									   percentiles[i].percent)
					 : 0);
	print_duration(json, "max", has_pairs, has_pairs ? ltt_distribution_get_max(durations) : 0);
	json_text(json, "percentiles",
		  !has_pairs || ltt_distribution_is_exact(durations) ? "exact" : "sketch");
}

static void print_histogram(Json *json, LttDistribution *durations)
{
	g_autoptr(GArray) rows = ltt_distribution_get_histogram(durations, HISTOGRAM_ROWS);

	json_open(json, "histogram", '[');
	for (guint i = 0; i < rows->len; i++) {
		const LttHistogramRow *row = &g_array_index(rows, LttHistogramRow, i);

		json_open(json, NULL, '{');
		json_number(json, "from", row->from_ns);
		json_number(json, "to", row->to_ns);
		json_number(json, "pairs", row->n);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void print_groups(Json *json, const LttLatencySummary *latency)
{
	json_open(json, "groups", '[');
	for (guint i = 0; i < latency->n_groups; i++) {
		json_open(json, NULL, '{');
		json_text(json, "name", latency->groups[i].name);
		print_durations(json, latency->groups[i].durations);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void print_id(Json *json, const char *key, gboolean is_there, guint32 id)
{
	if (is_there)
		json_number(json, key, id);
	else
		json_null(json, key);
}

static void print_longest(Json *json, const LttLatencySummary *latency, const LatencyView *view)
{
	json_open(json, "longest", '[');
	for (guint i = 0; i < latency->n_longest; i++) {
		const LttLatencyPair *pair = &latency->longest[i];
		g_autofree char *command = latency_command(pair, view);

		json_open(json, NULL, '{');
		json_number(json, "duration", pair->end_ns - pair->begin_ns);
		json_time(json, "begin", TRUE, pair->begin_ns);
		json_time(json, "end", TRUE, pair->end_ns);
		json_text(json, "key", pair->key);
		json_text(json, "group", pair->group);
		json_text(json, "tracefile", ltt_tracefile_get_name(pair->begin_tracefile));
		json_text(json, "end_tracefile", ltt_tracefile_get_name(pair->end_tracefile));
		print_id(json, "pid", pair->has_thread, pair->pid);
		print_id(json, "tid", pair->has_thread, pair->tid);
		json_text(json, "command", command);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void print_asked(Json *json, const LttLatencySummary *latency, const LatencyView *view)
{
	json_text(json, "begin", view->begin);
	json_text(json, "end", view->end);
	json_text(json, "by", latency->key_name);
	json_text(json, "group", view->group);
}

static void print_counts(Json *json, const LttPairCounts *counts)
{
	json_number(json, "begins_without_end", counts->n_open);
	json_number(json, "ends_without_begin", counts->n_lone_ends);
	json_number(json, "ends_before_begin", counts->n_early_ends);
	json_number(json, "without_key", counts->n_without_key);
	json_number(json, "filtered", counts->n_filtered);
	json_number(json, "over_limit", counts->n_over_limit);
}

void latency_print_json(const LttLatencySummary *latency, const LatencyView *view)
{
	Json json = {0, FALSE};

	json_open(&json, NULL, '{');
	print_asked(&json, latency, view);
	print_durations(&json, latency->durations);
	print_counts(&json, &latency->counts);
	print_histogram(&json, latency->durations);
	print_groups(&json, latency);
	print_longest(&json, latency, view);
	if (view->states != NULL)
		latency_print_states_json(&json, view->states);
	json_close(&json, '}');
}

/* ---- two traces ---- */

static void print_side(Json *json, const char *key, LttDistribution *durations,
		       const LttPairCounts *counts)
{
	json_open(json, key, '{');
	print_durations(json, durations);
	if (counts != NULL)
		print_counts(json, counts);
	json_close(json, '}');
}

static void print_verdict(Json *json, const LttLatencyChange *change)
{
	static const char *const verdicts[] = {
		[LTT_LATENCY_SLOWER] = "slower",
		[LTT_LATENCY_FASTER] = "faster",
		[LTT_LATENCY_NOISE] = "noise",
		[LTT_LATENCY_TOO_FEW] = NULL,
	};
	const gboolean is_judged = change->verdict != LTT_LATENCY_TOO_FEW;

	json_text(json, "verdict", verdicts[change->verdict]);
	if (is_judged) {
		json_real(json, "longer", change->change.later_is_longer);
		json_real(json, "p", change->change.p);
	} else {
		json_null(json, "longer");
		json_null(json, "p");
	}
}

void latency_print_change_json(const LttLatencySummary *before, const LttLatencySummary *after,
			       const LatencyView *view)
{
	LttLatencyChange all;
	g_autoptr(GArray) changes = ltt_latency_compare(before, after, &all);
	Json json = {0, FALSE};

	json_open(&json, NULL, '{');
	print_asked(&json, before, view);
	print_side(&json, "before", before->durations, &before->counts);
	print_side(&json, "after", after->durations, &after->counts);
	print_verdict(&json, &all);
	json_open(&json, "groups", '[');
	for (guint i = 0; i < changes->len; i++) {
		const LttLatencyChange *change = &g_array_index(changes, LttLatencyChange, i);

		json_open(&json, NULL, '{');
		json_text(&json, "name", change->name);
		print_verdict(&json, change);
		print_side(&json, "before", change->before, NULL);
		print_side(&json, "after", change->after, NULL);
		json_close(&json, '}');
	}
	json_close(&json, ']');
	json_close(&json, '}');
}
