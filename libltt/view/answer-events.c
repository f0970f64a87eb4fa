/* answer-events.c - the events of a window, as `ltt dump --format=json` prints them. */
#include "view/request-priv.h"

#include <ltt/ltt-error.h>
#include <ltt/ltt-filter.h>
#include <ltt/ltt-join.h>
#include <ltt/ltt-merge.h>
#include <ltt/ltt-print.h>
#include <ltt/ltt-time.h>
#include <string.h>

/* Events of one answer. */
#define MAX_EVENTS 10000

/* After so many bytes an answer has no further event. */
#define FULL_BYTES (4 << 20)
/* The text of a sequence of enums can be 256 times as large as the event. */
#define MAX_BYTES (64 << 20)
#define TOO_LONG  "more than 64 MiB of text; `ltt dump` prints it"

static gboolean append(const char *bytes, gsize length, gpointer user_data, GError **error)
{
	GString *answer = user_data;

	if (answer->len + length > MAX_BYTES) {
		g_set_error_literal(error, LTT_ERROR, LTT_ERROR_LIMIT, TOO_LONG);
		return FALSE;
	}
	g_string_append_len(answer, bytes, (gssize)length);
	return TRUE;
}

/* Replaces the incomplete text of an event, after @start, by one without its fields. */
static void append_without_fields(GString *answer, gsize start, const LttEvent *event)
{
	const char *last = g_strrstr_len(answer->str + start, (gssize)(answer->len - start), "\n");

	g_string_truncate(answer, last != NULL ? (gsize)(last + 1 - answer->str) : start);
	g_string_append_printf(answer, "{\"time\":\"%" G_GUINT64_FORMAT ".%09u\",\"tracefile\":",
			       event->time_ns / LTT_NS_PER_S,
			       (guint)(event->time_ns % LTT_NS_PER_S));
	ltt_json_append_string(answer, ltt_tracefile_get_label(event->tracefile), -1);
	g_string_append(answer, ",\"event\":");
	ltt_json_append_string(answer, event->type->full_name, -1);
	g_string_append(answer, ",\"data\":\"" TOO_LONG "\"}\n");
}

/* Sets window, names and filter from the parameters. */
static gboolean make_select(const LttViewCall *call, LttSelect *select, GError **error)
{
	const char *events;
	g_autoptr(LttFilter) filter = NULL;
	guint64 from_ns;
	guint64 to_ns;

	if (!ltt_view_call_get_window(call, &from_ns, &to_ns, error) ||
	    !ltt_view_call_get_text(call, "events", &events, error))
		return FALSE;
	ltt_select_set_window(select, from_ns, to_ns);
	if (events != NULL && *events != '\0' && !ltt_select_set_events(select, events, error))
		return FALSE;
	if (!ltt_view_call_get_filter(call, &filter, error))
		return FALSE;
	ltt_select_set_filter(select, filter);
	return TRUE;
}

/* Returns: whether the event is of the lane with the number @wanted; G_MAXUINT64: any */
static gboolean is_wanted(LttViewMap *map, const LttEvent *event, guint64 wanted)
{
	const LttLane *lane;
	gboolean is_of_lane;

	if (wanted == G_MAXUINT64)
		return TRUE;
	ltt_view_map_lock(map);
	lane = ltt_view_map_cpu_lane(map, event);
	is_of_lane = (lane != NULL && lane->id == wanted) ||
		     ltt_view_map_lane(map, event, NULL)->id == wanted;
	ltt_view_map_unlock(map);
	return is_of_lane;
}

/* The events of one answer. */
typedef struct Page {
	guint64 n_before; /* events that earlier answers had */
	guint64 limit;
	guint64 lane; /* G_MAXUINT64: any */
	guint64 has_symbols;
	guint64 has_places;
	GString *places; /* JSON, with @has_places: of each event */
} Page;

/* Appends where an event belongs, which its numbers do not identify if there are several traces or machines: its
 * machine, and the lanes that show it, with that of its thread last. */
static void append_place(GString *out, LttViewMap *map, const LttEvent *event)
{
	const LttLane *lane;

	g_string_append_printf(out, "%s{\"host\":%u,\"lanes\":[", out->len > 0 ? "," : "",
			       ltt_tracefile_get_host(event->tracefile));
	ltt_view_map_lock(map);
	lane = ltt_view_map_cpu_lane(map, event);
	if (lane != NULL)
		ltt_view_append_unsigned(out, lane->id);
	ltt_view_append_unsigned(out, ltt_view_map_lane(map, event, NULL)->id);
	ltt_view_map_unlock(map);
	g_string_append(out, "]}");
}

