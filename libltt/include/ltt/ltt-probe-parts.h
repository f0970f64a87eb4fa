/* ltt-probe-parts.h - a payload as a list of parts, each copied from where it is.
 *
 * For ltt-probe.h alone: programs do not use anything here.
 *
 * A part is a pointer and a size. The library copies the parts one after the other into the block,
 * without an intermediate buffer:
 *
 *	| packed fields | text ... 0 | packed fields | items ... |
 *
 * A payload with loops or branches has no such list; it is gathered in a struct ltt_probe_stage.
 */
#ifndef LTT_PROBE_H
#include <ltt/ltt-probe.h>
#elif !defined(LTT_PROBE_PARTS_H)
#define LTT_PROBE_PARTS_H

#define LTT_MAX_PROBE_PARTS 16

/* Flag in the size of a part: it is a text, and the rest of the size is its maximum length. */
#define LTT_PROBE_PART_TEXT (UINT64_C(1) << 63)

struct ltt_probe_part {
	const void *bytes;
	uint64_t size;
};

struct ltt_probe_parts {
	uint32_t n;
	uint32_t refused;
	struct ltt_probe_part part[LTT_MAX_PROBE_PARTS];
};

/* Writes an event whose payload is the @n @parts, or counts it as lost. A text is copied up to its
 * first 0 or up to its maximum length, and ends with a 0 in the trace, even if another thread
 * changes it during the call. */
LTT_PROBE_API void ltt_probe_write_parts(struct ltt_probe_facility *facility, uint32_t index,
					 const struct ltt_probe_part *parts, uint32_t n);

LTT_PROBE_ALWAYS_INLINE void ltt_probe_parts_open(struct ltt_probe_parts *parts)
{
	parts->n = 0;
	parts->refused = 0;
}

/* Appends @size bytes. */
LTT_PROBE_ALWAYS_INLINE void ltt_probe_parts_put(struct ltt_probe_parts *parts, const void *bytes,
						 size_t size)
{
	parts->part[parts->n].bytes = bytes;
	parts->part[parts->n].size = size;
	parts->n++;
}

/* Appends an array of @count items of @item_size bytes, a constant. */
LTT_PROBE_ALWAYS_INLINE void ltt_probe_parts_items(struct ltt_probe_parts *parts, const void *items,
						   size_t count, size_t item_size)
{
	/* A count that overflows becomes a size that no block has room for: the event is lost. */
	const size_t most = (size_t)PTRDIFF_MAX;

	ltt_probe_parts_put(parts, items, count > most / item_size ? most : count * item_size);
}

/* Appends a text of at most @length bytes and a 0; NULL as the empty text. */
LTT_PROBE_ALWAYS_INLINE void ltt_probe_parts_text(struct ltt_probe_parts *parts, const char *text,
						  size_t length)
{
	/* A text has at least one byte that may be read. */
	if (text == NULL || length == 0)
		text = "";
	ltt_probe_parts_put(parts, text, 0);
	parts->part[parts->n - 1].size = length | LTT_PROBE_PART_TEXT;
}

/* Appends a string; NULL as the empty string. */
LTT_PROBE_ALWAYS_INLINE void ltt_probe_parts_string(struct ltt_probe_parts *parts, const char *text)
{
	ltt_probe_parts_text(parts, text, SIZE_MAX);
}

/* Records that the description has no encoding for the values. */
LTT_PROBE_ALWAYS_INLINE void ltt_probe_parts_refuse(struct ltt_probe_parts *parts)
{
	parts->refused = 1;
}

/* Writes the event, or counts it as lost. */
LTT_PROBE_ALWAYS_INLINE void ltt_probe_parts_write(const struct ltt_probe_parts *parts,
						   struct ltt_probe_facility *facility,
						   uint32_t index)
{
	const struct ltt_probe_part *first = &parts->part[0];

	if (__builtin_expect(parts->refused, 0))
		ltt_probe_emit(facility, index, LTT_PROBE_REFUSED, NULL);
	else if (__builtin_constant_p(parts->n == 1 && first->size < LTT_PROBE_PART_TEXT) &&
		 parts->n == 1 && first->size < LTT_PROBE_PART_TEXT)
		/* Passed in registers; the list of parts is then never stored. */
		ltt_probe_write_bytes(facility, index, first->size, first->bytes);
	else
		ltt_probe_write_parts(facility, index, parts->part, parts->n);
}

#endif /* LTT_PROBE_PARTS_H */
