/* import-write.c - write the records of a perf recording as events.
 *
 * The payload of an event is the packed record (formats/perf/file/field-priv.h). The records are
 * written one CPU at a time, in time order. Most records are samples in rows, which are packed
 * directly from the window into the block.
 */
#include "formats/perf/import-priv.h"

#include "base/bytes-priv.h"
#include "writer/trace-writer-priv.h"

#include <string.h>

/* Records between two checks for cancellation. */
#define PROGRESS_RECORDS (1 << 18)

#define THREAD_PAYLOAD_BYTES (LTT_PERF_THREAD_BYTES - LTT_EVENT_HEADER_BYTES)

#define NO_BLOCK G_MAXUINT64

static gboolean write_bytes(LttPerfImport *import, const LttKey *key, GError **error)
{
	const guint32 kind = key->size >> 24;
	const guint32 size = key->size & 0xffffff;
	const guint8 *bytes = ltt_window_get(import->flat, key->place, size, error);

	if (bytes == NULL)
		return FALSE;
	write_perf_file_bytes(&import->payload, &(const struct perf_file_bytes){
							.offset = key->place,
							.kind = (guint8)kind,
							.octets = {size, bytes},
						});
	return ltt_perf_import_put(import, perf_file_bytes_index, error);
}

/* The tracefile that is being written. */
typedef struct Track {
	guint32 group;
	LttTracefileWriter *file;
	guint64 n_lost;       /* running total of lost events */
	LttPerfThread thread; /* last thread that was written */
	guint64 thread_block; /* number of the block in which it was written */
	guint64 silent_block; /* number of a block in which no thread is written */
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
	return track->file != NULL && (group != LTT_PERF_GROUP_PROCESSES ||
				       ltt_perf_import_begin_names(import, track->file, error));
}

/* Returns: the number of lost events that a record reports and that no other record has reported.
 * At the end, perf writes the total losses of each event in LOST_SAMPLES records without a time.
 * The totals include the losses in LOST records of the kernel. */
static guint64 count_lost(LttPerfImport *import, const LttPerfRecord *record)
{
	const guint64 n_lost = ltt_perf_record_lost(import->meta, record);
	LttPerfStamp stamp;
	guint64 n_told;

	if (n_lost == 0 || record->type != LTT_PERF_LOST_SAMPLES)
		return n_lost;
	ltt_perf_record_stamp(import->meta, record, &stamp);
	if (stamp.has_time)
		return n_lost;
	n_told = MIN(n_lost, import->n_lost_told);
	import->n_lost_told -= n_told;
	return n_lost - n_told;
}

static gboolean write_lost(LttPerfImport *import, Track *track, guint64 time_ns, guint64 n_lost,
			   GError **error)
{
	track->n_lost += n_lost;
	write_tracer_events_lost(&import->payload,
				 &(const struct tracer_events_lost){.total = track->n_lost});
	return ltt_tracefile_writer_event(
		track->file, time_ns,
		(guint16)(import->tracer.base_code + tracer_events_lost_index),
		import->payload.bytes->data, import->payload.bytes->len, error);
}

/* Adds an event tracer.thread, for which space is reserved. */
static void add_thread(const LttPerfImport *import, Track *track, const LttPerfThread *thread,
		       guint64 time_ns)
{
	const LttByteOrder order = import->meta->order;
	guint8 *payload = ltt_tracefile_writer_add(track->file, time_ns, import->thread_id,
						   THREAD_PAYLOAD_BYTES);

	ltt_store_u32(payload, thread->pid, order);
	ltt_store_u32(payload + 4, thread->tid, order);
	track->thread = *thread;
	track->thread_block = track->file->n_blocks;
}

/* Writes an event tracer.thread for the next record, unless its thread is already the current one.
 * Also reserves space for the event of the record.
 *
 * The current thread is in effect up to the end of the block. So a record without a thread begins a
 * new block. No thread is written in this block, because otherwise a hostile file could make one
 * block of each record.
 *
 * @thread: (nullable): NULL: the record has none
 * @payload_bytes: size of the payload of the record */
static gboolean write_thread(LttPerfImport *import, Track *track, const LttPerfThread *thread,
			     guint64 time_ns, gsize payload_bytes, GError **error)
{
	guint64 block;

	if (!ltt_tracefile_writer_reserve(
		    track->file, time_ns,
		    LTT_PERF_THREAD_BYTES + LTT_EVENT_HEADER_BYTES + payload_bytes, &block, error))
		return FALSE;
	if (thread == NULL) {
		if (track->thread_block != block)
			return TRUE;
		track->silent_block = block + 1;
		return ltt_tracefile_writer_finish(track->file, error);
	}
	if (track->silent_block == block ||
	    (track->thread_block == block && track->thread.pid == thread->pid &&
	     track->thread.tid == thread->tid))
		return TRUE;
	add_thread(import, track, thread, time_ns);
	return TRUE;
}

