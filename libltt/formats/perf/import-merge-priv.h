/* import-merge-priv.h - iterate over the records of a perf recording by group and time.
 *
 * The first pass collects runs. A run is a sequence of adjacent records of one group whose times do
 * not decrease. perf writes the contents of the ring buffer of a CPU at once, so there are usually
 * few long runs. The merge reads a record when it is the next one.
 */
#ifndef LTT_FORMATS_PERF_IMPORT_MERGE_PRIV_H
#define LTT_FORMATS_PERF_IMPORT_MERGE_PRIV_H

#ifndef LTT_BUILDING
#error "formats/perf/import-merge-priv.h is private to libltt"
#endif

#include "base/heap-priv.h"
#include "base/key-sort-priv.h"
#include "formats/perf/file/row-priv.h"

/* Flag in the size of the key of a run: all records of the run have the time of the key, regardless
 * of the times in the records. */
#define LTT_PERF_RUN_IS_STILL ((guint32)1 << 31)

/* Maximum size of a run in bytes. */
#define LTT_PERF_MOST_RUN_BYTES ((guint32)1 << 30)

/* Maximum number of overlapping runs that are merged. If there are more, which does not occur in
 * recordings of perf, the records are sorted individually. */
#define LTT_PERF_MOST_OPEN_RUNS 16384

/* The position in a run. */
typedef struct LttPerfRun {
	guint64 time; /* of the record at place */
	guint64 place;
	guint64 end;
	gboolean is_still;
} LttPerfRun;

typedef struct LttPerfMerge {
	LttKeySort *runs;
	guint32 first_group;
	LttWindow *window;
	const LttPerfMeta *meta;
	const char *directory;

	LttPerfRun now; /* the current run */
	gboolean has_now;
	guint32 group;
	LttPerfRow row; /* at the current record of this run */
	gboolean has_thread;
	LttPerfRun limit; /* the current run is returned up to this time and place */
	LttHeap open;     /* of LttPerfRun: the other open runs of the group */
	LttKey ahead;     /* the next run to open */
	gboolean has_ahead;
	gboolean has_begun;

	/* If too many runs overlap: all remaining records of the group, in place of its runs. */
	LttKeySort *single;
	LttKey after; /* first run of the next group */
	gboolean has_after;
} LttPerfMerge;

/* The next record. */
typedef struct LttPerfItem {
	LttKey key; /* of this record */
	/* Valid until the next call. */
	const LttPerfRecord *record;
	const LttPerfThread *thread; /* NULL: none */
} LttPerfItem;

/**
 * ltt_perf_merge_new:
 * @runs: keys of the runs; ltt_key_sort_end() must have been called
 * @first_group: keys of lower groups are not runs and are returned unchanged
 * @directory: directory for a scratch file
 *
 * Returns: (transfer full): the merge; all arguments must outlive it
 */
LttPerfMerge *ltt_perf_merge_new(LttKeySort *runs, guint32 first_group, LttWindow *window,
				 const LttPerfMeta *meta, const char *directory);
void ltt_perf_merge_free(LttPerfMerge *merge); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttPerfMerge, ltt_perf_merge_free)

/* Gets the next record or key. Returns: FALSE at the end, without error, or FALSE with
 * LTT_ERROR_IO */
gboolean ltt_perf_merge_next(LttPerfMerge *merge, LttPerfItem *item, GError **error);

/* Fast path of ltt_perf_merge_next(): advances if the next record is a sample of the current row.
 * The sample is in merge->row then, and its offset in merge->now.place. Returns: FALSE, without
 * advancing, if it is not */
static inline gboolean ltt_perf_merge_next_in_row(LttPerfMerge *merge)
{
	const guint16 size = merge->row.record.size;

	if (!merge->has_now || !ltt_perf_row_next(&merge->row, merge->now.time, merge->limit.time))
		return FALSE;
	merge->now.place += size;
	merge->now.time = merge->row.time;
	merge->has_thread = TRUE;
	return TRUE;
}

/* Returns: the current record */
LttPerfItem ltt_perf_merge_get_item(const LttPerfMerge *merge);

#endif
