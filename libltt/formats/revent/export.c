/* export.c - convert an imported trace back to a recording of revent.
 *
 * If all events are exported, the output is identical to the imported recording. If only some
 * events are selected (--filter, --from), the output is a recording of the same devices with these
 * events, without the bytes that could not be decoded.
 */
#include "formats/export-priv.h"
#include "formats/revent/events-priv.h"

#include "base/sink-priv.h"

typedef struct Export {
	const LttExportRequest *request;
	LttReventHeader header;
	gboolean has_header;
	guint64 n_all; /* number of imported events; G_MAXUINT64: unknown */
	guint64 n_selected;
	LttExportOutput output;
	LttOfflineReader *events; /* revent */
	LttOfflineReader *file;   /* revent_file */
} Export;

static gboolean put(Export *export, const LttReventPart *part, GError **error)
{
	GByteArray *bytes = export->output.part;

	g_byte_array_set_size(bytes, 0);
	ltt_revent_put(bytes, &export->header, part);
	return ltt_export_put(&export->output, bytes->data, bytes->len, error);
}

/* ---- parts from control/revent ---- */

/* Writes a part that precedes the events. */
static gboolean put_front(const LttEvent *event, gpointer user_data, GError **error)
{
	Export *export = user_data;
	LttReventPart part;

	if (export->has_header &&
	    ltt_offline_reader_find(export->file, event) == revent_file_header_index)
		return ltt_export_refuse_several(export->request, ltt_export_revent.kind.name,
						 error);
	if (!ltt_revent_read_part(export->file, event, export->output.piece, &part, error))
		return FALSE;
	if (part.kind == LTT_REVENT_BYTES)
		return TRUE;
	if (part.kind == LTT_REVENT_HEADER) {
		export->header = part.header;
		export->has_header = ltt_revent_event_bytes(&export->header) > 0;
	}
	if (part.kind == LTT_REVENT_STREAM && export->n_selected != export->n_all)
		part.stream.n_events = export->n_selected;
	return put(export, &part, error);
}

static gboolean put_bytes(const LttEvent *event, gpointer user_data, GError **error)
{
	Export *export = user_data;
	LttReventPart part;

	if (ltt_offline_reader_find(export->file, event) != revent_file_bytes_index)
		return TRUE;
	return ltt_revent_read_part(export->file, event, export->output.piece, &part, error) &&
	       put(export, &part, error);
}

static gboolean find_end(const LttEvent *event, gpointer user_data, GError **error)
{
	Export *export = user_data;
	struct revent_file_end end;

	if (ltt_offline_reader_find(export->file, event) != revent_file_end_index)
		return TRUE;
	if (!read_revent_file_end(export->file, event, &end, error))
		return FALSE;
	export->n_all = end.events;
	return TRUE;
}

/* ---- events ---- */

static gboolean count_event(const LttEvent *event, gpointer user_data, GError **error)
{
	Export *export = user_data;

	(void)event;
	(void)error;
	export->n_selected++;
	return TRUE;
}

static gboolean put_event(const LttEvent *event, gpointer user_data, GError **error)
{
	Export *export = user_data;
	LttReventPart part = {.kind = LTT_REVENT_EVENT};

	return ltt_revent_read_event(export->events, event, &part.event, error) &&
	       put(export, &part, error);
}

/* ---- the recording ---- */

static gboolean put_all(gpointer user_data, GError **error)
{
	Export *export = user_data;
	const LttExportRequest *request = export->request;
	LttExportRequest silent = *request;

	silent.callbacks.on_problem = NULL;
	if (!ltt_export_visit_all(request, LTT_REVENT_FILE_FACILITY, find_end, export, error) ||
	    !ltt_export_visit(&silent, LTT_REVENT_FACILITY, count_event, export, error) ||
	    !ltt_export_visit_all(request, LTT_REVENT_FILE_FACILITY, put_front, export, error))
		return FALSE;
	if (!export->has_header && export->n_all == G_MAXUINT64)
		return ltt_export_refuse(request, ltt_export_revent.kind.name,
					 LTT_REVENT_FILE_FACILITY, error);
	if (!ltt_export_visit(request, LTT_REVENT_FACILITY, put_event, export, error))
		return FALSE;
	return export->n_selected != export->n_all ||
	       ltt_export_visit_all(request, LTT_REVENT_FILE_FACILITY, put_bytes, export, error);
}

static gboolean run(const LttExportRequest *request, GError **error)
{
	Export export = {.request = request,
			 .n_all = G_MAXUINT64,
			 .events = ltt_offline_reader_new(&ltt_offline_revent),
			 .file = ltt_offline_reader_new(&ltt_offline_revent_file)};
	const gboolean ok = ltt_export_make(request, &export.output, put_all, &export, error);

	ltt_offline_reader_free(export.events);
	ltt_offline_reader_free(export.file);
	return ok;
}

const LttExporter ltt_export_revent = {
	.kind = {.name = "revent", .summary = "the recording of revent that was imported"},
	.run = run,
};
