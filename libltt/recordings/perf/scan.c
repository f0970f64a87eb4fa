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

/* Where a word is that both samples and other records have. Returns: (nullable): NULL: nowhere */
static const guint8 *find_word(const LttPerfMeta *meta, const LttPerfRecord *record,
			       gsize in_sample, gsize in_id)
{
	const guint8 *body = record->bytes + LTT_PERF_RECORD_HEADER_BYTES;
	const gsize length = record->size - LTT_PERF_RECORD_HEADER_BYTES;
	const LttPerfAttr *attr;
	gint index;

	if (record->type >= LTT_PERF_FIRST_OF_TOOL)
		return NULL;
	index = record->type == LTT_PERF_SAMPLE
			? ltt_perf_attrs_of_sample(meta->attrs, body, length)
			: ltt_perf_attrs_of_other(meta->attrs, body, length);
	if (index < 0)
		return NULL;
	attr = ltt_perf_attrs_get(meta->attrs, (guint)index);
	if (record->type == LTT_PERF_SAMPLE) {
		const gint at = G_STRUCT_MEMBER(gint, attr, in_sample);

		return at >= 0 && (gsize)at + sizeof(guint64) <= length ? body + at : NULL;
	}
	{
		const guint at = G_STRUCT_MEMBER(guint, attr, in_id);

		return at > 0 && at <= length ? body + length - at : NULL;
	}
}

gboolean ltt_perf_record_time(const LttPerfMeta *meta, const LttPerfRecord *record, guint64 *time)
{
	const guint8 *word = find_word(meta, record, G_STRUCT_OFFSET(LttPerfAttr, sample_time_at),
				       G_STRUCT_OFFSET(LttPerfAttr, id_time_at));

	if (word == NULL)
		return FALSE;
	*time = ltt_load_u64(word, meta->order);
	return *time != 0 && *time != G_MAXUINT64;
}

gboolean ltt_perf_record_cpu(const LttPerfMeta *meta, const LttPerfRecord *record, guint32 *cpu)
{
	const guint8 *word = find_word(meta, record, G_STRUCT_OFFSET(LttPerfAttr, sample_cpu_at),
				       G_STRUCT_OFFSET(LttPerfAttr, id_cpu_at));

	if (word == NULL)
		return FALSE;
	*cpu = ltt_load_u32(word, meta->order);
	return TRUE;
}
