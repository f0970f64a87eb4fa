/* scan.c - see scan-priv.h. */
#include "recordings/perf/scan-priv.h"

#include "base/bytes-priv.h"

/* Records of the kernel, of perf and of Android's simpleperf have types below; beyond are bytes
 * that are no record, such as what perf itself says to a terminal behind a recording in a pipe. */
#define MOST_TYPE 65535

gboolean ltt_perf_record_read(LttWindow *window, LttByteOrder order, guint64 place, guint64 end,
			      LttPerfRecord *record, guint64 *payload_bytes, const char **why,
			      GError **error)
{
	const guint8 *bytes;

	*payload_bytes = 0;
	if (end - place < LTT_PERF_RECORD_HEADER_BYTES) {
		*why = "the records end inside the header of one, of 8 bytes";
		return FALSE;
	}
	bytes = ltt_window_get(window, place, LTT_PERF_RECORD_HEADER_BYTES, error);
	if (bytes == NULL)
		return FALSE;
	record->type = ltt_load_u32(bytes, order);
	record->misc = ltt_load_u16(bytes + 4, order);
	record->size = ltt_load_u16(bytes + 6, order);
	if (record->type > MOST_TYPE) {
		*why = "no record: its type is above 65535";
		return FALSE;
	}
	if (record->size < LTT_PERF_RECORD_HEADER_BYTES) {
		*why = "a record whose size is below the 8 bytes of its header";
		return FALSE;
	}
	if (record->size > end - place) {
		*why = "the records end inside of one";
		return FALSE;
	}
	bytes = ltt_window_get(window, place, record->size, error);
	if (bytes == NULL)
		return FALSE;
	record->bytes = bytes;
	if (record->type == LTT_PERF_TRACING_DATA &&
	    record->size >= LTT_PERF_RECORD_HEADER_BYTES + sizeof(guint32))
		*payload_bytes = ltt_load_u32(bytes + LTT_PERF_RECORD_HEADER_BYTES, order);
	if (record->type == LTT_PERF_AUXTRACE &&
	    record->size >= LTT_PERF_RECORD_HEADER_BYTES + sizeof(guint64))
		*payload_bytes = ltt_load_u64(bytes + LTT_PERF_RECORD_HEADER_BYTES, order);
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

static gboolean next_record(LttPerfScan *scan, LttPerfPiece *piece, GError **error)
{
	const guint64 end = scan->records.end;
	LttPerfRecord record;
	guint64 payload_bytes;
	const char *why = NULL;

	if (!ltt_perf_record_read(scan->window, scan->meta->order, scan->at, end, &record,
				  &payload_bytes, &why, error)) {
		if (why == NULL)
			return FALSE;
		ltt_perf_tell(scan->tell, scan->at,
			      "%s; the %" G_GUINT64_FORMAT " bytes from here are kept as such", why,
			      end - scan->at);
		return give(scan, piece, LTT_PERF_PIECE_DAMAGE, end);
	}
	if (ltt_perf_is_meta(record.type) && scan->meta->is_pipe &&
	    !ltt_perf_meta_add(scan->meta, scan->window, scan->at, &record, scan->tell, error))
		return FALSE;
	scan->payload_end = scan->at + record.size;
	if (payload_bytes > end - scan->payload_end) {
		ltt_perf_tell(scan->tell, scan->payload_end,
			      "%" G_GUINT64_FORMAT " bytes should follow the record, but only "
			      "%" G_GUINT64_FORMAT " are there",
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
	if (scan->at < scan->records.end)
		return next_record(scan, piece, error);
	if (scan->at < size)
		return give(scan, piece, LTT_PERF_PIECE_TAIL, size);
	return FALSE;
}

/* ---- time and place of a record ---- */

void ltt_perf_record_stamp(const LttPerfMeta *meta, const LttPerfRecord *record,
			   LttPerfStamp *stamp)
{
	const guint8 *body = record->bytes + LTT_PERF_RECORD_HEADER_BYTES;
	const gsize length = record->size - LTT_PERF_RECORD_HEADER_BYTES;
	const gboolean is_sample = record->type == LTT_PERF_SAMPLE;
	const guint8 *time = NULL;
	const guint8 *cpu = NULL;
	const LttPerfAttr *attr;
	gint index;

	*stamp = (LttPerfStamp){.has_time = FALSE};
	if (record->type >= LTT_PERF_FIRST_OF_TOOL)
		return;
	index = is_sample ? ltt_perf_attrs_of_sample(meta->attrs, body, length)
			  : ltt_perf_attrs_of_other(meta->attrs, body, length);
	if (index < 0)
		return;
	attr = ltt_perf_attrs_get(meta->attrs, (guint)index);
	if (is_sample) {
		if (attr->sample_time_at >= 0 &&
		    (gsize)attr->sample_time_at + sizeof(guint64) <= length)
			time = body + attr->sample_time_at;
		if (attr->sample_cpu_at >= 0 &&
		    (gsize)attr->sample_cpu_at + sizeof(guint64) <= length)
			cpu = body + attr->sample_cpu_at;
	} else {
		if (attr->id_time_at > 0 && attr->id_time_at <= length)
			time = body + length - attr->id_time_at;
		if (attr->id_cpu_at > 0 && attr->id_cpu_at <= length)
			cpu = body + length - attr->id_cpu_at;
	}
	if (time != NULL)
		stamp->time = ltt_load_u64(time, meta->order);
	if (cpu != NULL)
		stamp->cpu = ltt_load_u32(cpu, meta->order);
	stamp->has_time = time != NULL && stamp->time != 0 && stamp->time != G_MAXUINT64;
	stamp->has_cpu = cpu != NULL;
}
