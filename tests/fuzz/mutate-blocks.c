/* mutate-blocks.c - see mutate-blocks.h.
 *
 * A random byte in an id or a length makes the rest of a block damage, so most random changes only
 * test where reading stops. These keep the final word and the sizes of the other events right.
 */
#include "mutate-blocks.h"

#include "altered.h"
#include "base/bytes-priv.h"
#include "fuzz.h"
#include "model/ondisk-priv.h"
#include "mutate.h"
#include "reader/trace-priv.h"

#include <ltt/ltt-layout.h>

#include <string.h>

#define MAX_EVENTS    1024 /* of a block */
#define PAYLOAD_BYTES 96   /* of which a new payload is a prefix */
#define N_TRIES       8

typedef struct Span {
	gsize at; /* in the block */
	gsize size;
} Span;

typedef struct Tracefile {
	guint8 *bytes;
	gsize size;
	gsize max_size;
	GRand *dice;
	const LttSlots *slots;
	LttByteOrder order;
	gboolean is_dialect_22;

	gsize block_bytes;
	gsize at; /* of the chosen block */
	Span events[MAX_EVENTS];
	guint n_events;
} Tracefile;

static guint64 below(const Tracefile *file, guint64 n)
{
	return mutate_below(file->dice, n);
}

static guint8 *get_block(const Tracefile *file)
{
	return file->bytes + file->at;
}

/* ---- the events of a block ---- */

static const LttTrace *open_sample(guint number)
{
	static const char *const samples[] = {ALTERED_SAMPLES};
	static LttTrace *traces[G_N_ELEMENTS(samples)];

	number %= G_N_ELEMENTS(samples);
	if (traces[number] == NULL) {
		g_autofree char *path = altered_sample(samples[number]);

		traces[number] = ltt_trace_open(path, NULL);
		FUZZ_ASSERT(traces[number] != NULL);
	}
	return traces[number];
}

/* Returns: the bytes of an event of type @id whose payload begins at @payload; 0 if it does not fit */
static gsize measure(const Tracefile *file, guint16 id, const guint8 *payload, gsize available)
{
	const LttSlot *slot = ltt_slots_get(file->slots, id);
	gsize size = 0;

	if (slot == NULL ||
	    (slot->layout != NULL &&
	     !ltt_layout_measure(slot->layout, payload, available, file->order, &size, NULL)))
		return 0;
	return LTT_EVENT_HEADER_BYTES + size;
}

static void walk(Tracefile *file)
{
	const gsize end = file->block_bytes - LTT_FINAL_WORD_BYTES;
	const guint8 *block = get_block(file);
	gsize at = 0;

	for (file->n_events = 0; file->n_events < MAX_EVENTS && at + LTT_EVENT_HEADER_BYTES <= end;
	     file->n_events++) {
		const gsize payload = at + LTT_EVENT_HEADER_BYTES;
		const guint16 id = ltt_load_u16(block + at, file->order);
		const gsize size = measure(file, id, block + payload, end - payload);

		/* Padding decodes as facility_load of an empty name. */
		if (size == 0 || (at > 0 && id == 0 && block[payload] == 0))
			return;
		file->events[file->n_events] = (Span){at, size};
		at += size;
	}
}

static guint64 get_final_word(const Tracefile *file)
{
	const guint64 word = ltt_load_u32(
		get_block(file) + file->block_bytes - LTT_FINAL_WORD_BYTES, file->order);

	return file->is_dialect_22 ? file->block_bytes - word : word;
}

static void set_final_word(Tracefile *file, guint64 word)
{
	ltt_store_uint(get_block(file) + file->block_bytes - LTT_FINAL_WORD_BYTES, 4,
		       file->is_dialect_22 ? file->block_bytes - word : word, file->order);
}

static Span *choose(Tracefile *file)
{
	return &file->events[below(file, file->n_events)];
}

