/* conversions.c - see ltt-conversions.h. The attribute has an entry for each conversion:
 *
 *	CPU:HOST:BOUND:FROM+DIFFERENCE,FROM+DIFFERENCE,...
 *	1:server:43012:1700000000046235137+757338969,...
 */
#include "reader/conversions-priv.h"

#include <ltt/ltt-conversions.h>
#include <ltt/ltt-time.h>

#include <string.h>

#define ATTRIBUTE LTT_SYSTEM_CLOCK_CONVERSIONS

static void free_conversion(gpointer data)
{
	LttConversion *conversion = data;

	ltt_clock_map_free(conversion->map);
	g_free(conversion->host);
	g_free(conversion);
}

/* ---- parse ---- */

/* Parses "FROM+DIFFERENCE" or "FROM-DIFFERENCE". */
static gboolean parse_point(const char *text, LttClockPoint *point)
{
	const gsize length = strspn(text, "0123456789");
	g_autofree char *from = g_strndup(text, length);
	guint64 size_ns;

	if ((text[length] != '+' && text[length] != '-') ||
	    !g_ascii_string_to_unsigned(from, 10, 0, LTT_MAX_TIME_NS, &point->from_ns, NULL) ||
	    !g_ascii_string_to_unsigned(text + length + 1, 10, 0, LTT_MAX_TIME_NS, &size_ns, NULL))
		return FALSE;
	/* A difference that is too large gives a time that ltt_clock_map_new() rejects. */
	point->to_ns = text[length] == '-' ? point->from_ns - size_ns : point->from_ns + size_ns;
	return TRUE;
}

/* Returns: (transfer full) (nullable): the map of "FROM+DIFFERENCE,..." */
static LttClockMap *parse_map(const char *text)
{
	g_auto(GStrv) words = g_strsplit(text, ",", -1);
	const guint n_points = g_strv_length(words);
	g_autofree LttClockPoint *points = g_new(LttClockPoint, n_points);

	for (guint i = 0; i < n_points; i++) {
		if (!parse_point(words[i], &points[i]))
			return NULL;
	}
	return n_points > 0 ? ltt_clock_map_new(points, n_points, NULL) : NULL;
}

/* Returns: (transfer full) (nullable): NULL if the entry is invalid */
static LttConversion *parse_entry(const char *text)
{
	g_auto(GStrv) parts = g_strsplit(text, ":", 4);
	guint64 bound_ns = LTT_CLOCK_NO_BOUND;
	LttConversion *conversion;
	guint64 cpu;

	if (g_strv_length(parts) != 4 ||
	    !g_ascii_string_to_unsigned(parts[0], 10, 0, LTT_MAX_CPUS, &cpu, NULL) ||
	    (!g_str_equal(parts[2], "-") &&
	     !g_ascii_string_to_unsigned(parts[2], 10, 0, LTT_MAX_TIME_NS, &bound_ns, NULL)))
		return NULL;
	conversion = g_new0(LttConversion, 1);
	conversion->first_cpu = (guint)cpu;
	conversion->host = g_uri_unescape_string(parts[1], NULL);
	conversion->map = parse_map(parts[3]);
	if (conversion->host == NULL || conversion->map == NULL) {
		free_conversion(conversion);
		return NULL;
	}
	ltt_clock_map_set_bound(conversion->map, bound_ns);
	return conversion;
}

GPtrArray *ltt_trace_read_conversions(const LttTrace *trace)
{
	GPtrArray *conversions = g_ptr_array_new_with_free_func(free_conversion);
	const char *text = ltt_system_get(trace->system, ATTRIBUTE);
	g_auto(GStrv) words = g_strsplit(text != NULL ? text : "", " ", -1);

	for (guint i = 0; words[i] != NULL; i++) {
		LttConversion *conversion = parse_entry(words[i]);

		if (conversion != NULL)
			g_ptr_array_add(conversions, conversion);
	}
	return conversions;
}

gint64 ltt_conversion_get_offset_ns(const LttConversion *conversion)
{
	guint n_points;
	const LttClockPoint *first = ltt_clock_map_get_points(conversion->map, &n_points);

	return (gint64)(first->to_ns - first->from_ns);
}

/* ---- write ---- */

static void append_points(GString *text, const LttClockMap *map, gint64 offset_ns)
{
	const LttClockPoint *points;
	guint n_points;

	points = ltt_clock_map_get_points(map, &n_points);
	for (guint i = 0; i < n_points; i++) {
		const guint64 from_ns = points[i].from_ns;
		const guint64 to_ns = ltt_time_shift(points[i].to_ns, offset_ns);
		const gboolean is_later = to_ns >= from_ns;

		g_string_append_printf(text, "%s%" G_GUINT64_FORMAT "%c%" G_GUINT64_FORMAT,
				       i > 0 ? "," : "", from_ns, is_later ? '+' : '-',
				       is_later ? to_ns - from_ns : from_ns - to_ns);
	}
}

/* @offset_ns: added to the times after the conversion */
static void append_entry(GString *text, guint first_cpu, const char *host, const LttClockMap *map,
			 gint64 offset_ns)
{
	const guint64 bound_ns = ltt_clock_map_get_bound(map);
	g_autofree char *escaped = g_uri_escape_string(host, NULL, FALSE);

	g_string_append_printf(text, "%s%u:%s:", text->len > 0 ? " " : "", first_cpu, escaped);
	if (bound_ns == LTT_CLOCK_NO_BOUND)
		g_string_append_c(text, '-');
	else
		g_string_append_printf(text, "%" G_GUINT64_FORMAT, bound_ns);
	g_string_append_c(text, ':');
	append_points(text, map, offset_ns);
}

/* Appends the conversions that a member contains already: it was merged before. */
static void append_earlier(GString *text, const LttTrace *trace)
{
	g_autoptr(GPtrArray) earlier = ltt_trace_read_conversions(trace);

	for (guint i = 0; i < earlier->len; i++) {
		const LttConversion *conversion = earlier->pdata[i];

		append_entry(text, trace->first_cpu + conversion->first_cpu, conversion->host,
			     conversion->map, trace->clock_map != NULL ? 0 : trace->offset_ns);
	}
}

void ltt_conversions_join(LttSystem *system, LttTrace *const *traces, guint n_traces)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < n_traces; i++)
		append_earlier(text, traces[i]);
	for (guint i = 0; i < n_traces; i++) {
		const char *host = ltt_system_get(traces[i]->system, "node_name");

		if (traces[i]->clock_map != NULL)
			append_entry(text, traces[i]->first_cpu, host != NULL ? host : "",
				     traces[i]->clock_map, 0);
	}
	ltt_system_set(system, ATTRIBUTE, text->len > 0 ? text->str : NULL);
}
