/* export.c - convert an imported perf recording back to a perf.data file (doc/perf.md).
 *
 * The events of a tracefile are in time order, but the records of a perf.data file are not. So the
 * export writes all bytes to their original offsets in a scratch file and copies them from there to
 * the output. The output has no gaps in place of records that are not exported.
 */
#include "formats/perf/export-priv.h"

#include "base/error-priv.h"
#include "edit/recode-priv.h"
#include "filter/select-priv.h"
#include "formats/perf/file/records-priv.h"

/* ---- bytes outside of records ---- */

static gboolean take_container(LttPerfExport *export, const LttEvent *event, GError **error)
{
	LttPerfContainer *container = &export->container;
	struct perf_file_container in;

	if (!read_perf_file_container(export->file, event, &in, error))
		return FALSE;
	container->form = (LttPerfContainerForm)in.form;
	container->is_unfinished = in.unfinished != 0;
	container->records.begin = in.records_begin;
	container->records.end = in.records_end;
	container->recorded_end = in.recorded_end;
	container->size = in.size;
	container->n_compressed = in.compressed_records;
	export->n_containers++;
	if (in.form > LTT_PERF_CONTAINER_DIRECTORY ||
	    container->records.begin > container->records.end ||
	    container->records.end > container->size || container->size > G_MAXINT64 ||
	    container->recorded_end > G_MAXINT64)
		return ltt_fail(error, LTT_ERROR_UNSUPPORTED,
				"perf_file.container: its offsets contradict each other");
	return TRUE;
}

static gboolean take_bytes(LttPerfExport *export, const LttEvent *event, GError **error)
{
	struct perf_file_bytes in;
	guint32 length;

	if (!read_perf_file_bytes(export->file, event, &in, error))
		return FALSE;
	length = (guint32)in.octets.length;
	if (in.kind >= LTT_PERF_PIECE_RECORD || length >= 1 << 24 ||
	    in.offset > (guint64)G_MAXINT64 - length)
		return ltt_fail(error, LTT_ERROR_UNSUPPORTED,
				"perf_file.bytes: invalid kind or size");
	if (in.kind == LTT_PERF_PIECE_META)
		g_array_append_val(export->metas, in.offset);
	export->n_other_bytes += length;
	return ltt_perf_export_put(export, in.offset, in.octets.items, length, error) &&
	       ltt_perf_export_note(export, (LttPerfPieceKind)in.kind, in.offset, length, error);
}

/* Reports each copy once, at its first piece. */
static gboolean report_copy(const LttPerfExport *export, const LttEvent *event, GError **error)
{
	g_autofree char *message = NULL;
	struct perf_file_copy in;

	if (!read_perf_file_copy(export->file, event, &in, error))
		return FALSE;
	if (in.offset > 0)
		return TRUE;
	message = g_strdup_printf("%s: a plain file cannot contain it; its %" G_GUINT64_FORMAT
				  " bytes are omitted",
				  in.name, in.size);
	ltt_export_tell(export->request, event->tracefile, LTT_NOWHERE, message);
	return TRUE;
}

static gboolean take_file(const LttEvent *event, gpointer user_data, GError **error)
{
	LttPerfExport *export = user_data;

	switch (ltt_offline_reader_find(export->file, event)) {
	case perf_file_container_index:
		return take_container(export, event, error);
	case perf_file_bytes_index:
		return take_bytes(export, event, error);
	case perf_file_copy_index:
		return report_copy(export, event, error);
	default:
		return TRUE;
	}
}

/* ---- metadata ---- */

static gboolean read_metas(LttPerfExport *export, const LttPerfTell *tell, GError **error)
{
	const guint64 end = ltt_window_get_size(export->window);

	for (guint i = 0; i < export->metas->len; i++) {
		const guint64 place = g_array_index(export->metas, guint64, i);
		LttPerfRecord record;
		guint64 payload_bytes;
		const char *why = NULL;

		if (ltt_perf_record_read(export->window, export->meta->order, place, end, &record,
					 &payload_bytes, &why, error)) {
			if (!ltt_perf_meta_add(export->meta, export->window, place, &record, tell,
					       error))
				return FALSE;
		} else if (why == NULL) {
			return FALSE;
		}
	}
	return TRUE;
}