/* Prints an event as an object, with a line feed. */
static gboolean print(LttViewCall *call, LttPrinter *printer, const LttEvent *event,
		      gboolean has_symbols, GError **error)
{
	if (!ltt_printer_event(printer, event, error) || !ltt_printer_flush(printer, error))
		return FALSE;
	if (!has_symbols)
		return TRUE;
	g_string_truncate(call->answer, call->answer->len - strlen("}\n"));
	ltt_view_append_symbols(call->answer, call->map->symbols, event);
	g_string_append(call->answer, "}\n");
	return TRUE;
}

/* Appends the events of a page. Sets @is_more to whether there are more after them. */
static gboolean list(LttViewCall *call, LttMerge *merge, const Page *page, gboolean *is_more,
		     GError **error)
{
	g_autoptr(LttPrinter) printer =
		ltt_printer_new("json", call->map->trace, NULL, append, call->answer);
	g_autoptr(GError) reason = NULL;
	const gsize start = call->answer->len;
	gboolean is_full = FALSE;
	const LttEvent *event;
	guint64 n = 0;
	LttStep step;

	while ((step = ltt_view_next(merge, &event, error)) == LTT_STEP_EVENT) {
		if (!is_wanted(call->map, event, page->lane) || n++ < page->n_before)
			continue;
		if (n - page->n_before > page->limit || is_full)
			break;
		if (!print(call, printer, event, page->has_symbols != 0, &reason)) {
			if (!g_error_matches(reason, LTT_ERROR, LTT_ERROR_LIMIT)) {
				g_propagate_error(error, g_steal_pointer(&reason));
				return FALSE;
			}
			append_without_fields(call->answer, start, event);
			is_full = TRUE; /* the printer has failed */
		}
		if (page->has_places != 0)
			append_place(page->places, call->map, event);
		is_full = is_full || call->answer->len > FULL_BYTES;
	}
	*is_more = step == LTT_STEP_EVENT;
	return step != LTT_STEP_ERROR;
}

/* Lines become the elements of an array. */
static void join_lines(GString *out, gsize from)
{
	for (gsize i = from; i + 1 < out->len; i++) {
		if (out->str[i] == '\n')
			out->str[i] = ',';
	}
	if (out->len > from && out->str[out->len - 1] == '\n')
		g_string_truncate(out, out->len - 1);
}

gboolean ltt_view_answer_events(LttViewCall *call, GError **error)
{
	g_autoptr(LttSelect) select = ltt_select_new();
	g_autoptr(LttMerge) merge = NULL;
	g_autoptr(GString) places = g_string_new(NULL);
	gboolean is_more = FALSE;
	Page page = {.limit = 100, .lane = G_MAXUINT64, .places = places};
	gsize start;

	if (!make_select(call, select, error) ||
	    !ltt_view_call_get_number(call, "skip", 0, G_MAXINT64, &page.n_before, error) ||
	    !ltt_view_call_get_number(call, "limit", 1, MAX_EVENTS, &page.limit, error) ||
	    !ltt_view_call_get_number(call, "lane", 0, G_MAXUINT32, &page.lane, error) ||
	    !ltt_view_call_get_number(call, "symbols", 0, 1, &page.has_symbols, error) ||
	    !ltt_view_call_get_number(call, "places", 0, 1, &page.has_places, error))
		return FALSE;
	merge = ltt_merge_new(call->map->trace, select);
	ltt_merge_set_callbacks(merge, &(LttJobCallbacks){.on_progress = ltt_view_call_is_wanted,
							  .user_data = call});
	g_string_append(call->answer, "{\"events\":[");
	start = call->answer->len;
	if (!list(call, merge, &page, &is_more, error))
		return FALSE;
	join_lines(call->answer, start);
	g_string_append_printf(call->answer, "],\"more\":%s", is_more ? "true" : "false");
	if (page.has_places != 0)
		g_string_append_printf(call->answer, ",\"places\":[%s]", places->str);
	g_string_append_c(call->answer, '}');
	return TRUE;
}
