/* fuzz-analysis.c - a trace with one arbitrary tracefile: pairs, latencies, spans and flames agree on
 * the pairs and the spans in it.
 *
 * The first byte selects the sample trace and its file, the second the question.
 */
#include "altered.h"
#include "fuzz.h"
#include "mutate-blocks.h"
#include "mutate.h"

#include "reader/trace-priv.h"

#include <ltt/ltt-flame.h>
#include <ltt/ltt-latency.h>
#include <ltt/ltt-span.h>

#include <string.h>

static const char *const samples[] = {ALTERED_SAMPLES};
static const char *const names[] = {ALTERED_FILES};

#define N_LONGEST 3
#define MAX_TYPES 12 /* that begin pairs */

/* Keys of pairs, and fields to group by. */
static const char *const keys[] = {NULL, "thread", "cpu", "value", "id", "pid", "data", "n=id"};
static const char *const groups[] = {NULL, "cpu", "value", "tid"};

/* ---- the event types ---- */

/* Returns: (transfer container) (element-type utf8): the names of all event types */
static GPtrArray *list_types(const LttTrace *trace)
{
	g_autoptr(GPtrArray) facilities = ltt_trace_list_facilities(trace);
	GPtrArray *types = g_ptr_array_new();

	for (guint i = 0; i < facilities->len; i++) {
		const LttFacility *facility = facilities->pdata[i];

		for (guint j = 0; j < ltt_facility_get_n_events(facility); j++)
			g_ptr_array_add(types, ltt_facility_get_event(facility, j)->full_name);
	}
	return types;
}

static void pass_problem(const LttProblem *problem, gpointer user_data)
{
	(void)user_data;
	FUZZ_ASSERT(problem->message != NULL);
}

static void check_damage(const GError *damage)
{
	FUZZ_ASSERT(g_error_matches(damage, LTT_ERROR, LTT_ERROR_CORRUPT));
}

/* ---- pairs and latencies ---- */

static void check_pair(const LttPair *pair, const LttTrace *trace)
{
	g_autofree char *key = ltt_key_value_to_text(&pair->key, trace);
	g_autofree char *group = ltt_key_value_to_text(&pair->group, trace);

	FUZZ_ASSERT(pair->begin_ns <= pair->end_ns);
	FUZZ_ASSERT(g_utf8_validate(key, -1, NULL) && g_utf8_validate(group, -1, NULL));
}

/* Returns: the number of pairs */
static guint64 read_pairs(LttPairs *pairs, const LttTrace *trace)
{
	g_autofree char *key = ltt_pairs_get_key_name(pairs);
	LttPairCounts counts;
	const LttPair *pair;
	guint64 n_pairs = 0;
	LttStep step;

	do {
		g_autoptr(GError) damage = NULL;

		for (; (step = ltt_pairs_next(pairs, &pair, &damage)) == LTT_STEP_EVENT; n_pairs++)
			check_pair(pair, trace);
		if (step == LTT_STEP_ERROR)
			check_damage(damage);
		ltt_pairs_skip_block(pairs);
	} while (step != LTT_STEP_END);
	ltt_pairs_get_counts(pairs, &counts);
	FUZZ_ASSERT(counts.n_pairs == n_pairs);
	FUZZ_ASSERT(g_utf8_validate(key, -1, NULL));
	return n_pairs;
}

static void check_latency(const LttPairRequest *asked, guint64 n_pairs)
{
	const LttLatencyRequest request = {
		.pairs = *asked, .n_longest = N_LONGEST, .callbacks = {.on_problem = pass_problem}};
	g_auto(LttLatencySummary) latency = {0};
	guint64 n_in_groups = 0;

	FUZZ_ASSERT(ltt_latency(&request, &latency, NULL));
	FUZZ_ASSERT(latency.counts.n_pairs == n_pairs);
	FUZZ_ASSERT(ltt_distribution_get_n(latency.durations) == n_pairs);
	FUZZ_ASSERT(latency.n_longest == MIN(n_pairs, N_LONGEST));
	for (guint i = 0; i < latency.n_groups; i++)
		n_in_groups += ltt_distribution_get_n(latency.groups[i].durations);
	FUZZ_ASSERT(n_in_groups == (asked->group != NULL ? n_pairs : 0));
	if (n_pairs > 0)
		FUZZ_ASSERT(latency.longest[0].end_ns - latency.longest[0].begin_ns ==
			    ltt_distribution_get_percentile(latency.durations, 100));
}