/* Packs a record and writes it. Uses the fast path of the writer, which does not check an event:
 * the payload matches its type, the time is valid, and the records are sorted. Only an event that
 * might not fit in a block is checked. */
static gboolean write_packed(LttPerfImport *import, Track *track, const LttPerfItem *item,
			     guint shape, guint64 time_ns, GError **error)
{
	const GByteArray *bytes = import->payload.bytes;
	guint16 id;

	ltt_payload_reset(&import->payload);
	shape = ltt_perf_catalog_pack(import->catalog, shape, item->record, item->key.place,
				      import->payload.bytes, &import->tell);
	id = (guint16)g_array_index(import->ids, guint32, shape);
	if (!write_thread(import, track, item->thread, time_ns, bytes->len, error))
		return FALSE;
	if (G_UNLIKELY(bytes->len > import->most_payload_bytes))
		return ltt_tracefile_writer_event(track->file, time_ns, id, bytes->data, bytes->len,
						  error);
	memcpy(ltt_tracefile_writer_add(track->file, time_ns, id, bytes->len), bytes->data,
	       bytes->len);
	return TRUE;
}

/* Writes import->payload as an event of perf_joined after the record from which it is derived, or
 * reports that the budget of these events is used up. */
static gboolean write_joined(LttPerfImport *import, Track *track, const LttPerfItem *item,
			     guint64 time_ns, guint index, GError **error)
{
	const GByteArray *bytes = import->payload.bytes;

	if (bytes->len > import->joined_budget_bytes - import->joined_bytes) {
		ltt_perf_tell(&import->tell, item->key.place,
			      "the joined call chains and counts take more than %" G_GUINT64_FORMAT
			      " bytes; this record and later ones have none",
			      import->joined_budget_bytes);
		import->joined_budget_bytes = 0;
		return TRUE;
	}
	import->joined_bytes += bytes->len;
	return write_thread(import, track, item->thread, time_ns, bytes->len, error) &&
	       ltt_tracefile_writer_append(track->file, time_ns,
					   (guint16)(import->joined.base_code + index), bytes->data,
					   bytes->len, error);
}

/* Writes the events of the members of a group after the sample with their counts. */
static gboolean write_members(LttPerfImport *import, Track *track, const LttPerfItem *item,
			      guint64 time_ns, GError **error)
{
	LttPerfGroup group;

	ltt_perf_group_begin(&group, item->record, import->meta->order);
	while (import->joined_budget_bytes > 0 && ltt_perf_group_next(&group, import))
		if (!write_joined(import, track, item, time_ns, perf_joined_member_index, error))
			return FALSE;
	return TRUE;
}

/* Writes the call chain of a sample joined with its user part, which was recorded later. */
static gboolean write_chain(LttPerfImport *import, Track *track, const LttPerfItem *item,
			    guint64 time_ns, GError **error)
{
	gboolean is_joined;

	if (!ltt_perf_deferred_join(import, item->record, item->thread, &is_joined, error))
		return FALSE;
	return !is_joined || import->payload.bytes->len > import->most_payload_bytes ||
	       write_joined(import, track, item, time_ns, perf_joined_callchain_index, error);
}

/* Writes the events that are derived from a record. */
static gboolean write_derived(LttPerfImport *import, Track *track, const LttPerfItem *item,
			      guint64 time_ns, GError **error)
{
	return (import->counts == NULL || import->joined_budget_bytes == 0 ||
		write_members(import, track, item, time_ns, error)) &&
	       (import->aside == NULL || import->joined_budget_bytes == 0 ||
		write_chain(import, track, item, time_ns, error));
}

static gboolean write_record(LttPerfImport *import, Track *track, const LttPerfItem *item,
			     GError **error)
{
	const guint64 time_ns = MAX(item->key.time, import->least_ns);
	const LttPerfRecord *record = item->record;
	const guint shape = ltt_perf_catalog_find(import->catalog, record);
	guint64 n_lost;

	if (!write_packed(import, track, item, shape, time_ns, error))
		return FALSE;
	if (!write_derived(import, track, item, time_ns, error))
		return FALSE;
	n_lost = count_lost(import, record);
	return n_lost == 0 || write_lost(import, track, time_ns, n_lost, error);
}

