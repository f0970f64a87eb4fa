/* cost-priv.h - the bytes that an event takes in the columns of a table, before it is decoded.
 *
 * A small payload can become large columns: a union has a value for each of its members, a column that the
 * version of the event lacks has the size of its values in another version, and elements that take no bytes
 * are still values. The contents of a trace are untrusted, so an event is decoded only if its columns are in
 * proportion to its payload.
 *
 * Most types need no look at their payloads: a constant, and a factor for each byte, are a bound for all
 * events of a layout. Only events above the limit by this bound are measured.
 *
 * Each value counts at least one byte. This limits the numbers of values, too, so that offsets fit 32 bits.
 */
#ifndef LTT_TABLE_COST_PRIV_H
#define LTT_TABLE_COST_PRIV_H

#ifndef LTT_BUILDING
#error "table/cost-priv.h is private to libltt; use <ltt/ltt-table.h>"
#endif

#include "table/builder-priv.h"
#include "table/decode-priv.h"

/* The most bytes of an event in the columns: a constant and a factor for each byte of its payload, and a
 * maximum. Numbers, texts and labels take at most 13 for each byte. The maximum and a batch before the event
 * (rows-priv.h) fit 32 bits. */
#define LTT_ROW_BYTES     ((guint64)64 * 1024 * 1024)
#define LTT_ROW_FACTOR    16
#define LTT_ROW_MAX_BYTES ((guint64)1792 * 1024 * 1024)

/* A bound for the bytes of an event: bytes, and a factor for each byte of the payload. */
typedef struct LttCost {
	guint64 bytes;
	guint64 factor;
} LttCost;

/* Numbers that would be larger become this one. */
#define LTT_COST_LARGEST ((guint64)1 << 62)

static inline guint64 ltt_cost_add(guint64 a, guint64 b)
{
	return MIN(a + b, LTT_COST_LARGEST);
}

static inline guint64 ltt_cost_multiply(guint64 a, guint64 b)
{
	return b != 0 && a > LTT_COST_LARGEST / b ? LTT_COST_LARGEST : a * b;
}

/* Returns: the bytes of a null, with those of its children */
guint64 ltt_cost_of_null(const LttColumn *column);

/* Returns: a bound for values of @layout, which matches the column of @builder */
LttCost ltt_cost_of_values(const LttBuilder *builder, const LttLayout *layout);

/* Measures the value of the first place, which was validated.
 * @builder: (nullable): where it will be decoded; NULL: it is skipped. @at: (inout): set to its end.
 * Returns: its bytes */
guint64 ltt_cost_measure(const LttBuilder *builder, const LttPlaces *place, const guint8 **at);

static inline guint64 ltt_cost_at_most(const LttCost *cost, guint64 payload_bytes)
{
	return ltt_cost_add(cost->bytes, ltt_cost_multiply(cost->factor, payload_bytes));
}

/* Returns: the limit of an event */
static inline guint64 ltt_cost_get_limit(guint64 payload_bytes)
{
	return MIN(LTT_ROW_BYTES + LTT_ROW_FACTOR * payload_bytes, LTT_ROW_MAX_BYTES);
}

#endif
