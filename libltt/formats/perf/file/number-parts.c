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

/* ---- scattered bits ---- */

static void spread_init(LttPerfSpread *spread, guint64 mask)
{
	guint number = 0;

	*spread = (LttPerfSpread){.mask = mask};
	for (guint64 rest = mask; rest != 0; rest &= rest - 1, number++) {
		const guint way = (guint)__builtin_ctzll(rest) - number;
		guint at = number;

		for (guint i = 0; i < LTT_PERF_SPREAD_MOVES; i++) {
			const guint step = 32U >> i;

			if ((way & step) == 0)
				continue;
			at += step;
			spread->moved[i] |= (guint64)1 << at;
		}
	}
}

/* @word: has at most as many bits as the mask */
static inline guint64 spread_out(const LttPerfSpread *spread, guint64 word)
{
#pragma GCC unroll 6
	for (guint i = 0; i < LTT_PERF_SPREAD_MOVES; i++) {
		const guint step = 32U >> i;
		const guint64 moved = spread->moved[i];

		word = (word & ~(moved >> step)) | (word << step & moved);
	}
	return word;
}

/* The inverse of spread_out(). @word: a subset of the mask */
static inline guint64 draw_in(const LttPerfSpread *spread, guint64 word)
{
#pragma GCC unroll 6
	for (guint i = LTT_PERF_SPREAD_MOVES; i-- > 0;) {
		const guint64 moved = spread->moved[i];

		word = (word & ~moved) | (word & moved) >> (32U >> i);
	}
	return word;
}

/* ---- numbers without sets ---- */

void ltt_perf_numbers_init(LttPerfNumbers *numbers, const LttPerfField *field)
{
	guint64 masks[2] = {0, 0};
	guint n_bits = 0;

	*numbers = (LttPerfNumbers){.n = field->n_members, .is_in_words = TRUE};
	for (guint i = 0; i < field->n_members; i++) {
		const LttPerfField *part = &field->members[i];
		const gsize at = numbers->n_bytes;

		numbers->parts[i] =
			(LttPerfNumber){mask_of(part), (guint8)part->place, part->width};
		numbers->n_bytes += part->width;
		if (at % 8 + part->width > 8 || numbers->n_bytes > 16 || part->place != n_bits) {
			numbers->is_in_words = FALSE;
			continue;
		}
		n_bits += part->n;
		masks[at / 8] |= mask_of(part) << at % 8 * 8;
		if (at < 8)
			numbers->n_low_bits = n_bits;
	}
	if (numbers->n_bytes <= 8)
		numbers->is_in_words = FALSE;
	spread_init(&numbers->low, masks[0]);
	spread_init(&numbers->high, masks[1]);
}

guint8 *ltt_perf_numbers_pack(const LttPerfNumbers *numbers, guint64 value, LttByteOrder order,
			      guint8 *out)
{
	if (numbers->is_in_words && order == LTT_LITTLE_ENDIAN) {
		const guint64 high = value >> numbers->n_low_bits;
		const guint64 low = value ^ high << numbers->n_low_bits;

		ltt_store_u64(out, spread_out(&numbers->low, low), order);
		ltt_store_u64(out + 8, high != 0 ? spread_out(&numbers->high, high) : 0, order);
		return out + numbers->n_bytes;
	}
	for (guint i = 0; i < numbers->n; i++) {
		const LttPerfNumber *part = &numbers->parts[i];

		ltt_store_uint(out, part->width, value >> part->place & part->mask, order);
		out += part->width;
	}
	return out;
}

gboolean ltt_perf_numbers_unpack(const LttPerfNumbers *numbers, LttByteOrder order,
				 const guint8 *packed, guint64 *value)
{
	guint64 rest = 0;

	if (numbers->is_in_words && order == LTT_LITTLE_ENDIAN) {
		/* Let the second word overlap the first one, so as not to read after the end. */
		const guint64 low = ltt_load_u64(packed, order);
		const guint64 high = ltt_load_u64(packed + numbers->n_bytes - 8, order) >>
				     (16 - numbers->n_bytes) * 8;

		*value = draw_in(&numbers->low, low);
		if (high != 0)
			*value |= draw_in(&numbers->high, high) << numbers->n_low_bits;
		return ((low & ~numbers->low.mask) | (high & ~numbers->high.mask)) == 0;
	}
	*value = 0;
	for (guint i = 0; i < numbers->n; i++) {
		const LttPerfNumber *part = &numbers->parts[i];
		const guint64 bits = ltt_load_uint(packed, part->width, order);

		rest |= bits & ~part->mask;
		*value |= bits << part->place;
		packed += part->width;
	}
	return rest == 0;
}

/* ---- cache of packed values ---- */

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

/* A packed value is identified by its own bytes: no value is packed to the beginning of another. */
gboolean ltt_perf_memo_unpack(LttPerfMemo *memo, const LttPerfField *field, LttByteOrder order,
			      const guint8 *packed, gsize packed_bytes, guint64 *value,
			      gsize *taken_bytes)
{
	LttPerfMemoEntry *entry;
	guint64 hash;

	if (packed_bytes < 2 * sizeof(guint64))
		return ltt_perf_parts_unpack(field, order, packed, packed_bytes, value,
					     taken_bytes);
	hash = ltt_load_u64(packed, LTT_NATIVE_ENDIAN) * HASH_FACTOR +
	       ltt_load_u64(packed + sizeof(guint64), LTT_NATIVE_ENDIAN);
	entry = &memo->entries[hash * HASH_FACTOR >> HASH_SHIFT];
	if (G_LIKELY(entry->members == field->members && entry->n_bytes <= packed_bytes &&
		     memcmp(entry->bytes, packed, entry->n_bytes) == 0)) {
		*value = entry->value;
		*taken_bytes = entry->n_bytes;
		return TRUE;
	}
	if (!ltt_perf_parts_unpack(field, order, packed, packed_bytes, value, taken_bytes))
		return FALSE;
	if (*taken_bytes <= LTT_PERF_MEMO_BYTES) {
		*entry = (LttPerfMemoEntry){field->members, *value, (guint)*taken_bytes, {0}};
		memcpy(entry->bytes, packed, *taken_bytes);
	}
	return TRUE;
}
