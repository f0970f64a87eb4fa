/* row-priv.h - fast path for consecutive samples.
 *
 * Most records of a recording are samples that contain time and thread at fixed offsets. A row
 * iterates over such samples in bytes that are already in memory. It stops at the end of these
 * bytes, at a record of another type, at a sample that is too short, and at a sample without a
 * time. The caller then reads the next record with ltt_perf_record_read(), which handles all
 * records.
 */
#ifndef LTT_FORMATS_PERF_FILE_ROW_PRIV_H
#define LTT_FORMATS_PERF_FILE_ROW_PRIV_H

#ifndef LTT_BUILDING
#error "formats/perf/file/row-priv.h is private to libltt"
#endif

#include "base/bytes-priv.h"
#include "formats/perf/file/record-scan-priv.h"

#define LTT_PERF_NO_CPU G_MAXUINT32

typedef struct LttPerfRow {
	LttPerfAttrs *attrs;
	LttByteOrder order;
	const guint8 *at; /* end of the current sample */
	const guint8 *end;

	/* The current sample, its time, its CPU and its thread. */
	LttPerfRecord record;
	guint64 time;
	guint32 cpu; /* LTT_PERF_NO_CPU: the sample does not contain it */
	LttPerfThread thread;
} LttPerfRow;

/* Initializes the row with the records from @place to @end, as far as the window has them in
 * memory. */
void ltt_perf_row_lend(LttPerfRow *row, const LttPerfMeta *meta, const LttWindow *window,
		       guint64 place, guint64 end);

/* Advances to the next sample. Returns: FALSE, without advancing, if the next record is not a
 * sample that a row handles, or if its time is not in [@begin_ns, @end_ns) */
static inline gboolean ltt_perf_row_next(LttPerfRow *row, guint64 begin_ns, guint64 end_ns)
{
	const LttByteOrder order = row->order;
	const gsize left = (gsize)(row->end - row->at);
	const LttPerfAttr *attr;
	const guint8 *body;
	guint64 time;
	gsize size;

	if (left < LTT_PERF_RECORD_HEADER_BYTES || ltt_load_u32(row->at, order) != LTT_PERF_SAMPLE)
		return FALSE;
	size = ltt_load_u16(row->at + 6, order);
	if (size < LTT_PERF_RECORD_HEADER_BYTES || size > left)
		return FALSE;
	body = row->at + LTT_PERF_RECORD_HEADER_BYTES;
	attr = ltt_perf_attrs_of_sample(row->attrs, body, size - LTT_PERF_RECORD_HEADER_BYTES);
	if (attr == NULL || attr->sample_stamp_bytes == 0 ||
	    size - LTT_PERF_RECORD_HEADER_BYTES < attr->sample_stamp_bytes)
		return FALSE;
	time = ltt_load_u64(body + attr->sample_time_at, order);
	if (time == 0 || time < begin_ns || time >= end_ns)
		return FALSE;
	row->time = time;
	row->thread.pid = ltt_load_u32(body + attr->sample_tid_at, order);
	row->thread.tid = ltt_load_u32(body + attr->sample_tid_at + 4, order);
	row->cpu = attr->sample_cpu_at >= 0 ? ltt_load_u32(body + attr->sample_cpu_at, order)
					    : LTT_PERF_NO_CPU;
	row->record.type = LTT_PERF_SAMPLE;
	row->record.misc = ltt_load_u16(row->at + 4, order);
	row->record.size = (guint16)size;
	row->record.bytes = row->at;
	row->record.attr = attr;
	row->at += size;
	return TRUE;
}

/* Initializes the row with the next records of a scan. */
void ltt_perf_scan_lend_row(const LttPerfScan *scan, LttPerfRow *row);

/* Advances the scan past the samples of a row, which have @n_bytes. */
void ltt_perf_scan_skip(LttPerfScan *scan, guint64 n_bytes);

#endif
