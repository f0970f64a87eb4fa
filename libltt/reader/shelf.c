/* shelf.c - see shelf-priv.h */
#include "reader/shelf-priv.h"

/* A block on the shelf. */
typedef struct Kept {
	LttBlock block;
	guint64 block_bytes;
	guint64 mark;
	gsize n_bytes;
} Kept;

struct LttShelf {
	GQueue kept; /* of Kept, owned, by mark */
	GQueue free; /* the same, released */
	guint64 mark;
	gsize n_bytes; /* of those in `kept` */
};

LttShelf *ltt_shelf_new(void)
{
	LttShelf *shelf = g_new0(LttShelf, 1);

	g_queue_init(&shelf->kept);
	g_queue_init(&shelf->free);
	return shelf;
}

static void free_kept(gpointer data)
{
	Kept *kept = data;

	ltt_block_clear(&kept->block);
	g_free(kept);
}

void ltt_shelf_free(LttShelf *shelf)
{
	if (shelf == NULL)
		return;
	g_queue_clear_full(&shelf->kept, free_kept);
	g_queue_clear_full(&shelf->free, free_kept);
	g_free(shelf);
}

void ltt_shelf_set_mark(LttShelf *shelf, guint64 mark)
{
	shelf->mark = mark;
}

static gsize count_bytes(const LttBlock *block, guint64 block_bytes)
{
	const gsize event_bytes =
		sizeof(*block->records) + sizeof(*block->cycles) + sizeof(*block->times_ns);

	return block_bytes + block->capacity * event_bytes;
}

void ltt_shelf_exchange(LttShelf *shelf, LttBlock *block, guint64 block_bytes)
{
	Kept *kept = g_queue_pop_head(&shelf->free);
	LttBlock fresh;

	if (kept != NULL) {
		fresh = kept->block;
		/* Joined traces may have blocks of different sizes. */
		if (kept->block_bytes != block_bytes)
			g_clear_pointer(&fresh.bytes, g_free);
	} else {
		kept = g_new(Kept, 1);
		ltt_block_init(&fresh);
	}
	*kept = (Kept){*block, block_bytes, shelf->mark, count_bytes(block, block_bytes)};
	*block = fresh;
	block->n_events = 0;
	g_clear_pointer(&block->damage, g_free);
	shelf->n_bytes += kept->n_bytes;
	g_queue_push_tail(&shelf->kept, kept);
}

void ltt_shelf_release(LttShelf *shelf, guint64 mark)
{
	Kept *kept;

	while ((kept = g_queue_peek_head(&shelf->kept)) != NULL && kept->mark <= mark) {
		g_queue_pop_head(&shelf->kept);
		shelf->n_bytes -= kept->n_bytes;
		g_queue_push_head(&shelf->free, kept);
	}
}

gsize ltt_shelf_get_bytes(const LttShelf *shelf)
{
	return shelf->n_bytes;
}
