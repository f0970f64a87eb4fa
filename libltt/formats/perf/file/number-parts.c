/* number-parts.c - pack and unpack numbers that consist of bit-fields (number-parts-priv.h). */
#include "formats/perf/file/number-parts-priv.h"

#include "base/bytes-priv.h"

#include <string.h>

static guint64 mask_of(const LttPerfField *part)
{
	return part->n == 64 ? G_MAXUINT64 : ((guint64)1 << part->n) - 1;
}

/* Packs a SET: a count, followed by the numbers of the set bits, one byte each. */
static gsize pack_set(guint64 bits, guint8 *out)
{
	guint8 n = 0;

	for (; bits != 0; bits &= bits - 1)
		out[1 + n++] = (guint8)__builtin_ctzll(bits);
	out[0] = n;
	return 1 + (gsize)n;
}

gsize ltt_perf_parts_pack(const LttPerfField *field, guint64 value, LttByteOrder order,
			  guint8 out[LTT_PERF_MAX_PARTS_BYTES])
{
	gsize length = 0;

	for (guint i = 0; i < field->n_members; i++) {
		const LttPerfField *part = &field->members[i];
		const guint64 bits = value >> part->place & mask_of(part);

		if (part->kind == LTT_PERF_SET) {
			length += pack_set(bits, out + length);
		} else {
			ltt_store_uint(out + length, part->width, bits, order);
			length += part->width;
		}
	}
	return length;
}

gboolean ltt_perf_parts_cover_all(const LttPerfField *field)
{
	guint64 covered = 0;

	for (guint i = 0; i < field->n_members; i++)
		covered |= mask_of(&field->members[i]) << field->members[i].place;
	return covered == G_MAXUINT64;
}

gboolean ltt_perf_parts_are_numbers(const LttPerfField *field)
{
	for (guint i = 0; i < field->n_members; i++)
		if (field->members[i].kind == LTT_PERF_SET)
			return FALSE;
	return field->n_members <= LTT_PERF_MOST_NUMBERS;
}

void ltt_perf_numbers_init(LttPerfNumbers *numbers, const LttPerfField *field)
{
	numbers->n = field->n_members;
	numbers->n_bytes = 0;
	numbers->n_low = 0;
	numbers->is_in_words = TRUE;
	for (guint i = 0; i < field->n_members; i++) {
		const LttPerfField *part = &field->members[i];

		const gsize at = numbers->n_bytes;

		numbers->parts[i] = (LttPerfNumber){mask_of(part), (guint8)part->place, part->width,
						    (guint8)(at % 8 * 8)};
		numbers->n_low += at < 8 ? 1 : 0;
		numbers->n_bytes += part->width;
		if (at % 8 + part->width > 8 || numbers->n_bytes > 16)
			numbers->is_in_words = FALSE;
	}
	if (numbers->n_bytes <= 8)
		numbers->is_in_words = FALSE;
}

/* Packs the parts [@begin, @end) into one little-endian word. */
static inline guint64 gather(const LttPerfNumbers *numbers, guint64 value, guint begin, guint end)
{
	guint64 word = 0;

	for (guint i = begin; i < end; i++) {
		const LttPerfNumber *part = &numbers->parts[i];

		word |= (value >> part->place & part->mask) << part->shift;
	}
	return word;
}

guint8 *ltt_perf_numbers_pack(const LttPerfNumbers *numbers, guint64 value, LttByteOrder order,
			      guint8 *out)
{
	if (numbers->is_in_words && order == LTT_LITTLE_ENDIAN) {
		ltt_store_u64(out, gather(numbers, value, 0, numbers->n_low), order);
		ltt_store_u64(out + 8, gather(numbers, value, numbers->n_low, numbers->n), order);
		return out + numbers->n_bytes;
	}
	for (guint i = 0; i < numbers->n; i++) {
		const LttPerfNumber *part = &numbers->parts[i];

		ltt_store_uint(out, part->width, value >> part->place & part->mask, order);
		out += part->width;
	}
	return out;
}