/* Chooses a block, and finds its events. Returns: FALSE if it has none */
static gboolean choose_block(Tracefile *file)
{
	const gsize n_blocks = file->size / file->block_bytes;

	if (n_blocks == 0)
		return FALSE;
	file->at = below(file, n_blocks) * file->block_bytes;
	walk(file);
	return file->n_events > 0;
}

/* ---- change an event ---- */

static void worsen(Tracefile *file, gsize at, guint width)
{
	guint8 *place = get_block(file) + at;

	if (at + width <= file->block_bytes)
		ltt_store_uint(place, width,
			       mutate_number(file->dice, ltt_load_uint(place, width, file->order),
					     file->block_bytes),
			       file->order);
}

static void change_delta(Tracefile *file)
{
	const gsize at = choose(file)->at + 2;

	if (below(file, 2) == 0)
		worsen(file, at, 4);
	else
		ltt_store_uint(get_block(file) + at, 4, below(file, 1 << below(file, 20)),
			       file->order);
}

static void change_payload(Tracefile *file)
{
	const Span *event = choose(file);
	const gsize n = event->size - LTT_EVENT_HEADER_BYTES;

	if (n > 0)
		worsen(file, event->at + LTT_EVENT_HEADER_BYTES + below(file, n),
		       1U << below(file, 4));
}

/* Changes seconds, nanoseconds, cycles or the id of the block, if the event has them. */
static void change_stamp(Tracefile *file)
{
	static const guint8 places[] = {6, 10, 14, 18, 22};

	for (guint i = 0; i < N_TRIES; i++) {
		const Span *event = choose(file);
		const guint16 id = ltt_load_u16(get_block(file) + event->at, file->order);
		const LttSlot *slot = ltt_slots_get(file->slots, id);

		if (slot->role == LTT_ROLE_BLOCK_START || slot->role == LTT_ROLE_BLOCK_END ||
		    slot->role == LTT_ROLE_HEARTBEAT) {
			worsen(file, event->at + places[below(file, G_N_ELEMENTS(places))],
			       below(file, 4) == 0 ? 8 : 4);
			return;
		}
	}
}

static void change_id(Tracefile *file)
{
	ltt_store_uint(get_block(file) + choose(file)->at, 2,
		       below(file, file->slots->slots->len + 1), file->order);
}

static void change_final_word(Tracefile *file)
{
	switch (below(file, 4)) {
	case 0:
		worsen(file, file->block_bytes - LTT_FINAL_WORD_BYTES, 4);
		break;
	case 1:
		set_final_word(file, 0);
		break;
	default:
		set_final_word(file, choose(file)->at);
		break;
	}
}

/* ---- change the set of events ---- */

/* Replaces @span by the event @bytes, and moves the later events. */
static void replace(Tracefile *file, Span span, const guint8 *bytes, gsize size)
{
	const gsize end = file->block_bytes - LTT_FINAL_WORD_BYTES;
	const guint64 word = get_final_word(file);
	guint8 *block = get_block(file);
	const gsize from = span.at + span.size;

	if (span.at + size > end)
		return;
	if (size > span.size)
		mutate_shift(block, from, end - (size - span.size), (gint64)(size - span.size));
	else
		mutate_shift(block, from, end, -(gint64)(span.size - size));
	memcpy(block + span.at, bytes, size);
	if (word >= from && word < end)
		set_final_word(file, word + size - span.size);
}

/* Duplicates an event of this or another block. */
static void copy_event(Tracefile *file)
{
	const Span from = *choose(file);
	g_autofree guint8 *bytes = g_memdup2(get_block(file) + from.at, from.size);

	if (below(file, 2) == 0 || choose_block(file))
		replace(file, (Span){choose(file)->at, 0}, bytes, from.size);
}

static void drop_event(Tracefile *file)
{
	replace(file, *choose(file), get_block(file), 0);
}

/* Fills @bytes with an event of any type and a random payload. Returns: its size; 0 if random bytes
 * are no payload of that type */
