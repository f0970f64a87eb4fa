/* outputs.c - what the experiment can show, and in which colours. */
#include "view/tsp/call-priv.h"
#include "view/tsp/style-priv.h"

static const struct {
	const char *id;
	const char *name;
	const char *description;
	const char *type;
} outputs[] = {
	{"spans", "Spans", "Spans and events by CPU, process and thread", "TIME_GRAPH"},
	{"density", "Events", "Number of events over time", "TREE_TIME_XY"},
	{"types", "Event Types", "Number of events of each type", "DATA_TREE"},
	{"events", "Events Table", "All events with their fields", "TABLE"},
};

gboolean ltt_tsp_list_outputs(LttTspCall *call, GError **error)
{
	GString *out = call->view.answer;

	(void)error;
	g_string_append_c(out, '[');
	for (guint i = 0; i < G_N_ELEMENTS(outputs); i++) {
		g_string_append(out, i > 0 ? ",{" : "{");
		ltt_tsp_append_text(out, "id", outputs[i].id);
		g_string_append_c(out, ',');
		ltt_tsp_append_text(out, "name", outputs[i].name);
		g_string_append_c(out, ',');
		ltt_tsp_append_text(out, "description", outputs[i].description);
		g_string_append_c(out, ',');
		ltt_tsp_append_text(out, "type", outputs[i].type);
		g_string_append_c(out, '}');
	}
	g_string_append_c(out, ']');
	return TRUE;
}

/* ---- styles ---- */

/* Colours that differ for colour-blind people too (Okabe and Ito). */
static const char *const colours[LTT_TSP_COLOURS] = {
	"#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7", "#999999",
};

guint ltt_tsp_colour(const char *name)
{
	return g_str_hash(name) % LTT_TSP_COLOURS;
}

static void append_style(GString *out, const char *key, const char *colour, const char *height)
{
	g_string_append_printf(out,
			       "\"%s\":{\"values\":{\"style-name\":\"%s\","
			       "\"background-color\":\"%s\",\"color\":\"%s\",\"height\":%s,"
			       "\"opacity\":1.0}}",
			       key, key, colour, colour, height);
}

gboolean ltt_tsp_styles(LttTspCall *call, GError **error)
{
	GString *out = call->view.answer;

	(void)error;
	ltt_tsp_begin(call);
	g_string_append(out, "{\"styles\":{");
	for (guint i = 0; i < LTT_TSP_COLOURS; i++) {
		g_autofree char *key = g_strdup_printf("%u", i);

		append_style(out, key, colours[i], "1.0");
		g_string_append_c(out, ',');
	}
	append_style(out, LTT_TSP_MANY, "#777777", "0.6");
	g_string_append(out, "}}");
	ltt_tsp_end(call, LTT_VIEW_COUNTING);
	return TRUE;
}
