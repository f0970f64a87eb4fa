/* import.c - convert recordings of revent to traces (doc/revent.md).
 *
 * Each event of the recording becomes an event of the trace, with the same time and with the
 * kernel's name of its type. Each other part becomes an event in the tracefile control/revent, in
 * the order of the recording.
 */
#include "formats/revent/events-priv.h"

#include "formats/import-priv.h"

#include <string.h>

#define CONTROL_FILE "control/revent"

/* From this version on, times are of the monotonic clock. */
#define LEAST_MONOTONIC 3

/* Number of events between two reports of progress. */
#define PROGRESS_EVENTS 65536

typedef struct Import {
	LttImportJob *job;
	LttReventReader reader;
	LttImportFacility events; /* revent */
	LttImportFacility file;   /* revent_file */
	LttImportTrack cpu;
	LttImportTrack control;
	LttPayload payload;
	guint64 time_ns; /* of the last event with a regular time */
	guint64 n_events;
} Import;

/* ---- parts ---- */

static guint64 get_time(const LttReventEvent *event)
{
	return (guint64)event->seconds * LTT_NS_PER_S +
	       (guint64)event->microseconds * LTT_REVENT_NS_PER_US;
}

static gboolean write_event(Import *import, const LttReventEvent *event, GError **error)
{
	const guint index = ltt_revent_write_event(&import->payload, event);

	if (ltt_revent_is_regular(event))
		import->time_ns = get_time(event);
	if (++import->n_events % PROGRESS_EVENTS == 0 &&
	    !ltt_import_progress(import->job, import->reader.offset,
				 ltt_input_get_size(import->job->input), error))
		return FALSE;
	return ltt_import_track_event(&import->cpu, import->time_ns,
				      import->events.base_code + index, &import->payload, error);
}

/* @index: index of the event type in the facility revent_file */
static gboolean write_control(Import *import, guint index, GError **error)
{
	return ltt_import_track_event(&import->control, import->time_ns,
				      import->file.base_code + index, &import->payload, error);
}

static gboolean write_end(Import *import, GError **error)
{
	const struct revent_file_end end = {.events = import->n_events};

	write_revent_file_end(&import->payload, &end);
	return write_control(import, revent_file_end_index, error);
}

static gboolean write_part(Import *import, const LttReventPart *part, GError **error)
{
	switch (part->kind) {
	case LTT_REVENT_EVENT:
		return write_event(import, &part->event, error);
	case LTT_REVENT_DAMAGE:
		ltt_import_tell(import->job, (gint64)part->offset, "%s", part->message);
		return TRUE;
	case LTT_REVENT_END:
		return write_end(import, error);
	default:
		return write_control(import, ltt_revent_write_part(&import->payload, part), error);
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

/* Finds the time of the first event. The parts before it get the same time. */
static gboolean look_ahead(Import *import, LttReventHeader *header, GError **error)
{
	LttReventPart part;

	ltt_revent_reader_init(&import->reader, import->job->input);
	do {
		if (!ltt_revent_reader_next(&import->reader, &part, error))
			return FALSE;
		if (part.kind == LTT_REVENT_EVENT && ltt_revent_is_regular(&part.event)) {
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
