/* table-worker-priv.h - decode blocks into the rows of a table; one worker serves one thread. */
#ifndef LTT_TABLE_TABLE_WORKER_PRIV_H
#define LTT_TABLE_TABLE_WORKER_PRIV_H

#ifndef LTT_BUILDING
#error "table/table-worker-priv.h is private to libltt; use <ltt/ltt-table.h>"
#endif

#include "table/rows-priv.h"

/* The parameters that all workers of a reader share. */
typedef struct LttTableTask {
	const LttTable *table;
	LttBufferPool *pool;
	const guint *columns;
	guint n_columns;
	const LttSelect *select; /* (nullable) */
	guint batch_rows;
	gboolean with_places;
	gboolean with_numbers;
} LttTableTask;

/* The blocks of a partition not decoded yet, and the results of the others. */
typedef struct LttTableJob {
	LttTracefile *tracefile;
	guint64 block;      /* the next one */
	guint32 next_event; /* of it that was not decoded yet */
	guint64 end;
	GPtrArray *batches; /* of LttBatch; NULL: taken by the caller */
	gsize weight;       /* of the batches that were not taken */
	GPtrArray *errors;  /* of GError: blocks with damage */
	GError *failure;    /* fatal error; NULL: none */
} LttTableJob;

void ltt_table_job_init(LttTableJob *job, const LttPartition *partition);
void ltt_table_job_clear(LttTableJob *job);

/* Returns: whether nothing more is decoded */
gboolean ltt_table_job_is_complete(const LttTableJob *job);

/* Returns: whether its batches take so much memory that the caller must take them first */
gboolean ltt_table_job_is_heavy(const LttTableJob *job);

/* Returns: (transfer full): a batch of the job, once */
LttBatch *ltt_table_job_take(LttTableJob *job, guint index);

typedef struct LttTableWorker LttTableWorker;

LttTableWorker *ltt_table_worker_new(const LttTableTask *task);
void ltt_table_worker_free(LttTableWorker *worker);

/* Decodes the next block of a job, or a part of it if the job becomes heavy. Adds full batches to the job. */
void ltt_table_worker_step(LttTableWorker *worker, LttTableJob *job);

/* Adds the remaining rows, if any, to the job as a batch. */
void ltt_table_worker_flush(LttTableWorker *worker, LttTableJob *job);

#endif
