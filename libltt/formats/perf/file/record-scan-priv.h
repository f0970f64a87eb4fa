/* record-scan-priv.h - split a recording into pieces, which are records or other bytes.
 *
 * Each byte of the file is in exactly one piece. The scan returns the pieces in the order of the
 * file. It adds metadata in records to the LttPerfMeta.
 */
#ifndef LTT_FORMATS_PERF_FILE_RECORD_SCAN_PRIV_H
#define LTT_FORMATS_PERF_FILE_RECORD_SCAN_PRIV_H

#ifndef LTT_BUILDING
#error "formats/perf/file/record-scan-priv.h is private to libltt"
#endif

#include "formats/perf/file/meta-priv.h"

/* Kind of a piece. Traces contain these numbers (eventdefs/perf_file.xml). */
typedef enum LttPerfPieceKind {
	LTT_PERF_PIECE_HEAD,    /* bytes before the records: header, ids, attrs, gaps */
	LTT_PERF_PIECE_META,    /* record with metadata that file form has in sections */
	LTT_PERF_PIECE_PAYLOAD, /* payload of a record, which its size does not include */
	LTT_PERF_PIECE_DAMAGE,  /* bytes among the records that are not records */
	LTT_PERF_PIECE_TAIL,    /* bytes after the records: features, gaps */
	LTT_PERF_PIECE_RECORD,  /* any other record */
} LttPerfPieceKind;

typedef struct LttPerfPiece {
	LttPerfPieceKind kind;
	guint64 place;
	guint64 size;
	LttPerfRecord record; /* of RECORD and META; valid until the next call */
} LttPerfPiece;

/* A range of bytes in a file. */
typedef struct LttPerfSpan {
	guint64 begin;
	guint64 end;
} LttPerfSpan;

typedef struct LttPerfScan {
	LttWindow *window;
	LttPerfMeta *meta;
	const LttPerfTell *tell;
	LttPerfSpan records;
	const GArray *damage; /* of LttPerfSpan, sorted: bytes that are known not to be records and
				 have been reported; NULL: none */
	guint n_damage;       /* number of spans before the current position */
	guint64 at;
	guint64 payload_end; /* end of the payload of the previous record; <= at: no payload */
} LttPerfScan;

/* @records: position of the records in @window. The caller may set scan->damage afterwards */
void ltt_perf_scan_init(LttPerfScan *scan, LttWindow *window, LttPerfMeta *meta,
			LttPerfSpan records, const LttPerfTell *tell);

/* Gets the next piece. Returns: FALSE at the end, without error, or FALSE with LTT_ERROR_IO */
gboolean ltt_perf_scan_next(LttPerfScan *scan, LttPerfPiece *piece, GError **error);

/**
 * ltt_perf_record_read:
 * @place: file offset of the record
 * @end: end of the records
 * @payload_bytes: (out): number of bytes that follow the record and belong to it
 * @why: (out): set to a static text that describes the damage if there is no record
 *
 * Returns: FALSE with LTT_ERROR_IO, or FALSE without error if there is no record
 */
gboolean ltt_perf_record_read(LttWindow *window, LttByteOrder order, guint64 place, guint64 end,
			      LttPerfRecord *record, guint64 *payload_bytes, const char **why,
			      GError **error);

/* Sets the attr of a record. A scan does so for its records. The functions below need it. */
void ltt_perf_record_find_attr(const LttPerfMeta *meta, LttPerfRecord *record);

/* Time and CPU of a record. */
typedef struct LttPerfStamp {
	guint64 time; /* in nanoseconds of the clock of the recording */
	guint32 cpu;
	gboolean has_time; /* times of 0 and -1 do not count */
	gboolean has_cpu;
} LttPerfStamp;

void ltt_perf_record_stamp(const LttPerfMeta *meta, const LttPerfRecord *record,
			   LttPerfStamp *stamp);

typedef struct LttPerfThread {
	guint32 pid; /* G_MAXUINT32: the thread had exited before the kernel made the record */
	guint32 tid;
} LttPerfThread;

/* Gets the thread of a record: the thread that was running when the kernel made the record. For
 * records that perf synthesizes, it is the thread that the record describes. Returns: FALSE if the
 * record does not contain a thread */
gboolean ltt_perf_record_thread(const LttPerfMeta *meta, const LttPerfRecord *record,
				LttPerfThread *thread);

/* Gets the time of a STAT_ROUND record. Returns: FALSE for other records, or if there is no time */
gboolean ltt_perf_record_round(const LttPerfMeta *meta, const LttPerfRecord *record, guint64 *time);

/* Returns: the number of lost records or samples that the record reports; 0 for other types */
guint64 ltt_perf_record_lost(const LttPerfMeta *meta, const LttPerfRecord *record);

#endif
