/* conversions.c - see conversions.h. */
#include "conversions.h"

#include "syncing.h"
#include "table.h"
#include "tool.h"

#include <ltt/ltt-time.h>

static char *describe_bound(const LttClockMap *map)
{
	const guint64 bound_ns = ltt_clock_map_get_bound(map);

	return bound_ns != LTT_CLOCK_NO_BOUND ? ltt_duration_to_string(bound_ns)
					      : g_strdup("unknown");
}

void conversions_print_text(const LttTrace *trace)
{
	g_autoptr(GPtrArray) conversions = ltt_trace_read_conversions(trace);
	g_autoptr(Table) table = table_new("times converted", "host", ">offset, s", ">rate, ppm",
					   ">bound", ">bends", NULL);

	if (conversions->len == 0)
		return;
	for (guint i = 0; i < conversions->len; i++) {
		const LttConversion *conversion = conversions->pdata[i];
		const LttClockMap *map = conversion->map;

		table_add(table, g_strdup_printf("from cpu/%u on", conversion->first_cpu),
			  g_strdup(conversion->host),
			  syncing_format_offset(ltt_conversion_get_offset_ns(conversion)),
			  g_strdup_printf("%+.3f", ltt_clock_map_get_rate_ppm(map)),
			  describe_bound(map),
			  g_strdup_printf("%u", ltt_clock_map_get_n_bends(map)), NULL);
	}
	tool_write_text("\n");
	table_print(table);
}

static void print_points(Json *json, const LttClockMap *map)
{
	const LttClockPoint *points;
	guint n_points;

	points = ltt_clock_map_get_points(map, &n_points);
	json_open(json, "points", '[');
	for (guint i = 0; i < n_points; i++) {
		json_open(json, NULL, '{');
		json_time(json, "from", TRUE, points[i].from_ns);
		json_time(json, "to", TRUE, points[i].to_ns);
		json_close(json, '}');
	}
	json_close(json, ']');
}

void conversions_print_json(Json *json, const LttTrace *trace)
{
	g_autoptr(GPtrArray) conversions = ltt_trace_read_conversions(trace);

	json_open(json, "conversions", '[');
	for (guint i = 0; i < conversions->len; i++) {
		const LttConversion *conversion = conversions->pdata[i];
		const guint64 bound_ns = ltt_clock_map_get_bound(conversion->map);

		json_open(json, NULL, '{');
		json_number(json, "first_cpu", conversion->first_cpu);
		json_text(json, "host", conversion->host);
		json_integer(json, "offset_ns", ltt_conversion_get_offset_ns(conversion));
		json_real(json, "rate_ppm", ltt_clock_map_get_rate_ppm(conversion->map));
		if (bound_ns != LTT_CLOCK_NO_BOUND)
			json_number(json, "bound_ns", bound_ns);
		else
			json_null(json, "bound_ns");
		json_number(json, "bends", ltt_clock_map_get_n_bends(conversion->map));
		print_points(json, conversion->map);
		json_close(json, '}');
	}
	json_close(json, ']');
}
