/* import-pass.c - the first pass over a perf recording, before the trace is written.
 *
 * In the file, the records of a CPU are nearly in time order, and the records of several CPUs are
 * interleaved. The first pass collects time, CPU and offset of each run (import-merge-priv.h). The
 * second pass reads the records in the order of the sorted runs.
 */
#include "formats/perf/import-priv.h"

#include "formats/perf/file/records-priv.h"
#include "formats/perf/file/row-priv.h"

#define DATA_NAME "data" /* name of the main file in a directory */

/* Bytes between two checks for cancellation. */
#define PROGRESS_BYTES ((guint64)16 * 1024 * 1024)

static gboolean open_source(LttPerfImport *import, GError **error)
{
	const LttImportJob *job = import->job;
	int fd;

	import->is_directory = job->input == NULL;
	if (import->is_directory) {
		g_autofree char *path = g_build_filename(job->request->path, DATA_NAME, NULL);

		import->source = ltt_window_open(path, error);
		return import->source != NULL;
	}
	fd = ltt_input_dup(job->input, error);
	if (fd < 0)
		return FALSE;
	import->source = ltt_window_new(fd, job->name, error);
	return import->source != NULL;
}

static gboolean flatten(LttPerfImport *import, GError **error)
{
	g_autofree char *folder = g_path_get_dirname(import->job->trace_path);
	g_autoptr(LttScratch) scratch = ltt_scratch_new(folder, error);
	const LttPerfSpan records = {import->meta->data.offset, import->meta->data_end};
	int fd;

	if (scratch == NULL ||
	    !ltt_perf_flatten(import->source, import->meta->order, records,
			      import->is_directory ? import->job->request->path : NULL, NULL,
			      scratch, &import->what, &import->tell, error))
		return FALSE;
	fd = ltt_scratch_dup(scratch, error);
	if (fd < 0)
		return FALSE;
	import->flat = ltt_window_new(fd, import->job->name, error);
	return import->flat != NULL;
}

/* ---- pieces ---- */

static gboolean note_bytes(LttPerfImport *import, const LttPerfPiece *piece, GError **error)
{
	for (guint64 done = 0; done < piece->size; done += LTT_PERF_PIECE_BYTES) {
		const LttKey key = {
			.group = LTT_PERF_GROUP_BYTES,
			.place = piece->place + done,
			/* Only the first piece of a record is META. */
			.size = ltt_perf_pack_piece(done > 0 && piece->kind == LTT_PERF_PIECE_META
							    ? LTT_PERF_PIECE_PAYLOAD
							    : piece->kind,
						    MIN(LTT_PERF_PIECE_BYTES, piece->size - done)),
		};

		if (!ltt_key_sort_add(import->keys, &key, error))
			return FALSE;
	}
	return TRUE;
}

/* A record without a time gets the greatest time of the records before it. */
static guint64 take_time(LttPerfImport *import, const LttPerfPiece *piece,
			 const LttPerfStamp *stamp)
{
	const guint64 time_ns = stamp->time;

	if (!stamp->has_time)
		return import->most_ns;
	if (time_ns > LTT_MAX_WRITTEN_NS) {
		ltt_perf_tell(&import->tell, piece->place,
			      "the time of the record is %" G_GUINT64_FORMAT
			      " ns; expected a time whose seconds have 32 bits; the time of the "
			      "previous record is used",
			      time_ns);
		return import->most_ns;
	}
	import->least_ns = import->has_times ? MIN(import->least_ns, time_ns) : time_ns;
	import->most_ns = MAX(import->most_ns, time_ns);
	import->has_times = TRUE;
	return time_ns;
}

/* @cpu: LTT_PERF_NO_CPU if the record has none */
static guint32 group_of(const LttPerfImport *import, guint32 cpu, gboolean has_thread)
{
	if (cpu < import->n_own_files)
		return LTT_PERF_GROUP_CPUS + cpu;
	return has_thread ? LTT_PERF_GROUP_CONTROL : LTT_PERF_GROUP_SESSION;
}

/* Records that perf synthesizes for the initial state have neither a time nor a CPU. */
static guint32 take_group(LttPerfImport *import, const LttPerfRecord *record,
			  const LttPerfStamp *stamp)
{
	const guint32 cpu = stamp->has_time && stamp->has_cpu ? stamp->cpu : LTT_PERF_NO_CPU;
	LttPerfThread thread;

	if (cpu < LTT_PERF_MOST_CPUS)
		import->n_cpus = MAX(import->n_cpus, cpu + 1);
	return group_of(import, cpu,
			cpu < import->n_own_files ||
				ltt_perf_record_thread(import->meta, record, &thread));
}

/* ---- runs ---- */

static gboolean end_run(LttPerfImport *import, GError **error)
{
	LttKey key = import->run;

	import->run_is_counts = FALSE;
	if (key.size == 0)
		return TRUE;
	import->run.size = 0;
	if (import->run_is_still)
		key.size |= LTT_PERF_RUN_IS_STILL;
	return ltt_key_sort_add(import->keys, &key, error);
}

