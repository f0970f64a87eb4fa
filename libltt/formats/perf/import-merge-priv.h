/* import-merge-priv.h - the records of a perf recording in order of group and time.
 *
 * The first pass notes runs. A run is a sequence of adjacent records of one group whose times do
 * not decrease. perf writes the contents of a CPU's ring buffer at once, so runs are usually long
 * and few. The merge reads each record when it is the next one.
 */
#ifndef LTT_FORMATS_PERF_IMPORT_MERGE_PRIV_H
#define LTT_FORMATS_PERF_IMPORT_MERGE_PRIV_H

#ifndef LTT_BUILDING
#error "formats/perf/import-merge-priv.h is private to libltt"
#endif

#include "base/key-sort-priv.h"
#include "formats/perf/file/record-scan-priv.h"

/* In the size of a key, the bytes of a run: all of its records have the time of the key, whatever
 * they say. */
#define LTT_PERF_RUN_IS_STILL ((guint32)1 << 31)

/* Maximum size of a run in bytes. */
#define LTT_PERF_MOST_RUN_BYTES ((guint32)1 << 30)

/* Runs that may be read at a time. Where more overlap, which no recording of perf does, their
 * records are sorted one by one. */
#define LTT_PERF_MOST_OPEN_RUNS 16384

typedef struct LttPerfMerge LttPerfMerge;

/* The next record. */
typedef struct LttPerfItem {
	LttKey key; /* of the record alone */
	/* Valid until the next step. */
	const LttPerfRecord *record;
	const LttPerfThread *thread; /* NULL: none */
} LttPerfItem;

/**
 * ltt_perf_merge_new:
 * @runs: as many as there are, ended
 * @first_group: keys of lower groups are not runs, and are returned unchanged
 * @directory: for a scratch file
 *
 * Returns: (transfer full): what borrows all of its arguments
 */
LttPerfMerge *ltt_perf_merge_new(LttKeySort *runs, guint32 first_group, LttWindow *window,
				 const LttPerfMeta *meta, const char *directory);
void ltt_perf_merge_free(LttPerfMerge *merge); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttPerfMerge, ltt_perf_merge_free)

/* Returns: FALSE at the end, or, with @error set, with LTT_ERROR_IO */
gboolean ltt_perf_merge_next(LttPerfMerge *merge, LttPerfItem *item, GError **error);

#endif