static gsize make_event(Tracefile *file, guint8 *bytes)
{
	guint8 *payload = bytes + LTT_EVENT_HEADER_BYTES;

	for (guint i = 0; i < N_TRIES; i++) {
		const guint16 id = (guint16)below(file, file->slots->slots->len);
		gsize size;

		ltt_store_uint(bytes, 2, id, file->order);
		ltt_store_uint(bytes + 2, 4, below(file, 1000), file->order);
		for (guint j = 0; j < PAYLOAD_BYTES; j++)
			payload[j] = below(file, 2) == 0
					     ? 0
					     : (guint8)below(file, 256) >> below(file, 8);
		size = measure(file, id, payload, PAYLOAD_BYTES);
		if (size > 0)
			return size;
	}
	return 0;
}

static void insert_event(Tracefile *file)
{
	guint8 bytes[LTT_EVENT_HEADER_BYTES + PAYLOAD_BYTES];
	const gsize size = make_event(file, bytes);

	if (size > 0)
		replace(file, (Span){choose(file)->at, 0}, bytes, size);
}

static void replace_event(Tracefile *file)
{
	guint8 bytes[LTT_EVENT_HEADER_BYTES + PAYLOAD_BYTES];
	const gsize size = make_event(file, bytes);

	if (size > 0)
		replace(file, *choose(file), bytes, size);
}

/* ---- change the set of blocks ---- */

static void double_block(Tracefile *file)
{
	if (file->max_size - file->size < file->block_bytes)
		return;
	mutate_shift(file->bytes, file->at, file->size, (gint64)file->block_bytes);
	file->size += file->block_bytes;
}

static void drop_block(Tracefile *file)
{
	if (file->size / file->block_bytes < 2)
		return;
	mutate_shift(file->bytes, file->at + file->block_bytes, file->size,
		     -(gint64)file->block_bytes);
	file->size -= file->block_bytes;
}

static void swap_blocks(Tracefile *file)
{
	const gsize other = below(file, file->size / file->block_bytes) * file->block_bytes;
	g_autofree guint8 *bytes = g_memdup2(file->bytes + other, file->block_bytes);

	memmove(file->bytes + other, get_block(file), file->block_bytes);
	memcpy(get_block(file), bytes, file->block_bytes);
}

static void change(Tracefile *file)
{
	static void (*const changes[])(Tracefile *) = {
		change_delta, change_payload, change_payload, change_stamp,      change_stamp,
		change_id,    copy_event,     copy_event,     insert_event,      insert_event,
		drop_event,   replace_event,  replace_event,  change_final_word, double_block,
		drop_block,   swap_blocks,
	};

	changes[below(file, G_N_ELEMENTS(changes))](file);
}

size_t mutate_blocks(uint8_t *data, size_t size, size_t max_size, unsigned int seed, size_t n_head)
{
	static const char *const names[] = {ALTERED_FILES};
	const LttTrace *trace = open_sample(size > 0 ? data[0] / G_N_ELEMENTS(names) : 0);
	Tracefile file = {.bytes = data + n_head};
	gboolean is_changed = FALSE;

	file.dice = g_rand_new_with_seed(seed);
	if (size > n_head && size <= max_size && !mutate_is_blind(file.dice, 6)) {
		const LttArch *arch = ltt_system_get_arch(trace->system);

		file.size = size - n_head;
		file.max_size = max_size - n_head;
		file.slots = trace->slots;
		file.order = arch->byte_order;
		file.is_dialect_22 = ltt_system_is_dialect_22(trace->system);
		file.block_bytes = (gsize)ltt_system_get_block_bytes(trace->system);
		for (guint i = below(&file, 3); choose_block(&file); i--) {
			change(&file);
			is_changed = TRUE;
			if (i == 0)
				break;
		}
	}
	g_rand_free(file.dice);
	return is_changed ? file.size + n_head : LLVMFuzzerMutate(data, size, max_size);
}
