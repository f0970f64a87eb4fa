/* parts-priv.h - numbers of 64 bits in which bits are fields, apart and together again. */
#ifndef LTT_PERF_PARTS_PRIV_H
#define LTT_PERF_PARTS_PRIV_H

#ifndef LTT_BUILDING
#error "parts-priv.h is private to libltt"
#endif

#include "recordings/perf/field-priv.h"

/* What any number may come to, packed: no part is more than its bits, each in a byte, and a count
 * or what fills up its width. */
#define LTT_PERF_MAX_PARTS_BYTES 256

/* Packs @value as the members of @field, a PARTS. Returns: how many bytes of @out are filled */
gsize ltt_perf_parts_pack(const LttPerfField *field, guint64 value, LttByteOrder order,
			  guint8 out[LTT_PERF_MAX_PARTS_BYTES]);

/* The way back. @taken_bytes: (out): of @packed
 * Returns: FALSE if @packed is not of these members */
gboolean ltt_perf_parts_unpack(const LttPerfField *field, LttByteOrder order, const guint8 *packed,
			       gsize packed_bytes, guint64 *value, gsize *taken_bytes);

/* ---- words.c: the numbers that there are ---- */

/* Parts that all events share. The flags of a branch are bits of C, which a big-endian machine
 * begins at the other end. */
LttPerfField ltt_perf_branch_flags(LttByteOrder order);
LttPerfField ltt_perf_data_src(void);
LttPerfField ltt_perf_transaction(void);

#endif