static gboolean read_meta(LttPerfExport *export, GError **error)
{
	/* The import has already reported these errors. */
	const LttPerfTell tell = {.func = NULL};
	const LttPerfMoved moved = {.recorded_end = export->container.recorded_end,
				    .records_end = export->container.records.end,
				    .is_unfinished = export->container.is_unfinished};

	if (!ltt_perf_export_reopen(export, error))
		return FALSE;
	export->meta = ltt_perf_meta_read(export->window, &moved, &tell, error);
	if (export->meta == NULL)
		return FALSE;
	if (!read_metas(export, &tell, error))
		return FALSE;
	return ltt_perf_meta_end(export->meta, export->window, &tell, error);
}

static const LttFacility *find_facility(LttTrace *trace, const LttFacility *wanted)
{
	for (guint i = 0; i < ltt_trace_get_n_loads(trace); i++) {
		const LttFacility *facility = ltt_trace_get_load(trace, i)->facility;

		if (g_str_equal(ltt_facility_get_name(facility), ltt_facility_get_name(wanted)) &&
		    ltt_facility_get_checksum(facility) == ltt_facility_get_checksum(wanted))
			return facility;
	}
	return NULL;
}

/* Assigns the event types of the trace to the shapes, which are the same as during the import. */
static gboolean match_types(LttPerfExport *export, GError **error)
{
	export->catalog = ltt_perf_catalog_new(export->meta);
	if (!ltt_perf_types_init(&export->types, export->catalog, error))
		return FALSE;
	for (guint i = 0; i < export->types.events->len; i++) {
		const LttPerfEventOf *of = &g_array_index(export->types.events, LttPerfEventOf, i);
		const LttFacility *ours = export->types.facilities->pdata[of->facility];
		const LttFacility *theirs = find_facility(export->request->trace, ours);

		if (theirs == NULL)
			return ltt_fail(
				error, LTT_ERROR_UNSUPPORTED,
				"%s: its facility %s does not match the header of the recording: "
				"another version of ltt imported it; export it with that "
				"version, or import the recording again",
				ltt_trace_get_path(export->request->trace),
				ltt_facility_get_name(ours));
		g_hash_table_insert(export->shapes,
				    (gpointer)ltt_facility_get_event(theirs, of->event),
				    GUINT_TO_POINTER(i + 1));
	}
	return TRUE;
}

/* ---- records ---- */

/* Gets the payload in the byte order of the recording. A merged trace can have another byte order.
 * @n_bytes: (out): size of the payload. Returns: (transfer none) */
static const guint8 *get_payload(LttPerfExport *export, const LttEvent *event, gsize *n_bytes)
{
	LttValue value;

	*n_bytes = event->payload_bytes;
	if (event->byte_order == export->meta->order)
		return event->payload;
	g_byte_array_set_size(export->payload, 0);
	if (ltt_event_get_value(event, &value))
		ltt_recode(&value, event->layout, export->meta->order, export->payload);
	*n_bytes = export->payload->len;
	return export->payload->data;
}

static gboolean take_record(LttPerfExport *export, const LttEvent *event, guint shape,
			    GError **error)
{
	gsize payload_bytes;
	const guint8 *payload = get_payload(export, event, &payload_bytes);
	guint64 place;

	export->record->len = 0;
	if (!ltt_perf_catalog_unpack(export->catalog, shape, payload, payload_bytes, export->record,
				     &place) ||
	    place < export->container.records.begin || place > export->container.records.end) {
		ltt_export_tell(export->request, event->tracefile, (gint64)event->block,
				"an event that does not come from a record is omitted");
		return TRUE;
	}
	return ltt_perf_export_put(export, place, export->record->data, export->record->len,
				   error) &&
	       ltt_perf_export_note(export, LTT_PERF_PIECE_RECORD, place, export->record->len,
				    error);
}

/* Looks up an event type in shapes. The event types of a facility are in one array. */
static guint find_shape(LttPerfExport *export, const LttEventType *type)
{
	const gsize hash = GPOINTER_TO_SIZE(type) / sizeof(*type) % LTT_PERF_N_FOUND_SHAPES;
	LttPerfFoundShape *found = &export->found[hash];

	if (G_UNLIKELY(found->type != type))
		*found = (LttPerfFoundShape){
			.type = type,
			.shape = GPOINTER_TO_UINT(g_hash_table_lookup(export->shapes, type)),
		};
	return found->shape;
}

