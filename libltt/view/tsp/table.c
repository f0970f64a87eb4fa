/* table.c - the table of events. A line is found by the numbers of events in the bins of the map:
 *
 *	bins    |  1,000  |  1,200  |  900  | ...
 *	lines   0       1,000     2,200   3,100     line 2,500: the 301st event of the third bin
 *
 * Where times fall, lines are in the order of the merge and not of time: they are counted from the start.
 */
#include "view/tsp/call-priv.h"

#include <ltt/ltt-error.h>
#include <ltt/ltt-print.h>
#include <ltt/ltt-time.h>
#include <ltt/ltt-trace.h>

/* Lines of one answer. */
#define MAX_LINES 10000

/* Text of a cell. Longer text is cut: that of a sequence of enums can be 256 times as large as the
 * event. */
#define MAX_CELL_BYTES (256 << 10)

typedef enum Column { TIME, TRACEFILE, PROCESS, THREAD, TYPE, FIELDS, N_COLUMNS } Column;

static const struct {
	const char *name;
	const char *description;
	const char *type;
} columns[N_COLUMNS] = {
	[TIME] = {"Time", "Seconds since 1970-01-01 UTC", "TIMESTAMP"},
	[TRACEFILE] = {"File", "Tracefile", "STRING"},
	[PROCESS] = {"Process", "Number of the process", "NUMBER"},
	[THREAD] = {"Thread", "Number of the thread", "NUMBER"},
	[TYPE] = {"Event", "Type of the event", "STRING"},
	[FIELDS] = {"Fields", "Values of the fields", "STRING"},
};

gboolean ltt_tsp_event_columns(LttTspCall *call, GError **error)
{
	GString *out = call->view.answer;

	(void)error;
	ltt_tsp_begin(call);
	g_string_append_c(out, '[');
	for (guint i = 0; i < N_COLUMNS; i++) {
		g_string_append_printf(out, "%s{\"id\":%u,", i > 0 ? "," : "", i);
		ltt_tsp_append_description(out, columns[i].name, columns[i].description,
					   columns[i].type);
		g_string_append_c(out, '}');
	}
	g_string_append_c(out, ']');
	ltt_tsp_end(call, LTT_VIEW_COUNTING);
	return TRUE;
}

/* ---- cells ---- */

typedef struct Lines {
	LttTspCall *call;
	GArray *columns;     /* of gint64 */
	LttPrinter *printer; /* (nullable): of the fields */
	GString *data;       /* of the cell */
	gboolean is_cut;
	guint64 low;
	guint64 n;
} Lines;

/* Fails if the text is longer than a cell. */
static gboolean append_data(const char *bytes, gsize length, gpointer user_data, GError **error)
{
	Lines *lines = user_data;
	const gsize room = MAX_CELL_BYTES - lines->data->len;

	g_string_append_len(lines->data, bytes, (gssize)MIN(length, room));
	lines->is_cut = length > room;
	if (lines->is_cut)
		g_set_error_literal(error, LTT_ERROR, LTT_ERROR_LIMIT, "the text is too long");
	return !lines->is_cut;
}

/* A failed printer may have buffered the rest of a text, so it is not used again. */
static gboolean print_fields(Lines *lines, const LttEvent *event, GError **error)
{
	g_autoptr(GError) reason = NULL;

	if (lines->printer == NULL)
		lines->printer = ltt_printer_new("json", lines->call->view.map->trace, NULL,
						 append_data, lines);
	lines->is_cut = FALSE;
	if (ltt_printer_data(lines->printer, event, &reason) &&
	    ltt_printer_flush(lines->printer, &reason))
		return TRUE;
	g_clear_pointer(&lines->printer, ltt_printer_free);
	if (!lines->is_cut) {
		g_propagate_error(error, g_steal_pointer(&reason));
		return FALSE;
	}
	g_string_append(lines->data, "...");
	return TRUE;
}

static gboolean append_cell(Lines *lines, const LttEvent *event, gint64 column, GError **error)
{
	GString *text = lines->data;

	g_string_truncate(text, 0);
	switch (column) {
	case TIME:
		g_string_printf(text, "%" G_GUINT64_FORMAT ".%09u", event->time_ns / LTT_NS_PER_S,
				(guint)(event->time_ns % LTT_NS_PER_S));
		break;
	case TRACEFILE:
		g_string_assign(text, ltt_tracefile_get_label(event->tracefile));
		break;
	case PROCESS:
	case THREAD:
		if (event->has_thread)
			g_string_printf(text, "%u", column == PROCESS ? event->pid : event->tid);
		break;
	case TYPE:
		g_string_assign(text, event->type->full_name);
		break;
	default:
		if (!print_fields(lines, event, error))
			return FALSE;
		break;
	}
	g_string_append(lines->call->view.answer, "{\"content\":");
	ltt_json_append_string(lines->call->view.answer, text->str, (gssize)text->len);
	g_string_append_c(lines->call->view.answer, '}');
	return TRUE;
}

static gboolean append_line(Lines *lines, const LttEvent *event, GError **error)
{
	GString *out = lines->call->view.answer;

	g_string_append_printf(out, "%s{\"index\":%" G_GUINT64_FORMAT ",\"cells\":[",
			       lines->n > 0 ? "," : "", lines->low + lines->n);
	for (guint i = 0; i < lines->columns->len; i++) {
		if (i > 0)
			g_string_append_c(out, ',');
		if (!append_cell(lines, event, g_array_index(lines->columns, gint64, i), error))
			return FALSE;
	}
	g_string_append(out, "]}");
	lines->n++;
	return TRUE;
}

