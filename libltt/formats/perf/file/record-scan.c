/* record-scan.c - read records, and split a recording into pieces (record-scan-priv.h). */
#include "formats/perf/file/row-priv.h"

/* Maximum type of a record of the kernel, of perf or of Android's simpleperf. Bytes with a greater
 * type are not a record, for example a message of perf after a recording in a pipe. */
#define MOST_TYPE 65535

/* Minimum type of a record of simpleperf. The size of such a record has 32 bits. The upper 16 bits
 * are in place of misc; they count as a payload that follows the record. */
#define FIRST_OF_SIMPLEPERF 32768

gboolean ltt_perf_record_read(LttWindow *window, LttByteOrder order, guint64 place, guint64 end,
			      LttPerfRecord *record, guint64 *payload_bytes, const char **why,
			      GError **error)
{
	const guint8 *bytes;

	*payload_bytes = 0;
	if (end - place < LTT_PERF_RECORD_HEADER_BYTES) {
		*why = "the records end within the header of a record, which has 8 bytes";
		return FALSE;
	}
	bytes = ltt_window_get(window, place, LTT_PERF_RECORD_HEADER_BYTES, error);
	if (bytes == NULL)
		return FALSE;
	record->type = ltt_load_u32(bytes, order);
	record->misc = ltt_load_u16(bytes + 4, order);
	record->size = ltt_load_u16(bytes + 6, order);
	if (record->type > MOST_TYPE) {
		*why = "not a record: its type is above 65535";
		return FALSE;
	}
	if (record->size < LTT_PERF_RECORD_HEADER_BYTES) {
		*why = "a record with a size below the 8 bytes of its header";
		return FALSE;
	}
	if (record->size > end - place) {
		*why = "the records end within a record";
		return FALSE;
	}
	bytes = ltt_window_get(window, place, record->size, error);
	if (bytes == NULL)
		return FALSE;
	record->bytes = bytes;
	record->attr = NULL;
	if (record->type == LTT_PERF_TRACING_DATA && !ltt_perf_record_has_tracing(record, order) &&
	    record->size >= LTT_PERF_TRACING_AT)
		*payload_bytes = ltt_load_u32(bytes + LTT_PERF_RECORD_HEADER_BYTES, order);
	if (record->type == LTT_PERF_AUXTRACE &&
	    record->size >= LTT_PERF_RECORD_HEADER_BYTES + sizeof(guint64))
		*payload_bytes = ltt_load_u64(bytes + LTT_PERF_RECORD_HEADER_BYTES, order);
	if (record->type >= FIRST_OF_SIMPLEPERF)
		*payload_bytes = (guint64)record->misc << 16;
	return TRUE;
}

void ltt_perf_scan_init(LttPerfScan *scan, LttWindow *window, LttPerfMeta *meta,
			LttPerfSpan records, const LttPerfTell *tell)
{
	*scan = (LttPerfScan){.window = window, .meta = meta, .records = records, .tell = tell};
}

static gboolean give(LttPerfScan *scan, LttPerfPiece *piece, LttPerfPieceKind kind, guint64 end)
{
	*piece = (LttPerfPiece){.kind = kind, .place = scan->at, .size = end - scan->at};
	scan->at = end;
	return TRUE;
}

/* Returns: the end of the records, or the begin of the next damage */
static guint64 find_end(const LttPerfScan *scan)
{
	return scan->damage != NULL && scan->n_damage < scan->damage->len
		       ? g_array_index(scan->damage, LttPerfSpan, scan->n_damage).begin
		       : scan->records.end;
}

