/* block.c - memory of a block: its bytes and its arrays.
 *
 * block-walk.c finds the events, block-special.c handles those with a role, and block-load.c
 * computes the times.
 */
#include "reader/block-priv.h"

#include "base/error-priv.h"
#include "base/read-at-priv.h"
#include "model/ondisk-priv.h"
#include "reader/block-walk-priv.h"
#include "reader/trace-priv.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_CAPACITY 1024

void ltt_block_init(LttBlock *block)
{
	*block = (LttBlock){
		.stamps = g_array_new(FALSE, FALSE, sizeof(LttTimeValue)),
		.stamp_events = g_array_new(FALSE, FALSE, sizeof(guint32)),
		.threads = g_array_new(FALSE, FALSE, sizeof(LttThreadChange)),
	};
}

void ltt_block_clear(LttBlock *block)
{
	free(block->bytes);
	g_free(block->records);
	g_free(block->cycles);
	g_free(block->times_ns);
	g_free(block->damage);
	g_array_unref(block->stamps);
	g_array_unref(block->stamp_events);
	g_array_unref(block->threads);
}

/* Doubles the size. A block has at most one event per 6 bytes, so the size is bounded. */
gboolean ltt_block_grow(LttBlock *block)
{
	const guint32 capacity = block->capacity > 0 ? block->capacity * 2 : FIRST_CAPACITY;
	gpointer records = g_try_realloc_n(block->records, (gsize)capacity + 1, sizeof(LttRecord));
	gpointer cycles;
	gpointer times;

	if (records == NULL)
		return FALSE;
	block->records = records;
	cycles = g_try_realloc_n(block->cycles, capacity, sizeof(guint64));
	if (cycles == NULL)
		return FALSE;
	block->cycles = cycles;
	times = g_try_realloc_n(block->times_ns, (gsize)capacity + 1, sizeof(guint64));
	if (times == NULL)
		return FALSE;
	block->times_ns = times;
	block->capacity = capacity;
	return TRUE;
}

void ltt_block_set_damage(LttBlock *block, guint32 byte, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	block->damage = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	block->damage_byte = byte;
}

static void reset(LttBlock *block)
{
	block->n_events = 0;
	block->is_open = FALSE;
	block->is_beyond = FALSE;
	block->damage_byte = 0;
	block->clock_rate = (LttRate){0, 0};
	g_clear_pointer(&block->damage, g_free);
	g_array_set_size(block->stamps, 0);
	g_array_set_size(block->stamp_events, 0);
	g_array_set_size(block->threads, 0);
}

/* Reads the bytes of a block that may be growing. Reads the final word first, because the writer
 * stores it last: the events up to the offset in it are complete. */
static gboolean read_growing(LttBlock *block, const LttTracefile *tracefile, guint64 at,
			     GError **error)
{
	const guint64 end = tracefile->block_bytes - LTT_FINAL_WORD_BYTES;
	guint8 word[LTT_FINAL_WORD_BYTES];

	if (!ltt_tracefile_read(tracefile, at + end, word, sizeof(word), error))
		return FALSE;
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	if (!ltt_tracefile_read(tracefile, at, block->bytes, end, error))
		return FALSE;
	memcpy(block->bytes + end, word, sizeof(word));
	return TRUE;
}

static guint8 *new_bytes(guint64 block_bytes)
{
	guint8 *bytes = ltt_read_buffer_new(block_bytes + LTT_BLOCK_SLACK_BYTES);

	if (bytes != NULL)
		memset(bytes + block_bytes, 0, LTT_BLOCK_SLACK_BYTES);
	return bytes;
}

gboolean ltt_block_read(LttBlock *block, LttTracefile *tracefile, guint64 position, GError **error)
{
	guint64 at;

	reset(block);
	block->position = position;
	block->place = ltt_tracefile_get_ordered(tracefile, position);
	if (block->n_bytes != tracefile->block_bytes) /* none yet, or of another joined trace */
		g_clear_pointer(&block->bytes, free);
	if (block->bytes == NULL)
		block->bytes = new_bytes(tracefile->block_bytes);
	block->n_bytes = tracefile->block_bytes;
	if (block->bytes == NULL || (block->capacity == 0 && !ltt_block_grow(block)))
		return ltt_fail_at(error, LTT_ERROR_LIMIT, tracefile->name, (gint64)block->place,
				   LTT_NOWHERE,
				   "no memory for a block of %" G_GUINT64_FORMAT " bytes",
				   tracefile->block_bytes);
	at = block->place * tracefile->block_bytes;
	if (tracefile->trace->is_live)
		return read_growing(block, tracefile, at, error);
	return ltt_tracefile_read(tracefile, at, block->bytes, tracefile->block_bytes, error);
}
