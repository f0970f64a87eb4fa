/* export-text.c - JSON lines and CSV: one file, or a file for each event type (ltt-export.h).
 *
 * A split export reads the trace once. One printer formats the events of all types, with the
 * columns of each type. The lines are buffered in memory by type and appended to the files in large
 * pieces. At most one file is open at a time and the buffers have a common limit, so the number of
 * types is not limited.
 */
#include "formats/export-priv.h"

#include "base/out-file-priv.h"
#include "print/printer-priv.h"

#include <ltt/ltt-hash.h>

#include <string.h>

/* The buffered lines of a type are written when they reach this size. */
#define PIECE_BYTES ((gsize)64 * 1024)

/* Maximum number of buffered bytes of all types. */
#define MAX_HELD_BYTES ((gsize)8 * 1024 * 1024)

/* An event type of which an event was selected. */
typedef struct Part {
	char *path;
	gboolean is_made; /* the file exists */
	GString *held;    /* lines that are not in the file yet */
} Part;

typedef struct Split {
	const LttExportRequest *request;
	LttPrinter *printer;
	GHashTable *parts; /* from (const LttEventType *) to Part; owned */
	GHashTable *names; /* of files, for ltt_export_make_path() */
	Part *part;        /* type of the event that is being printed */
	gsize n_held;
} Split;

static void free_part(gpointer data)
{
	Part *part = data;

	g_free(part->path);
	g_string_free(part->held, TRUE);
	g_free(part);
}

/* ---- files ---- */

static gboolean write_part(Split *split, Part *part, GError **error)
{
	LttOutFile file = LTT_OUT_FILE_NONE;
	gboolean ok;

	if (part->held->len == 0)
		return TRUE;
	ok = (part->is_made ? ltt_out_file_extend(&file, part->path, error)
			    : ltt_out_file_make(&file, part->path, error)) &&
	     ltt_out_file_write(&file, part->held->str, part->held->len, error) &&
	     ltt_out_file_close(&file, error);
	ltt_out_file_drop(&file);
	part->is_made = TRUE;
	split->n_held -= part->held->len;
	/* Free the buffer: there may be no further event of this type. */
	g_string_free(part->held, TRUE);
	part->held = g_string_new(NULL);
	return ok;
}

static gboolean write_parts(Split *split, GError **error)
{
	GHashTableIter iter;
	gpointer part;

	g_hash_table_iter_init(&iter, split->parts);
	while (g_hash_table_iter_next(&iter, NULL, &part))
		if (!write_part(split, part, error))
			return FALSE;
	return TRUE;
}

/* ---- lines ---- */

/* An LttWriteFunc that buffers the output of the printer. */
static gboolean hold(const char *bytes, gsize length, gpointer user_data, GError **error)
{
	Split *split = user_data;

	g_string_append_len(split->part->held, bytes, (gssize)length);
	split->n_held += length;
	if (split->part->held->len >= PIECE_BYTES && !write_part(split, split->part, error))
		return FALSE;
	return split->n_held < MAX_HELD_BYTES || write_parts(split, error);
}

static Part *find_part(Split *split, const LttEventType *type)
{
	Part *part = g_hash_table_lookup(split->parts, type);

	if (part != NULL)
		return part;
	part = g_new(Part, 1);
	*part = (Part){.path = ltt_export_make_path(split->request, split->names, type->full_name),
		       .held = g_string_new(NULL)};
	g_hash_table_insert(split->parts, (gpointer)type, part);
	return part;
}

static gboolean take_event(const LttEvent *event, gpointer user_data, GError **error)
{
	Split *split = user_data;

	split->part = find_part(split, event->type);
	ltt_printer_set_columns(split->printer, event->type,
				!split->part->is_made && split->part->held->len == 0);
	return ltt_printer_event(split->printer, event, error) &&
	       ltt_printer_flush(split->printer, error);
}

static gboolean print_split(const LttExportRequest *request, GError **error)
{
	Split split = {.request = request};
	gboolean ok;

	split.printer = ltt_printer_new_bare(request->kind, request->trace, hold, &split);
	split.parts = g_hash_table_new_full(NULL, NULL, NULL, free_part);
	split.names = g_hash_table_new_full(ltt_hash_text, g_str_equal, g_free, NULL);
	ok = ltt_export_visit_selected(request, take_event, &split, error) &&
	     write_parts(&split, error);
	ltt_printer_free(split.printer);
	g_hash_table_unref(split.parts);
	g_hash_table_unref(split.names);
	return ok;
}

/* ---- one file ---- */

static gboolean print_event(const LttEvent *event, gpointer printer, GError **error)
{
	return ltt_printer_event(printer, event, error);
}

static gboolean print(const LttExportRequest *request, GError **error)
{
	const LttEventType *columns = ltt_select_get_only_type(request->select, request->trace);
	g_autoptr(LttPrinter) printer = NULL;

	if (request->split)
		return print_split(request, error);
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
