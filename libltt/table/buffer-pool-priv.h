/* buffer-pool-priv.h - reuse the memory of freed batches.
 *
 * A buffer of a batch may be several megabytes long. free() returns blocks of this size to the
 * kernel, and the page faults of a new block take longer than decoding the values in it. So later
 * batches reuse the buffers of freed batches.
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

LttBufferPool *ltt_buffer_pool_new(void);
LttBufferPool *ltt_buffer_pool_ref(LttBufferPool *pool);
void ltt_buffer_pool_unref(LttBufferPool *pool); /* NULL is allowed and ignored */

/* Frees the memory in the pool, and memory returned later. */
void ltt_buffer_pool_close(LttBufferPool *pool);

/* Returns: the smallest memory of at least @n_bytes; .bytes is NULL if none is that large */
LttSpare ltt_buffer_pool_take(LttBufferPool *pool, gsize n_bytes);

/* Gives the memory of a batch to the pool. @spares: of LttSpare */
void ltt_buffer_pool_give(LttBufferPool *pool, const GArray *spares);

#endif