/* Fast path: packs the current sample of @merge in the open block itself. Returns: FALSE, without
 * writing the sample, if write_item() must write it */
static gboolean write_in_block(LttPerfImport *import, Track *track, const LttPerfMerge *merge)
{
	const LttPerfRow *row = &merge->row;
	const LttPerfRecord *record = &row->record;
	const guint number = record->attr->number;
	const guint64 block = track->file->n_blocks;
	const gboolean is_told =
		track->silent_block == block ||
		(track->thread_block == block && track->thread.pid == row->thread.pid &&
		 track->thread.tid == row->thread.tid);
	const LttPerfSampleKind *kind;
	gsize room = LTT_EVENT_HEADER_BYTES;
	guint8 *payload;
	guint8 *end;

	if (number >= import->n_samples || import->samples[number].steps == NULL)
		return FALSE;
	kind = &import->samples[number];
	room += ltt_perf_catalog_get_sample_room(kind->steps, record->size);
	payload = ltt_tracefile_writer_lend(track->file, row->time,
					    room + (is_told ? 0 : LTT_PERF_THREAD_BYTES));
	if (payload == NULL)
		return FALSE;
	if (!is_told) {
		add_thread(import, track, &row->thread, row->time);
		payload = ltt_tracefile_writer_lend(track->file, row->time, room);
	}
	end = ltt_perf_catalog_pack_sample(import->catalog, kind->steps, record, merge->now.place,
					   payload);
	if (end == NULL)
		return FALSE;
	ltt_tracefile_writer_commit(track->file, row->time, kind->id, (gsize)(end - payload));
	return TRUE;
}

static gboolean write_item(LttPerfImport *import, Track *track, const LttPerfItem *item,
			   GError **error)
{
	const guint32 group = item->key.group;

	if (group == LTT_PERF_GROUP_BYTES)
		return write_bytes(import, &item->key, error);
	if (group != track->group && !open_track(import, track, group, error))
		return FALSE;
	return group == LTT_PERF_GROUP_PROCESSES
		       ? ltt_perf_import_name(import, track->file, item, error)
		       : write_record(import, track, item, error);
}

/* Progress of the second pass. */
typedef struct Done {
	guint64 n_bytes;
	guint64 n_items;
} Done;

static gboolean note_done(const LttPerfImport *import, Done *done, guint64 n_bytes, guint64 n_items,
			  GError **error)
{
	const guint64 size = ltt_window_get_size(import->flat);
	const guint64 n_before = done->n_items;

	done->n_bytes += n_bytes / 2;
	done->n_items += n_items;
	return done->n_items / PROGRESS_RECORDS == n_before / PROGRESS_RECORDS ||
	       ltt_import_progress(import->job, MIN(done->n_bytes, size), size, error);
}

/* Writes the following samples of the current row. */
static gboolean write_row(LttPerfImport *import, Track *track, LttPerfMerge *merge, Done *done,
			  GError **error)
{
	const guint8 *begin = merge->row.at;
	guint64 n_items = 0;

	while (ltt_perf_merge_next_in_row(merge)) {
		n_items++;
		if (!write_in_block(import, track, merge)) {
			const LttPerfItem item = ltt_perf_merge_get_item(merge);

			if (!write_item(import, track, &item, error))
				return FALSE;
		}
	}
	return note_done(import, done, (guint64)(merge->row.at - begin), n_items, error);
}

gboolean ltt_perf_import_records(LttPerfImport *import, GError **error)
{
	g_autofree char *folder = g_path_get_dirname(import->job->trace_path);
	g_autoptr(LttPerfMerge) merge = ltt_perf_merge_new(import->keys, LTT_PERF_GROUP_PROCESSES,
							   import->flat, import->meta, folder);
	/* Without groups and deferred call chains, a sample is exactly one event. */
	const gboolean are_single = import->counts == NULL && import->aside == NULL;
	Done done = {.n_bytes = ltt_window_get_size(import->flat) / 2};
	Track track = {.group = LTT_PERF_GROUP_BYTES};
	g_autoptr(GError) failed = NULL;
	LttPerfItem item;

	while (ltt_perf_merge_next(merge, &item, &failed)) {
		const gboolean is_record = item.key.group >= LTT_PERF_GROUP_SESSION;

		if (!write_item(import, &track, &item, error) ||
		    !note_done(import, &done, is_record ? item.key.size : 0, 1, error) ||
		    (is_record && are_single && !write_row(import, &track, merge, &done, error)))
			return FALSE;
	}
	if (failed == NULL)
		return TRUE;
	g_propagate_error(error, g_steal_pointer(&failed));
	return FALSE;
}
