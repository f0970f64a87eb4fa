/* printer.c - create printers, and cache the texts of event types and tracefiles.
 *
 * A trace has few event types and tracefiles, so their texts are made once. line.c combines them.
 */
#include "print/printer-priv.h"

#include "reader/tracefile-priv.h"

static const LttPrinterFormat *const formats[] = {
	&ltt_print_text,
	&ltt_print_json,
	&ltt_print_csv,
	&ltt_print_none,
};

const LttPrinterFormat ltt_print_none = {.name = "none"};

const char *const *ltt_printer_names(void)
{
	static const char *names[G_N_ELEMENTS(formats) + 1];
	static gsize ready;

	if (g_once_init_enter(&ready)) {
		for (guint i = 0; i < G_N_ELEMENTS(formats); i++)
			names[i] = formats[i]->name;
		g_once_init_leave(&ready, 1);
	}
	return names;
}

static const LttPrinterFormat *find_format(const char *name)
{
	for (guint i = 0; i < G_N_ELEMENTS(formats); i++)
		if (g_str_equal(formats[i]->name, name))
			return formats[i];
	return NULL;
}

static void free_printed_type(gpointer data)
{
	LttPrintedType *printed = data;

	g_string_free(printed->head, TRUE);
	ltt_template_free(printed->data);
	ltt_segments_free(printed->segments);
	g_free(printed);
}

static void free_string(gpointer data)
{
	if (data != NULL)
		g_string_free(data, TRUE);
}

LttPrinter *ltt_printer_new_bare(const char *name, LttTrace *trace, LttWriteFunc write,
				 gpointer user_data)
{
	const LttPrinterFormat *format = find_format(name);
	LttPrinter *printer;

	if (format == NULL)
		return NULL;
	printer = g_new0(LttPrinter, 1);
	printer->format = format;
	printer->n_end_bytes = strlen(format->end);
	printer->n_front_bytes =
		(gsize)g_snprintf(printer->front, LTT_PRINTED_FRONT_BYTES, "%s0.", format->start);
	printer->trace = trace;
	printer->has_threads = ltt_trace_has_threads(trace);
	printer->types = g_hash_table_new_full(NULL, NULL, NULL, free_printed_type);
	printer->tracefiles = g_ptr_array_new_with_free_func(free_string);
	ltt_sink_init(&printer->sink, write, user_data);
	return printer;
}

LttPrinter *ltt_printer_dup(const LttPrinter *printer)
{
	LttPrinter *copy = ltt_printer_new_bare(printer->format->name, printer->trace, NULL, NULL);

	ltt_sink_clear(&copy->sink);
	copy->columns = printer->columns;
	copy->time = printer->time;
	copy->zone = printer->zone != NULL ? g_time_zone_ref(printer->zone) : NULL;
	copy->is_brief = printer->is_brief;
	copy->uses_print = printer->uses_print;
	copy->is_short = printer->is_short;
	copy->names = printer->names;
	copy->addresses = ltt_print_addresses_dup(printer->addresses);
	copy->fields = printer->fields != NULL ? g_ptr_array_ref(printer->fields) : NULL;
	return copy;
}

void ltt_printer_set_columns(LttPrinter *printer, const LttEventType *columns, gboolean begin)
{
	printer->columns = columns;
	if (begin && printer->format->begin != NULL)
		printer->format->begin(printer);
}

LttPrinter *ltt_printer_new_viewed(const char *name, LttTrace *trace, const LttEventType *columns,
				   const LttPrintView *view, LttWriteFunc write, gpointer user_data)
{
	LttPrinter *printer = ltt_printer_new_bare(name, trace, write, user_data);

	if (printer == NULL)
		return NULL;
	if (view != NULL)
		ltt_printer_set_view(printer, view);
	ltt_printer_set_columns(printer, columns, TRUE);
	return printer;
}

LttPrinter *ltt_printer_new(const char *name, LttTrace *trace, const LttEventType *columns,
			    LttWriteFunc write, gpointer user_data)
{
	return ltt_printer_new_viewed(name, trace, columns, NULL, write, user_data);
}

void ltt_printer_free(LttPrinter *printer)
{
	if (printer == NULL)
		return;
	ltt_sink_clear(&printer->sink);
	g_hash_table_unref(printer->types);
	g_ptr_array_unref(printer->tracefiles);
	for (guint i = 0; i < LTT_PRINTER_MIDDLES; i++)
		g_free(printer->middles[i].text);
	g_clear_pointer(&printer->zone, g_time_zone_unref);
	g_clear_pointer(&printer->fields, g_ptr_array_unref);
	ltt_print_addresses_free(printer->addresses);
	g_free(printer);
}

const LttPrintedType *ltt_printer_get_type(LttPrinter *printer, const LttEvent *event)
{
	LttPrintedType *printed = g_hash_table_lookup(printer->types, event->type);

	if (printed != NULL)
		return printed;
	printed = g_new0(LttPrintedType, 1);
	printed->type = event->type;
	printed->head = g_string_new(NULL);
	printer->format->prepare(printer, printed, event);
	g_hash_table_insert(printer->types, (gpointer)event->type, printed);
	return printed;
}

const GString *ltt_printer_get_tracefile(LttPrinter *printer, const LttTracefile *tracefile)
{
	const guint index = ltt_tracefile_get_index(tracefile);
	GString *text;

	if (index >= printer->tracefiles->len)
		g_ptr_array_set_size(printer->tracefiles, (gint)index + 1);
	text = g_ptr_array_index(printer->tracefiles, index);
	if (text == NULL) {
		text = g_string_new(NULL);
		printer->format->prepare_tracefile(printer, text, tracefile);
		g_ptr_array_index(printer->tracefiles, index) = text;
	}
	return text;
}

gboolean ltt_printer_data(LttPrinter *printer, const LttEvent *event, GError **error)
{
	const LttPrintedType *printed = ltt_printer_get_type(printer, event);

	ltt_template_fill(printed->data, &printer->sink, event->payload, event->byte_order);
	return ltt_sink_check(&printer->sink, error);
}

gboolean ltt_printer_flush(LttPrinter *printer, GError **error)
{
	ltt_sink_hand_on(&printer->sink);
	return ltt_sink_check(&printer->sink, error);
}