static gboolean next_record(LttPerfScan *scan, LttPerfPiece *piece, GError **error)
{
	const guint64 end = find_end(scan);
	LttPerfRecord record;
	guint64 payload_bytes;
	const char *why = NULL;

	if (!ltt_perf_record_read(scan->window, scan->meta->order, scan->at, end, &record,
				  &payload_bytes, &why, error)) {
		if (why == NULL)
			return FALSE;
		ltt_perf_tell(scan->tell, scan->at,
			      "%s; the %" G_GUINT64_FORMAT " bytes from here are kept unchanged",
			      why, end - scan->at);
		return give(scan, piece, LTT_PERF_PIECE_DAMAGE, end);
	}
	if (ltt_perf_is_meta(record.type) &&
	    !ltt_perf_meta_add(scan->meta, scan->window, scan->at, &record, scan->tell, error))
		return FALSE;
	ltt_perf_record_find_attr(scan->meta, &record);
	scan->payload_end = scan->at + record.size;
	if (payload_bytes > end - scan->payload_end) {
		ltt_perf_tell(scan->tell, scan->payload_end,
			      "%" G_GUINT64_FORMAT " bytes should follow the record, but only "
			      "%" G_GUINT64_FORMAT " are left",
			      payload_bytes, end - scan->payload_end);
		payload_bytes = end - scan->payload_end;
	}
	scan->payload_end += payload_bytes;
	give(scan, piece,
	     ltt_perf_is_meta(record.type) ? LTT_PERF_PIECE_META : LTT_PERF_PIECE_RECORD,
	     scan->at + record.size);
	piece->record = record;
	return TRUE;
}

gboolean ltt_perf_scan_next(LttPerfScan *scan, LttPerfPiece *piece, GError **error)
{
	const guint64 size = ltt_window_get_size(scan->window);

	if (scan->at < scan->records.begin)
		return give(scan, piece, LTT_PERF_PIECE_HEAD, scan->records.begin);
	if (scan->at < scan->payload_end)
		return give(scan, piece, LTT_PERF_PIECE_PAYLOAD, scan->payload_end);
	if (scan->at < find_end(scan))
		return next_record(scan, piece, error);
	if (scan->at < scan->records.end)
		return give(scan, piece, LTT_PERF_PIECE_DAMAGE,
			    g_array_index(scan->damage, LttPerfSpan, scan->n_damage++).end);
	if (scan->at < size)
		return give(scan, piece, LTT_PERF_PIECE_TAIL, size);
	return FALSE;
}

void ltt_perf_row_lend(LttPerfRow *row, const LttPerfMeta *meta, const LttWindow *window,
		       guint64 place, guint64 end)
{
	gsize length = 0;
	const guint8 *bytes = ltt_window_get_lent(window, place, &length);

	row->attrs = meta->attrs;
	row->order = meta->order;
	row->at = bytes != NULL ? bytes : (const guint8 *)"";
	row->end = row->at + MIN(length, end - place);
}

void ltt_perf_scan_lend_row(const LttPerfScan *scan, LttPerfRow *row)
{
	/* The payload of the previous record does not contain records. */
	ltt_perf_row_lend(row, scan->meta, scan->window, scan->at,
			  scan->at < scan->payload_end ? scan->at : MAX(scan->at, find_end(scan)));
}

void ltt_perf_scan_skip(LttPerfScan *scan, guint64 n_bytes)
{
	scan->at += n_bytes;
}

/* ---- time and CPU of a record ---- */

static const guint8 *body_of(const LttPerfRecord *record)
{
	return record->bytes + LTT_PERF_RECORD_HEADER_BYTES;
}

static gsize length_of(const LttPerfRecord *record)
{
	return record->size - (gsize)LTT_PERF_RECORD_HEADER_BYTES;
}

void ltt_perf_record_find_attr(const LttPerfMeta *meta, LttPerfRecord *record)
{
	if (record->type == LTT_PERF_SAMPLE)
		record->attr =
			ltt_perf_attrs_of_sample(meta->attrs, body_of(record), length_of(record));
	else if (record->type < LTT_PERF_FIRST_OF_TOOL)
		record->attr =
			ltt_perf_attrs_of_other(meta->attrs, body_of(record), length_of(record));
	else
		record->attr = NULL;
}

/* Finds a word of a record: in a sample, at offset @sample_at after the header; in other records,
 * @id_at bytes before the end. Returns: (nullable): NULL if the record does not contain it */
static const guint8 *find_word(const LttPerfRecord *record, gint sample_at, guint id_at)
{
	const gsize length = length_of(record);

	if (record->type == LTT_PERF_SAMPLE)
		return sample_at >= 0 && (gsize)sample_at + sizeof(guint64) <= length
			       ? body_of(record) + sample_at
			       : NULL;
	return id_at > 0 && id_at <= length ? body_of(record) + length - id_at : NULL;
}

