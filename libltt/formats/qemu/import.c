/* import.c - convert logs of QEMU's record/replay to traces (doc/qemu-replay.md).
 *
 * The clock of the trace is the number of instructions that the guest has executed, which is also
 * the clock of a replay. The values of the clocks that the guest read are in the payloads of
 * events. A log is big endian, but the trace is little endian, so that a merge with traces of most
 * machines can copy its blocks.
 */
#include "formats/qemu/events-priv.h"

#include "formats/import-priv.h"

#define CONTROL_FILE "control/qemu_replay"

/* Number of events between two reports of progress. */
#define PROGRESS_EVENTS 65536

/* Maximum size of a payload without its data. */
#define MOST_NUMBER_BYTES 64

static const LttArch arch = {.byte_order = LTT_LITTLE_ENDIAN, .size = LTT_LP64};

typedef struct Import {
	LttImportJob *job;
	const LttQemuRelease *release;
	LttQemuReader reader;
	LttImportFacility events; /* qemu_replay */
	LttImportFacility file;   /* qemu_replay_file */
	LttImportTrack cpu;
	LttImportTrack control;
	LttPayload payload;
	GByteArray *samples; /* scratch memory */
	guint64 n_instructions;
	guint64 n_events;
} Import;

/* ---- events ---- */

static guint64 get_time(const Import *import)
{
	return MIN(import->n_instructions, LTT_MAX_WRITTEN_NS);
}

static gboolean write_event(Import *import, const LttQemuEvent *event, GError **error)
{
	ltt_qemu_write_event(&import->payload, import->release, import->samples, event);
	if (event->kind == LTT_QEMU_INSTRUCTION)
		import->n_instructions += event->numbers[0];
	if (++import->n_events % PROGRESS_EVENTS == 0 &&
	    !ltt_import_progress(import->job, import->reader.offset,
				 ltt_input_get_size(import->job->input), error))
		return FALSE;
	return ltt_import_track_event(&import->cpu, get_time(import),
				      import->events.base_code + event->kind, &import->payload,
				      error);
}

/* ---- other parts ---- */

/* @index: index of the event type in the facility qemu_replay_file */
static gboolean write_control(Import *import, guint index, GError **error)
{
	return ltt_import_track_event(&import->control, get_time(import),
				      import->file.base_code + index, &import->payload, error);
}

static gboolean write_header(Import *import, const LttQemuPart *part, GError **error)
{
	struct qemu_replay_file_header header = {
		.version = part->header.version,
		.release = (guint8)ltt_qemu_release_index(import->release),
	};

	memcpy(header.reserved, part->header.reserved, sizeof(header.reserved));
	write_qemu_replay_file_header(&import->payload, &header);
	return write_control(import, qemu_replay_file_header_index, error);
}

static gboolean write_bytes(Import *import, const LttQemuPart *part, GError **error)
{
	const struct qemu_replay_file_bytes bytes = {
		.offset = part->offset,
		.data = {part->bytes.length, part->bytes.bytes},
	};

	write_qemu_replay_file_bytes(&import->payload, &bytes);
	return write_control(import, qemu_replay_file_bytes_index, error);
}

static gboolean write_end(Import *import, GError **error)
{
	const struct qemu_replay_file_end end = {
		.events = import->n_events,
		.instructions = import->n_instructions,
	};

	write_qemu_replay_file_end(&import->payload, &end);
	return write_control(import, qemu_replay_file_end_index, error);
}

static gboolean write_part(Import *import, const LttQemuPart *part, GError **error)
{
	switch (part->kind) {
	case LTT_QEMU_PART_HEADER:
		return write_header(import, part, error);
	case LTT_QEMU_PART_EVENT:
		return write_event(import, &part->event, error);
	case LTT_QEMU_PART_DAMAGE:
		ltt_import_tell(import->job, (gint64)part->offset, "%s", part->message);
		return TRUE;
	case LTT_QEMU_PART_BYTES:
		return write_bytes(import, part, error);
	case LTT_QEMU_PART_END:
		return write_end(import, error);
	}
	return TRUE;
}

static gboolean write_parts(Import *import, GError **error)
{
	LttQemuPart part;

	ltt_qemu_reader_init(&import->reader, import->job->input, import->release);
	do {
		if (!ltt_qemu_reader_next(&import->reader, &part, error) ||
		    !write_part(import, &part, error))
			return FALSE;
	} while (part.kind != LTT_QEMU_PART_END);
	return TRUE;
}

