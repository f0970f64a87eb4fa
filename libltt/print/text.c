/* text.c - the text format: one line per event, for people and for grep, cut and awk.
 *
 *	1050000000.001640421  cpu/0  core.schedchange  pid=12 tid=13  out=1 in=2 out_state=Running
 *
 * Two blanks separate columns. Strings are quoted; two blanks within a column occur only in quotes.
 * If there are several machines, the name of the machine precedes the tracefile: client:cpu/0. Only
 * this format applies the printf formats of descriptions.
 */
#include "print/printer-priv.h"

#include "reader/trace-priv.h"

static void prepare_tracefile(const LttPrinter *printer, GString *text,
			      const LttTracefile *tracefile)
{
	const char *host = ltt_printer_get_host(printer, tracefile);
	const char *name = ltt_tracefile_get_label(tracefile);

	g_string_assign(text, "  ");
	if (host != NULL) {
		ltt_string_add_escaped(text, host, strlen(host), LTT_ESCAPE_LABEL);
		g_string_append_c(text, ':');
	}
	ltt_string_add_escaped(text, name, strlen(name), LTT_ESCAPE_LABEL);
	g_string_append(text, "  ");
}

static void prepare(LttPrinter *printer, LttPrintedType *printed, const LttEvent *event)
{
	const char *name = event->type->full_name;
	/* Of its own trace, if several are read as one. Each of these has types of its own. */
	const LttSystem *system = event->tracefile->trace->system;
	const LttArch *arch = ltt_system_get_arch(system);
	const LttSegmentsView view = {.is_brief = printer->is_brief,
				      .uses_print = printer->uses_print,
				      .is_short = printer->is_short,
				      .long_bytes = ltt_arch_integer_bytes(arch, LTT_WIDTH_LONG),
				      .machine = ltt_system_get(system, "machine"),
				      .choice = ltt_printer_get_choice(printer),
				      .addresses = printer->addresses};

	ltt_string_add_escaped(printed->head, name, strlen(name), LTT_ESCAPE_LABEL);
	printed->segments = ltt_segments_new(event, &view);
	printed->data = ltt_segments_take_only_template(printed->segments);
}

static void append_middle(LttPrinter *printer, GString *text, const LttPrintedType *printed,
			  const GString *tracefile, const LttEvent *event)
{
	g_string_append_len(text, tracefile->str, (gssize)tracefile->len);
	g_string_append_len(text, printed->head->str, (gssize)printed->head->len);
	if (event->has_thread)
		ltt_printer_append_thread(printer, text, "  pid=", " tid=", event);
	if (printed->data != NULL || !ltt_segments_is_empty(printed->segments))
		g_string_append(text, "  ");
}

const LttPrinterFormat ltt_print_text = {
	.name = "text",
	.start = "",
	.end = "\n",
	.prepare = prepare,
	.prepare_tracefile = prepare_tracefile,
	.append_middle = append_middle,
};
