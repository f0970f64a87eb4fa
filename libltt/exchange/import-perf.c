/* import-perf.c - recordings of perf as traces (doc/perf.md).
 *
 * A record becomes an event with the record's bytes as its payload, as far as these tell their own
 * lengths (recordings/perf/field-priv.h). They are written CPU by CPU, in order of time.
 */
#include "exchange/import-perf-priv.h"

#include "base/bytes-priv.h"
#include "writer/trace-writer-priv.h"

#include <string.h>

/* Records between two looks at whether to go on. */
#define PROGRESS_RECORDS (1 << 18)

/* What the events of perf_file and the ends of records take besides the bytes of the recording. */
#define SPARE_BYTES ((gsize)4096)

#define MAGIC_BYTES 16

#define THREAD_PAYLOAD_BYTES 8
#define THREAD_BYTES         (LTT_EVENT_HEADER_BYTES + THREAD_PAYLOAD_BYTES)

#define NO_BLOCK G_MAXUINT64

/* In a COMM record, behind its header, pid and tid. */
#define COMM_NAME_AT 8

static gboolean recognise(LttImportJob *job)
{
	LttByteOrder order;
	guint version;
	const guint8 *bytes;

	if (job->input == NULL) {
		g_autofree char *path = g_build_filename(job->request->path, "data", NULL);

		return g_file_test(path, G_FILE_TEST_IS_REGULAR);
	}
	return ltt_input_get_size(job->input) >= MAGIC_BYTES &&
	       ltt_input_get(job->input, 0, MAGIC_BYTES, &bytes, NULL) &&
	       ltt_perf_detect(bytes, MAGIC_BYTES, &order, &version) != LTT_PERF_NOT;
}

static void tell(guint64 byte, const char *message, gpointer user_data)
{
	const LttPerfImport *import = user_data;

	ltt_import_tell(import->job, (gint64)byte, "%s", message);
}

/* ---- the trace ---- */

static void set(LttSystem *system, const char *name, const char *value)
{
	g_autofree char *readable = value != NULL ? g_utf8_make_valid(value, -1) : NULL;

	if (readable != NULL && readable[0] != '\0')
		ltt_system_set(system, name, readable);
}

static LttSystem *make_system(LttPerfImport *import)
{
	const LttPerfMeta *meta = import->meta;
	const LttArch arch = {.byte_order = meta->order, .size = LTT_LP64};
	/* A record may stand twice in its event, and a feature is up to so large. */
	const gsize most_bytes =
		MAX(2 * import->most_record_bytes, 2 * (gsize)LTT_PERF_PIECE_BYTES) + SPARE_BYTES;
	g_autofree char *recording = g_strdup_printf("perf.data %u, %s", meta->version,
						     import->is_directory ? "directory"
						     : meta->is_pipe      ? "pipe"
									  : "file");
	const guint n_cpus = CLAMP(MAX(import->n_cpus, meta->n_cpus), 1, LTT_PERF_MOST_CPUS);
	g_autofree char *cpus = g_strdup_printf("%u", n_cpus);
	LttSystem *system = ltt_import_new_system(
		import->job, recording, &arch, ltt_import_block_bytes(most_bytes + THREAD_BYTES));

	import->most_payload_bytes = most_bytes;

	ltt_system_set(system, "cpu", cpus);
	set(system, "node_name", meta->hostname);
	set(system, "kernel_name", "Linux");
	set(system, "kernel_release", meta->osrelease);
	set(system, "machine", meta->machine);
	set(system, "perf_version", meta->perf_version);
	return system;
}

static gboolean load_types(LttPerfImport *import, GError **error)
{
	g_autoptr(GArray) bases = g_array_new(FALSE, TRUE, sizeof(guint32));

	import->ids = g_array_new(FALSE, FALSE, sizeof(guint32));
	if (!ltt_perf_types_init(&import->types, import->catalog, error))
		return FALSE;
	g_array_set_size(bases, import->types.facilities->len);
	for (guint i = 0; i < bases->len; i++)
		if (!ltt_trace_writer_load(import->job->writer, import->types.facilities->pdata[i],
					   &g_array_index(bases, guint32, i), error))
			return FALSE;
	for (guint i = 0; i < import->types.events->len; i++) {
		const LttPerfEventOf *of = &g_array_index(import->types.events, LttPerfEventOf, i);
		const guint32 id = g_array_index(bases, guint32, of->facility) + of->event;

		g_array_append_val(import->ids, id);
	}
	return TRUE;
}

static gboolean begin(LttPerfImport *import, GError **error)
{
	g_autoptr(LttSystem) system = make_system(import);

	import->catalog = ltt_perf_catalog_new(import->meta);
	return ltt_import_begin(import->job, system, NULL, error) &&
	       ltt_import_load(import->job, LTT_PERF_FILE_FACILITY, &import->file, error) &&
	       ltt_import_load(import->job, "tracer", &import->tracer, error) &&
	       load_types(import, error);
}

/* ---- events ---- */