/* ---- the trace ---- */

/* Reads the log once, for the version in the header and the maximum size of the data of an
 * event. */
static gboolean look_ahead(Import *import, guint32 *version, guint32 *most_bytes, GError **error)
{
	LttQemuPart part;
	guint64 n_events = 0;

	*version = 0;
	*most_bytes = LTT_QEMU_PIECE_BYTES;
	ltt_qemu_reader_init(&import->reader, import->job->input, import->release);
	do {
		if (!ltt_qemu_reader_next(&import->reader, &part, error))
			return FALSE;
		if (part.kind == LTT_QEMU_PART_HEADER)
			*version = part.header.version;
		if (part.kind == LTT_QEMU_PART_EVENT)
			*most_bytes = MAX(*most_bytes, part.event.data_bytes);
		if (++n_events % PROGRESS_EVENTS == 0 &&
		    !ltt_import_progress(import->job, 0, ltt_input_get_size(import->job->input),
					 error))
			return FALSE;
	} while (part.kind == LTT_QEMU_PART_HEADER || part.kind == LTT_QEMU_PART_EVENT);
	return TRUE;
}

static gboolean load(Import *import, GError **error)
{
	return ltt_import_load(import->job, LTT_QEMU_FACILITY, &import->events, error) &&
	       ltt_import_load(import->job, LTT_QEMU_FILE_FACILITY, &import->file, error);
}

/* Returns: (transfer full): "2.10-2.11 or 2.12" */
static char *name_releases(guint32 set)
{
	GString *names = g_string_new(NULL);

	for (guint i = 0; i < ltt_qemu_n_releases(); i++)
		if ((set & (guint32)1 << i) != 0)
			g_string_append_printf(names, "%s%s", names->len > 0 ? " or " : "",
					       ltt_qemu_get_release(i)->name);
	return g_string_free(names, FALSE);
}

static void tell_others(Import *import, guint32 others)
{
	g_autofree char *names = name_releases(others);

	ltt_import_tell(
		import->job, 0,
		"the log does not identify the release that wrote it: it is read as a log of "
		"QEMU %s, but can also be read as a log of QEMU %s",
		import->release->name, names);
}

static gboolean begin(Import *import, GError **error)
{
	g_autoptr(LttSystem) system = NULL;
	g_autofree char *recording = NULL;
	g_autofree char *releases = NULL;
	LttQemuGuess guess;
	guint32 version;
	guint32 most_bytes;

	if (!ltt_qemu_guess_release(import->job->input, &guess, error))
		return FALSE;
	import->release = guess.release;
	if (!look_ahead(import, &version, &most_bytes, error))
		return FALSE;
	if (guess.other != 0)
		tell_others(import, guess.other);
	if (version != 0 && version != import->release->version)
		ltt_import_tell(import->job, 0,
				"unknown version 0x%x; the log is read as a log of QEMU %s",
				version, import->release->name);
	releases = name_releases(guess.alike | (guint32)1 << ltt_qemu_release_index(guess.release));
	recording = g_strdup_printf("qemu-replay, QEMU %s%s", releases,
				    version == 0 ? ", unfinished" : "");
	system = ltt_import_new_system(import->job, recording, &arch,
				       ltt_import_block_bytes(most_bytes + MOST_NUMBER_BYTES));
	ltt_import_set_clock(system, LTT_CLOCK_OTHER);
	return ltt_import_begin(import->job, system, NULL, error) && load(import, error) &&
	       ltt_import_track_open(&import->cpu, import->job, "cpu/0", error) &&
	       ltt_import_track_open(&import->control, import->job, CONTROL_FILE, error);
}

static gboolean run(LttImportJob *job, GError **error)
{
	Import import = {.job = job};
	gboolean ok;

	ltt_payload_init(&import.payload, &arch);
	import.samples = g_byte_array_new();
	ok = begin(&import, error) && write_parts(&import, error);
	ltt_payload_clear(&import.payload);
	g_byte_array_unref(import.samples);
	return ok;
}

static gboolean recognise(LttImportJob *job)
{
	return ltt_qemu_recognise(job->input);
}

const LttImporter ltt_import_qemu = {
	.kind = {.name = "qemu-replay", .summary = "logs of QEMU's record/replay, 2.5 to 11.1"},
	.recognise = recognise,
	.run = run,
};
