/* export.c - a trace that was a recording of revent, as that recording again.
 *
 * All of the events give the same bytes that were imported. Some of them (--filter, --from) give a
 * recording with the same devices that counts what it has; bytes that were no events are left out.
 */
#include "formats/export-priv.h"
#include "formats/revent/events-priv.h"

#include "base/bytes-priv.h"
#include "base/error-priv.h"
#include "base/sink-priv.h"

#include <ltt/ltt-time.h>

typedef struct Export {
	const LttExportRequest *request;
	LttReventHeader header;
	gboolean has_header;
	guint64 n_all; /* events that were imported; G_MAXUINT64: not known */
	guint64 n_selected;
	LttExportOutput output;
} Export;

static gboolean put(Export *export, const LttFields *fields, const LttReventPart *part,
		    GError **error)
{
	GByteArray *bytes = export->output.part;

	g_byte_array_set_size(bytes, 0);
	ltt_revent_put(bytes, &export->header, part);
	return ltt_fields_check(fields, error) &&
	       ltt_export_put(&export->output, bytes->data, bytes->len, error);
}

/* ---- parts from control/revent ---- */

static void get_header(Export *export, LttFields *fields)
{
	guint32 n_padding;
	const guint8 *padding = ltt_fields_get_elements(fields, "padding", 1, &n_padding);

	export->header = (LttReventHeader){
		.layout = (LttReventLayout)ltt_fields_get_uint(fields, "layout"),
		.version = (guint16)ltt_fields_get_uint(fields, "version"),
		.mode = (guint16)ltt_fields_get_uint(fields, "mode"),
	};
	memcpy(export->header.padding, padding, MIN(n_padding, LTT_REVENT_HEADER_PAD));
	export->has_header = ltt_revent_event_bytes(&export->header) > 0;
}

static void get_text(Export *export, LttFields *fields, const char *name)
{
	g_byte_array_set_size(export->output.piece, 0);
	ltt_fields_append_text(fields, name, "behind", export->output.piece);
}

static void get_bits(LttFields *fields, const char *name, guint8 *bits, guint n_bytes)
{
	guint32 n_set;
	const guint8 *at = ltt_fields_get_elements(fields, name, 2, &n_set);

	for (guint32 i = 0; i < n_set; i++) {
		const guint16 bit = ltt_load_u16(at + (gsize)i * 2, fields->event->byte_order);

		if (bit < n_bytes * 8)
			bits[bit / 8] |= (guint8)(1 << bit % 8);
	}
}

static LttReventGamepad get_gamepad(Export *export, LttFields *fields)
{
	LttReventGamepad gamepad = {
		.bustype = (guint16)ltt_fields_get_uint(fields, "bustype"),
		.vendor = (guint16)ltt_fields_get_uint(fields, "vendor"),
		.product = (guint16)ltt_fields_get_uint(fields, "product"),
		.version = (guint16)ltt_fields_get_uint(fields, "version"),
		.n_absinfo = (guint32)ltt_fields_get_uint(fields, "num_absinfo"),
	};

	get_text(export, fields, "name");
	gamepad.name = export->output.piece->data;
	gamepad.name_bytes = export->output.piece->len;
	get_bits(fields, "ev_bits", gamepad.ev_bits, sizeof(gamepad.ev_bits));
	get_bits(fields, "abs_bits", gamepad.abs_bits, sizeof(gamepad.abs_bits));
	get_bits(fields, "rel_bits", gamepad.rel_bits, sizeof(gamepad.rel_bits));
	get_bits(fields, "key_bits", gamepad.key_bits, sizeof(gamepad.key_bits));
	return gamepad;
}

static LttReventAbsinfo get_absinfo(LttFields *fields)
{
	return (LttReventAbsinfo){
		.code = (gint32)ltt_fields_get_uint(fields, "code"),
		.value = (gint32)ltt_fields_get_uint(fields, "value"),
		.minimum = (gint32)ltt_fields_get_uint(fields, "minimum"),
		.maximum = (gint32)ltt_fields_get_uint(fields, "maximum"),
		.fuzz = (gint32)ltt_fields_get_uint(fields, "fuzz"),
		.flat = (gint32)ltt_fields_get_uint(fields, "flat"),
		.resolution = (gint32)ltt_fields_get_uint(fields, "resolution"),
	};
}