static gboolean take_time(const LttPerfMeta *meta, const LttPerfRecord *record, guint64 *time)
{
	const LttPerfAttr *attr = record->attr;
	const guint8 *word = find_word(record, attr->sample_time_at, attr->id_time_at);

	if (word == NULL)
		return FALSE;
	*time = ltt_load_u64(word, meta->order);
	return *time != 0 && *time != G_MAXUINT64;
}

void ltt_perf_record_stamp(const LttPerfMeta *meta, const LttPerfRecord *record,
			   LttPerfStamp *stamp)
{
	const LttPerfAttr *attr = record->attr;
	const guint8 *cpu;

	*stamp = (LttPerfStamp){.has_time = FALSE};
	if (attr == NULL)
		return;
	stamp->has_time = take_time(meta, record, &stamp->time);
	cpu = find_word(record, attr->sample_cpu_at, attr->id_cpu_at);
	stamp->has_cpu = cpu != NULL;
	if (cpu != NULL)
		stamp->cpu = ltt_load_u32(cpu, meta->order);
}

/* ---- thread of a record ---- */

static void load_thread(const LttPerfMeta *meta, const guint8 *pid, const guint8 *tid,
			LttPerfThread *thread)
{
	thread->pid = ltt_load_u32(pid, meta->order);
	thread->tid = ltt_load_u32(tid, meta->order);
}

/* Returns: the offset of the thread id in the body of records that describe a thread; 0 for other
 * records. The process id is at offset 0. */
static gsize place_of_tid(guint32 type)
{
	switch (type) {
	case LTT_PERF_MMAP:
	case LTT_PERF_COMM:
	case LTT_PERF_READ_RECORD:
	case LTT_PERF_MMAP2:
	case LTT_PERF_ITRACE_START:
	case LTT_PERF_NAMESPACES:
		return 4;
	case LTT_PERF_EXIT:
	case LTT_PERF_FORK:
		return 8;
	default:
		return 0;
	}
}

gboolean ltt_perf_record_thread(const LttPerfMeta *meta, const LttPerfRecord *record,
				LttPerfThread *thread)
{
	const LttPerfAttr *attr = record->attr;
	const guint8 *word =
		attr != NULL ? find_word(record, attr->sample_tid_at, attr->id_tid_at) : NULL;
	gsize tid_at;
	guint64 time;

	if (word != NULL) {
		load_thread(meta, word, word + 4, thread);
		/* In synthesized records, all of the sample_id is 0. In records of thread 0, its
		 * time is not. */
		if (record->type == LTT_PERF_SAMPLE || thread->pid != 0 || thread->tid != 0 ||
		    take_time(meta, record, &time))
			return TRUE;
	}
	tid_at = place_of_tid(record->type);
	if (tid_at == 0 || tid_at + 4 > length_of(record))
		return FALSE;
	load_thread(meta, body_of(record), body_of(record) + tid_at, thread);
	/* Mappings of the kernel do not belong to a process. */
	return thread->pid != G_MAXUINT32;
}

/* ---- lost events ---- */

gboolean ltt_perf_record_round(const LttPerfMeta *meta, const LttPerfRecord *record, guint64 *time)
{
	if (record->type != LTT_PERF_STAT_ROUND || length_of(record) < 2 * sizeof(guint64))
		return FALSE;
	*time = ltt_load_u64(body_of(record) + sizeof(guint64), meta->order);
	return *time != 0;
}

guint64 ltt_perf_record_lost(const LttPerfMeta *meta, const LttPerfRecord *record)
{
	const gsize length = length_of(record);

	if (record->type == LTT_PERF_LOST && length >= 2 * sizeof(guint64))
		return ltt_load_u64(body_of(record) + sizeof(guint64), meta->order);
	/* Events that a BPF program filtered out are not lost. */
	if (record->type == LTT_PERF_LOST_SAMPLES && length >= sizeof(guint64) &&
	    (record->misc & LTT_PERF_MISC_LOST_SAMPLES_BPF) == 0)
		return ltt_load_u64(body_of(record), meta->order);
	return 0;
}
