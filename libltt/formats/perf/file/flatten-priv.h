/* flatten-priv.h - converts a recording to one uncompressed sequence of records.
 *
 * It replaces compressed records with the records inside them, and appends the streams of a
 * directory to the records of its file. The bytes around the records stay unchanged. The result
 * is a file of the same form with more, or other, records.
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
	LttPerfSpan records;      /* in the result */
	guint64 n_compressed;     /* decompressed records */
	guint64 compressed_bytes; /* in them */
	guint64 n_streams;        /* of a directory */
	GArray *damage; /* of LttPerfSpan in the result: no records, at the end of each stream that
			   was damaged; for the caller to free, whatever the outcome */
} LttPerfFlat;

/* Limits of decompression: a few bytes of zstd can expand to more than any disk holds. */
typedef struct LttPerfFlatLimits {
	guint64 free_bytes; /* size allowed for any recording */
	guint64 max_ratio;  /* beyond, bytes for each compressed one */
} LttPerfFlatLimits;

#define LTT_PERF_FLAT_FREE_BYTES ((guint64)64 << 20)
#define LTT_PERF_FLAT_MAX_RATIO  ((guint64)1000)

/**
 * ltt_perf_flatten:
 * @window: the file, with its records at @records
 * @directory: (nullable): where its further streams are, data.0, data.1 ...
 * @limits: (nullable): NULL for those above
 * @out: receives the records
 *
 * Reports unreadable data, omits the rest of its stream, and reports the omission.
 *
 * Returns: FALSE with LTT_ERROR_IO or LTT_ERROR_LIMIT
 */
gboolean ltt_perf_flatten(LttWindow *window, LttByteOrder order, LttPerfSpan records,
			  const char *directory, const LttPerfFlatLimits *limits, LttScratch *out,
			  LttPerfFlat *flat, const LttPerfTell *tell, GError **error);

#endif
