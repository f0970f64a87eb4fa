/* export-print.c - the merged stream as one file of lines, through the printers of dumps. */
#include "formats/export-split-priv.h"

static gboolean print_event(const LttEvent *event, gpointer printer, GError **error)
{
	return ltt_printer_event(printer, event, error);
}

static gboolean print(const LttExportRequest *request, GError **error)
{
	const LttEventType *columns = ltt_select_get_only_type(request->select, request->trace);
	g_autoptr(LttPrinter) printer = NULL;

	if (request->split)
		return ltt_export_split(request, error);
	printer = ltt_printer_new(request->kind, request->trace, columns, request->write,
				  request->write_data);
	return ltt_export_visit_selected(request, print_event, printer, error) &&
	       ltt_printer_flush(printer, error);
}

const LttExporter ltt_export_json = {
	.kind = {.name = "json",
		 .summary = "JSON lines, as ltt dump prints them",
		 .can_split = TRUE},
	.run = print,
};

const LttExporter ltt_export_csv = {
	.kind = {.name = "csv",
		 .summary = "comma-separated values, as ltt dump prints them",
		 .can_split = TRUE},
	.run = print,
};
