/* export.c - write tables as Arrow IPC streams, one for each event type (doc/tables.md). */
#include "formats/export-priv.h"

#include "base/error-priv.h"
#include "base/job-priv.h"
#include "base/out-file-priv.h"
#include "formats/arrow/file/ipc-priv.h"

#include <ltt/ltt-hash.h>

typedef struct ArrowExport {
	const LttExportRequest *request;
	LttTables *tables;
	GHashTable *names;    /* of files, for ltt_export_make_path() */
	guint64 n_rows;       /* so far, of all tables */
	GHashTable *reported; /* problems: each table reads the trace again */

	/* The current stream. */
	LttIpcWriter *writer;
	LttOutFile file; /* used if the export is split */
} ArrowExport;

/* ---- one stream ---- */

static gboolean write_bytes(gconstpointer bytes, gsize length, gpointer user_data, GError **error)
{
	ArrowExport *export = user_data;

	if (length == 0)
		return TRUE;
	if (export->request->split)
		return ltt_out_file_write(&export->file, bytes, length, error);
	return export->request->write(bytes, length, export->request->write_data, error);
}

static gboolean write_batch(ArrowExport *export, LttBatch *batch, GError **error)
{
	struct ArrowArray array;
	gboolean ok;

	export->n_rows += ltt_batch_get_n_rows(batch);
	ltt_arrow_array_init(&array, batch);
	ok = ltt_ipc_write_batch(export->writer, &array, error);
	array.release(&array);
	return ok && ltt_job_progress(&export->request->callbacks, LTT_PROGRESS_EVENTS,
				      export->n_rows, 0, error);
}

/* Creates the file of a table if the export is split. */
static gboolean begin_file(ArrowExport *export, const LttTable *table, GError **error)
{
	g_autofree char *path = NULL;

	if (!export->request->split)
		return TRUE;
	path = ltt_export_make_path(export->request, export->names, ltt_table_get_name(table));
	return ltt_out_file_make(&export->file, path, error);
}

/* Writes a complete stream. @batch: (transfer full) (nullable): first batch; NULL: there are no
 * rows */
static gboolean write_stream(ArrowExport *export, LttTableReader *reader, LttBatch *batch,
			     GError **error)
{
	struct ArrowSchema schema;
	gboolean ok;

	ltt_arrow_schema_init(&schema, reader, NULL);
	export->writer = ltt_ipc_writer_new(&schema, write_bytes, export);
	ok = ltt_ipc_write_schema(export->writer, error);
	while (batch != NULL && ok) {
		ok = write_batch(export, g_steal_pointer(&batch), error);
		if (ok && ltt_table_reader_next(reader, &batch, error) == LTT_STEP_ERROR)
			ok = FALSE;
	}
	ltt_batch_unref(batch);
	ok = ok && ltt_ipc_write_end(export->writer, error);
	g_clear_pointer(&export->writer, ltt_ipc_writer_free);
	return ok;
}

static void report(const LttProblem *problem, gpointer user_data)
{
	const ArrowExport *export = user_data;

	ltt_job_report_once(&export->request->callbacks, export->reported, problem);
}

/* A reader that finds no rows for a while can be cancelled, too. */
static gboolean look(const LttProgress *progress, gpointer user_data)
{
	const ArrowExport *export = user_data;

	(void)progress;
	return ltt_job_progress(&export->request->callbacks, LTT_PROGRESS_EVENTS, export->n_rows, 0,
				NULL);
}

static gboolean write_table(ArrowExport *export, const LttTable *table, GError **error)
{
	const LttTableRequest request = {
		.table = table,
		.select = export->request->select,
		.callbacks = {report, look, export},
	};
	g_autoptr(LttTableReader) reader = ltt_table_read(&request, error);
	LttBatch *batch = NULL;
	gboolean ok;

	if (reader == NULL || ltt_table_reader_next(reader, &batch, error) == LTT_STEP_ERROR)
		return FALSE;
	if (batch == NULL && export->request->split)
		return TRUE; /* a type without events has no file */
	if (!begin_file(export, table, error)) {
		ltt_batch_unref(batch);
		return FALSE;
	}
	ok = write_stream(export, reader, batch, error);
	if (export->request->split)
		ok = ok && ltt_out_file_close(&export->file, error);
	ltt_out_file_drop(&export->file);
	return ok;
}

/* ---- the export ---- */

static gboolean write_only(ArrowExport *export, GError **error)
{
	const LttTable *only = NULL;

	for (guint i = 0; i < ltt_tables_get_n(export->tables); i++) {
		const LttTable *table = ltt_tables_get(export->tables, i);

		if (!ltt_export_wants_table(export->request, table))
			continue;
		if (only != NULL)
			return ltt_fail(error, LTT_ERROR_INVALID,
					"an Arrow stream has one event type, but %s and %s are "
					"selected: expected one type or a split export",
					ltt_table_get_name(only), ltt_table_get_name(table));
		only = table;
	}
	if (only == NULL)
		return ltt_fail(error, LTT_ERROR_INVALID,
				"an Arrow stream has one event type, and none is selected");
	return write_table(export, only, error);
}

static gboolean write_all(ArrowExport *export, GError **error)
{
	for (guint i = 0; i < ltt_tables_get_n(export->tables); i++) {
		const LttTable *table = ltt_tables_get(export->tables, i);

		if (ltt_export_wants_table(export->request, table) &&
		    !write_table(export, table, error))
			return FALSE;
	}
	return TRUE;
}

static gboolean run(const LttExportRequest *request, GError **error)
{
	g_autoptr(LttTables) tables = ltt_tables_new(request->trace);
	g_autoptr(GHashTable) names =
		g_hash_table_new_full(ltt_hash_text, g_str_equal, g_free, NULL);
	g_autoptr(GHashTable) reported =
		g_hash_table_new_full(ltt_hash_text, g_str_equal, g_free, NULL);
	ArrowExport export = {
		.request = request,
		.reported = reported,
		.tables = tables,
		.names = names,
		.file = LTT_OUT_FILE_NONE,
	};

	return request->split ? write_all(&export, error) : write_only(&export, error);
}

const LttExporter ltt_export_arrow = {
	.kind = {.name = "arrow",
		 .summary = "Apache Arrow IPC stream, a column for each field",
		 .can_split = TRUE},
	.run = run,
};
