/* flatten-priv.h - a recording as one plain row of records, whatever it came as.
 *
 * Compressed records become what is in them; the streams of a directory follow the records of its
 * file. What is around the records stays: so the result is a file of the same form with more, or
 * other, records.
 */
#ifndef LTT_FORMATS_PERF_FILE_FLATTEN_PRIV_H
#define LTT_FORMATS_PERF_FILE_FLATTEN_PRIV_H

#ifndef LTT_BUILDING
#error "formats/perf/file/flatten-priv.h is private to libltt"
#endif

#include "base/scratch-priv.h"
#include "formats/perf/file/record-scan-priv.h"

/* What was done. */
typedef struct LttPerfFlat {
	LttPerfSpan records;      /* in the result */
	guint64 n_compressed;     /* records that were taken apart */
	guint64 compressed_bytes; /* in them */
	guint64 n_streams;        /* of a directory */
	GArray *damage; /* of LttPerfSpan in the result: no records, at the end of each stream that
			   was damaged; for the caller to free, whatever the outcome */
} LttPerfFlat;

/* What compressed records may become: what a few bytes of zstd can say fills any disk. */
typedef struct LttPerfFlatLimits {
	guint64 free_bytes; /* any recording may come to so many */
	guint64 max_ratio;  /* beyond, bytes for each compressed one */
} LttPerfFlatLimits;

#define LTT_PERF_FLAT_FREE_BYTES ((guint64)64 << 20)
#define LTT_PERF_FLAT_MAX_RATIO  ((guint64)1000)

/* Whether a record has others in it, compressed. */
gboolean ltt_perf_is_compressed(guint32 type);

/**
 * ltt_perf_flatten:
 * @window: the file, with its records at @records
 * @directory: (nullable): where its further streams are, data.0, data.1 ...
 * @limits: (nullable): NULL for those above
 * @out: what to fill
 *
 * What cannot be read is told of; the rest of its stream is left out then, and that said.
 *
 * Returns: FALSE with LTT_ERROR_IO or LTT_ERROR_LIMIT
 */
gboolean ltt_perf_flatten(LttWindow *window, LttByteOrder order, LttPerfSpan records,
			  const char *directory, const LttPerfFlatLimits *limits, LttScratch *out,
			  LttPerfFlat *flat, const LttPerfTell *tell, GError **error);

#endif
