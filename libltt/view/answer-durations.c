/* answer-durations.c - how long the spans of a window take, by name, and a histogram of one name. */
#include "view/request-priv.h"
#include "view/window-priv.h"

#include <ltt/ltt-distribution.h>
#include <ltt/ltt-hash.h>
#include <ltt/ltt-print.h>

/* Names with numbers of their own; spans with further names count in a group without a name. */
#define MAX_NAMES 1000

/* Names that are answered: those with the largest sums. */
#define MAX_LISTED 200

#define HISTOGRAM_ROWS 24

typedef struct Group {
	char *name; /* NULL: more than MAX_NAMES */
	LttDistribution *durations;
	guint64 longest_begin_ns;
	guint64 longest_ns;
} Group;

typedef struct Groups {
	GHashTable *by_name; /* of Group */
	GPtrArray *list;     /* of Group, which it owns */
	Group *others;       /* NULL: none so far */
	guint64 n_spans;
	guint64 n_open; /* spans whose end lies after the window, or is missing */
} Groups;

static void free_group(gpointer data)
{
	Group *group = data;

	ltt_distribution_free(group->durations);
	g_free(group->name);
	g_free(group);
}

static void clear_groups(Groups *groups)
{
	g_clear_pointer(&groups->by_name, g_hash_table_unref);
	g_clear_pointer(&groups->list, g_ptr_array_unref);
}

static Group *add_group(Groups *groups, const char *name)
{
	Group *group = g_new0(Group, 1);

	group->name = g_strdup(name);
	group->durations = ltt_distribution_new();
	g_ptr_array_add(groups->list, group);
	return group;
}

static Group *find_group(Groups *groups, const char *name)
{
	Group *group = g_hash_table_lookup(groups->by_name, name);

	if (group != NULL)
		return group;
	if (groups->list->len >= MAX_NAMES) {
		if (groups->others == NULL)
			groups->others = add_group(groups, NULL);
		return groups->others;
	}
	group = add_group(groups, name);
	g_hash_table_insert(groups->by_name, group->name, group);
	return group;
}

/* All groups together keep as many durations as one distribution does. */
static void limit_memory(Groups *groups, Group *group)
{
	if (groups->n_spans == LTT_MAX_EXACT_DURATIONS)
		for (guint i = 0; i < groups->list->len; i++)
			ltt_distribution_reduce(((Group *)groups->list->pdata[i])->durations);
	else if (groups->n_spans > LTT_MAX_EXACT_DURATIONS &&
		 ltt_distribution_get_n(group->durations) == 1)
		ltt_distribution_reduce(group->durations);
}

static void take_span(Groups *groups, const LttSpan *span)
{
	const guint64 duration_ns = span->end_ns - span->begin_ns;
	Group *group;

	if (span->outcome == LTT_SPAN_OPEN) {
		groups->n_open++;
		return;
	}
	group = find_group(groups, span->name);
	if (ltt_distribution_get_n(group->durations) == 0 || duration_ns > group->longest_ns) {
		group->longest_begin_ns = span->begin_ns;
		group->longest_ns = duration_ns;
	}
	ltt_distribution_add(group->durations, duration_ns);
	groups->n_spans++;
	limit_memory(groups, group);
}

static gboolean collect(LttViewCall *call, Groups *groups, GError **error)
{
	g_autoptr(LttSelect) select = ltt_select_new();
	g_autoptr(LttFilter) filter = NULL;
	g_autoptr(LttSpans) spans = NULL;
	const LttSpan *span;
	LttStep step;
	guint64 from_ns;
	guint64 to_ns;
	gboolean is_good = TRUE;

	if (!ltt_view_call_get_window(call, &from_ns, &to_ns, error) ||
	    !ltt_view_call_get_filter(call, &filter, error))
		return FALSE;
	ltt_select_set_window(select, from_ns, to_ns);
	ltt_select_set_filter(select, filter);
	spans = ltt_spans_new(call->map->trace, select);
	ltt_spans_set_symbols(spans, call->map->symbols);
	ltt_spans_set_callbacks(spans, &(LttJobCallbacks){.on_progress = ltt_view_call_is_wanted,
							  .user_data = call});
	do {
		g_autoptr(GError) failure = NULL;

		step = ltt_spans_next(spans, &span, &failure);
		if (step == LTT_STEP_EVENT)
			take_span(groups, span);
		else if (step == LTT_STEP_ERROR)
			is_good = ltt_view_skip(spans, &failure, error);
	} while (step != LTT_STEP_END && is_good);
	return is_good;
}

