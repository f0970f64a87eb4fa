/* ring.c - read the events of a page of the kernel's ring buffer. */
#include "tracepoint/ring-priv.h"

#include "base/bytes-priv.h"
#include "base/error-priv.h"

#include <stdio.h>

/* Layout of commit; its upper half, if there is one, is only a sign extension. */
#define COMMIT_BYTES_MASK ((1u << 27) - 1)
#define COMMIT_HAS_COUNT  (1u << 30)
#define COMMIT_IS_LOSSY   (1u << 31)

#define WORD_BYTES 4

/* Values of type_len that are no length. */
#define TYPE_PADDING 29
#define TYPE_EXTEND  30
#define TYPE_TIME    31

#define DELTA_BITS 27
/* An absolute time has 59 bits. The upper ones are those of the time before it. */
#define TIME_BITS      59
#define TIME_HIGH_MASK (~(guint64)0 << TIME_BITS)

/* ---- layout ---- */

typedef struct Place {
	guint offset;
	guint size;
} Place;

static gboolean find_place(const char *text, const char *declaration, Place *place)
{
	const char *at = strstr(text, declaration);

	return at != NULL && sscanf(at + strlen(declaration), " offset:%u; size:%u;",
				    &place->offset, &place->size) == 2;
}

gboolean ltt_ring_layout_parse(LttRingLayout *layout, const char *text, gsize length,
			       LttByteOrder byte_order, GError **error)
{
	g_autofree char *copy = g_strndup(text, length);
	Place timestamp;
	Place commit;
	Place data;

	if (!find_place(copy, "field: u64 timestamp;", &timestamp) ||
	    !find_place(copy, "field: local_t commit;", &commit) ||
	    !find_place(copy, "field: char data;", &data))
		return ltt_fail(error, LTT_ERROR_UNSUPPORTED,
				"header_page: expected the fields timestamp, commit and data");
	if (timestamp.offset != 0 || timestamp.size != sizeof(guint64) ||
	    commit.offset != sizeof(guint64) || (commit.size != 4 && commit.size != 8) ||
	    data.offset != commit.offset + commit.size || data.size > COMMIT_BYTES_MASK ||
	    data.size < WORD_BYTES)
		return ltt_fail(error, LTT_ERROR_UNSUPPORTED,
				"header_page: unknown layout of timestamp, commit and data");
	*layout = (LttRingLayout){.byte_order = byte_order,
				  .long_bytes = commit.size,
				  .commit_offset = commit.offset,
				  .data_offset = data.offset,
				  .page_bytes = data.offset + data.size};
	return TRUE;
}

/* ---- pages ---- */

static guint32 load_word(const LttRingPage *page, gsize at)
{
	return ltt_load_u32(page->bytes + at, page->layout->byte_order);
}

gboolean ltt_ring_page_open(LttRingPage *page, const LttRingLayout *layout, const guint8 *bytes,
			    gsize size, GError **error)
{
	guint64 commit;
	gsize used;

	if (size < layout->data_offset)
		return ltt_fail(error, LTT_ERROR_CORRUPT,
				"page of %" G_GSIZE_FORMAT " bytes: expected at least %u", size,
				layout->data_offset);
	commit = ltt_load_uint(bytes + layout->commit_offset, layout->long_bytes,
			       layout->byte_order);
	used = (guint32)commit & COMMIT_BYTES_MASK;
	if (used > size - layout->data_offset)
		return ltt_fail(error, LTT_ERROR_CORRUPT,
				"page has %" G_GSIZE_FORMAT " bytes of events: expected at "
				"most %" G_GSIZE_FORMAT,
				used, size - layout->data_offset);
	*page = (LttRingPage){.layout = layout,
			      .bytes = bytes,
			      .at = layout->data_offset,
			      .end = layout->data_offset + used,
			      .time = ltt_load_u64(bytes, layout->byte_order),
			      .is_lossy = (commit & COMMIT_IS_LOSSY) != 0};
	if (page->is_lossy && (commit & COMMIT_HAS_COUNT) != 0 &&
	    size - page->end >= layout->long_bytes)
		page->n_lost =
			ltt_load_uint(bytes + page->end, layout->long_bytes, layout->byte_order);
	return TRUE;
}

static LttRingStep fail(const LttRingPage *page, const char *what, GError **error)
{
	ltt_fail(error, LTT_ERROR_CORRUPT, "byte %" G_GSIZE_FORMAT " of a page: %s", page->at,
		 what);
	return LTT_RING_ERROR;
}

/* The first word of a record, whose bits are allocated from the low end on little-endian machines
 * and from the high end on others. */
static void split_word(const LttRingPage *page, guint32 word, guint *type_len, guint32 *delta)
{
	if (page->layout->byte_order == LTT_LITTLE_ENDIAN) {
		*type_len = word & 0x1f;
		*delta = word >> 5;
	} else {
		*type_len = word >> DELTA_BITS;
		*delta = word & ((1u << DELTA_BITS) - 1);
	}
}

/* Sets the absolute time @time of 59 bits. */
static void set_time(LttRingPage *page, guint64 time)
{
	time |= page->time & TIME_HIGH_MASK;
	if (time < page->time && (page->time & TIME_HIGH_MASK) != 0)
		time += (guint64)1 << TIME_BITS;
	page->time = time;
}

/* Takes the payload of @size bytes at @from. Returns: FALSE if it does not fit */
static gboolean take(LttRingPage *page, gsize from, gsize size, LttRingEvent *event)
{
	if (from > page->end || size > page->end - from || size < sizeof(guint16))
		return FALSE;
	event->bytes = page->bytes + from;
	event->size = size;
	event->id = ltt_load_u16(event->bytes, page->layout->byte_order);
	event->time = page->time;
	page->at = from + size;
	return TRUE;
}

LttRingStep ltt_ring_page_next(LttRingPage *page, LttRingEvent *event, GError **error)
{
	while (page->end - page->at >= WORD_BYTES) {
		const gsize behind = page->at + WORD_BYTES;
		guint32 array = 0;
		guint type_len;
		guint32 delta;

		split_word(page, load_word(page, page->at), &type_len, &delta);
		if (type_len > 0 && type_len < TYPE_PADDING) {
			page->time += delta;
			if (!take(page, behind, (gsize)type_len * WORD_BYTES, event))
				return fail(page, "an event extends beyond the page", error);
			return LTT_RING_EVENT;
		}
		if (type_len == TYPE_PADDING && delta == 0)
			break;
		if (page->end - behind < WORD_BYTES)
			return fail(page, "a record extends beyond the page", error);
		array = load_word(page, behind);
		switch (type_len) {
		case TYPE_EXTEND:
			page->time += ((guint64)array << DELTA_BITS) + delta;
			page->at = behind + WORD_BYTES;
			break;
		case TYPE_TIME:
			set_time(page, ((guint64)array << DELTA_BITS) + delta);
			page->at = behind + WORD_BYTES;
			break;
		case TYPE_PADDING:
			page->time += delta;
			if (array < WORD_BYTES || array > page->end - behind)
				return fail(page, "a discarded event extends beyond the page",
					    error);
			page->at = behind + array;
			break;
		default:
			page->time += delta;
			if (array < WORD_BYTES ||
			    !take(page, behind + WORD_BYTES, array - WORD_BYTES, event))
				return fail(page, "an event extends beyond the page", error);
			/* Records are aligned to words. */
			page->at = MIN(page->end, behind + (((gsize)array + 3) & ~(gsize)3));
			return LTT_RING_EVENT;
		}
	}
	return LTT_RING_END;
}
