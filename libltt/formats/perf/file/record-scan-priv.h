/* record-scan-priv.h - splits a recording into pieces: records and other bytes.
 *
 * Every byte of the file is in exactly one piece, and the pieces come in the order of the file.
 * What a record of pipe form says of the recording goes to the meta on the way.
 */
#ifndef LTT_FORMATS_PERF_FILE_RECORD_SCAN_PRIV_H
#define LTT_FORMATS_PERF_FILE_RECORD_SCAN_PRIV_H

#ifndef LTT_BUILDING
#error "formats/perf/file/record-scan-priv.h is private to libltt"
#endif

#include "formats/perf/file/meta-priv.h"

/* Type of a piece. The numbers are in traces (eventdefs/perf_file.xml). */
typedef enum LttPerfPieceKind {
	LTT_PERF_PIECE_HEAD,    /* in front of the records: header, ids, attrs, gaps */
	LTT_PERF_PIECE_META,    /* a record with metadata that file form has in the header */
	LTT_PERF_PIECE_PAYLOAD, /* bytes after a record that its size does not include */
	LTT_PERF_PIECE_DAMAGE,  /* no records, where there should be some */
	LTT_PERF_PIECE_TAIL,    /* behind the records: features, gaps */
	LTT_PERF_PIECE_RECORD,  /* a record */
} LttPerfPieceKind;

typedef struct LttPerfPiece {
	LttPerfPieceKind kind;
	guint64 place;
	guint64 size;
	LttPerfRecord record; /* of RECORD and META; lent until the next step */
} LttPerfPiece;

/* Where records stand in a file of pieces. */
typedef struct LttPerfSpan {
	guint64 begin;
	guint64 end;
} LttPerfSpan;

typedef struct LttPerfScan {
	LttWindow *window;
	LttPerfMeta *meta;
	const LttPerfTell *tell;
	LttPerfSpan records;
	const GArray *damage; /* of LttPerfSpan, in order: what is known to be no records, and was
				 told of; NULL: nothing */
	guint n_damage;       /* of these are behind */
	guint64 at;
	guint64 payload_end; /* of the record before; at or below .at: there is none */
} LttPerfScan;

/* @records: of the file in @window. scan->damage may be set afterwards */
void ltt_perf_scan_init(LttPerfScan *scan, LttWindow *window, LttPerfMeta *meta,
			LttPerfSpan records, const LttPerfTell *tell);

/* The next piece. Returns: FALSE at the end, or, with @error set, with LTT_ERROR_IO */
gboolean ltt_perf_scan_next(LttPerfScan *scan, LttPerfPiece *piece, GError **error);

/**
 * ltt_perf_record_read:
 * @end: of the records
 * @payload_bytes: (out): that follow it
 *
 * Returns: whether there is a record; else, without @error, @why says what is wrong, in static
 *   words
 */
gboolean ltt_perf_record_read(LttWindow *window, LttByteOrder order, guint64 place, guint64 end,
			      LttPerfRecord *record, guint64 *payload_bytes, const char **why,
			      GError **error);

/* Has the attr of a record noted in it. What follows asks for that first; of a scan's records it is
 * done. */
void ltt_perf_record_find_attr(const LttPerfMeta *meta, LttPerfRecord *record);

/* When and where a record was made, as far as it tells. */
typedef struct LttPerfStamp {
	guint64 time; /* of the perf clock, in ns */
	guint32 cpu;
	gboolean has_time; /* one other than 0 and -1, which mean none */
	gboolean has_cpu;
} LttPerfStamp;

void ltt_perf_record_stamp(const LttPerfMeta *meta, const LttPerfRecord *record,
			   LttPerfStamp *stamp);

typedef struct LttPerfThread {
	guint32 pid; /* -1, of 32 bits: the thread was gone when the kernel looked */
	guint32 tid;
} LttPerfThread;

/* Whose a record is: of the thread that ran as the kernel made it, or, where perf has made it up,
 * of the one that it tells of. Returns: FALSE if the record does not say */
gboolean ltt_perf_record_thread(const LttPerfMeta *meta, const LttPerfRecord *record,
				LttPerfThread *thread);

/* Returns: whether the record ends a round of counts and says when */
gboolean ltt_perf_record_round(const LttPerfMeta *meta, const LttPerfRecord *record, guint64 *time);

/* Returns: how many records or samples the record says were lost; 0: it is of no such type */
guint64 ltt_perf_record_lost(const LttPerfMeta *meta, const LttPerfRecord *record);

#endif
