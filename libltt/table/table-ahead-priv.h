/* table-ahead-priv.h - decode partitions in several threads, some of them ahead.
 *
 * Partitions are jobs. The caller gets them in their order, so the rows do not depend on the number
 * of threads. Jobs ahead are limited, so memory does not depend on the length of the trace.
 */
#ifndef LTT_TABLE_TABLE_AHEAD_PRIV_H
#define LTT_TABLE_TABLE_AHEAD_PRIV_H

#ifndef LTT_BUILDING
#error "table/table-ahead-priv.h is private to libltt; use <ltt/ltt-table.h>"
#endif

#include "table/table-worker-priv.h"

typedef struct LttTableAhead LttTableAhead;

/* A job of the ring. After ltt_table_ahead_work() the caller may read and write it. */
typedef struct LttTableSlot {
	LttTableJob job;
	guint64 n_blocks;
	gboolean is_done; /* no thread works on it; with one thread: it is complete */
	guint n_given;    /* batches that the caller took */
	guint n_reported; /* errors that the caller took */
} LttTableSlot;

/* @task: copied, with a buffer pool of its own; what it points to must outlive the result.
 * @partitions: (element-type LttPartition): borrowed. @n_wanted: threads; 0: as many as processors */
LttTableAhead *ltt_table_ahead_new(const LttTableTask *task, const GArray *partitions,
				   guint n_wanted);
void ltt_table_ahead_free(LttTableAhead *ahead); /* NULL is allowed and ignored */

/* Returns: (nullable) (transfer none): the first job that was not dropped; NULL: no job is left */
LttTableSlot *ltt_table_ahead_get_first(LttTableAhead *ahead);

/* Works until the first job is complete or heavy or, with one thread only, has another batch. */
void ltt_table_ahead_work(LttTableAhead *ahead, LttTableSlot *first);

/* Drops the first job, which is done. */
void ltt_table_ahead_drop_first(LttTableAhead *ahead);

#endif
