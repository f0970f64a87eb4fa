/* outputs.c - what the experiment can show. */
#include "view/tsp/call-priv.h"

static const struct {
	const char *id;
	const char *name;
	const char *description;
	const char *type;
} outputs[] = {
	{"spans", "Spans", "Spans and events by CPU, process and thread", "TIME_GRAPH"},
	{"states", "States", "States of threads and CPUs, and wake-ups", "TIME_GRAPH"},
	{"counters", "Counters", "Values that events declare as counters", "TREE_TIME_XY"},
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
		ltt_tsp_append_description(out, outputs[i].name, outputs[i].description,
					   outputs[i].type);
		g_string_append_c(out, '}');
	}
	g_string_append_c(out, ']');
	return TRUE;
}
