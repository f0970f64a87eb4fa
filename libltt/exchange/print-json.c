/* print-json.c - JSON lines: one object an event, its bytes settled by doc/format.md, appendix A.
 */
#include "exchange/printer-priv.h"

void ltt_json_append_string(GString *out, const char *bytes, gssize length)
{
	g_string_append_c(out, '"');
	ltt_string_add_escaped(out, bytes, length < 0 ? strlen(bytes) : (gsize)length,
			       LTT_ESCAPE_JSON);
	g_string_append_c(out, '"');
}

static void prepare_tracefile(GString *text, const LttTracefile *tracefile)
{
	const char *name = ltt_tracefile_get_name(tracefile);

	g_string_assign(text, "\",\"tracefile\":\"");
	ltt_string_add_escaped(text, name, strlen(name), LTT_ESCAPE_JSON);
	g_string_append(text, "\",\"event\":\"");
}

static void prepare(LttPrinter *printer, LttPrintedType *printed, const LttEvent *event)
{
	const char *name = event->type->full_name;
	const LttChoice choice = ltt_printer_get_choice(printer);

	ltt_string_add_escaped(printed->head, name, strlen(name), LTT_ESCAPE_JSON);
	printed->data = ltt_template_new(event->layout, &ltt_style_json, FALSE, &choice);
}

static void print(LttPrinter *printer, const LttPrintedType *printed, const GString *tracefile,
		  const LttEvent *event)
{
	static const char before_time[] = "{\"time\":\"";
	static const char before_data[] = ",\"data\":";
	LttSink *sink = &printer->sink;

	ltt_sink_add(sink, before_time, sizeof(before_time) - 1);
	ltt_printer_add_time(printer, event->time_ns);
	ltt_sink_add(sink, tracefile->str, tracefile->len);
	ltt_sink_add(sink, printed->head->str, printed->head->len);
	ltt_sink_add_char(sink, '"');
	if (event->has_thread)
		ltt_printer_add_thread(printer, ",\"pid\":", ",\"tid\":", event);

	ltt_sink_add(sink, before_data, sizeof(before_data) - 1);
	ltt_printer_add_values(printer, printed, event);
	ltt_sink_add(sink, "}\n", 2);
}

const LttPrinterFormat ltt_print_json = {
	.name = "json",
	.prepare = prepare,
	.prepare_tracefile = prepare_tracefile,
	.print = print,
};
