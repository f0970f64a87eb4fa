/* export.c - convert an imported trace back to a log of QEMU's record/replay.
 *
 * If all events are exported, the output is identical to the imported log and QEMU can replay it.
 * If only some events are selected (--filter, --from), the output is a log of these events, for
 * tools that read logs.
 */
#include "formats/export-priv.h"
#include "formats/qemu/events-priv.h"

#include "base/bytes-priv.h"
#include "base/error-priv.h"
#include "base/sink-priv.h"

typedef struct Export {
	const LttExportRequest *request;
	LttQemuNumbering numbering;
	gboolean has_header;
	gboolean has_end;
	guint64 n_all;      /* number of imported events */
	guint64 n_selected; /* number of selected events */
	LttExportOutput output;
	LttOfflineReader *events; /* qemu_replay */
	LttOfflineReader *file;   /* qemu_replay_file */
} Export;

/* ---- parts before and after the events ---- */

static gboolean put_header(Export *export, const LttEvent *event, GError **error)
{
	guint8 header[LTT_QEMU_HEADER_BYTES] = {0};
	struct qemu_replay_file_header in;

	if (export->has_header)
		return ltt_export_refuse_several(export->request, ltt_export_qemu.kind.name, error);
	if (!read_qemu_replay_file_header(export->file, event, &in, error))
		return FALSE;
	ltt_store_u32(header, in.version, LTT_BIG_ENDIAN);
	memcpy(header + 4, in.reserved, sizeof(in.reserved));
	if (in.release >= ltt_qemu_n_releases())
		return ltt_fail_at(error, LTT_ERROR_UNSUPPORTED,
				   ltt_tracefile_get_name(event->tracefile), (gint64)event->block,
				   event->offset_bytes,
				   "release number %u of QEMU: expected one below %u", in.release,
				   ltt_qemu_n_releases());
	ltt_qemu_numbering_init(&export->numbering, ltt_qemu_get_release(in.release));
	export->has_header = TRUE;
	return ltt_export_put(&export->output, header, sizeof(header), error);
}

/* Writes the header and reads the number of events in the log. */
static gboolean put_front(const LttEvent *event, gpointer user_data, GError **error)
{
	Export *export = user_data;
	struct qemu_replay_file_end end;

	switch (ltt_offline_reader_find(export->file, event)) {
	case qemu_replay_file_header_index:
		return put_header(export, event, error);
	case qemu_replay_file_end_index:
		if (!read_qemu_replay_file_end(export->file, event, &end, error))
			return FALSE;
		export->n_all = end.events;
		export->has_end = TRUE;
		return TRUE;
	default:
		return TRUE;
	}
}

static gboolean put_rest(const LttEvent *event, gpointer user_data, GError **error)
{
	Export *export = user_data;
	struct qemu_replay_file_bytes bytes;

	if (ltt_offline_reader_find(export->file, event) != qemu_replay_file_bytes_index)
		return TRUE;
	return read_qemu_replay_file_bytes(export->file, event, &bytes, error) &&
	       ltt_export_put(&export->output, bytes.data.items, bytes.data.length, error);
}

/* ---- events ---- */

static gboolean put_event(const LttEvent *event, gpointer user_data, GError **error)
{
	Export *export = user_data;
	GByteArray *out_bytes = export->output.part;
	LttQemuEvent out;

	export->n_selected++;
	g_byte_array_set_size(out_bytes, 0);
	if (!ltt_qemu_read_event(export->events, event, export->output.piece, &out, error))
		return FALSE;
	if (out.kind != LTT_QEMU_N_KINDS && ltt_qemu_put_event(out_bytes, &export->numbering, &out))
		return ltt_export_put(&export->output, out_bytes->data, out_bytes->len, error);
	return ltt_fail_at(error, LTT_ERROR_UNSUPPORTED, ltt_tracefile_get_name(event->tracefile),
			   (gint64)event->block, event->offset_bytes,
			   "event %s, which QEMU %s does not have", event->type->full_name,
			   export->numbering.release->name);
}

/* ---- the log ---- */

static gboolean put_all(gpointer user_data, GError **error)
{
	Export *export = user_data;
	const LttExportRequest *request = export->request;

	if (!ltt_export_visit_all(request, LTT_QEMU_FILE_FACILITY, put_front, export, error))
		return FALSE;
	if (!export->has_header && !export->has_end)
		return ltt_export_refuse(request, ltt_export_qemu.kind.name, LTT_QEMU_FILE_FACILITY,
					 error);
	if (export->has_header &&
	    !ltt_export_visit(request, LTT_QEMU_FACILITY, put_event, export, error))
		return FALSE;
	return export->n_selected != export->n_all ||
	       ltt_export_visit_all(request, LTT_QEMU_FILE_FACILITY, put_rest, export, error);
}

static gboolean run(const LttExportRequest *request, GError **error)
{
	Export export = {.request = request,
			 .events = ltt_offline_reader_new(&ltt_offline_qemu_replay),
			 .file = ltt_offline_reader_new(&ltt_offline_qemu_replay_file)};
	const gboolean ok = ltt_export_make(request, &export.output, put_all, &export, error);

	ltt_offline_reader_free(export.events);
	ltt_offline_reader_free(export.file);
	return ok;
}

const LttExporter ltt_export_qemu = {
	.kind = {.name = "qemu-replay",
		 .summary = "the log of QEMU's record/replay that was imported"},
	.run = run,
};