/* Appends a record to the current run, or begins a new run. @has_time: the record contains its
 * time */
static gboolean add_to_run(LttPerfImport *import, const LttKey *key, gboolean has_time,
			   GError **error)
{
	LttKey *run = &import->run;

	if (G_LIKELY(key->group == run->group && key->place == run->place + run->size &&
		     run->size != 0 && (guint64)run->size + key->size <= import->most_run_bytes &&
		     has_time != import->run_is_still &&
		     (has_time ? key->time >= import->run_ns : key->time == import->run_ns))) {
		run->size += key->size;
		import->run_ns = key->time;
		return TRUE;
	}
	if (!end_run(import, error))
		return FALSE;
	*run = *key;
	import->run_ns = key->time;
	import->run_is_still = !has_time;
	return TRUE;
}

/* Adds a record with counts. The time of counts is the time in the record that ends their round.
 * All counts of a round are one run, whose time is set at the end of the round. */
static gboolean note_count(LttPerfImport *import, const LttPerfPiece *piece, GError **error)
{
	const LttPerfRecord *record = &piece->record;
	LttPerfStamp stamp = {.has_cpu = FALSE};
	LttKey key = {.group = LTT_PERF_GROUP_SESSION, .place = piece->place, .size = record->size};

	stamp.has_time = ltt_perf_record_round(import->meta, record, &stamp.time);
	key.time = take_time(import, piece, &stamp);
	import->most_record_bytes = MAX(import->most_record_bytes, record->size);
	if (!import->run_is_counts && !end_run(import, error))
		return FALSE;
	if (import->run_is_counts && stamp.has_time)
		import->run.time = import->run_ns = key.time;
	if (!add_to_run(import, &key, FALSE, error))
		return FALSE;
	import->run_is_counts = record->type == LTT_PERF_STAT;
	return import->run_is_counts || end_run(import, error);
}

/* At the end of a round, perf prints the samples up to the end of the round before. A record without a time
 * names the threads and the code of all samples that are printed later, also of those before it:
 * `perf record --overwrite` synthesizes such records at the end. */
static guint64 take_order(LttPerfImport *import, const LttPerfPiece *piece,
			  const LttPerfStamp *stamp)
{
	const guint32 type = piece->record.type;
	const guint64 time_ns = take_time(import, piece, stamp);

	if (type == LTT_PERF_FINISHED_ROUND) {
		if (import->round_ns > 0)
			import->open_ns = MIN(import->round_ns + 1, LTT_MAX_WRITTEN_NS);
		import->round_ns = import->most_ns;
	}
	return !stamp->has_time && ltt_perf_record_need(type) == LTT_PERF_NEED_BEFORE
		       ? import->open_ns
		       : time_ns;
}

static gboolean note_record(LttPerfImport *import, const LttPerfPiece *piece, GError **error)
{
	const LttPerfRecord *record = &piece->record;
	LttPerfStamp stamp;
	LttKey key = {.place = piece->place, .size = record->size};

	if (G_UNLIKELY(record->type == LTT_PERF_STAT || record->type == LTT_PERF_STAT_ROUND))
		return note_count(import, piece, error);
	ltt_perf_record_stamp(import->meta, record, &stamp);
	key.time = take_order(import, piece, &stamp);
	key.group = take_group(import, record, &stamp);
	import->most_record_bytes = MAX(import->most_record_bytes, record->size);
	if (stamp.has_time && import->n_attrs == 0)
		import->n_attrs = ltt_perf_attrs_get_n(import->meta->attrs);
	if (!add_to_run(import, &key, stamp.has_time && stamp.time == key.time, error))
		return FALSE;
	if (G_UNLIKELY(record->type == LTT_PERF_CALLCHAIN_DEFERRED))
		ltt_perf_deferred_note(import, record, piece->place);
	if (record->type == LTT_PERF_LOST)
		import->n_lost_told += MIN(ltt_perf_record_lost(import->meta, record),
					   G_MAXUINT64 - import->n_lost_told);
	/* perf synthesizes a FORK without a time for each existing thread, followed by a COMM. */
	if (G_LIKELY(record->type != LTT_PERF_COMM &&
		     (record->type != LTT_PERF_FORK || !stamp.has_time)))
		return TRUE;
	key.group = LTT_PERF_GROUP_PROCESSES;
	return ltt_key_sort_add(import->keys, &key, error);
}

/* Extends the current run with a row of samples of the same group. */
static void pass_row(LttPerfImport *import, LttPerfScan *scan)
{
	const guint32 group = import->run.group;
	gsize most_record_bytes = import->most_record_bytes;
	guint64 time_ns = import->run_ns;
	guint64 n_bytes = import->run.size;
	LttPerfRow row;

	if (n_bytes == 0 || import->run_is_still)
		return;
	ltt_perf_scan_lend_row(scan, &row);
	while (ltt_perf_row_next(&row, time_ns, LTT_MAX_WRITTEN_NS + 1)) {
		const guint16 size = row.record.size;

		if (group_of(import, row.cpu, TRUE) != group ||
		    n_bytes + size > import->most_run_bytes)
			break;
		n_bytes += size;
		time_ns = row.time;
		most_record_bytes = MAX(most_record_bytes, size);
	}
	ltt_perf_scan_skip(scan, n_bytes - import->run.size);
	import->run.size = (guint32)n_bytes;
	import->run_ns = time_ns;
	import->most_ns = MAX(import->most_ns, time_ns);
	import->most_record_bytes = most_record_bytes;
}

