/* block.c - a block in memory: its arrays, and how it gets there.
 *
 * The walk over its events is in block-walk.c, what some of them mean in block-special.c, and their
 * times in block-times.c.
 */
#include "reader/block-priv.h"

#include "base/error-priv.h"
#include "model/ondisk-priv.h"
#include "reader/block-walk-priv.h"
#include "reader/trace-priv.h"

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
	g_free(block->bytes);
	g_free(block->records);
	g_free(block->cycles);
	g_free(block->times_ns);
	g_free(block->damage);
	g_array_unref(block->stamps);
	g_array_unref(block->stamp_events);
	g_array_unref(block->threads);
}

/* Doubles. A block has at most one event for each 6 bytes, so this ends. */
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
	block->damage_byte = 0;
	block->clock_rate = (LttRate){0, 0};
	g_clear_pointer(&block->damage, g_free);
	g_array_set_size(block->stamps, 0);
	g_array_set_size(block->stamp_events, 0);
	g_array_set_size(block->threads, 0);
}

static gboolean read_bytes(LttBlock *block, LttTracefile *tracefile, guint64 position,
			   GError **error)
{
	block->position = position;
	block->place = ltt_tracefile_get_ordered(tracefile, position);
	if (block->bytes == NULL)
		block->bytes = g_try_malloc(tracefile->block_bytes);
	if (block->bytes == NULL || (block->capacity == 0 && !ltt_block_grow(block)))
		return ltt_fail_at(error, LTT_ERROR_LIMIT, tracefile->name, (gint64)block->place,
				   LTT_NOWHERE,
				   "no memory for a block of %" G_GUINT64_FORMAT " bytes",
				   tracefile->block_bytes);
	return ltt_tracefile_read(tracefile, block->place * tracefile->block_bytes, block->bytes,
				  tracefile->block_bytes, error);
}

gboolean ltt_block_walk(LttBlock *block, LttTracefile *tracefile, guint64 position, LttSlots *slots,
			GArray *local_loads, LttLoadFunc on_load, gpointer user_data,
			gboolean *met_unknown_id, GError **error)
{
	LttWalk walk = {
		.block = block,
		.tracefile = tracefile,
		.slots = slots,
		.local_loads = local_loads,
		.on_load = on_load,
		.user_data = user_data,
		.end = (guint32)(tracefile->block_bytes - LTT_FINAL_WORD_BYTES),
		.byte_order = ltt_system_get_arch(tracefile->trace->system)->byte_order,
		.is_dialect_22 = ltt_system_is_dialect_22(tracefile->trace->system),
	};

	reset(block);
	if (!read_bytes(block, tracefile, position, error))
		return FALSE;
	ltt_walk_events(&walk);
	block->slots = (const LttSlot *)slots->slots->data;
	*met_unknown_id = walk.met_unknown_id;
	return TRUE;
}

gboolean ltt_block_load_untimed(LttBlock *block, LttTracefile *tracefile, guint64 position,
				GError **error)
{
	LttSlots *slots = tracefile->trace->slots;
	gboolean met_unknown_id;

	if (!ltt_block_walk(block, tracefile, position, slots, NULL, NULL, NULL, &met_unknown_id,
			    error))
		return FALSE;
	if (!met_unknown_id)
		return TRUE;
	ltt_tracefile_find_local_loads(tracefile);
	if (tracefile->local_loads->len == 0)
		return TRUE;
	return ltt_block_walk(block, tracefile, position, tracefile->local_slots,
			      tracefile->local_loads, NULL, NULL, &met_unknown_id, error);
}
