/* export.c - convert a trace to the Common Trace Format 1.8 (doc/ctf.md).
 *
 * Each tracefile becomes a stream file and each block becomes a packet. The export converts one
 * block at a time, so memory holds one block and its packet. It writes the metadata last, because
 * the metadata describes only the event types that occur.
 */
#include "base/out-file-priv.h"
#include "formats/ctf/metadata-priv.h"
#include "formats/ctf/streams-priv.h"
#include "formats/export-priv.h"

#include "base/error-priv.h"
#include "base/job-priv.h"
#include "edit/merged-priv.h"

#include <ltt/ltt-cursor.h>
#include <ltt/ltt-value.h>

/* State of an export. */
typedef struct Export {
	const LttExportRequest *request;
	gboolean has_threads;
	gboolean has_window;
	guint64 from_ns;
	guint64 to_ns;
	LttCtfTypes types;
	LttCtfPacket packet;
	guint64 next_instance;
	guint64 n_blocks; /* in all selected tracefiles */
	guint64 n_done;   /* converted blocks */
} Export;

/* State of a tracefile. */
typedef struct File {
	Export *export;
	LttTracefile *tracefile;
	LttCtfStreams streams;
	gint64 block;     /* current block; LTT_NOWHERE: none */
	gboolean has_any; /* an event of the block is in the time window */
	guint64 begin_ns; /* earliest time of these events */
	guint64 n_lost;   /* running total of tracer.events_lost */
	gboolean told_order;
	gboolean told_threads;
} File;

static gboolean fail_memory(const File *file, GError **error)
{
	return ltt_fail_at(error, LTT_ERROR_LIMIT, ltt_tracefile_get_name(file->tracefile),
			   file->block, LTT_NOWHERE, "no memory for the packet of this block");
}

/* ---- one block ---- */

static void begin_block(File *file, guint64 block)
{
	file->block = (gint64)block;
	file->has_any = FALSE;
	ltt_ctf_packet_begin(&file->export->packet, file->streams.stream_class);
}

static void tell_order(File *file)
{
	if (!file->told_order)
		ltt_export_tell(file->export->request, file->tracefile, file->block,
				"times decrease, which CTF does not allow: the events of this file "
				"are exported in order of time");
	file->told_order = TRUE;
}

static gboolean write_packet(File *file, GError **error)
{
	LttCtfPacket *packet = &file->export->packet;
	const guint n_streams = file->streams.streams->len;

	if (packet->falls) {
		tell_order(file);
		if (!ltt_ctf_packet_sort(packet))
			return fail_memory(file, error);
	}
	switch (ltt_ctf_streams_write(&file->streams, packet, file->begin_ns, file->n_lost,
				      error)) {
	case LTT_CTF_FAILED:
		return FALSE;
	case LTT_CTF_REFUSED:
		ltt_export_tell(file->export->request, file->tracefile, file->block,
				"omitted: its times overlap those of all " G_STRINGIFY(
					LTT_CTF_MAX_STREAMS) " streams");
		break;
	case LTT_CTF_WRITTEN:
		if (n_streams > 0 && file->streams.streams->len > n_streams)
			tell_order(file);
		break;
	}
	return TRUE;
}

/* Writes the packet of the current block if the block has an event in the time window. */
static gboolean end_block(File *file, GError **error)
{
	Export *export = file->export;

	if (file->block == LTT_NOWHERE)
		return TRUE;
	if (file->has_any && !write_packet(file, error))
		return FALSE;
	file->block = LTT_NOWHERE;
	export->n_done++;
	return ltt_job_progress(&export->request->callbacks, LTT_PROGRESS_BLOCKS, export->n_done,
				export->n_blocks, error);
}

/* ---- one event ---- */

static void take_loss(File *file, const LttEvent *event)
{
	LttValue value;
	LttValue total;

	if (ltt_event_get_value(event, &value) && ltt_value_find(&value, "total", &total))
		file->n_lost = MAX(file->n_lost, ltt_value_get_uint(&total));
}

static void note_time(File *file, guint64 time_ns)
{
	const Export *export = file->export;

	if (export->has_window && (time_ns < export->from_ns || time_ns >= export->to_ns))
		return;
	file->begin_ns = file->has_any ? MIN(file->begin_ns, time_ns) : time_ns;
	file->has_any = TRUE;
}

static void tell_threads(File *file)
{
	if (!file->told_threads)
		ltt_export_tell(file->export->request, file->tracefile, file->block,
				"only this file loads the tracer facility: the pid and tid of its "
				"events are omitted");
	file->told_threads = TRUE;
}

static gboolean take_event(File *file, const LttEvent *event, GError **error)
{
	Export *export = file->export;

	if (file->block != (gint64)event->block) {
		if (!end_block(file, error))
			return FALSE;
		begin_block(file, event->block);
	}
	if (event->role == LTT_ROLE_EVENTS_LOST)
		take_loss(file, event);
	note_time(file, event->time_ns);
	if (!ltt_select_matches(export->request->select, event))
		return TRUE;
	if (event->has_thread && !export->has_threads)
		tell_threads(file);
	return ltt_ctf_packet_add(&export->packet, event,
				  ltt_ctf_types_get_id(&export->types, event)) ||
	       fail_memory(file, error);
}

/* ---- one tracefile ---- */