static gboolean take_event(const LttEvent *event, gpointer user_data, GError **error)
{
	LttPerfExport *export = user_data;
	const guint shape = find_shape(export, event->type);

	return shape == 0 || take_record(export, event, shape - 1, error);
}

/* Takes the events of all kinds with the need @need. @until_end: only up to the end of the exported
 * time window */
static gboolean take_named(LttPerfExport *export, LttPerfNeed need, gboolean until_end,
			   GError **error)
{
	g_autofree char *names = ltt_perf_record_names_of(need, ',');
	g_autoptr(LttSelect) select = ltt_select_new();
	LttExportRequest request = *export->request;
	guint64 from_ns;
	guint64 to_ns;

	if (until_end && ltt_select_get_window(export->request->select, &from_ns, &to_ns))
		ltt_select_set_window(select, 0, to_ns);
	request.select = select;
	/* The visit of the selected events has reported their damage. Other damage is not
	 * relevant. */
	request.callbacks.on_problem = NULL;
	return ltt_select_set_events(select, names, error) &&
	       ltt_export_visit_selected(&request, take_event, export, error);
}

/* Takes the records on which the selected records depend. ltt_perf_export_choose() removes
 * duplicates. */
static gboolean take_needed(LttPerfExport *export, GError **error)
{
	return ltt_select_wants_all(export->request->select) ||
	       (take_named(export, LTT_PERF_NEED_BEFORE, TRUE, error) &&
		take_named(export, LTT_PERF_NEED_ALWAYS, FALSE, error));
}

static gboolean write_file(LttPerfExport *export, GError **error)
{
	return ltt_perf_export_move(export, error) && ltt_perf_export_reopen(export, error) &&
	       ltt_perf_export_write_kept(export, error);
}

static gboolean export_all(LttPerfExport *export, GError **error)
{
	export->image = ltt_scratch_new(NULL, error);
	if (export->image == NULL || !ltt_export_visit_all(export->request, LTT_PERF_FILE_FACILITY,
							   take_file, export, error))
		return FALSE;
	if (export->n_containers != 1)
		return ltt_fail(error, LTT_ERROR_INVALID,
				"%s: has %u events perf_file.container; expected one, from an "
				"imported recording of perf",
				ltt_trace_get_path(export->request->trace), export->n_containers);
	/* Extend the image to the size of the imported file. */
	if (export->container.size > ltt_scratch_get_size(export->image) &&
	    !ltt_perf_export_put(export, export->container.size - 1, "", 1, error))
		return FALSE;
	if (!read_meta(export, error) || !match_types(export, error) ||
	    !ltt_export_visit_unordered(export->request, take_event, export, error) ||
	    !take_needed(export, error) || !ltt_perf_export_end_pieces(export, error) ||
	    !ltt_perf_export_reopen(export, error) || !ltt_perf_export_choose(export, error))
		return FALSE;
	if (export->meta->is_pipe)
		return ltt_perf_export_reopen(export, error) && ltt_perf_export_pipe(export, error);
	return write_file(export, error);
}

static gboolean run(const LttExportRequest *request, GError **error)
{
	LttPerfExport export = {.request = request};
	gboolean ok;

	export.file = ltt_offline_reader_new(&ltt_offline_perf_file);
	export.pieces = ltt_key_sort_new(LTT_KEY_SORT_HELD, NULL);
	export.metas = g_array_new(FALSE, FALSE, sizeof(guint64));
	export.aux = g_array_new(FALSE, FALSE, sizeof(LttPerfAux));
	export.shapes = g_hash_table_new(NULL, NULL);
	export.payload = g_byte_array_new();
	export.record = g_byte_array_new();
	ok = export_all(&export, error);
	g_byte_array_unref(export.record);
	g_byte_array_unref(export.payload);
	g_hash_table_unref(export.shapes);
	g_array_unref(export.aux);
	g_array_unref(export.metas);
	ltt_perf_types_clear(&export.types);
	ltt_perf_catalog_free(export.catalog);
	ltt_perf_meta_free(export.meta);
	ltt_key_sort_free(export.kept);
	ltt_key_sort_free(export.pieces);
	ltt_window_free(export.window);
	ltt_scratch_free(export.image);
	ltt_offline_reader_free(export.file);
	return ok;
}

const LttExporter ltt_export_perf = {
	.kind = {.name = "perf",
		 .summary = "the perf.data file that was imported, as a plain file"},
	.run = run,
};