/* ---- the place of a line ---- */

/* Where to start to read, and how many events lie between. */
typedef struct Place {
	guint64 from_ns;
	guint64 index; /* of the first event there */
} Place;

/* Returns: the last bin that begins neither after line @index nor after @time_ns; the start of the trace if
 * times fall, because events of earlier bins can then follow those of later ones. Takes the lock. */
static Place find_place(LttViewMap *map, guint64 index, guint64 time_ns)
{
	const gboolean is_sorted = ltt_trace_is_sorted(map->trace);
	Place place = {.from_ns = 0, .index = 0};
	guint64 n = 0;

	ltt_view_map_lock(map);
	for (guint i = 0; is_sorted && i < map->stat.n_windows; i++) {
		const LttStatWindow *window = &map->stat.windows[i];

		if (n > index || window->start_ns > time_ns)
			break;
		place = (Place){.from_ns = i > 0 ? window->start_ns : 0, .index = n};
		n += window->count.n_events;
	}
	ltt_view_map_unlock(map);
	return place;
}

/* Appends @count lines, from the line @low or from the first event at @time_ns. */
static gboolean append_lines(Lines *lines, Place place, guint64 time_ns, guint64 count,
			     GError **error)
{
	LttTspCall *call = lines->call;
	g_autoptr(LttSelect) select = ltt_select_new();
	g_autoptr(LttMerge) merge = NULL;
	guint64 index = place.index;
	const LttEvent *event;
	gboolean ok = TRUE;
	LttStep result;

	ltt_select_set_window(select, place.from_ns, G_MAXUINT64);
	merge = ltt_merge_new(call->view.map->trace, select);
	ltt_merge_set_callbacks(merge, &(LttJobCallbacks){.on_progress = ltt_view_call_is_wanted,
							  .user_data = &call->view});
	while (ok && lines->n < count && call->view.answer->len < LTT_TSP_FULL_BYTES &&
	       (result = ltt_view_next(merge, &event, error)) != LTT_STEP_END) {
		ok = result == LTT_STEP_EVENT;
		if (ok && lines->n == 0 && event->time_ns < time_ns)
			lines->low = index + 1;
		ok = ok && (index++ < lines->low || append_line(lines, event, error));
	}
	g_clear_pointer(&lines->printer, ltt_printer_free);
	return ok;
}

/* ---- the answer ---- */

static gboolean read_columns(LttTspCall *call, GArray *ids, GError **error)
{
	if (!ltt_tsp_body_get_numbers(call->body, "requested_table_column_ids", ids, error))
		return FALSE;
	if (ids->len == 0) {
		for (gint64 i = 0; i < N_COLUMNS; i++)
			g_array_append_val(ids, i);
	}
	for (guint i = 0; i < ids->len; i++) {
		const gint64 id = g_array_index(ids, gint64, i);

		if (id >= 0 && id < N_COLUMNS && ids->len <= N_COLUMNS)
			continue;
		g_set_error(error, LTT_ERROR, LTT_ERROR_INVALID,
			    "requested_table_column_ids: expected up to %d numbers from 0 to %d",
			    N_COLUMNS, N_COLUMNS - 1);
		return FALSE;
	}
	return TRUE;
}

static void append_head(Lines *lines, guint64 size)
{
	GString *out = lines->call->view.answer;

	g_string_append_printf(out, "{\"size\":%" G_GUINT64_FORMAT ",\"columnIds\":[", size);
	for (guint i = 0; i < lines->columns->len; i++)
		g_string_append_printf(out, "%s%" G_GINT64_FORMAT, i > 0 ? "," : "",
				       g_array_index(lines->columns, gint64, i));
	g_string_append(out, "],\"lines\":[");
}

gboolean ltt_tsp_event_lines(LttTspCall *call, GError **error)
{
	LttViewMap *map = call->view.map;
	g_autoptr(GString) data = g_string_new(NULL);
	g_autoptr(GArray) ids = g_array_new(FALSE, FALSE, sizeof(gint64));
	Lines lines = {.call = call, .columns = ids, .data = data};
	gint64 time = 0;
	gint64 low = 0;
	gint64 count = 0;
	Place place;
	guint64 size;
	gboolean is_by_time;

	if (!read_columns(call, ids, error) ||
	    !ltt_tsp_body_get_number(call->body, "requested_times", 0, G_MAXINT64, &time, error) ||
	    !ltt_tsp_body_get_number(call->body, "requested_table_index", 0, G_MAXINT64, &low,
				     error) ||
	    !ltt_tsp_body_get_number(call->body, "requested_table_count", 0, MAX_LINES, &count,
				     error))
		return FALSE;
	is_by_time = ltt_tsp_body_has(call->body, "requested_times");
	ltt_view_map_lock(map);
	size = map->stat.total.n_events;
	ltt_view_map_unlock(map);
	place = find_place(map, is_by_time ? G_MAXUINT64 : (guint64)low,
			   is_by_time ? (guint64)time : G_MAXUINT64);
	lines.low = is_by_time ? place.index : (guint64)low;
	ltt_tsp_begin(call);
	append_head(&lines, size);
	if (size > 0 && lines.low < size &&
	    !append_lines(&lines, place, is_by_time ? (guint64)time : 0, (guint64)count, error))
		return FALSE;
	g_string_append_printf(call->view.answer, "],\"lowIndex\":%" G_GUINT64_FORMAT "}",
			       lines.low);
	ltt_tsp_end(call, LTT_VIEW_DRAWING);
	return TRUE;
}
