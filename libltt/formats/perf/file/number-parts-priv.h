/* number-parts-priv.h - numbers of 64 bits in which bits are fields, apart and together again. */
#ifndef LTT_FORMATS_PERF_FILE_NUMBER_PARTS_PRIV_H
#define LTT_FORMATS_PERF_FILE_NUMBER_PARTS_PRIV_H

#ifndef LTT_BUILDING
#error "formats/perf/file/number-parts-priv.h is private to libltt"
#endif

#include "formats/perf/file/field-priv.h"

/* What any number may come to, packed: no part is more than its bits, each in a byte, and a count
 * or what fills up its width. */
#define LTT_PERF_MAX_PARTS_BYTES 256

/* Packs @value as the members of @field, a PARTS. Returns: how many bytes of @out are filled */
gsize ltt_perf_parts_pack(const LttPerfField *field, guint64 value, LttByteOrder order,
			  guint8 out[LTT_PERF_MAX_PARTS_BYTES]);

/* Returns: whether each bit of the number is in one of the members of @field, a PARTS */
gboolean ltt_perf_parts_cover_all(const LttPerfField *field);

/* The members of a PARTS without a SET, at hand for many values. */
#define LTT_PERF_MOST_NUMBERS 16

typedef struct LttPerfNumber {
	guint64 mask;
	guint8 place;
	guint8 width;
	guint8 shift; /* in the word that has it, packed in little-endian order */
} LttPerfNumber;

typedef struct LttPerfNumbers {
	guint n;
	gsize n_bytes; /* of a value, packed */
	/* Packed, the first n_low are in 8 bytes, the others in up to 8 behind these. */
	gboolean is_in_words;
	guint n_low;
	LttPerfNumber parts[LTT_PERF_MOST_NUMBERS];
} LttPerfNumbers;

/* Bytes that ltt_perf_numbers_pack() may write behind what it gave. */
#define LTT_PERF_NUMBERS_SPARE 16

/* Returns: whether @field, a PARTS, can be had so */
gboolean ltt_perf_parts_are_numbers(const LttPerfField *field);
void ltt_perf_numbers_init(LttPerfNumbers *numbers, const LttPerfField *field);

/* As ltt_perf_parts_pack(). Returns: the end of what it gave */
guint8 *ltt_perf_numbers_pack(const LttPerfNumbers *numbers, guint64 value, LttByteOrder order,
			      guint8 *out);

/* The way back. @packed: numbers->n_bytes
 * Returns: FALSE if a part has more than its bits */
gboolean ltt_perf_numbers_unpack(const LttPerfNumbers *numbers, LttByteOrder order,
				 const guint8 *packed, guint64 *value);

/* The way back. @taken_bytes: (out): of @packed
 * Returns: FALSE if @packed is not of these members */
gboolean ltt_perf_parts_unpack(const LttPerfField *field, LttByteOrder order, const guint8 *packed,
			       gsize packed_bytes, guint64 *value, gsize *taken_bytes);

/* Values that were packed lately: of data sources there are few different ones in a recording. */
#define LTT_PERF_MEMO_ENTRIES 128
#define LTT_PERF_MEMO_BYTES   48

typedef struct LttPerfMemoEntry {
	const LttPerfField *members; /* of the PARTS; NULL: nothing is here yet */
	guint64 value;
	guint n_bytes;
	guint8 bytes[LTT_PERF_MEMO_BYTES];
} LttPerfMemoEntry;

typedef struct LttPerfMemo {
	LttPerfMemoEntry entries[LTT_PERF_MEMO_ENTRIES];
} LttPerfMemo;

/* As ltt_perf_parts_pack(), in an order that must be the same for all of @memo. */
gsize ltt_perf_memo_pack(LttPerfMemo *memo, const LttPerfField *field, guint64 value,
			 LttByteOrder order, guint8 out[LTT_PERF_MAX_PARTS_BYTES]);

/* ---- sample-words.c: the numbers that there are ---- */

/* Parts that all events share. The flags of a branch are bits of C, which a big-endian machine
 * begins at the other end. */
LttPerfField ltt_perf_branch_flags(LttByteOrder order);
LttPerfField ltt_perf_data_src(void);
LttPerfField ltt_perf_transaction(void);

#endif