/* Adds the parts [@begin, @end) of @word to @value. Returns: the bits of @word that do not belong
 * to a part */
static inline guint64 scatter(const LttPerfNumbers *numbers, guint64 word, guint begin, guint end,
			      guint64 *value)
{
	for (guint i = begin; i < end; i++) {
		const LttPerfNumber *part = &numbers->parts[i];

		*value |= (word >> part->shift & part->mask) << part->place;
		word &= ~(part->mask << part->shift);
	}
	return word;
}

gboolean ltt_perf_numbers_unpack(const LttPerfNumbers *numbers, LttByteOrder order,
				 const guint8 *packed, guint64 *value)
{
	guint64 rest = 0;

	*value = 0;
	if (numbers->is_in_words && order == LTT_LITTLE_ENDIAN) {
		/* Let the second word overlap the first one, so as not to read after the end. */
		const guint8 *high = packed + numbers->n_bytes - 8;

		rest = scatter(numbers, ltt_load_u64(packed, order), 0, numbers->n_low, value) |
		       scatter(numbers, ltt_load_u64(high, order) >> (16 - numbers->n_bytes) * 8,
			       numbers->n_low, numbers->n, value);
		return rest == 0;
	}
	for (guint i = 0; i < numbers->n; i++) {
		const LttPerfNumber *part = &numbers->parts[i];
		const guint64 bits = ltt_load_uint(packed, part->width, order);

		rest |= bits & ~part->mask;
		*value |= bits << part->place;
		packed += part->width;
	}
	return rest == 0;
}

/* Multiplicative hashing: the golden ratio of 2^64. */
#define HASH_FACTOR 0x9e3779b97f4a7c15
#define HASH_SHIFT  57 /* 64 - log2(LTT_PERF_MEMO_ENTRIES) */

gsize ltt_perf_memo_pack(LttPerfMemo *memo, const LttPerfField *field, guint64 value,
			 LttByteOrder order, guint8 out[LTT_PERF_MAX_PARTS_BYTES])
{
	LttPerfMemoEntry *entry = &memo->entries[value * HASH_FACTOR >> HASH_SHIFT];
	gsize n_bytes;

	if (G_LIKELY(entry->members == field->members && entry->value == value)) {
		memcpy(out, entry->bytes, LTT_PERF_MEMO_BYTES);
		return entry->n_bytes;
	}
	n_bytes = ltt_perf_parts_pack(field, value, order, out);
	if (n_bytes <= LTT_PERF_MEMO_BYTES) {
		*entry = (LttPerfMemoEntry){field->members, value, (guint)n_bytes, {0}};
		memcpy(entry->bytes, out, n_bytes);
	}
	return n_bytes;
}

static gboolean unpack_set(const LttPerfField *part, const guint8 *packed, gsize packed_bytes,
			   guint64 *bits)
{
	if (packed_bytes < 1 || packed[0] > packed_bytes - 1)
		return FALSE;
	*bits = 0;
	for (guint i = 0; i < packed[0]; i++) {
		if (packed[1 + i] >= part->n)
			return FALSE;
		*bits |= (guint64)1 << packed[1 + i];
	}
	return TRUE;
}

gboolean ltt_perf_parts_unpack(const LttPerfField *field, LttByteOrder order, const guint8 *packed,
			       gsize packed_bytes, guint64 *value, gsize *taken_bytes)
{
	gsize at = 0;

	*value = 0;
	for (guint i = 0; i < field->n_members; i++) {
		const LttPerfField *part = &field->members[i];
		guint64 bits;

		if (part->kind == LTT_PERF_SET) {
			if (!unpack_set(part, packed + at, packed_bytes - at, &bits))
				return FALSE;
			at += 1 + (gsize)packed[at];
		} else {
			if (part->width > packed_bytes - at)
				return FALSE;
			bits = ltt_load_uint(packed + at, part->width, order);
			at += part->width;
		}
		if (bits > mask_of(part))
			return FALSE;
		*value |= bits << part->place;
	}
	*taken_bytes = at;
	return TRUE;
}
