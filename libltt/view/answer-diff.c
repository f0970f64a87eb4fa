/* answer-diff.c - compare the spans of two traces by name, as `ltt latency --diff` compares groups of pairs. */
#include "view/request-priv.h"
#include "view/start-priv.h"

#include <ltt/ltt-hash.h>
#include <ltt/ltt-join.h>
#include <ltt/ltt-latency.h>
#include <ltt/ltt-print.h>
#include <math.h>

/* Names that are answered: those whose total changes most. */
#define MAX_NAMES 500

/* The spans that begin and end in a window of one trace. */
typedef struct Side {
	guint member;
	guint64 from_ns;
	guint64 to_ns;
	GHashTable *by_name; /* of LttDistribution */
	LttLatencySummary summary;
} Side;

/* ---- collecting ---- */

static void take_span(Side *side, const LttTrace *trace, const LttSpan *span)
{
	LttDistribution *durations;

	if (span->outcome == LTT_SPAN_OPEN || span->begin_ns < side->from_ns ||
	    ltt_trace_find_member(trace, span->begin->tracefile) != side->member)
		return;
	durations = g_hash_table_lookup(side->by_name, span->name);
	if (durations == NULL) {
		durations = ltt_distribution_new();
		g_hash_table_insert(side->by_name, g_strdup(span->name), durations);
	}
	ltt_distribution_add(durations, span->end_ns - span->begin_ns);
	ltt_distribution_add(side->summary.durations, span->end_ns - span->begin_ns);
}

/* Moves the distributions into the groups of the summary. */
static void make_groups(Side *side)
{
	GHashTableIter iter;
	gpointer name;
	gpointer durations;

	side->summary.groups = g_new0(LttLatencyGroup, g_hash_table_size(side->by_name) + 1);
	g_hash_table_iter_init(&iter, side->by_name);
	while (g_hash_table_iter_next(&iter, &name, &durations)) {
		side->summary.groups[side->summary.n_groups++] =
			(LttLatencyGroup){.name = name, .durations = durations};
		g_hash_table_iter_steal(&iter);
	}
}

static gboolean collect(LttViewCall *call, Side *side, GError **error)
{
	g_autoptr(LttSelect) select = ltt_select_new();
	g_autoptr(LttSpans) spans = ltt_view_start_spans(call->map, LTT_VIEW_START_POINT,
							 side->from_ns, side->to_ns, select);
	const LttSpan *span;
	LttStep step;
	gboolean is_good = TRUE;

	side->summary.durations = ltt_distribution_new();
	ltt_spans_set_callbacks(spans, &(LttJobCallbacks){.on_progress = ltt_view_call_is_wanted,
							  .user_data = call});
	do {
		g_autoptr(GError) failure = NULL;

		step = ltt_spans_next(spans, &span, &failure);
		if (step == LTT_STEP_EVENT)
			take_span(side, call->map->trace, span);
		else if (step == LTT_STEP_ERROR)
			is_good = ltt_view_skip(spans, &failure, error);
	} while (step != LTT_STEP_END && is_good);
	make_groups(side);
	return is_good;
}

/* ---- the answer ---- */

static double get_total(const LttDistribution *durations)
{
	if (durations == NULL)
		return 0;
	return ltt_distribution_get_mean(durations) * (double)ltt_distribution_get_n(durations);
}

static gint compare_changes(gconstpointer a, gconstpointer b)
{
	const LttLatencyChange *first = a;
	const LttLatencyChange *second = b;
	const double one = fabs(get_total(first->after) - get_total(first->before));
	const double two = fabs(get_total(second->after) - get_total(second->before));

	if (one != two)
		return one > two ? -1 : 1;
	return g_strcmp0(first->name, second->name);
}

