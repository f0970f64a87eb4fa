/* info-json.c - `ltt info --json`. The keys are a contract (doc/format.md, appendix A). */
#include "bookmark.h"
#include "conversions.h"
#include "hosts.h"
#include "info.h"
#include "json.h"
#include "losses.h"

gboolean info_is_loaded(const LttLoad *load)
{
	return !g_str_equal(ltt_facility_get_name(load->facility), "builtin");
}

/* The attribute cpu counts cpu files, lanes and files of the kernel included; a user expects the CPUs of the machine. */
void info_get_attribute(const LttSystem *system, guint index, const char **name, char **value)
{
	const guint n_other =
		ltt_system_get_n_lanes(system) + ltt_system_get_n_kernel_files(system);
	const char *text;

	ltt_system_get_attribute(system, index, name, &text);
	*value = g_str_equal(*name, "cpu") && n_other > 0
			 ? g_strdup_printf("%u", ltt_system_get_n_cpus(system) - n_other)
			 : g_strdup(text);
}

static void print_system(Json *json, const LttSystem *system)
{
	json_open(json, "system", '{');
	for (guint i = 0; i < ltt_system_get_n_attributes(system); i++) {
		const char *name;
		g_autofree char *value = NULL;

		info_get_attribute(system, i, &name, &value);
		json_text(json, name, value);
	}
	json_close(json, '}');
}

static void print_facilities(Json *json, const LttTrace *trace)
{
	json_open(json, "facilities", '[');
	for (guint i = 0; i < ltt_trace_get_n_loads(trace); i++) {
		const LttLoad *load = ltt_trace_get_load(trace, i);

		if (!info_is_loaded(load))
			continue;
		json_open(json, NULL, '{');
		json_text(json, "name", ltt_facility_get_name(load->facility));
		json_number(json, "checksum", load->checksum);
		json_number(json, "base_code", load->base_code);
		json_number(json, "events", ltt_facility_get_n_events(load->facility));
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void print_tracefiles(Json *json, LttTrace *trace)
{
	json_open(json, "tracefiles", '[');
	for (guint i = 0; i < ltt_trace_get_n_tracefiles(trace); i++) {
		LttTracefile *tracefile = ltt_trace_get_tracefile(trace, i);
		const LttTracefileSummary *summary = ltt_tracefile_get_summary(tracefile);

		json_open(json, NULL, '{');
		json_text(json, "name", ltt_tracefile_get_name(tracefile));
		hosts_print_json(json, trace, ltt_tracefile_get_host(tracefile));
		json_number(json, "blocks", ltt_tracefile_get_n_blocks(tracefile));
		json_time(json, "first", summary->has_events, summary->first_ns);
		json_time(json, "last", summary->has_events, summary->last_ns);
		json_number(json, "open_blocks", summary->n_open_blocks);
		json_close(json, '}');
	}
	json_close(json, ']');
}

void info_print_json(LttTrace *trace)
{
	g_autoptr(LttLossReasons) losses = ltt_loss_reasons_new(trace, NULL);
	Json json = {0, FALSE};
	guint64 start_ns = 0;
	guint64 end_ns = 0;
	gboolean has_span = ltt_trace_get_span(trace, &start_ns, &end_ns);

	json_open(&json, NULL, '{');
	print_system(&json, ltt_trace_get_system(trace));
	print_facilities(&json, trace);
	print_tracefiles(&json, trace);
	json_time(&json, "start", has_span, start_ns);
	json_time(&json, "end", has_span, end_ns);
	bookmark_print_json(&json, ltt_trace_read_bookmarks(trace));
	losses_print_json(&json, losses);
	conversions_print_json(&json, trace);
	json_close(&json, '}');
}
