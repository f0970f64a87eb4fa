/* mutate-perf.c - see mutate-perf.h.
 *
 * Random bytes rarely yield a header with valid sections, so code after the header would rarely
 * run.
 */
#include "mutate-perf.h"

#include "base/bytes-priv.h"
#include "formats/perf/file/meta-priv.h"
#include "mutate.h"

#include <string.h>

enum {
	AT_ENTRY_SIZE = 16,
	AT_ATTRS = 24,
	AT_DATA = 40,
};

#define SECTION_BYTES 16
#define MOST_RECORDS  4096

typedef struct Recording {
	guint8 *bytes;
	gsize size;
	gsize max_size;
	LttByteOrder order;
	gsize begin; /* of the records */
	gsize end;
	GRand *dice;
} Recording;

static guint64 get(const Recording *recording, gsize at, guint width)
{
	return at + width <= recording->size
		       ? ltt_load_uint(recording->bytes + at, width, recording->order)
		       : 0;
}

static void put(Recording *recording, gsize at, guint width, guint64 value)
{
	if (at + width <= recording->size)
		ltt_store_uint(recording->bytes + at, width, value, recording->order);
}

static guint64 below(const Recording *recording, guint64 n)
{
	return mutate_below(recording->dice, n);
}

static void worsen(Recording *recording, gsize at, guint width)
{
	put(recording, at, width,
	    mutate_number(recording->dice, get(recording, at, width), recording->size));
}

static gboolean find_records(Recording *recording)
{
	guint version;
	const LttPerfForm form =
		ltt_perf_detect(recording->bytes, recording->size, &recording->order, &version);

	if (form == LTT_PERF_NOT)
		return FALSE;
	recording->begin = LTT_PERF_PIPE_HEADER_BYTES;
	recording->end = recording->size;
	if (form == LTT_PERF_FILE) {
		const guint64 begin = get(recording, AT_DATA, 8);
		const guint64 size = get(recording, AT_DATA + 8, 8);

		if (begin > recording->size)
			return FALSE;
		recording->begin = (gsize)begin;
		recording->end = (gsize)begin + (gsize)MIN(size, recording->size - begin);
	}
	return TRUE;
}

/* Returns: the offset of one of the records; without records, their end */
static gsize choose_record(const Recording *recording, gsize *size)
{
	gsize places[MOST_RECORDS];
	guint n = 0;
	gsize at = recording->begin;

	while (n < MOST_RECORDS && at + LTT_PERF_RECORD_HEADER_BYTES <= recording->end) {
		places[n++] = at;
		*size = (gsize)get(recording, at + 6, 2);
		if (*size < LTT_PERF_RECORD_HEADER_BYTES || *size > recording->end - at)
			break;
		at += *size;
	}
	*size = 0;
	if (n == 0)
		return recording->end;
	at = places[below(recording, n)];
	*size = MIN((gsize)get(recording, at + 6, 2), recording->end - at);
	return at;
}

static void change_header(Recording *recording)
{
	worsen(recording, 8 * (1 + below(recording, 12)), 8);
}

/* Changes a bit of a word, or a 32-bit number. */
static void change_attr(Recording *recording)
{
	const guint64 entry = MIN(get(recording, AT_ENTRY_SIZE, 8), 256);
	const guint64 n = entry > 0 ? get(recording, AT_ATTRS + 8, 8) / entry : 0;
	const gsize at =
		(gsize)(get(recording, AT_ATTRS, 8) + below(recording, MIN(n, 64)) * entry);

	if (at > recording->size)
		return;
	if (below(recording, 2) == 0)
		worsen(recording, at + 4 * below(recording, entry / 4), 4);
	else
		put(recording, at + 24, 8,
		    get(recording, at + 24, 8) ^ (guint64)1 << below(recording, 26));
}

static void change_feature(Recording *recording)
{
	const gsize at = recording->end + SECTION_BYTES * below(recording, 32);
	const guint64 place = get(recording, at, 8);

	if (below(recording, 2) == 0)
		worsen(recording, at + 8 * below(recording, 2), 8);
	else if (place < recording->size)
		worsen(recording, (gsize)place + 4 * below(recording, 16), 4);
}

static void change_record(Recording *recording)
{
	gsize size;
	const gsize at = choose_record(recording, &size);

	switch (below(recording, 6)) {
	case 0:
		put(recording, at, 4, below(recording, 90));
		break;
	case 1:
		put(recording, at + 4, 2, (guint64)1 << below(recording, 16));
		break;
	case 2:
		worsen(recording, at + 6, 2);
		break;
	default:
		worsen(recording, at + 4 * below(recording, size / 4 + 1),
		       below(recording, 2) == 0 ? 4 : 8);
		break;
	}
}

/* Moves the bytes after an offset, and adjusts the sizes and offsets in the header and the table of
 * features. */
static void moved(Recording *recording, gint64 by)
{
	gsize table = (gsize)((gint64)recording->end + by);

	recording->size = (gsize)((gint64)recording->size + by);
	if (recording->begin == LTT_PERF_PIPE_HEADER_BYTES)
		return;
	put(recording, AT_DATA + 8, 8, get(recording, AT_DATA + 8, 8) + (guint64)by);
	for (guint i = 0; i < 40; i++, table += SECTION_BYTES) {
		const guint64 offset = get(recording, table, 8);

		if (offset < recording->end || offset > recording->size)
			break;
		put(recording, table, 8, offset + (guint64)by);
	}
}

static void double_record(Recording *recording)
{
	gsize size;
	const gsize at = choose_record(recording, &size);

	if (size == 0 || size > recording->max_size - recording->size)
		return;
	memmove(recording->bytes + at + size, recording->bytes + at, recording->size - at);
	moved(recording, (gint64)size);
}

static void drop_record(Recording *recording)
{
	gsize size;
	const gsize at = choose_record(recording, &size);

	memmove(recording->bytes + at, recording->bytes + at + size, recording->size - at - size);
	moved(recording, -(gint64)size);
}

size_t mutate_perf(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	static void (*const changes[])(Recording *) = {
		change_header,  change_attr,   change_attr,   change_feature,
		change_feature, change_record, change_record, change_record,
		change_record,  double_record, drop_record,
	};
	Recording recording = {.bytes = data, .size = size, .max_size = max_size};

	recording.dice = g_rand_new_with_seed(seed);
	if (size > max_size || mutate_is_blind(recording.dice, 6) || !find_records(&recording))
		recording.size = LLVMFuzzerMutate(data, size, max_size);
	else
		changes[below(&recording, G_N_ELEMENTS(changes))](&recording);
	g_rand_free(recording.dice);
	return recording.size;
}