/* ---- the answer ---- */

static double get_total(const Group *group)
{
	return ltt_distribution_get_mean(group->durations) *
	       (double)ltt_distribution_get_n(group->durations);
}

static gint compare_totals(gconstpointer a, gconstpointer b)
{
	const Group *first = *(const Group *const *)a;
	const Group *second = *(const Group *const *)b;
	const double one = get_total(first);
	const double two = get_total(second);

	if (one != two)
		return one > two ? -1 : 1;
	return g_strcmp0(first->name, second->name);
}

static void append_name(GString *out, const char *name)
{
	if (name != NULL)
		ltt_json_append_string(out, name, -1);
	else
		g_string_append(out, "null");
}

static void append_percentile(GString *out, const Group *group, const char *key, double percent)
{
	g_string_append_printf(out, ",\"%s\":%" G_GUINT64_FORMAT, key,
			       ltt_distribution_get_percentile(group->durations, percent));
}

static void append_group(GString *out, const Group *group, const LttViewAxis *axis)
{
	g_string_append(out, "{\"name\":");
	append_name(out, group->name);
	g_string_append_printf(out, ",\"count\":%" G_GUINT64_FORMAT ",\"total\":",
			       ltt_distribution_get_n(group->durations));
	ltt_distribution_append_sum(group->durations, out);
	g_string_append_printf(out, ",\"mean\":%.0f,\"min\":%" G_GUINT64_FORMAT,
			       ltt_distribution_get_mean(group->durations),
			       ltt_distribution_get_min(group->durations));
	append_percentile(out, group, "p50", 50);
	append_percentile(out, group, "p90", 90);
	append_percentile(out, group, "p99", 99);
	g_string_append_printf(out,
			       ",\"max\":%" G_GUINT64_FORMAT ",\"longest\":%" G_GUINT64_FORMAT
			       ",\"exact\":%s}",
			       ltt_distribution_get_max(group->durations),
			       group->longest_begin_ns - axis->start_ns,
			       ltt_distribution_is_exact(group->durations) ? "true" : "false");
}

static void append_histogram(GString *out, const Group *group)
{
	g_autoptr(GArray) rows = ltt_distribution_get_histogram(group->durations, HISTOGRAM_ROWS);

	g_string_append(out, ",\"histogram\":{\"name\":");
	append_name(out, group->name);
	g_string_append(out, ",\"rows\":[");
	for (guint i = 0; i < rows->len; i++) {
		const LttHistogramRow *row = &g_array_index(rows, LttHistogramRow, i);

		g_string_append_printf(out, "%s[%" G_GUINT64_FORMAT ",", i > 0 ? "," : "",
				       row->from_ns);
		if (row->to_ns == G_MAXUINT64)
			g_string_append(out, "null");
		else
			g_string_append_printf(out, "%" G_GUINT64_FORMAT, row->to_ns);
		g_string_append_printf(out, ",%" G_GUINT64_FORMAT "]", row->n);
	}
	g_string_append(out, "]}");
}

/* Returns: (nullable): the group with @name; without a name the first of the list */
static const Group *choose_group(const char *name, const Groups *groups)
{
	if (name != NULL)
		return g_hash_table_lookup(groups->by_name, name);
	return groups->list->len > 0 ? groups->list->pdata[0] : NULL;
}

gboolean ltt_view_answer_durations(LttViewCall *call, GError **error)
{
	GString *out = call->answer;
	Groups groups = {.by_name = g_hash_table_new(ltt_hash_text, g_str_equal),
			 .list = g_ptr_array_new_with_free_func(free_group)};
	const char *name = NULL;
	const gboolean is_good =
		ltt_view_call_get_text(call, "name", &name, error) && collect(call, &groups, error);
	const Group *chosen;

	if (is_good) {
		g_ptr_array_sort(groups.list, compare_totals);
		g_string_append_printf(out,
				       "{\"spans\":%" G_GUINT64_FORMAT
				       ",\"open\":%" G_GUINT64_FORMAT ",\"n_names\":%u,\"names\":[",
				       groups.n_spans, groups.n_open, groups.list->len);
		for (guint i = 0; i < MIN(groups.list->len, MAX_LISTED); i++) {
			g_string_append(out, i > 0 ? "," : "");
			append_group(out, groups.list->pdata[i], &call->map->axis);
		}
		g_string_append_c(out, ']');
		chosen = choose_group(name, &groups);
		if (chosen != NULL)
			append_histogram(out, chosen);
		g_string_append_c(out, '}');
	}
	clear_groups(&groups);
	return is_good;
}