static void append_side(GString *out, const char *key, LttDistribution *durations)
{
	g_string_append_printf(out, ",\"%s\":", key);
	if (durations == NULL || ltt_distribution_get_n(durations) == 0) {
		g_string_append(out, "{\"count\":0}");
		return;
	}
	g_string_append_printf(
		out,
		"{\"count\":%" G_GUINT64_FORMAT ",\"mean\":%.0f,\"p50\":%" G_GUINT64_FORMAT
		",\"p99\":%" G_GUINT64_FORMAT ",\"total\":",
		ltt_distribution_get_n(durations), ltt_distribution_get_mean(durations),
		ltt_distribution_get_percentile(durations, 50),
		ltt_distribution_get_percentile(durations, 99));
	ltt_distribution_append_sum(durations, out);
	g_string_append_c(out, '}');
}

static const char *name_verdict(LttLatencyVerdict verdict)
{
	switch (verdict) {
	case LTT_LATENCY_SLOWER:
		return "slower";
	case LTT_LATENCY_FASTER:
		return "faster";
	case LTT_LATENCY_NOISE:
		return "noise";
	case LTT_LATENCY_TOO_FEW:
		return "too few";
	}
	return "";
}

static void append_change(GString *out, const LttLatencyChange *change)
{
	const gboolean is_tested = change->verdict != LTT_LATENCY_TOO_FEW;

	g_string_append(out, "{\"name\":");
	ltt_json_append_string(out, change->name != NULL ? change->name : "", -1);
	append_side(out, "a", change->before);
	append_side(out, "b", change->after);
	g_string_append_printf(out, ",\"verdict\":\"%s\"", name_verdict(change->verdict));
	if (is_tested)
		g_string_append_printf(out, ",\"p\":%.4f", change->change.p);
	g_string_append_c(out, '}');
}

static void append_changes(GString *out, const Side *sides)
{
	LttLatencyChange all;
	g_autoptr(GArray) changes = ltt_latency_compare(&sides[0].summary, &sides[1].summary, &all);

	g_array_sort(changes, compare_changes);
	g_string_append(out, "{\"all\":");
	append_change(out, &all);
	g_string_append_printf(out, ",\"n_names\":%u,\"names\":[", changes->len);
	for (guint i = 0; i < MIN(changes->len, MAX_NAMES); i++) {
		if (i > 0)
			g_string_append_c(out, ',');
		append_change(out, &g_array_index(changes, LttLatencyChange, i));
	}
	g_string_append(out, "]}");
}

/* ---- the request ---- */

static gboolean get_side(const LttViewCall *call, const char *const *names, Side *side,
			 GError **error)
{
	const LttViewAxis *axis = &call->map->axis;
	guint64 member = side->member;
	guint64 from = 0;
	guint64 to = axis->end_ns - axis->start_ns;

	if (!ltt_view_call_get_number(call, names[0], 0,
				      ltt_trace_get_n_members(call->map->trace) - 1, &member,
				      error) ||
	    !ltt_view_call_get_offset(call, names[1], &from, error) ||
	    !ltt_view_call_get_offset(call, names[2], &to, error))
		return FALSE;
	side->member = (guint)member;
	side->from_ns = axis->start_ns + from;
	side->to_ns = axis->start_ns + MAX(from, to);
	return TRUE;
}

gboolean ltt_view_answer_diff(LttViewCall *call, GError **error)
{
	static const char *const names[2][3] = {{"a", "from", "to"}, {"b", "from_b", "to_b"}};
	Side sides[2] = {{.member = 0}, {.member = 1}};
	gboolean is_good = TRUE;

	for (guint i = 0; i < 2 && is_good; i++)
		is_good = get_side(call, names[i], &sides[i], error);
	for (guint i = 0; i < 2 && is_good; i++) {
		sides[i].by_name = g_hash_table_new_full(ltt_hash_text, g_str_equal, g_free,
							 (GDestroyNotify)ltt_distribution_free);
		is_good = collect(call, &sides[i], error);
	}
	if (is_good)
		append_changes(call->answer, sides);
	for (guint i = 0; i < 2; i++) {
		g_clear_pointer(&sides[i].by_name, g_hash_table_unref);
		ltt_latency_summary_clear(&sides[i].summary);
	}
	return is_good;
}