static gboolean write_bytes(LttPerfImport *import, const LttKey *key, GError **error)
{
	const guint32 kind = key->size >> 24;
	const guint32 size = key->size & 0xffffff;
	const guint8 *bytes = ltt_window_get(import->flat, key->place, size, error);

	if (bytes == NULL)
		return FALSE;
	ltt_payload_add_int(&import->payload, LTT_WIDTH_8, key->place);
	ltt_payload_add_int(&import->payload, LTT_WIDTH_1, kind);
	ltt_import_add_bytes(&import->payload, bytes, size);
	return ltt_perf_import_put(import, "bytes", error);
}

/* The tracefile that is being written. */
typedef struct Track {
	guint32 group;
	LttTracefileWriter *file;
	guint64 n_lost; /* of its events */
	LttPerfThread thread;
	guint64 thread_block; /* the block in which that thread was told last */
	guint64 silent_block; /* the block in which no thread is told */
} Track;

static char *name_track(guint32 group)
{
	if (group == LTT_PERF_GROUP_PROCESSES)
		return g_strdup(LTT_PERF_PROCESSES);
	if (group == LTT_PERF_GROUP_SESSION)
		return g_strdup(LTT_PERF_SESSION);
	if (group == LTT_PERF_GROUP_CONTROL)
		return g_strdup(LTT_PERF_CONTROL);
	return g_strdup_printf("cpu/%u", group - LTT_PERF_GROUP_CPUS);
}

static gboolean open_track(LttPerfImport *import, Track *track, guint32 group, GError **error)
{
	g_autofree char *name = name_track(group);

	*track = (Track){.group = group,
			 .file = ltt_trace_writer_open(import->job->writer, name, error),
			 .thread_block = NO_BLOCK,
			 .silent_block = NO_BLOCK};
	return track->file != NULL;
}

/* How many events a record says were lost. */
static guint64 count_lost(const LttPerfImport *import, const LttPerfRecord *record)
{
	const guint8 *body = record->bytes + LTT_PERF_RECORD_HEADER_BYTES;
	const gsize length = record->size - LTT_PERF_RECORD_HEADER_BYTES;

	if (record->type == LTT_PERF_LOST && length >= 2 * sizeof(guint64))
		return ltt_load_u64(body + sizeof(guint64), import->meta->order);
	/* What a BPF program has filtered was not lost. */
	if (record->type == LTT_PERF_LOST_SAMPLES && length >= sizeof(guint64) &&
	    (record->misc & LTT_PERF_MISC_LOST_SAMPLES_BPF) == 0)
		return ltt_load_u64(body, import->meta->order);
	return 0;
}

static gboolean write_lost(LttPerfImport *import, Track *track, guint64 time_ns, guint64 n_lost,
			   GError **error)
{
	track->n_lost += n_lost;
	ltt_payload_reset(&import->payload);
	ltt_payload_add_int(&import->payload, LTT_WIDTH_8, track->n_lost);
	return ltt_tracefile_writer_event(
		track->file, time_ns, (guint16)ltt_import_get_id(&import->tracer, "events_lost"),
		import->payload.bytes->data, import->payload.bytes->len, error);
}

/* Tells of which thread the record is, whose event is in import->payload, where that is not said
 * already. In a block nothing takes a thread back, so a record of none begins another one; so that
 * a hostile file does not make a block of each record, in that one no thread is told. */
static gboolean write_thread(LttPerfImport *import, Track *track, const LttPerfRecord *record,
			     guint64 time_ns, GError **error)
{
	const LttByteOrder order = import->meta->order;
	guint8 payload[THREAD_PAYLOAD_BYTES];
	LttPerfThread thread;
	guint64 block;

	if (!ltt_tracefile_writer_reserve(track->file, time_ns,
					  THREAD_BYTES + LTT_EVENT_HEADER_BYTES +
						  import->payload.bytes->len,
					  &block, error))
		return FALSE;
	if (!ltt_perf_record_thread(import->meta, record, &thread)) {
		if (track->thread_block != block)
			return TRUE;
		track->silent_block = block + 1;
		return ltt_tracefile_writer_finish(track->file, error);
	}
	if (track->silent_block == block ||
	    (track->thread_block == block && track->thread.pid == thread.pid &&
	     track->thread.tid == thread.tid))
		return TRUE;
	track->thread = thread;
	track->thread_block = block;
	ltt_store_u32(payload, thread.pid, order);
	ltt_store_u32(payload + 4, thread.tid, order);
	return ltt_tracefile_writer_append(track->file, time_ns, import->thread_id, payload,
					   sizeof(payload), error);
}

/* A payload that was packed after the fields that its type was made of is of that type, its time
 * was looked at, and keys are sorted: so the writer need not look again, unless the event may not
 * fit. */
static gboolean write_event(LttPerfImport *import, const Track *track, guint64 time_ns, guint16 id,
			    GError **error)
{
	const GByteArray *bytes = import->payload.bytes;

	if (G_UNLIKELY(bytes->len > import->most_payload_bytes))
		return ltt_tracefile_writer_event(track->file, time_ns, id, bytes->data, bytes->len,
						  error);
	return ltt_tracefile_writer_append(track->file, time_ns, id, bytes->data, bytes->len,
					   error);
}

