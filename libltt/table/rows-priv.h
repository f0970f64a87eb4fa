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
#include "table/table-priv.h"

/* Maximum number of events, and of bytes of payloads, in a chunk. */
#define LTT_CHUNK_ROWS  1024
#define LTT_CHUNK_BYTES ((gsize)16 * 1024 * 1024)

/* How to decode a version of the table. */
typedef struct LttRowPlan {
	guint n_members;
	LttBuilder **builders; /* by member; NULL: skip it */
	GPtrArray *absent;     /* of LttBuilder: columns that the version does not have */
	gboolean is_empty;     /* all members are skipped */
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
	gsize n_bytes; /* of all payloads */
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

/* Returns: FALSE with LTT_ERROR_LIMIT if @event has more bytes than a row can have */
gboolean ltt_event_fits_row(const LttEvent *event, GError **error);

/* Decodes the events in the chunk, and begins a new chunk. Of @event, the payload and the offset count
 * the places of the rows. */
void ltt_rows_begin(LttRows *rows, const LttRowPlan *plan, const LttEvent *event,
		    const guint8 *limit);

/* Adds @event to the chunk; uses only its layout, payload, time and thread. Its payload must stay
 * valid until ltt_rows_settle(). @limit: the end of its block */
static inline void ltt_rows_note(LttRows *rows, const LttRowPlan *plan, const LttEvent *event,
				 const guint8 *limit)
{
	LttChunk *chunk = &rows->chunk;
	guint i;

	if (G_UNLIKELY(chunk->n == LTT_CHUNK_ROWS || chunk->n_bytes > LTT_CHUNK_BYTES ||
		       plan != chunk->plan || event->layout != chunk->layout ||
		       limit != chunk->limit))
		ltt_rows_begin(rows, plan, event, limit);
	i = chunk->n++;
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

/* Returns: (transfer full): a batch of those rows */
LttBatch *ltt_rows_give(LttRows *rows);

/* Returns: the number of arrays of a batch */
guint ltt_batch_get_n_arrays(const LttBatch *batch);

#endif
