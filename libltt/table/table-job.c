/* table-job.c - the blocks of a partition that a thread decodes, and their batches (table-worker-priv.h). */
#include "table/table-worker-priv.h"

/* Batches of a job that the caller has not taken may take this memory. Ordinary jobs take a small part of it. */
#define HEAVY_BYTES LTT_HUGE_BYTES

void ltt_table_job_init(LttTableJob *job, const LttPartition *partition)
{
	*job = (LttTableJob){
		.tracefile = partition->tracefile,
		.block = partition->first_block,
		.end = partition->first_block + partition->n_blocks,
		.batches = g_ptr_array_new_with_free_func((GDestroyNotify)ltt_batch_unref),
		.errors = g_ptr_array_new_with_free_func((GDestroyNotify)g_error_free),
	};
}

void ltt_table_job_clear(LttTableJob *job)
{
	g_ptr_array_unref(job->batches);
	g_ptr_array_unref(job->errors);
	g_clear_error(&job->failure);
}

gboolean ltt_table_job_is_complete(const LttTableJob *job)
{
	return job->block == job->end || job->failure != NULL;
}

gboolean ltt_table_job_is_heavy(const LttTableJob *job)
{
	return job->weight > HEAVY_BYTES;
}

LttBatch *ltt_table_job_take(LttTableJob *job, guint index)
{
	LttBatch *batch = g_steal_pointer(&job->batches->pdata[index]);

	job->weight -= ltt_batch_get_weight(batch);
	return batch;
}
