/* buffer-pool-priv.h - reuse the memory of freed batches.
 *
 * A buffer of a batch may be several megabytes long. free() returns blocks of this size to the
 * kernel, and the page faults of a new block take longer than decoding the values in it. So later
 * batches reuse the buffers of freed batches. All threads of a reader share a pool: the rows of one
 * thread reuse the batches of another, so the memory does not grow with the length of the trace.
 *
 *	rows ──take──► buffer ──► batch ──► caller
 *	  ▲                                  │ ltt_batch_unref(), in any thread
 *	  └────────────── pool ◄────give─────┘
 */
#ifndef LTT_TABLE_BUFFER_POOL_PRIV_H
#define LTT_TABLE_BUFFER_POOL_PRIV_H

#ifndef LTT_BUILDING
#error "table/buffer-pool-priv.h is private to libltt; use <ltt/ltt-table.h>"
#endif

#include <glib.h>

typedef struct LttBufferPool LttBufferPool;

/* A memory block that is not in use. */
typedef struct LttSpare {
	gpointer bytes;
	gsize capacity;
} LttSpare;

/* @max_batches: maximum number of batches whose memory is kept */
LttBufferPool *ltt_buffer_pool_new(guint max_batches);
LttBufferPool *ltt_buffer_pool_ref(LttBufferPool *pool);
void ltt_buffer_pool_unref(LttBufferPool *pool); /* NULL is allowed and ignored */

/* Frees the memory in the pool, and memory returned later. NULL is allowed and ignored. */
void ltt_buffer_pool_close(LttBufferPool *pool);

/* Returns: the smallest memory of at least @n_bytes. If there is none of about that size, .bytes is
 * NULL: the caller allocates memory, and the pool frees its oldest memory instead. */
LttSpare ltt_buffer_pool_take(LttBufferPool *pool, gsize n_bytes);

/* Gives the memory of a batch to the pool. @spares: of LttSpare */
void ltt_buffer_pool_give(LttBufferPool *pool, const GArray *spares);

#endif
