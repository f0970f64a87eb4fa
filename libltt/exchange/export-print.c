/* export-print.c - the merged stream as one file of lines, through the printers of dumps. */
#include "exchange/export-split-priv.h"

#include <ltt/ltt-merge.h>

/* Events between two looks at whether to go on. */
#define PROGRESS_EVENTS (1 << 18)

static gboolean print_all(const LttExportRequest *request, LttPrinter *printer, GError **error)
{
	g_autoptr(LttMerge) merge = ltt_merge_new(request->trace, request->select);
	const LttEvent *event;
	guint64 n_events = 0;
	LttStep step;

	ltt_merge_read_ahead(merge);
	do {
		g_autoptr(GError) damage = NULL;

		while ((step = ltt_merge_next(merge, &event, &damage)) == LTT_STEP_EVENT) {
			if (!ltt_printer_event(printer, event, error))
				return FALSE;
			if (++n_events % PROGRESS_EVENTS == 0 &&
			    !ltt_export_progress(request, n_events, 0, error))
				return FALSE;
		}
		if (step == LTT_STEP_ERROR && !ltt_export_take_damage(request, damage, error))
			return FALSE;
		ltt_merge_skip_block(merge);
	} while (step != LTT_STEP_END);
	return ltt_printer_flush(printer, error);
}

static gboolean print(const LttExportRequest *request, GError **error)
{
	const LttEventType *columns = ltt_select_get_only_type(request->select, request->trace);
	g_autoptr(LttPrinter) printer = NULL;

	if (request->split)
		return ltt_export_split(request, error);
	printer = ltt_printer_new(request->kind, request->trace, columns, request->write,
				  request->write_data);
	return print_all(request, printer, error);
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
