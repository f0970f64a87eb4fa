/* counts.c - numbers of events: over time as an XY chart, and by type as a tree. */
#include "view/counts-priv.h"
#include "view/tsp/series-priv.h"

#include <ltt/ltt-print.h>

/* The only series of the chart. */
#define SERIES 1

/* ---- over time ---- */

gboolean ltt_tsp_density_tree(LttTspCall *call, GError **error)
{
	GString *out = call->view.answer;

	(void)error;
	ltt_tsp_begin(call);
	g_string_append(out, "{\"headers\":[{\"name\":\"Name\",\"tooltip\":\"\"}],\"entries\":[");
	g_string_append_printf(out,
			       "{\"id\":%d,\"labels\":[\"Events\"],\"hasData\":true,"
			       "\"isDefault\":true}]}",
			       SERIES);
	ltt_tsp_end(call, LTT_VIEW_DRAWING);
	return TRUE;
}

/* Returns: (transfer full): the counts as JSON, with commas between them */
static char *list_counts(const LttViewBins *bins)
{
	GString *out = g_string_new(NULL);

	for (gsize i = 0; i < bins->n; i++)
		g_string_append_printf(out, "%s%" G_GUINT64_FORMAT, i > 0 ? "," : "",
				       bins->counts[i]);
	return g_string_free(out, FALSE);
}

gboolean ltt_tsp_density(LttTspCall *call, GError **error)
{
	g_autoptr(GArray) items = g_array_new(FALSE, FALSE, sizeof(gint64));
	g_autofree guint64 *counts = NULL;
	g_autofree char *values = NULL;
	LttTspWindow window;
	LttViewBins bins;
	LttViewAccuracy accuracy;

	if (!ltt_tsp_get_window(call, &window, error) ||
	    !ltt_tsp_body_get_numbers(call->body, "requested_items", items, error))
		return FALSE;
	counts = g_new0(guint64, window.n);
	bins = (LttViewBins){
		.from_ns = window.from_ns,
		.to_ns = window.to_ns,
		.n = window.n,
		.counts = counts,
	};
	ltt_tsp_begin(call);
	g_string_append(call->view.answer, "{\"title\":\"Events\",\"series\":[");
	if (items->len > 0 && window.to_ns > window.from_ns) {
		if (!ltt_view_count_bins(&call->view, &bins, &accuracy, error))
			return FALSE;
		values = list_counts(&bins);
		ltt_tsp_append_series(call->view.answer, &window,
				      &(const LttTspSeries){.id = SERIES,
							    .name = "Events",
							    .type = "bar",
							    .colour = "#0072b2",
							    .values = values});
	}
	g_string_append(call->view.answer, "]}");
	ltt_tsp_end(call, LTT_VIEW_DRAWING);
	return TRUE;
}

/* ---- by type ---- */

static void append_entry(GString *out, guint id, const char *name, guint64 n, guint64 total)
{
	g_string_append_printf(out, "{\"id\":%u,", id);
	if (id > 0)
		g_string_append(out, "\"parentId\":0,");
	g_string_append(out, "\"labels\":[");
	ltt_json_append_string(out, name, -1);
	g_string_append_printf(out, ",\"%" G_GUINT64_FORMAT "\",\"%.1f %%\"],\"hasData\":false}", n,
			       total > 0 ? 100.0 * (double)n / (double)total : 0.0);
}

gboolean ltt_tsp_type_tree(LttTspCall *call, GError **error)
{
	GString *out = call->view.answer;
	g_auto(LttStatSummary) stat = {0};
	LttTspWindow window;

	if (!ltt_tsp_get_window(call, &window, error))
		return FALSE;
	if (window.to_ns > window.from_ns &&
	    !ltt_view_count_window(&call->view, window.from_ns, window.to_ns, 0, &stat, error))
		return FALSE;
	ltt_tsp_begin(call);
	g_string_append(out, "{\"headers\":[{\"name\":\"Type\",\"tooltip\":\"\"},"
			     "{\"name\":\"Events\",\"tooltip\":\"\",\"dataType\":\"NUMBER\"},"
			     "{\"name\":\"Share\",\"tooltip\":\"\"}],\"entries\":[");
	append_entry(out, 0, "Total", stat.total.n_events, stat.total.n_events);
	for (guint i = 0; i < stat.n_types; i++) {
		g_string_append_c(out, ',');
		append_entry(out, i + 1, stat.types[i].name, stat.types[i].n_events,
			     stat.total.n_events);
	}
	g_string_append(out, "],\"autoExpandLevel\":-1}");
	ltt_tsp_end(call, LTT_VIEW_COUNTING);
	return TRUE;
}
