/* flatten-priv.h - convert a recording to one sequence of uncompressed records.
 *
 * The conversion replaces compressed records with the records that they contain, and appends the
 * streams of a directory to the records of its file `data`. The bytes before and after the records
 * are unchanged. The result has the same form as the file, but other records.
 */
#ifndef LTT_FORMATS_PERF_FILE_FLATTEN_PRIV_H
#define LTT_FORMATS_PERF_FILE_FLATTEN_PRIV_H

#ifndef LTT_BUILDING
#error "formats/perf/file/flatten-priv.h is private to libltt"
#endif

#include "base/scratch-priv.h"
#include "formats/perf/file/record-scan-priv.h"

/* Statistics of a conversion. */
typedef struct LttPerfFlat {
	LttPerfSpan records;      /* position of the records in the result */
	guint64 n_compressed;     /* number of compressed records */
	guint64 compressed_bytes; /* size of their payloads */
	guint64 n_streams;        /* number of streams of a directory */
	GArray *damage; /* of LttPerfSpan: bytes of the result, at the end of damaged streams, that
			   are not records; the caller frees it, even on failure */
} LttPerfFlat;

/* Limits of decompression: a few bytes of zstd data can expand to more than the size of a disk. */
typedef struct LttPerfFlatLimits {
	guint64 free_bytes; /* decompressed size that is always allowed */
	guint64 max_ratio;  /* maximum ratio of decompressed to compressed size beyond it */
} LttPerfFlatLimits;

#define LTT_PERF_FLAT_FREE_BYTES ((guint64)64 << 20)
#define LTT_PERF_FLAT_MAX_RATIO  ((guint64)1000)

/**
 * ltt_perf_flatten:
 * @window: the file
 * @records: position of its records
 * @directory: (nullable): directory with further streams, data.0, data.1 ...
 * @limits: (nullable): NULL for the limits above
 * @out: receives the result
 *
 * If compressed data cannot be decompressed, reports it and omits the rest of the compressed
 * records of the stream.
 *
 * Returns: FALSE with LTT_ERROR_IO or LTT_ERROR_LIMIT
 */
gboolean ltt_perf_flatten(LttWindow *window, LttByteOrder order, LttPerfSpan records,
			  const char *directory, const LttPerfFlatLimits *limits, LttScratch *out,
			  LttPerfFlat *flat, const LttPerfTell *tell, GError **error);

#endif
