/* info-text.c - `ltt info` as text: a summary, then tables.
 *
 * Times of tracefiles are relative to the start of the trace, in the form that --from and --to
 * accept.
 */
#include "amount.h"
#include "bookmark.h"
#include "conversions.h"
#include "hosts.h"
#include "info.h"
#include "losses.h"
#include "table.h"
#include "tool.h"

#include <ltt/ltt-join.h>
#include <ltt/ltt-time.h>

static char *describe_distance(guint64 from_ns, guint64 to_ns)
{
	char text[LTT_TIME_TEXT_BYTES];

	ltt_time_format(to_ns >= from_ns ? to_ns - from_ns : from_ns - to_ns, text);
	return g_strconcat(to_ns >= from_ns ? "+" : "-", text, NULL);
}

/* Returns: (transfer full): the date; "(no wall time)" for times of a clock that counts from the
 * boot of a machine, or instructions */
static char *describe_day(LttTrace *trace, guint64 time_ns)
{
	g_autoptr(GDateTime) date = g_date_time_new_from_unix_utc((gint64)(time_ns / LTT_NS_PER_S));

	return date != NULL && ltt_trace_has_wall_times(trace)
		       ? g_date_time_format(date, "  (%Y-%m-%d %H:%M:%S UTC)")
		       : g_strdup("  (no wall time)");
}

static void print_span(LttTrace *trace)
{
	char start[LTT_TIME_TEXT_BYTES];
	char end[LTT_TIME_TEXT_BYTES];
	char length[LTT_TIME_TEXT_BYTES];
	g_autofree char *day = NULL;
	guint64 start_ns;
	guint64 end_ns;

	if (!ltt_trace_get_span(trace, &start_ns, &end_ns)) {
		tool_write_text("span       no events\n");
		return;
	}
	ltt_time_format(start_ns, start);
	ltt_time_format(end_ns, end);
	ltt_time_format(end_ns - start_ns, length);
	day = describe_day(trace, start_ns);
	tool_print("start      %s%s\n", start, day);
	tool_print("end        %s  (after %s s)\n", end, length);
}

/* Prints the source of an imported trace. */
static void print_recording(const LttSystem *system)
{
	const char *recording = ltt_system_get(system, "recording");
	const char *file = ltt_system_get(system, "recording_file");
	g_autofree char *safe = recording != NULL ? tool_escape(recording) : NULL;
	g_autofree char *safe_file = file != NULL ? tool_escape(file) : NULL;

	if (safe != NULL)
		tool_print("recording  %s%s%s%s\n", safe, safe_file != NULL ? "  (" : "",
			   safe_file != NULL ? safe_file : "", safe_file != NULL ? ")" : "");
}

static void print_layout(const LttSystem *system)
{
	const LttArch *arch = ltt_system_get_arch(system);
	g_autofree char *block = amount_size(ltt_system_get_block_bytes(system));

	tool_print("layout     %s endian, %s, blocks of %s%s\n",
		   ltt_byte_order_name(arch->byte_order), ltt_arch_size_name(arch->size), block,
		   ltt_system_is_dialect_22(system) ? ", historical dialect 2.2" : "");
}

static void print_losses(LttTrace *trace)
{
	g_autoptr(LttLossReasons) losses = ltt_loss_reasons_new(trace, NULL);
	g_autofree char *list = losses_list(losses);

	if (list != NULL)
		tool_print("lost       %s\n", list);
}

static void print_system(const LttSystem *system)
{
	g_autoptr(Table) table = table_new("system", NULL);
	g_autofree char *text = g_strstrip(g_strdup(ltt_system_get_text(system)));

	for (guint i = 0; i < ltt_system_get_n_attributes(system); i++) {
		const char *name;
		char *value;

		info_get_attribute(system, i, &name, &value);
		if (g_str_equal(name, LTT_SYSTEM_CLOCK_CONVERSIONS)) {
			g_free(value); /* a table of its own */
			continue;
		}
		table_add(table, g_strdup(name), value, NULL);
	}
	table_print(table);
	if (text[0] != '\0') {
		g_auto(GStrv) lines = g_strsplit(text, "\n", 0);

		tool_write_text("\n");
		for (guint i = 0; lines[i] != NULL; i++) {
			g_autofree char *safe = tool_escape(g_strstrip(lines[i]));

			tool_print("  %s\n", safe);
		}
	}
}

static void print_facilities(const LttTrace *trace)
{
	g_autoptr(Table) table = table_new("facilities", ">base", ">events", "checksum", NULL);

	for (guint i = 0; i < ltt_trace_get_n_loads(trace); i++) {
		const LttLoad *load = ltt_trace_get_load(trace, i);

		if (info_is_loaded(load))
			table_add(table, g_strdup(ltt_facility_get_name(load->facility)),
				  g_strdup_printf("%u", load->base_code),
				  g_strdup_printf("%u", ltt_facility_get_n_events(load->facility)),
				  g_strdup_printf("0x%08x", load->checksum), NULL);
	}
	table_print(table);
}

/* Returns: (transfer full): the label of a tracefile, and its file if that has another name */
static char *describe_name(const LttTracefile *tracefile)
{
	const char *label = ltt_tracefile_get_label(tracefile);

	return ltt_tracefile_is_lane(tracefile) || ltt_tracefile_is_kernel(tracefile)
		       ? g_strdup_printf("%s (%s)", label, ltt_tracefile_get_name(tracefile))
		       : g_strdup(label);
}

static void print_tracefiles(LttTrace *trace)
{
	g_autoptr(Table) table = table_new("tracefiles", ">blocks", ">open", ">first", ">last",
					   hosts_get_title(trace), NULL);
	guint64 start_ns = 0;
	guint64 end_ns = 0;

	ltt_trace_get_span(trace, &start_ns, &end_ns);
	for (guint i = 0; i < ltt_trace_get_n_tracefiles(trace); i++) {
		LttTracefile *tracefile = ltt_trace_get_tracefile(trace, i);
		const LttTracefileSummary *summary = ltt_tracefile_get_summary(tracefile);

		table_add(table, describe_name(tracefile),
			  g_strdup_printf("%" G_GUINT64_FORMAT,
					  ltt_tracefile_get_n_blocks(tracefile)),
			  summary->n_open_blocks > 0
				  ? g_strdup_printf("%" G_GUINT64_FORMAT, summary->n_open_blocks)
				  : g_strdup(""),
			  summary->has_events ? describe_distance(start_ns, summary->first_ns)
					      : g_strdup("no events"),
			  summary->has_events ? describe_distance(start_ns, summary->last_ns)
					      : g_strdup(""),
			  hosts_dup_cell(trace, ltt_tracefile_get_host(tracefile)), NULL);
	}
	table_print(table);
}

void info_print_text(LttTrace *trace)
{
	const LttSystem *system = ltt_trace_get_system(trace);
	const GPtrArray *bookmarks = ltt_trace_read_bookmarks(trace);
	g_autofree char *path = tool_escape(ltt_trace_get_path(trace));

	tool_print("trace      %s\n", path);
	print_recording(system);
	print_span(trace);
	print_layout(system);
	print_losses(trace);
	tool_write_text("\n");
	print_system(system);
	conversions_print_text(trace);
	tool_write_text("\n");
	print_facilities(trace);
	tool_write_text("\n");
	print_tracefiles(trace);
	if (bookmarks->len > 0)
		tool_write_text("\n");
	bookmark_print_table(bookmarks);
}
