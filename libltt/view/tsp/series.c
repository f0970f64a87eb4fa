/* series.c - see series-priv.h. */
#include "view/tsp/series-priv.h"

static void append_axis(GString *out, const char *name, const char *label, const char *unit,
			const char *type)
{
	g_string_append_printf(out, ",\"%s\":{", name);
	ltt_tsp_append_text(out, "label", label);
	g_string_append_printf(out, ",\"unit\":\"%s\",\"dataType\":\"%s\"}", unit, type);
}

/* The first time of each bin, as in LttViewBins. */
static void append_times(GString *out, const LttTspWindow *window)
{
	const unsigned __int128 length_ns = window->to_ns - window->from_ns;

	for (guint i = 0; i < window->n; i++)
		g_string_append_printf(
			out, "%s%" G_GUINT64_FORMAT, i > 0 ? "," : "",
			window->from_ns + (guint64)((length_ns * i + window->n - 1) / window->n));
}

void ltt_tsp_append_series(GString *out, const LttTspWindow *window, const LttTspSeries *series)
{
	g_string_append_c(out, '{');
	ltt_tsp_append_text(out, "seriesName", series->name);
	g_string_append_printf(out, ",\"seriesId\":%" G_GUINT64_FORMAT ",\"xValues\":[",
			       series->id);
	append_times(out, window);
	g_string_append_printf(out, "],\"yValues\":[%s]", series->values);
	append_axis(out, "xValuesDescription", "Time", "ns", "TIMESTAMP");
	append_axis(out, "yValuesDescription", series->name, "", "NUMBER");
	g_string_append_printf(out,
			       ",\"style\":{\"values\":{\"series-type\":\"%s\",\"color\":\"%s\"}}}",
			       series->type, series->colour);
}
