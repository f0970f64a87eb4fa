/* rows-priv.h - collect the rows of a table for a batch.
 *
 * Adds events to a chunk. Decodes the chunk column by column when it is full, or before an event of
 * another version or tracefile.
 *
 *	note ──► chunk: payload, time, pid, tid  ──decode──► builders ──give──► batch
 */
#ifndef LTT_TABLE_ROWS_PRIV_H
#define LTT_TABLE_ROWS_PRIV_H

#ifndef LTT_BUILDING
#error "table/rows-priv.h is private to libltt; use <ltt/ltt-table.h>"
#endif

#include "reader/block-priv.h"
#include "table/builder-priv.h"
#include "table/cost-priv.h"
#include "table/table-priv.h"

/* Maximum number of events, and of bytes of payloads, in a chunk, and the bytes of columns (cost-priv.h) at which it is
 * full. */
#define LTT_CHUNK_ROWS    1024
#define LTT_CHUNK_BYTES   ((gsize)16 * 1024 * 1024)
#define LTT_CHUNK_DECODED ((guint64)64 * 1024 * 1024)

/* A batch that takes more is given before the next chunk, even in the middle of a block. */
#define LTT_HUGE_BYTES ((gsize)128 * 1024 * 1024)

/* A bound for the rows of a version with a layout. */
typedef struct LttRowCost {
	const LttLayout *layout; /* NULL: not computed yet */
	LttCost cost;
} LttRowCost;

/* How to decode a version of the table. */
typedef struct LttRowPlan {
	guint n_members;
	LttBuilder **builders; /* by member; NULL: skip it */
	GPtrArray *absent;     /* of LttBuilder: columns that the version does not have */
	gboolean is_empty;     /* all members are skipped */
	guint64 row_bytes; /* of the other columns in a row, which do not depend on the payload */
	LttRowCost *last;  /* of the last layout */
} LttRowPlan;

/* Events of one version in one block. */
typedef struct LttChunk {
	/* Common to all events: */
	const LttRowPlan *plan;
	const LttLayout *layout;
	const guint8 *limit; /* the end of the block */
	LttByteOrder byte_order;
	gint cpu;     /* -1: none */
	guint member; /* trace of the block */
	guint host;   /* its machine */
	gint64 place; /* of the event with the payload at `origin`; others of the block follow */
	const guint8 *origin;
	/* Of each event: */
	guint n;
	gsize n_bytes;     /* of all payloads */
	guint64 n_decoded; /* bytes that they take in the columns at most; 0: not counted */
	const guint8 *at[LTT_CHUNK_ROWS];
	gint64 times_ns[LTT_CHUNK_ROWS];
	guint32 pids[LTT_CHUNK_ROWS]; /* this and the following: only if threads are selected */
	guint32 tids[LTT_CHUNK_ROWS];
	gboolean has_thread[LTT_CHUNK_ROWS];
} LttChunk;

typedef struct LttRows {
	LttTable *table;     /* owned */
	LttBufferPool *pool; /* a reference: memory of batches that were freed */
	guint n_builders;
	LttBuilder *builders;                 /* in the order of the batch */
	LttBuilder *base[LTT_N_BASE_COLUMNS]; /* NULL: not selected */
	gboolean wants_threads;
	gboolean wants_places;
	LttBuffer places;  /* of gint64 */
	GHashTable *plans; /* LttEventType -> LttRowPlan; NULL: not of the table */
	gsize n_rows;
	guint64 n_admitted; /* bytes that the rows of ltt_rows_admit() take at most */
	LttChunk chunk;
} LttRows;

/* @pool: provides the memory of batches
 * @columns: (array length=n_columns): indices of columns of @table; copied
 * @with_places, @with_numbers: as in LttTableRequest */
LttRows *ltt_rows_new(const LttTable *table, LttBufferPool *pool, const guint *columns,
		      guint n_columns, gboolean with_places, gboolean with_numbers);
void ltt_rows_free(LttRows *rows);

/* Returns: how to decode events of a type; NULL: they are not rows of the table */
const LttRowPlan *ltt_rows_find_plan(LttRows *rows, const LttEventType *type);

/* Returns: whether the events of a block of @block_bytes need no ltt_rows_admit(): neither a single one, nor a
 * chunk of them can be too large */
gboolean ltt_rows_are_tame(const LttRowPlan *plan, const LttLayout *layout, guint64 block_bytes);

/* Counts the bytes that @event takes in the columns. @limit: the end of its block. Returns: FALSE with LTT_ERROR_LIMIT if it
 * takes more than the limit of a row (cost-priv.h); rows before it are not changed */
gboolean ltt_rows_admit(LttRows *rows, const LttRowPlan *plan, const LttEvent *event,
			const guint8 *limit, GError **error);

/* Decodes the events in the chunk, and begins a new chunk. Of @event, the payload and the offset count
 * the places of the rows. */
void ltt_rows_begin(LttRows *rows, const LttRowPlan *plan, const LttEvent *event,
		    const guint8 *limit);

/* Returns: whether ltt_rows_begin() must be called before @event can be noted. @limit: the end of its block */
static inline gboolean ltt_rows_are_full(const LttRows *rows, const LttRowPlan *plan,
					 const LttEvent *event, const guint8 *limit)
{
	const LttChunk *chunk = &rows->chunk;

	return chunk->n == LTT_CHUNK_ROWS || chunk->n_bytes > LTT_CHUNK_BYTES ||
	       chunk->n_decoded > LTT_CHUNK_DECODED || plan != chunk->plan ||
	       event->layout != chunk->layout || limit != chunk->limit;
}

/* Adds @event to the chunk, which is not full; uses only its payload, time and thread. Its payload must stay
 * valid until ltt_rows_settle() */
static inline void ltt_rows_note(LttRows *rows, const LttEvent *event)
{
	LttChunk *chunk = &rows->chunk;
	const guint i = chunk->n++;

	chunk->n_bytes += event->payload_bytes;
	chunk->at[i] = event->payload;
	chunk->times_ns[i] = (gint64)event->time_ns;
	if (rows->wants_threads) {
		chunk->pids[i] = event->pid;
		chunk->tids[i] = event->tid;
		chunk->has_thread[i] = event->has_thread;
	}
}

/* Decodes the events in the chunk. Call it before their block is freed. */
void ltt_rows_settle(LttRows *rows);

/* Returns: the number of rows settled since the last batch */
gsize ltt_rows_get_n(const LttRows *rows);

/* Returns: whether their columns are so large that they should become a batch */
gboolean ltt_rows_are_large(const LttRows *rows);

/* Returns: whether they take so much memory that they must become a batch */
gboolean ltt_rows_are_huge(const LttRows *rows);

/* Returns: (transfer full): a batch of those rows */
LttBatch *ltt_rows_give(LttRows *rows);

/* Returns: about the memory of a batch */
gsize ltt_batch_get_weight(const LttBatch *batch);

/* Returns: the number of arrays of a batch */
guint ltt_batch_get_n_arrays(const LttBatch *batch);

#endif