static gboolean write_record(LttPerfImport *import, Track *track, const LttKey *key, GError **error)
{
	const guint64 time_ns = MAX(key->time, import->least_ns);
	const guint8 *bytes = ltt_window_get(import->flat, key->place, key->size, error);
	LttPerfRecord record = {.size = (guint16)key->size, .bytes = bytes};
	guint64 n_lost;
	guint shape;

	if (bytes == NULL)
		return FALSE;
	record.type = ltt_load_u32(bytes, import->meta->order);
	record.misc = ltt_load_u16(bytes + 4, import->meta->order);
	ltt_payload_reset(&import->payload);
	shape = ltt_perf_catalog_pack(import->catalog, &record, key->place, import->payload.bytes,
				      &import->tell);
	if (!write_thread(import, track, &record, time_ns, error) ||
	    !write_event(import, track, time_ns,
			 (guint16)g_array_index(import->ids, guint32, shape), error))
		return FALSE;
	n_lost = count_lost(import, &record);
	return n_lost == 0 || write_lost(import, track, time_ns, n_lost, error);
}

/* Writes what the process of a COMM record is called. Names of its other threads are theirs. */
static gboolean write_process(LttPerfImport *import, const Track *track, const LttKey *key,
			      GError **error)
{
	const LttByteOrder order = import->meta->order;
	const guint8 *bytes = ltt_window_get(import->flat, key->place, key->size, error);
	const gsize length = key->size - LTT_PERF_RECORD_HEADER_BYTES;
	const guint8 *body;
	g_autofree char *name = NULL;

	if (bytes == NULL)
		return FALSE;
	body = bytes + LTT_PERF_RECORD_HEADER_BYTES;
	if (length < COMM_NAME_AT || ltt_load_u32(body, order) != ltt_load_u32(body + 4, order))
		return TRUE;
	name = g_strndup((const char *)body + COMM_NAME_AT, length - COMM_NAME_AT);
	ltt_payload_reset(&import->payload);
	ltt_payload_add_int(&import->payload, LTT_WIDTH_4, ltt_load_u32(body, order));
	ltt_payload_add_int(&import->payload, LTT_WIDTH_4, 0);
	ltt_payload_add_string(&import->payload, name);
	ltt_payload_add_string(&import->payload, "");
	return ltt_tracefile_writer_event(
		track->file, MAX(key->time, import->least_ns),
		(guint16)ltt_import_get_id(&import->tracer, "process_start"),
		import->payload.bytes->data, import->payload.bytes->len, error);
}

static gboolean write_key(LttPerfImport *import, Track *track, const LttKey *key, GError **error)
{
	if (key->group == LTT_PERF_GROUP_BYTES)
		return write_bytes(import, key, error);
	if (key->group != track->group && !open_track(import, track, key->group, error))
		return FALSE;
	return key->group == LTT_PERF_GROUP_PROCESSES ? write_process(import, track, key, error)
						      : write_record(import, track, key, error);
}

static gboolean write_all(LttPerfImport *import, GError **error)
{
	const guint64 size = ltt_window_get_size(import->flat);
	Track track = {.group = LTT_PERF_GROUP_BYTES};
	g_autoptr(GError) failed = NULL;
	guint64 done_bytes = size / 2;
	guint64 n_keys = 0;
	LttKey key;

	while (ltt_key_sort_next(import->keys, &key, &failed)) {
		if (!write_key(import, &track, &key, error))
			return FALSE;
		if (key.group >= LTT_PERF_GROUP_SESSION)
			done_bytes += key.size / 2;
		if (++n_keys % PROGRESS_RECORDS == 0 &&
		    !ltt_import_progress(import->job, MIN(done_bytes, size), size, error))
			return FALSE;
	}
	if (failed == NULL)
		return TRUE;
	g_propagate_error(error, g_steal_pointer(&failed));
	return FALSE;
}

static gboolean import_all(LttPerfImport *import, GError **error)
{
	if (!ltt_perf_import_survey(import, error) || !begin(import, error))
		return FALSE;
	ltt_payload_init(&import->payload, ltt_trace_writer_get_arch(import->job->writer));
	import->thread_id = (guint16)ltt_import_get_id(&import->tracer, "thread");
	return ltt_perf_import_file(import, error) && write_all(import, error);
}

static gboolean run(LttImportJob *job, GError **error)
{
	LttPerfImport import = {.job = job};
	gboolean ok;

	import.tell = (LttPerfTell){.func = tell, .user_data = &import};
	ok = import_all(&import, error);
	ltt_payload_clear(&import.payload);
	g_clear_pointer(&import.ids, g_array_unref);
	ltt_perf_types_clear(&import.types);
	ltt_perf_catalog_free(import.catalog);
	ltt_perf_meta_free(import.meta);
	ltt_key_sort_free(import.keys);
	if (import.flat != import.source)
		ltt_window_free(import.flat);
	ltt_window_free(import.source);
	return ok;
}

const LttImporter ltt_import_perf = {
	.kind = {.name = "perf", .summary = "perf.data: what perf record writes"},
	.takes_directory = TRUE,
	.recognise = recognise,
	.run = run,
};
