/* answer-counts.c - numbers of events: by bins of the time, by type and by thread. */
#include "view/counts-priv.h"
#include "view/window-priv.h"

#include <ltt/ltt-print.h>

/* Types and threads that are listed. */
#define MAX_LISTED 200

/* Windows of whole nanoseconds take the place of bins if a bin is as many times longer than their number in ns: their sum differs
 * from the sum of the bins by at most 1 % of a bin. */
#define MIN_NS_PER_BIN ((guint64)100)

gboolean ltt_view_count_window(LttViewCall *call, guint64 from_ns, guint64 to_ns,
			       guint64 interval_ns, LttStatSummary *stat, GError **error)
{
	g_autoptr(LttSelect) select = ltt_select_new();
	g_autoptr(LttFilter) filter = NULL;
	const LttStatRequest request = {
		.trace = call->map->trace,
		.select = select,
		.interval_ns = interval_ns,
		.callbacks = {.on_progress = ltt_view_call_is_wanted, .user_data = call},
	};

	if (!ltt_view_call_get_filter(call, &filter, error))
		return FALSE;
	ltt_select_set_window(select, from_ns, to_ns);
	ltt_select_set_filter(select, filter);
	return ltt_stat(&request, stat, error);
}

/* ---- density ---- */

/* Damage can hide the end of a trace: what lies after the axis counts as its end. */
static void add_windows(const LttViewBins *bins, const LttViewAxis *axis,
			const LttStatSummary *stat)
{
	for (guint i = 0; i < stat->n_windows; i++)
		ltt_view_bins_add(bins, MIN(stat->windows[i].start_ns, axis->end_ns - 1),
				  stat->windows[i].count.n_events);
}

/* Bins of a small window: each event in its bin. */
static gboolean count_events(LttViewCall *call, const LttViewBins *bins, GError **error)
{
	g_autoptr(LttSelect) select = ltt_select_new();
	g_autoptr(LttFilter) filter = NULL;
	g_autoptr(LttMerge) merge = NULL;
	const LttEvent *event;
	LttStep step;

	if (!ltt_view_call_get_filter(call, &filter, error))
		return FALSE;
	ltt_select_set_filter(select, filter);
	ltt_select_set_window(select, bins->from_ns, bins->to_ns);
	merge = ltt_merge_new(call->map->trace, select);
	ltt_merge_set_callbacks(merge, &(LttJobCallbacks){.on_progress = ltt_view_call_is_wanted,
							  .user_data = call});
	while ((step = ltt_view_next(merge, &event, error)) == LTT_STEP_EVENT)
		ltt_view_bins_add(bins, event->time_ns, 1);
	return step == LTT_STEP_END;
}

gboolean ltt_view_count_bins(LttViewCall *call, LttViewBins *bins, LttViewAccuracy *accuracy,
			     GError **error)
{
	LttViewMap *map = call->map;
	const guint64 width_ns = (bins->to_ns - bins->from_ns) / bins->n;
	const gboolean is_filtered = ltt_view_call_has(call, "filter");
	const gboolean is_fine =
		width_ns < (is_filtered ? MIN_NS_PER_BIN * bins->n : 2 * map->axis.bin_ns);
	const gboolean is_coarse = !is_filtered && !is_fine;
	g_auto(LttStatSummary) stat = {0};

	ltt_view_map_lock(map);
	accuracy->is_counted = !is_coarse || map->stage != LTT_VIEW_COUNTING;
	accuracy->within_ns = is_coarse ? map->axis.bin_ns : is_fine ? 0 : bins->n;
	if (is_coarse && accuracy->is_counted)
		add_windows(bins, &map->axis, &map->stat);
	ltt_view_map_unlock(map);
	if (!accuracy->is_counted)
		ltt_view_blocks_fill(ltt_view_map_read_blocks(map), bins);
	if (is_coarse)
		return TRUE;
	if (is_fine)
		return count_events(call, bins, error);
	if (!ltt_view_count_window(call, bins->from_ns, bins->to_ns, width_ns + 1, &stat, error))
		return FALSE;
	add_windows(bins, &map->axis, &stat);
	return TRUE;
}

gboolean ltt_view_answer_density(LttViewCall *call, GError **error)
{
	g_autofree guint64 *counts = NULL;
	guint64 n = 1000;
	LttViewAccuracy accuracy;
	LttViewBins bins;

	if (!ltt_view_call_get_window(call, &bins.from_ns, &bins.to_ns, error) ||
	    !ltt_view_call_get_number(call, "bins", 1, LTT_VIEW_MAX_PIXELS, &n, error))
		return FALSE;
	bins.n = (gsize)MIN(n, bins.to_ns - bins.from_ns);
	bins.counts = counts = g_new0(guint64, bins.n);
	if (!ltt_view_count_bins(call, &bins, &accuracy, error))
		return FALSE;
	g_string_append_printf(call->answer,
			       "{\"counted\":%s,\"within\":%" G_GUINT64_FORMAT ",\"counts\":[",
			       accuracy.is_counted ? "true" : "false", accuracy.within_ns);
	for (gsize i = 0; i < bins.n; i++)
		g_string_append_printf(call->answer, "%s%" G_GUINT64_FORMAT, i > 0 ? "," : "",
				       counts[i]);
	g_string_append(call->answer, "]}");
	return TRUE;
}

/* ---- statistics ---- */

static void append_types(GString *out, const LttStatSummary *stat)
{
	g_string_append(out, "\"types\":[");
	for (guint i = 0; i < MIN(stat->n_types, MAX_LISTED); i++) {
		g_string_append(out, i > 0 ? ",{\"name\":" : "{\"name\":");
		ltt_json_append_string(out, stat->types[i].name, -1);
		g_string_append_printf(out, ",\"events\":%" G_GUINT64_FORMAT "}",
				       stat->types[i].n_events);
	}
	g_string_append_c(out, ']');
}

static void append_threads(GString *out, const LttStatSummary *stat)
{
	g_string_append(out, "\"threads\":[");
	for (guint i = 0; i < MIN(stat->n_threads, MAX_LISTED); i++) {
		const LttStatThread *thread = &stat->threads[i];

		g_string_append_printf(
			out, "%s{\"pid\":%u,\"tid\":%u,\"events\":%" G_GUINT64_FORMAT,
			i > 0 ? "," : "", thread->pid, thread->tid, thread->count.n_events);
		if (thread->count.name != NULL) {
			g_string_append(out, ",\"name\":");
			ltt_json_append_string(out, thread->count.name, -1);
		}
		g_string_append_c(out, '}');
	}
	g_string_append_c(out, ']');
}

gboolean ltt_view_answer_stat(LttViewCall *call, GError **error)
{
	g_auto(LttStatSummary) stat = {0};
	guint64 from_ns;
	guint64 to_ns;

	if (!ltt_view_call_get_window(call, &from_ns, &to_ns, error) ||
	    !ltt_view_count_window(call, from_ns, to_ns, 0, &stat, error))
		return FALSE;
	g_string_append_printf(call->answer,
			       "{\"events\":%" G_GUINT64_FORMAT ",\"lost\":%" G_GUINT64_FORMAT
			       ",\"n_types\":%u,\"n_threads\":%u,",
			       stat.total.n_events, stat.n_lost, stat.n_types, stat.n_threads);
	append_types(call->answer, &stat);
	g_string_append_c(call->answer, ',');
	append_threads(call->answer, &stat);
	g_string_append_c(call->answer, '}');
	return TRUE;
}
