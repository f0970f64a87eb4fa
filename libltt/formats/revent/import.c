/* import.c - recordings of input events by revent as a trace (doc/revent.md).
 *
 * An event of the recording is one of the trace, with the kernel's name for its type as name, at
 * its own time. All other parts are events of control/revent, one for each, in their order.
 */
#include "formats/revent/events-priv.h"

#include "formats/import-priv.h"

#include <string.h>

#define CONTROL_FILE "control/revent"

/* Times are of the monotonic clock from this version on. */
#define LEAST_MONOTONIC 3

/* Events between two looks at whether to go on. */
#define PROGRESS_EVENTS 65536

typedef struct Import {
	LttImportJob *job;
	LttReventReader reader;
	LttImportFacility events; /* revent */
	LttImportFacility file;   /* revent_file */
	LttImportTrack cpu;
	LttImportTrack control;
	LttPayload payload;
	guint64 time_ns; /* of the last event that has one */
	guint64 n_events;
} Import;

/* ---- parts as payloads ---- */

static void add(Import *import, LttWidth width, guint64 value)
{
	ltt_payload_add_int(&import->payload, width, value);
}

static void add_header(Import *import, const LttReventHeader *header)
{
	add(import, LTT_WIDTH_1, header->layout);
	add(import, LTT_WIDTH_2, header->version);
	add(import, LTT_WIDTH_2, header->mode);
	ltt_payload_add_bytes(&import->payload, header->padding, sizeof(header->padding));
}

/* Appends the numbers of the bits that are set, as a sequence. */
static void add_bits(Import *import, const guint8 *bits, gsize n_bytes)
{
	guint n_set = 0;

	for (guint i = 0; i < n_bytes * 8; i++)
		n_set += (bits[i / 8] >> i % 8) & 1;
	add(import, LTT_WIDTH_4, n_set);
	for (guint i = 0; i < n_bytes * 8; i++)
		if ((bits[i / 8] >> i % 8) & 1)
			add(import, LTT_WIDTH_2, i);
}

static void add_gamepad(Import *import, const LttReventGamepad *gamepad)
{
	add(import, LTT_WIDTH_2, gamepad->bustype);
	add(import, LTT_WIDTH_2, gamepad->vendor);
	add(import, LTT_WIDTH_2, gamepad->product);
	add(import, LTT_WIDTH_2, gamepad->version);
	ltt_import_add_text(&import->payload, gamepad->name, gamepad->name_bytes);
	add_bits(import, gamepad->ev_bits, sizeof(gamepad->ev_bits));
	add_bits(import, gamepad->abs_bits, sizeof(gamepad->abs_bits));
	add_bits(import, gamepad->rel_bits, sizeof(gamepad->rel_bits));
	add_bits(import, gamepad->key_bits, sizeof(gamepad->key_bits));
	add(import, LTT_WIDTH_4, gamepad->n_absinfo);
}

static void add_absinfo(Import *import, const LttReventAbsinfo *absinfo)
{
	const gint32 values[] = {absinfo->code,      absinfo->value, absinfo->minimum,
				 absinfo->maximum,   absinfo->fuzz,  absinfo->flat,
				 absinfo->resolution};

	for (guint i = 0; i < G_N_ELEMENTS(values); i++)
		add(import, LTT_WIDTH_4, (guint32)values[i]);
}

static void add_stream(Import *import, const LttReventStream *stream)
{
	add(import, LTT_WIDTH_8, stream->n_events);
	add(import, LTT_WIDTH_8, stream->start_s);
	add(import, LTT_WIDTH_8, stream->start_us);
	add(import, LTT_WIDTH_8, stream->end_s);
	add(import, LTT_WIDTH_8, stream->end_us);
}

/* ---- events ---- */

/* Whether the time of a trace tells all of the event's stamp, and the pad is the usual one. */
static gboolean is_regular(const LttReventEvent *event)
{
	return event->pad == LTT_REVENT_EVENT_PAD && event->seconds >= 0 &&
	       event->seconds <= G_MAXUINT32 && event->microseconds >= 0 &&
	       event->microseconds < LTT_REVENT_US_PER_S;
}

static guint64 get_time(const LttReventEvent *event)
{
	return (guint64)event->seconds * LTT_NS_PER_S +
	       (guint64)event->microseconds * LTT_REVENT_NS_PER_US;
}

/* Returns: the id to write it with */
static guint32 add_event(Import *import, const LttReventEvent *event)
{
	const gboolean regular = is_regular(event);
	const char *name = regular ? ltt_revent_type_name(event->type) : LTT_REVENT_ODD;

	add(import, LTT_WIDTH_4, (guint64)event->device);
	if (!regular || name == NULL)
		add(import, LTT_WIDTH_2, event->type);
	add(import, LTT_WIDTH_2, event->code);
	add(import, LTT_WIDTH_4, (guint64)event->value);
	if (!regular) {
		add(import, LTT_WIDTH_8, (guint64)event->seconds);
		add(import, LTT_WIDTH_8, (guint64)event->microseconds);
		add(import, LTT_WIDTH_4, event->pad);
	}
	return ltt_import_get_id(&import->events, name != NULL ? name : LTT_REVENT_UNKNOWN);
}

static gboolean write_event(Import *import, const LttReventEvent *event, GError **error)
{
	guint32 id;

	ltt_payload_reset(&import->payload);
	id = add_event(import, event);
	if (is_regular(event))
		import->time_ns = get_time(event);
	if (++import->n_events % PROGRESS_EVENTS == 0 &&
	    !ltt_import_progress(import->job, import->reader.offset,
				 ltt_input_get_size(import->job->input), error))
		return FALSE;
	return ltt_import_track_event(&import->cpu, import->time_ns, id, &import->payload, error);
}

