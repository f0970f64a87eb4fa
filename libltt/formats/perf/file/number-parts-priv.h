/* number-parts-priv.h - split 64-bit numbers into bit-fields, and join these again. */
#ifndef LTT_FORMATS_PERF_FILE_NUMBER_PARTS_PRIV_H
#define LTT_FORMATS_PERF_FILE_NUMBER_PARTS_PRIV_H

#ifndef LTT_BUILDING
#error "formats/perf/file/number-parts-priv.h is private to libltt"
#endif

#include "formats/perf/file/field-priv.h"

/* Maximum size of a packed number. A part takes at most one byte for each of its bits, plus a count
 * or the rest of its width. */
#define LTT_PERF_MAX_PARTS_BYTES 256

/* Packs @value as the members of @field, a PARTS. Returns: the number of bytes written to @out */
gsize ltt_perf_parts_pack(const LttPerfField *field, guint64 value, LttByteOrder order,
			  guint8 out[LTT_PERF_MAX_PARTS_BYTES]);

/* Returns: whether the members of @field, a PARTS, contain all bits of the number */
gboolean ltt_perf_parts_cover_all(const LttPerfField *field);

/* Maximum number of members of LttPerfNumbers, the fast representation of a PARTS without a SET. */
#define LTT_PERF_MOST_NUMBERS 16

typedef struct LttPerfNumber {
	guint64 mask;
	guint8 place;
	guint8 width;
} LttPerfNumber;

/* Scatters the low bits of a word to the bits of a mask in ascending order, like the instruction
 * PDEP. A bit moves up by a distance of 0 to 63. Move i shifts all bits up whose distance has
 * binary digit 32 >> i:
 *
 *	word		0 0 0 d c b a	distances 3 3 1 0
 *	shifted by 2	0 d c 0 0 b a
 *	shifted by 1	d c 0 0 b 0 a
 *	mask		1 1 0 0 1 0 1
 */
#define LTT_PERF_SPREAD_MOVES 6
typedef struct LttPerfSpread {
	guint64 mask;
	guint64 moved[LTT_PERF_SPREAD_MOVES]; /* destinations of the bits that a move shifts */
} LttPerfSpread;

typedef struct LttPerfNumbers {
	guint n;
	gsize n_bytes; /* size of a packed value */
	/* The parts are contiguous, from the lowest bit to the highest. In packed form, those of
	 * the low n_low_bits are in the first 8 bytes and the others in up to 8 further bytes. */
	gboolean is_in_words;
	guint n_low_bits;
	LttPerfSpread low;
	LttPerfSpread high;
	LttPerfNumber parts[LTT_PERF_MOST_NUMBERS];
} LttPerfNumbers;

/* Number of bytes that ltt_perf_numbers_pack() may write after the end that it returns. */
#define LTT_PERF_NUMBERS_SPARE 16

/* Returns: whether LttPerfNumbers can represent @field, a PARTS */
gboolean ltt_perf_parts_are_numbers(const LttPerfField *field);
void ltt_perf_numbers_init(LttPerfNumbers *numbers, const LttPerfField *field);

/* Like ltt_perf_parts_pack(). Returns: the end of the packed value */
guint8 *ltt_perf_numbers_pack(const LttPerfNumbers *numbers, guint64 value, LttByteOrder order,
			      guint8 *out);

/* Unpacks a value. @packed: numbers->n_bytes bytes
 * Returns: FALSE if the value of a part does not fit in its bits */
gboolean ltt_perf_numbers_unpack(const LttPerfNumbers *numbers, LttByteOrder order,
				 const guint8 *packed, guint64 *value);

/* Unpacks a value. @taken_bytes: (out): number of used bytes of @packed
 * Returns: FALSE if @packed does not match the members */
gboolean ltt_perf_parts_unpack(const LttPerfField *field, LttByteOrder order, const guint8 *packed,
			       gsize packed_bytes, guint64 *value, gsize *taken_bytes);

/* Size of a cache of packed values. A recording has few different data sources. */
#define LTT_PERF_MEMO_ENTRIES 128
#define LTT_PERF_MEMO_BYTES   48

typedef struct LttPerfMemoEntry {
	const LttPerfField *members; /* of the PARTS; NULL: empty entry */
	guint64 value;
	guint n_bytes;
	guint8 bytes[LTT_PERF_MEMO_BYTES];
} LttPerfMemoEntry;

typedef struct LttPerfMemo {
	LttPerfMemoEntry entries[LTT_PERF_MEMO_ENTRIES];
} LttPerfMemo;

/* Like ltt_perf_parts_pack(), with a cache. @order: must be the same in all calls with @memo */
gsize ltt_perf_memo_pack(LttPerfMemo *memo, const LttPerfField *field, guint64 value,
			 LttByteOrder order, guint8 out[LTT_PERF_MAX_PARTS_BYTES]);

/* Like ltt_perf_parts_unpack(), with a cache. @memo: not the one that ltt_perf_memo_pack() uses,
 * because several packed forms of a SET unpack to the same value */
gboolean ltt_perf_memo_unpack(LttPerfMemo *memo, const LttPerfField *field, LttByteOrder order,
			      const guint8 *packed, gsize packed_bytes, guint64 *value,
			      gsize *taken_bytes);

/* ---- sample-words.c: the numbers in samples ---- */

/* Return: the PARTS of a number in samples. The flags of a branch are C bit-fields, whose order of
 * bits depends on the byte order. */
LttPerfField ltt_perf_branch_flags(LttByteOrder order);
LttPerfField ltt_perf_data_src(void);
LttPerfField ltt_perf_transaction(void);

#endif
