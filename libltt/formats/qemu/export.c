/* export.c - a trace that was a log of QEMU's record/replay, as that log again.
 *
 * All of the events give the same bytes that were imported, which QEMU replays. Some of them
 * (--filter, --from) give a log of these, for who wants to look at it with QEMU's own tools.
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
	guint64 n_all;      /* events that were imported */
	guint64 n_selected; /* of these */
	LttExportOutput output;
	const LttFacility *facility; /* whose events have these kinds; NULL: none yet */
	LttQemuKind kinds[LTT_MAX_EVENTS];
} Export;

/* ---- what stands around the events ---- */

static gboolean put_header(Export *export, const LttEvent *event, GError **error)
{
	guint8 header[LTT_QEMU_HEADER_BYTES] = {0};
	guint32 n_reserved;
	const guint8 *reserved;
	LttFields fields;
	guint64 release;

	if (export->has_header)
		return ltt_export_refuse_several(export->request, ltt_export_qemu.kind.name, error);
	ltt_fields_init(&fields, event);
	reserved = ltt_fields_get_elements(&fields, "reserved", 1, &n_reserved);
	release = ltt_fields_get_uint(&fields, "release");
	ltt_store_u32(header, (guint32)ltt_fields_get_uint(&fields, "version"), LTT_BIG_ENDIAN);
	memcpy(header + 4, reserved, MIN(n_reserved, LTT_QEMU_RESERVED_BYTES));
	if (!ltt_fields_check(&fields, error))
		return FALSE;
	if (release >= ltt_qemu_n_releases())
		return ltt_fail_at(error, LTT_ERROR_UNSUPPORTED,
				   ltt_tracefile_get_name(event->tracefile), (gint64)event->block,
				   event->offset_bytes,
				   "release %" G_GUINT64_FORMAT " of QEMU: expected one below %u",
				   release, ltt_qemu_n_releases());
	ltt_qemu_numbering_init(&export->numbering, ltt_qemu_get_release((guint)release));
	export->has_header = TRUE;
	return ltt_export_put(&export->output, header, sizeof(header), error);
}

/* The header, and how many events there are to be. */
static gboolean put_front(const LttEvent *event, gpointer user_data, GError **error)
{
	Export *export = user_data;
	LttFields fields;

	if (g_str_equal(event->type->name, "header"))
		return put_header(export, event, error);
	if (!g_str_equal(event->type->name, "end"))
		return TRUE;
	ltt_fields_init(&fields, event);
	export->n_all = ltt_fields_get_uint(&fields, "events");
	export->has_end = TRUE;
	return ltt_fields_check(&fields, error);
}

static gboolean put_rest(const LttEvent *event, gpointer user_data, GError **error)
{
	Export *export = user_data;
	LttFields fields;
	const guint8 *data;
	guint32 length;

	if (!g_str_equal(event->type->name, "bytes"))
		return TRUE;
	ltt_fields_init(&fields, event);
	data = ltt_fields_get_elements(&fields, "data", 1, &length);
	return ltt_fields_check(&fields, error) &&
	       ltt_export_put(&export->output, data, length, error);
}

/* ---- events ---- */

/* The numbers of samples as the log has them, whatever the byte order of the trace. */
static const guint8 *turn_samples(Export *export, const LttEvent *event, const guint8 *data,
				  guint32 n_bytes)
{
	GByteArray *turned = export->output.piece;

	if (event->byte_order == LTT_BIG_ENDIAN)
		return data;
	g_byte_array_set_size(turned, n_bytes);
	for (guint32 i = 0; i < n_bytes; i += 8)
		ltt_store_u64(turned->data + i, ltt_load_u64(data + i, event->byte_order),
			      LTT_BIG_ENDIAN);
	return turned->data;
}

static void get_data(Export *export, LttFields *fields, LttQemuData how, LttQemuEvent *out)
{
	guint32 n_samples;

	if (how == LTT_QEMU_BYTES_DATA)
		out->data = ltt_fields_get_elements(fields, "data", 1, &out->data_bytes);
	if (how != LTT_QEMU_SAMPLES)
		return;
	out->data = ltt_fields_get_elements(fields, "samples", LTT_QEMU_SAMPLE_BYTES, &n_samples);
	out->data_bytes = n_samples * LTT_QEMU_SAMPLE_BYTES;
	out->data = turn_samples(export, fields->event, out->data, out->data_bytes);
}

static void get_event(Export *export, LttFields *fields, LttQemuEvent *out)
{
	const LttQemuSpec *spec;

	if (ltt_qemu_is_async(out->kind))
		out->checkpoint = (LttQemuCheckpoint)ltt_fields_get_uint(fields, "checkpoint");
	if (out->kind == LTT_QEMU_SHUTDOWN)
		out->cause = (LttQemuCause)ltt_fields_get_uint(fields, "cause");
	if (out->kind == LTT_QEMU_ASYNC_INPUT) {
		const guint input = ltt_fields_enter_union(fields, "input");

		out->input = (LttQemuInput)MIN(input, LTT_QEMU_N_INPUTS - 1);
	}
	spec = ltt_qemu_get_spec(&export->numbering, out);
	for (guint i = 0; i < spec->n_arguments; i++)
		out->numbers[i] = ltt_fields_get_uint(fields, spec->arguments[i].name);
	get_data(export, fields, spec->data, out);
}

/* Returns: LTT_QEMU_N_KINDS if it is none */
static LttQemuKind find_kind(Export *export, const LttEventType *type)
{
	if (export->facility != type->facility) {
		export->facility = type->facility;
		for (guint i = 0; i < ltt_facility_get_n_events(type->facility); i++) {
			const LttEventType *other = ltt_facility_get_event(type->facility, i);

			export->kinds[i] = LTT_QEMU_N_KINDS;
			ltt_qemu_kind_from_name(other->name, &export->kinds[i]);
		}
	}
	return export->kinds[type->index];
}

static gboolean put_event(const LttEvent *event, gpointer user_data, GError **error)
{
	Export *export = user_data;
	GByteArray *out_bytes = export->output.part;
	LttQemuEvent out = {.checkpoint = LTT_QEMU_CHECKPOINT_NOT_TOLD};
	LttFields fields;

	export->n_selected++;
	ltt_fields_init(&fields, event);
	g_byte_array_set_size(out_bytes, 0);
	out.kind = find_kind(export, event->type);
	if (out.kind != LTT_QEMU_N_KINDS) {
		get_event(export, &fields, &out);
		if (!ltt_fields_check(&fields, error))
			return FALSE;
		if (ltt_qemu_put_event(out_bytes, &export->numbering, &out))
			return ltt_export_put(&export->output, out_bytes->data, out_bytes->len,
					      error);
	}
	return ltt_fail_at(error, LTT_ERROR_UNSUPPORTED, ltt_tracefile_get_name(event->tracefile),
			   (gint64)event->block, event->offset_bytes,
			   "event %s: logs of QEMU %s have no such one", event->type->full_name,
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
	Export export = {.request = request};

	return ltt_export_make(request, &export.output, put_all, &export, error);
}

const LttExporter ltt_export_qemu = {
	.kind = {.name = "qemu-replay",
		 .summary = "the log of QEMU's record/replay that was imported"},
	.run = run,
};