/* ---- all parts ---- */

static gboolean write_control(Import *import, const char *name, GError **error)
{
	return ltt_import_track_event(&import->control, import->time_ns,
				      ltt_import_get_id(&import->file, name), &import->payload,
				      error);
}

static gboolean write_part(Import *import, const LttReventPart *part, GError **error)
{
	ltt_payload_reset(&import->payload);
	switch (part->kind) {
	case LTT_REVENT_HEADER:
		add_header(import, &part->header);
		return write_control(import, "header", error);
	case LTT_REVENT_DEVICES:
		add(import, LTT_WIDTH_8, part->n_devices);
		return write_control(import, "devices", error);
	case LTT_REVENT_DEVICE:
		ltt_import_add_text(&import->payload, part->bytes.bytes, part->bytes.length);
		return write_control(import, "device", error);
	case LTT_REVENT_GAMEPAD:
		add_gamepad(import, &part->gamepad);
		return write_control(import, "gamepad", error);
	case LTT_REVENT_ABSINFO:
		add_absinfo(import, &part->absinfo);
		return write_control(import, "absinfo", error);
	case LTT_REVENT_STREAM:
		add_stream(import, &part->stream);
		return write_control(import, "stream", error);
	case LTT_REVENT_EVENT:
		return write_event(import, &part->event, error);
	case LTT_REVENT_DAMAGE:
		ltt_import_tell(import->job, (gint64)part->offset, "%s", part->message);
		return TRUE;
	case LTT_REVENT_BYTES:
		add(import, LTT_WIDTH_8, part->offset);
		ltt_import_add_bytes(&import->payload, part->bytes.bytes, part->bytes.length);
		return write_control(import, "bytes", error);
	case LTT_REVENT_END:
		add(import, LTT_WIDTH_8, import->n_events);
		return write_control(import, "end", error);
	default:
		return TRUE;
	}
}

static gboolean write_parts(Import *import, GError **error)
{
	LttReventPart part;

	do {
		if (!ltt_revent_reader_next(&import->reader, &part, error) ||
		    !write_part(import, &part, error))
			return FALSE;
	} while (part.kind != LTT_REVENT_END);
	return TRUE;
}

/* ---- the trace ---- */

/* The time of the first event is that of all that stands in front of it. */
static gboolean look_ahead(Import *import, LttReventHeader *header, GError **error)
{
	LttReventPart part;

	ltt_revent_reader_init(&import->reader, import->job->input);
	do {
		if (!ltt_revent_reader_next(&import->reader, &part, error))
			return FALSE;
		if (part.kind == LTT_REVENT_EVENT && is_regular(&part.event)) {
			import->time_ns = get_time(&part.event);
			break;
		}
	} while (part.kind != LTT_REVENT_END && part.kind != LTT_REVENT_BYTES);
	*header = import->reader.header;
	ltt_revent_reader_init(&import->reader, import->job->input);
	return TRUE;
}

static char *describe(const LttReventHeader *header)
{
	if (header->layout != LTT_REVENT_VERSIONED)
		return g_strdup_printf("revent, headerless, events of %u bytes",
				       ltt_revent_event_bytes(header));
	return g_strdup_printf("revent, version %u%s", header->version,
			       header->mode == LTT_REVENT_MODE_GAMEPAD ? ", gamepad" : "");
}

static gboolean begin(Import *import, GError **error)
{
	const LttArch arch = {.byte_order = LTT_LITTLE_ENDIAN, .size = LTT_LP64};
	LttReventHeader header;
	g_autoptr(LttSystem) system = NULL;
	g_autofree char *recording = NULL;

	if (!look_ahead(import, &header, error))
		return FALSE;
	recording = describe(&header);
	system = ltt_import_new_system(import->job, recording, &arch,
				       ltt_import_block_bytes(LTT_REVENT_PIECE_BYTES));
	ltt_import_set_clock(system, header.layout == LTT_REVENT_VERSIONED &&
						     header.version >= LEAST_MONOTONIC
					     ? LTT_CLOCK_MONOTONIC
					     : LTT_CLOCK_WALL);
	return ltt_import_begin(import->job, system, NULL, error) &&
	       ltt_import_load(import->job, LTT_REVENT_FACILITY, &import->events, error) &&
	       ltt_import_load(import->job, LTT_REVENT_FILE_FACILITY, &import->file, error) &&
	       ltt_import_track_open(&import->cpu, import->job, "cpu/0", error) &&
	       ltt_import_track_open(&import->control, import->job, CONTROL_FILE, error);
}

static gboolean run(LttImportJob *job, GError **error)
{
	Import import = {.job = job};
	gboolean ok;

	ltt_payload_init(&import.payload,
			 &(LttArch){.byte_order = LTT_LITTLE_ENDIAN, .size = LTT_LP64});
	ok = begin(&import, error) && write_parts(&import, error);
	ltt_payload_clear(&import.payload);
	return ok;
}

static gboolean recognise(LttImportJob *job)
{
	return ltt_revent_recognise(job->input);
}

const LttImporter ltt_import_revent = {
	.kind = {.name = "revent",
		 .summary = "input events recorded by revent, versions 0 to 3 and older"},
	.recognise = recognise,
	.run = run,
};