static void try_pairs(LttTrace *trace, guint question)
{
	g_autoptr(GPtrArray) types = list_types(trace);

	for (guint i = 0; i < MIN(types->len, MAX_TYPES); i++) {
		const LttPairRequest request = {
			.trace = trace,
			.begin = types->pdata[i],
			.end = types->pdata[(i + question) % types->len],
			.by = keys[(i + question) % G_N_ELEMENTS(keys)],
			.group = groups[question / G_N_ELEMENTS(keys) % G_N_ELEMENTS(groups)],
			.keeps_begins = question % 2 == 1,
		};
		g_autoptr(GError) error = NULL;
		g_autoptr(LttPairs) pairs = ltt_pairs_new(&request, &error);

		FUZZ_ASSERT((pairs == NULL) == (error != NULL));
		if (pairs != NULL)
			check_latency(&request, read_pairs(pairs, trace));
	}
}

/* ---- spans and flames ---- */

/* Returns: the number of spans */
static guint64 read_spans(LttTrace *trace)
{
	g_autoptr(LttSpans) spans = ltt_spans_new(trace, NULL);
	const LttSpan *span;
	guint64 n_spans = 0;
	LttStep step;

	do {
		g_autoptr(GError) damage = NULL;

		for (; (step = ltt_spans_next(spans, &span, &damage)) == LTT_STEP_EVENT;
		     n_spans++) {
			g_autoptr(GString) args = g_string_new(NULL);

			FUZZ_ASSERT(span->begin_ns <= span->end_ns);
			FUZZ_ASSERT((span->end == NULL) == (span->outcome != LTT_SPAN_FINISHED));
			ltt_span_append_args(spans, span, args);
			FUZZ_ASSERT(g_utf8_validate(args->str, (gssize)args->len, NULL));
		}
		if (step == LTT_STEP_ERROR)
			check_damage(damage);
		ltt_spans_skip_block(spans);
	} while (step != LTT_STEP_END);
	return n_spans;
}

static gboolean check_text(const char *bytes, gsize length, gpointer user_data, GError **error)
{
	(void)user_data;
	(void)error;
	FUZZ_ASSERT(memchr(bytes, '\0', length) == NULL);
	return TRUE;
}

static void try_flame(LttTrace *trace, guint64 n_spans)
{
	g_autoptr(LttFlame) flame = ltt_flame_new();
	const LttFlameSpansRequest request = {
		.trace = trace, .flame = flame, .callbacks = {.on_problem = pass_problem}};
	const LttFlameView view = {.title = "fuzz", .is_time = TRUE};
	LttFlameSpansSummary summary;

	FUZZ_ASSERT(ltt_flame_add_spans(&request, &summary, NULL));
	FUZZ_ASSERT(summary.n_spans + summary.n_async == n_spans);
	FUZZ_ASSERT(ltt_flame_write_folded(flame, check_text, NULL, NULL));
	FUZZ_ASSERT(ltt_flame_write_svg(flame, &view, check_text, NULL, NULL));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autoptr(LttTrace) trace = NULL;
	g_autofree char *path = NULL;
	guint which;

	if (size < 2)
		return 0;
	which = data[0] % (G_N_ELEMENTS(samples) * G_N_ELEMENTS(names));
	path = altered_sample(samples[which / G_N_ELEMENTS(names)]);
	trace = altered_trace(path, names[which % G_N_ELEMENTS(names)], data + 2, size - 2);
	FUZZ_ASSERT(trace != NULL);
	try_pairs(trace, data[1]);
	try_flame(trace, read_spans(trace));
	return 0;
}

#ifdef FUZZER
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	return mutate_blocks(data, size, max_size, seed, 2);
}
#endif