static gboolean take_events(File *file, GError **error)
{
	const Export *export = file->export;
	g_autoptr(LttCursor) cursor = ltt_cursor_new(file->tracefile);
	const LttEvent *event;
	LttStep step;

	if (export->has_window)
		ltt_cursor_set_window(cursor, export->from_ns, export->to_ns);
	do {
		g_autoptr(GError) damage = NULL;

		while ((step = ltt_cursor_next(cursor, &event, &damage)) == LTT_STEP_EVENT)
			if (!take_event(file, event, error))
				return FALSE;
		if (step == LTT_STEP_ERROR &&
		    !ltt_export_take_damage(export->request, damage, error))
			return FALSE;
		ltt_cursor_skip_block(cursor);
	} while (step != LTT_STEP_END);
	return end_block(file, error);
}

static gboolean export_tracefile(Export *export, LttTracefile *tracefile, GError **error)
{
	const gint cpu = ltt_tracefile_get_cpu(tracefile);
	File file = {
		.export = export,
		.tracefile = tracefile,
		.streams = {.directory = export->request->path,
			    .name = ltt_tracefile_get_name(tracefile),
			    .first_instance = ltt_tracefile_get_index(tracefile),
			    .next_instance = &export->next_instance,
			    .stream_class = cpu >= 0 ? LTT_CTF_CPU : LTT_CTF_CONTROL,
			    .cpu = cpu >= 0 ? (guint32)cpu : 0,
			    .has_past = export->has_window && export->from_ns > 0},
		.block = LTT_NOWHERE,
	};
	gboolean ok;

	ltt_ctf_streams_init(&file.streams);
	ltt_ctf_types_begin(&export->types, file.streams.stream_class);
	ok = take_events(&file, error) && ltt_ctf_streams_close(&file.streams, error);
	ltt_ctf_streams_clear(&file.streams);
	return ok;
}

/* ---- the export ---- */

static gboolean write_events(const Export *export, LttOutFile *file, GString *text, GError **error)
{
	for (guint i = 0; i < export->types.types->len; i++) {
		g_string_truncate(text, 0);
		ltt_ctf_add_event(text, export->types.types->pdata[i]);
		if (!ltt_out_file_write(file, text->str, text->len, error))
			return FALSE;
	}
	return TRUE;
}

static gboolean write_metadata(const Export *export, GError **error)
{
	g_autofree char *path = g_build_filename(export->request->path, "metadata", NULL);
	g_autoptr(GString) text = g_string_new(NULL);
	LttOutFile file = LTT_OUT_FILE_NONE;
	gboolean ok;

	ltt_ctf_add_preamble(text, ltt_trace_get_system(export->request->trace),
			     export->has_threads);
	ok = ltt_out_file_make(&file, path, error) &&
	     ltt_out_file_write(&file, text->str, text->len, error) &&
	     write_events(export, &file, text, error) && ltt_out_file_close(&file, error);
	ltt_out_file_drop(&file);
	return ok;
}

static gboolean export_all(Export *export, GError **error)
{
	const LttExportRequest *request = export->request;
	const guint n_tracefiles = ltt_trace_get_n_tracefiles(request->trace);

	for (guint i = 0; i < n_tracefiles; i++) {
		LttTracefile *tracefile = ltt_trace_get_tracefile(request->trace, i);

		if (ltt_select_wants_tracefile(request->select, tracefile))
			export->n_blocks += ltt_tracefile_get_n_blocks(tracefile);
	}
	for (guint i = 0; i < n_tracefiles; i++) {
		LttTracefile *tracefile = ltt_trace_get_tracefile(request->trace, i);

		if (ltt_select_wants_tracefile(request->select, tracefile) &&
		    !export_tracefile(export, tracefile, error))
			return FALSE;
	}
	return write_metadata(export, error);
}

static gboolean run_single(const LttExportRequest *request, GError **error)
{
	const LttSystem *system = ltt_trace_get_system(request->trace);
	Export export = {
		.request = request,
		.has_threads = ltt_trace_has_threads(request->trace),
		.next_instance = ltt_trace_get_n_tracefiles(request->trace),
	};
	gboolean ok;

	export.has_window = ltt_select_get_window(request->select, &export.from_ns, &export.to_ns);
	ltt_ctf_types_init(&export.types);
	ltt_ctf_packet_init(&export.packet, ltt_system_get_arch(system)->byte_order,
			    export.has_threads);
	ok = export_all(&export, error);
	ltt_ctf_packet_clear(&export.packet);
	ltt_ctf_types_clear(&export.types);
	return ok;
}

/* Payloads are copied as they are, so a joined trace needs one byte order and one size of each
 * type. */
static gboolean run(const LttExportRequest *request, GError **error)
{
	g_autofree char *place = g_build_filename(request->path, "merged", NULL);
	LttExportRequest settled = *request;
	LttMerged merged;
	gboolean ok;

	if (!ltt_merged_begin(&merged, request->trace, place, &request->callbacks, error))
		return FALSE;
	settled.trace = merged.trace;
	ok = run_single(&settled, error);
	ltt_merged_end(&merged);
	return ok;
}

const LttExporter ltt_export_ctf = {
	.kind = {.name = "ctf",
		 .summary = "Common Trace Format 1.8, for babeltrace2 and Trace Compass",
		 .makes_directory = TRUE},
	.run = run,
};