static gboolean scan_all(LttPerfImport *import, GError **error)
{
	const guint64 size = ltt_window_get_size(import->flat);
	g_autoptr(GError) failed = NULL;
	guint64 look_at = PROGRESS_BYTES;
	LttPerfPiece piece;
	LttPerfScan scan;

	ltt_perf_scan_init(&scan, import->flat, import->meta, import->what.records, &import->tell);
	scan.damage = import->what.damage;
	while (ltt_perf_scan_next(&scan, &piece, &failed)) {
		if (piece.kind != LTT_PERF_PIECE_RECORD) {
			if (!note_bytes(import, &piece, error))
				return FALSE;
		} else if (ltt_perf_is_compressed(piece.record.type) &&
			   import->flat == import->source) {
			import->is_compressed = TRUE;
			return TRUE;
		} else if (!note_record(import, &piece, error)) {
			return FALSE;
		} else {
			pass_row(import, &scan);
		}
		/* The first pass is half of the work. */
		if (piece.place < look_at)
			continue;
		look_at = piece.place + PROGRESS_BYTES;
		if (!ltt_import_progress(import->job, piece.place / 2, size, error))
			return FALSE;
	}
	if (failed == NULL)
		return end_run(import, error);
	g_propagate_error(error, g_steal_pointer(&failed));
	return FALSE;
}

static guint count_own_files(const LttPerfImport *import)
{
	const guint64 by_size = ltt_window_get_size(import->flat) / LTT_PERF_BYTES_OF_CPU;
	const guint told = MIN(import->meta->n_cpus, LTT_PERF_CPUS_TOLD);

	return (guint)CLAMP(by_size, MAX(told, LTT_PERF_CPUS_ALWAYS), LTT_PERF_MOST_CPUS);
}

static gboolean scan_from_start(LttPerfImport *import, GError **error)
{
	g_autofree char *folder = g_path_get_dirname(import->job->trace_path);

	ltt_key_sort_free(import->keys);
	import->keys = ltt_key_sort_new(LTT_KEY_SORT_HELD, folder);
	import->has_times = FALSE;
	import->most_ns = 0;
	import->round_ns = 0;
	import->open_ns = 0;
	import->n_cpus = 0;
	import->n_own_files = count_own_files(import);
	import->n_attrs = 0;
	import->n_lost_told = 0;
	g_array_set_size(import->deferred, 0);
	import->run.size = 0;
	return scan_all(import, error);
}

static gboolean read_meta(LttPerfImport *import, GError **error)
{
	ltt_perf_meta_free(import->meta);
	import->meta = ltt_perf_meta_read(import->source, NULL, &import->tell, error);
	return import->meta != NULL;
}

/* Scans the recording. In pipe form, ATTR records define the layout of the other records. perf
 * writes them first. If there are ATTR records after records with times, the second pass can decode
 * a different time from a record than the first pass. The recording is then scanned again, with
 * each record as a separate run: the merge takes the time of the first record of a run from its
 * key. The second scan does not report errors again. */
static gboolean scan_as_told(LttPerfImport *import, GError **error)
{
	const LttPerfTell tell = import->tell;
	gboolean ok;

	import->most_run_bytes = LTT_PERF_MOST_RUN_BYTES;
	if (!scan_from_start(import, error))
		return FALSE;
	if (import->n_attrs == 0 || import->n_attrs == ltt_perf_attrs_get_n(import->meta->attrs))
		return TRUE;
	import->most_run_bytes = 0;
	import->tell.func = NULL;
	ok = read_meta(import, error) && scan_from_start(import, error);
	import->tell = tell;
	return ok;
}

static gboolean survey(LttPerfImport *import, GError **error)
{
	if (!read_meta(import, error))
		return FALSE;
	if (import->is_directory)
		return flatten(import, error) && scan_as_told(import, error);
	import->flat = import->source;
	import->what.records = (LttPerfSpan){import->meta->data.offset, import->meta->data_end};
	if (!scan_as_told(import, error))
		return FALSE;
	if (!import->is_compressed)
		return TRUE;
	/* In pipe form, reset the metadata, because the second scan collects it again. */
	return (!import->meta->is_pipe || read_meta(import, error)) && flatten(import, error) &&
	       scan_as_told(import, error);
}

gboolean ltt_perf_import_survey(LttPerfImport *import, GError **error)
{
	return open_source(import, error) && survey(import, error) &&
	       ltt_key_sort_end(import->keys, error) &&
	       ltt_perf_meta_end(import->meta,
				 import->meta->is_pipe ? import->flat : import->source,
				 &import->tell, error);
}
