/* json.c - JSON lines: one object per event. doc/format.md, appendix A, defines its bytes. */
#include "print/printer-priv.h"

void ltt_json_append_string(GString *out, const char *bytes, gssize length)
{
	g_string_append_c(out, '"');
	ltt_string_add_escaped(out, bytes, length < 0 ? strlen(bytes) : (gsize)length,
			       LTT_ESCAPE_JSON);
	g_string_append_c(out, '"');
}

static void prepare_tracefile(const LttPrinter *printer, GString *text,
			      const LttTracefile *tracefile)
{
	const char *host = ltt_printer_get_host(printer, tracefile);
	const char *name = ltt_tracefile_get_name(tracefile);

	g_string_assign(text, "\",\"tracefile\":\"");
	ltt_string_add_escaped(text, name, strlen(name), LTT_ESCAPE_JSON);
	if (host != NULL) {
		g_string_append(text, "\",\"host\":\"");
		ltt_string_add_escaped(text, host, strlen(host), LTT_ESCAPE_JSON);
	}
	g_string_append(text, "\",\"event\":\"");
}

static void prepare(LttPrinter *printer, LttPrintedType *printed, const LttEvent *event)
{
	const char *name = event->type->full_name;
	const LttChoice choice = ltt_printer_get_choice(printer);

	ltt_string_add_escaped(printed->head, name, strlen(name), LTT_ESCAPE_JSON);
	printed->data = ltt_template_new(event->layout, &ltt_style_json, FALSE, &choice);
}

static void append_middle(LttPrinter *printer, GString *text, const LttPrintedType *printed,
			  const GString *tracefile, const LttEvent *event)
{
	g_string_append_len(text, tracefile->str, (gssize)tracefile->len);
	g_string_append_len(text, printed->head->str, (gssize)printed->head->len);
	g_string_append_c(text, '"');
	if (event->has_thread)
		ltt_printer_append_thread(printer, text, ",\"pid\":", ",\"tid\":", event);
	g_string_append(text, ",\"data\":");
}

const LttPrinterFormat ltt_print_json = {
	.name = "json",
	.start = "{\"time\":\"",
	.end = "}\n",
	.prepare = prepare,
	.prepare_tracefile = prepare_tracefile,
	.append_middle = append_middle,
};
