/* ltt-probe-parts.h - a payload as a list of parts, each copied from where it is.
 *
 * For ltt-probe.h alone; nothing here is to be called or looked at by anybody else.
 *
 * A part is a pointer and a size. The library copies the parts one behind the other straight into
 * the block, without a buffer between:
 *
 *	| packed fields | text ... 0 | packed fields | items ... |
 *
 * A payload with loops or branches (elements that vary in size, unions) has no such list and is
 * gathered in a struct ltt_probe_stage instead.
 */
#ifndef LTT_PROBE_H
#include <ltt/ltt-probe.h>
#elif !defined(LTT_PROBE_PARTS_H)
#define LTT_PROBE_PARTS_H

#define LTT_PROBE_PARTS_MAX 16

/* In the size of a part: it is a text, and the rest of the size is how long it may be. */
#define LTT_PROBE_PART_TEXT (UINT64_C(1) << 63)

struct ltt_probe_part {
	const void *bytes;
	uint64_t size;
};

struct ltt_probe_parts {
	uint32_t n;
	uint32_t refused;
	struct ltt_probe_part part[LTT_PROBE_PARTS_MAX];
};

/* Writes or counts an event whose payload is the @n @parts. A text is copied up to its first 0 or
 * up to its size, and ends with a 0 in the trace; what counts is the bytes as copied, even if
 * another thread changes the text meanwhile. */
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

/* Appends @count items of @item_size bytes, a constant, that lie packed one behind the other. */
LTT_PROBE_ALWAYS_INLINE void ltt_probe_parts_items(struct ltt_probe_parts *parts, const void *items,
						   size_t count, size_t item_size)
{
	/* More than there can be is a size that no block has room for: the event will be lost. */
	const size_t most = (size_t)PTRDIFF_MAX;

	ltt_probe_parts_put(parts, items, count > most / item_size ? most : count * item_size);
}

/* Appends a text of at most @length bytes, with a 0 behind it; NULL as the empty one. */
LTT_PROBE_ALWAYS_INLINE void ltt_probe_parts_text(struct ltt_probe_parts *parts, const char *text,
						  size_t length)
{
	/* With one byte to look at at least, there is always one that may be read. */
	if (text == NULL || length == 0)
		text = "";
	ltt_probe_parts_put(parts, text, 0);
	parts->part[parts->n - 1].size = length | LTT_PROBE_PART_TEXT;
}

/* Appends a string; NULL as the empty one. */
LTT_PROBE_ALWAYS_INLINE void ltt_probe_parts_string(struct ltt_probe_parts *parts, const char *text)
{
	ltt_probe_parts_text(parts, text, SIZE_MAX);
}

/* Says that the values have no place in the description. */
LTT_PROBE_ALWAYS_INLINE void ltt_probe_parts_refuse(struct ltt_probe_parts *parts)
{
	parts->refused = 1;
}

/* Writes or counts the event. */
LTT_PROBE_ALWAYS_INLINE void ltt_probe_parts_write(const struct ltt_probe_parts *parts,
						   struct ltt_probe_facility *facility,
						   uint32_t index)
{
	const struct ltt_probe_part *first = &parts->part[0];

	if (__builtin_expect(parts->refused, 0))
		ltt_probe_emit(facility, index, LTT_PROBE_REFUSED, NULL);
	else if (__builtin_constant_p(parts->n == 1 && first->size < LTT_PROBE_PART_TEXT) &&
		 parts->n == 1 && first->size < LTT_PROBE_PART_TEXT)
		/* The compiler passes the part in registers. */
		ltt_probe_write_bytes(facility, index, first->size, first->bytes);
	else
		ltt_probe_write_parts(facility, index, parts->part, parts->n);
}

#endif /* LTT_PROBE_PARTS_H */
