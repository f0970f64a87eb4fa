/* import-merge-priv.h - the records of a perf recording in order of group and time.
 *
 * What was noted of them on a first pass are runs: rows of records, one right behind the other in
 * the file, of one group, whose times do not fall. perf writes what it finds in the buffer of a CPU
 * in one go, so a run is long as a rule, and there are few. They are merged, and records are read
 * as their turn comes.
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

/* A run has no more bytes. */
#define LTT_PERF_MOST_RUN_BYTES ((guint32)1 << 30)

/* Runs that may be read at a time. Where more overlap, which no recording of perf does, their
 * records are sorted one by one. */
#define LTT_PERF_MOST_OPEN_RUNS 16384

typedef struct LttPerfMerge LttPerfMerge;

/* What comes next. */
typedef struct LttPerfItem {
	LttKey key; /* of the record alone */
	/* Lent until the next step. */
	const LttPerfRecord *record;
	const LttPerfThread *thread; /* NULL: it is of none */
} LttPerfItem;

/**
 * ltt_perf_merge_new:
 * @runs: as many as there are, ended
 * @first_group: keys of groups below it are no runs, and are handed on as they are
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
