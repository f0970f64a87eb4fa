/* view.c - the settings of a printer: which fields to print, and the format of times.
 *
 * Fields are selected once for each event type, when its template is made.
 */
#include "print/printer-priv.h"

#include "base/digits-priv.h"
#include "base/zone-priv.h"
#include "filter/glob-priv.h"

#include <ltt/ltt-time.h>

/* ---- fields ---- */

static void free_glob(gpointer data)
{
	ltt_glob_free(data);
}

void ltt_printer_set_view(LttPrinter *printer, const LttPrintView *view)
{
	printer->time = view->time;
	if (printer->time == LTT_PRINT_TIME_DATE)
		printer->zone = ltt_zone_new_local();
	printer->is_brief = view->is_brief;
	printer->uses_print = view->uses_print;
	printer->is_short = view->is_short;
	if (view->shows_names)
		printer->names = ltt_trace_get_thread_names(printer->trace);
	if (view->symbols != NULL)
		printer->addresses = ltt_print_addresses_new(view->symbols);
	if (view->fields != NULL)
		printer->fields = g_ptr_array_new_with_free_func(free_glob);
	for (const char *const *glob = view->fields; glob != NULL && *glob != NULL; glob++)
		g_ptr_array_add(printer->fields, ltt_glob_new(*glob, strlen(*glob)));
}

gboolean ltt_printer_has_field(const LttPrinter *printer, const char *name)
{
	if (printer->fields == NULL)
		return TRUE;
	for (guint i = 0; i < printer->fields->len; i++) {
		if (ltt_glob_matches(printer->fields->pdata[i], name, strlen(name)))
			return TRUE;
	}
	return FALSE;
}

static gboolean has(const LttMember *member, gconstpointer user_data)
{
	return ltt_printer_has_field(user_data, member->name);
}

LttChoice ltt_printer_get_choice(const LttPrinter *printer)
{
	return (LttChoice){printer->fields != NULL ? has : NULL, printer};
}

/* ---- times ---- */

static void add_date(LttPrinter *printer, guint64 time_ns)
{
	g_autoptr(GDateTime) date = ltt_zone_date(printer->zone, (gint64)(time_ns / LTT_NS_PER_S));
	g_autofree char *day = g_date_time_format(date, "%Y-%m-%dT%H:%M:%S");
	g_autofree char *zone = g_date_time_format(date, "%:z");
	g_autofree char *text =
		g_strdup_printf("%s.%09u%s", day, (guint)(time_ns % LTT_NS_PER_S), zone);

	ltt_sink_add(&printer->sink, text, strlen(text));
}

static void add_distance(LttPrinter *printer, guint64 time_ns)
{
	char text[1 + LTT_TIME_TEXT_BYTES];
	const guint64 base_ns = printer->time_base_ns;

	text[0] = time_ns >= base_ns ? '+' : '-';
	ltt_sink_add(&printer->sink, text,
		     1 + ltt_time_format(time_ns >= base_ns ? time_ns - base_ns : base_ns - time_ns,
					 text + 1));
}

void ltt_printer_need_base(LttPrinter *printer)
{
	guint64 end_ns;

	if (!printer->has_base && printer->time == LTT_PRINT_TIME_START)
		printer->has_base =
			ltt_trace_get_span(printer->trace, &printer->time_base_ns, &end_ns);
}

void ltt_printer_add_time_viewed(LttPrinter *printer, guint64 time_ns)
{
	if (printer->time == LTT_PRINT_TIME_DATE) {
		add_date(printer, time_ns);
		return;
	}
	ltt_printer_need_base(printer);
	if (!printer->has_base) {
		printer->time_base_ns = time_ns;
		printer->has_base = TRUE;
	}
	add_distance(printer, time_ns);
	if (printer->time == LTT_PRINT_TIME_DELTA)
		printer->time_base_ns = time_ns;
}