static LttReventStream get_stream(const Export *export, LttFields *fields)
{
	LttReventStream stream = {
		.n_events = ltt_fields_get_uint(fields, "events"),
		.start_s = ltt_fields_get_uint(fields, "start_seconds"),
		.start_us = ltt_fields_get_uint(fields, "start_microseconds"),
		.end_s = ltt_fields_get_uint(fields, "end_seconds"),
		.end_us = ltt_fields_get_uint(fields, "end_microseconds"),
	};

	if (export->n_selected != export->n_all)
		stream.n_events = export->n_selected;
	return stream;
}

/* What stands in front of the events. */
static gboolean put_front(const LttEvent *event, gpointer user_data, GError **error)
{
	Export *export = user_data;
	const char *name = event->type->name;
	LttReventPart part = {.kind = LTT_REVENT_END};
	LttFields fields;

	if (export->has_header && g_str_equal(name, "header"))
		return ltt_export_refuse_several(export->request, ltt_export_revent.kind.name,
						 error);
	ltt_fields_init(&fields, event);
	if (g_str_equal(name, "header")) {
		part.kind = LTT_REVENT_HEADER;
		get_header(export, &fields);
		part.header = export->header;
	} else if (g_str_equal(name, "devices")) {
		part.kind = LTT_REVENT_DEVICES;
		part.n_devices = ltt_fields_get_uint(&fields, "count");
	} else if (g_str_equal(name, "device")) {
		part.kind = LTT_REVENT_DEVICE;
		get_text(export, &fields, "path");
		part.bytes.bytes = export->output.piece->data;
		part.bytes.length = export->output.piece->len;
	} else if (g_str_equal(name, "gamepad")) {
		part.kind = LTT_REVENT_GAMEPAD;
		part.gamepad = get_gamepad(export, &fields);
	} else if (g_str_equal(name, "absinfo")) {
		part.kind = LTT_REVENT_ABSINFO;
		part.absinfo = get_absinfo(&fields);
	} else if (g_str_equal(name, "stream")) {
		part.kind = LTT_REVENT_STREAM;
		part.stream = get_stream(export, &fields);
	}
	return put(export, &fields, &part, error);
}

static gboolean put_bytes(const LttEvent *event, gpointer user_data, GError **error)
{
	Export *export = user_data;
	LttReventPart part = {.kind = LTT_REVENT_BYTES};
	LttFields fields;

	if (!g_str_equal(event->type->name, "bytes"))
		return TRUE;
	ltt_fields_init(&fields, event);
	part.bytes.bytes = ltt_fields_get_elements(&fields, "data", 1, &part.bytes.length);
	return put(export, &fields, &part, error);
}

static gboolean find_end(const LttEvent *event, gpointer user_data, GError **error)
{
	Export *export = user_data;
	LttFields fields;

	if (!g_str_equal(event->type->name, "end"))
		return TRUE;
	ltt_fields_init(&fields, event);
	export->n_all = ltt_fields_get_uint(&fields, "events");
	return ltt_fields_check(&fields, error);
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
	const char *name = event->type->name;
	const gboolean is_odd = g_str_equal(name, LTT_REVENT_ODD);
	LttReventPart part = {.kind = LTT_REVENT_EVENT};
	LttFields fields;

	ltt_fields_init(&fields, event);
	part.event = (LttReventEvent){
		.device = (gint32)ltt_fields_get_uint(&fields, "device"),
		.seconds = (gint64)(event->time_ns / LTT_NS_PER_S),
		.microseconds = (gint64)(event->time_ns % LTT_NS_PER_S / LTT_REVENT_NS_PER_US),
		.code = (guint16)ltt_fields_get_uint(&fields, "code"),
		.value = (gint32)ltt_fields_get_uint(&fields, "value"),
		.pad = LTT_REVENT_EVENT_PAD,
	};
	if (!ltt_revent_type_from_name(name, &part.event.type))
		part.event.type = (guint16)ltt_fields_get_uint(&fields, "type");
	if (is_odd) {
		part.event.seconds = (gint64)ltt_fields_get_uint(&fields, "seconds");
		part.event.microseconds = (gint64)ltt_fields_get_uint(&fields, "microseconds");
		part.event.pad = (guint32)ltt_fields_get_uint(&fields, "pad");
	}
	return put(export, &fields, &part, error);
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
	Export export = {.request = request, .n_all = G_MAXUINT64};

	return ltt_export_make(request, &export.output, put_all, &export, error);
}

const LttExporter ltt_export_revent = {
	.kind = {.name = "revent", .summary = "the recording of revent that was imported"},
	.run = run,
};
