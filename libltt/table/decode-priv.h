/* decode-priv.h - decode values of payloads into builders. */
#ifndef LTT_TABLE_DECODE_PRIV_H
#define LTT_TABLE_DECODE_PRIV_H

#ifndef LTT_BUILDING
#error "table/decode-priv.h is private to libltt; use <ltt/ltt-table.h>"
#endif

#include "table/builder-priv.h"

#include <ltt/ltt-layout.h>

/* Values of one layout at different places of a block. The block was validated when it was loaded,
 * so each value is within it. */
typedef struct LttPlaces {
	const LttLayout *layout;
	const guint8 *const *at; /* the address of each value, minus offset */
	gsize offset;            /* common to all values */
	gsize n;
	LttByteOrder byte_order;
	const guint8 *limit; /* the end of the block */
} LttPlaces;

/* Adds the values to @builder, whose column matches the layout.
 * @ends: (out) (nullable): the end of each value. Must not be the array @places->at */
void ltt_decode(LttBuilder *builder, const LttPlaces *places, const guint8 **ends);

/* Adds the members of a struct. @builders: (nullable elements): one for each member; NULL: skip
 * it */
void ltt_decode_members(LttBuilder *const *builders, const LttPlaces *places, const guint8 **ends);

/* ---- decode-scalars.c: ltt_decode() of columns without children, except counting ---- */

void ltt_decode_numbers(LttBuilder *builder, const LttPlaces *places);
void ltt_decode_enums(LttBuilder *builder, const LttPlaces *places);
void ltt_decode_fixed_bytes(LttBuilder *builder, const LttPlaces *places);
void ltt_decode_strings(LttBuilder *builder, const LttPlaces *places, const guint8 **ends);
void ltt_decode_bytes(LttBuilder *builder, const LttPlaces *places, const guint8 **ends);

#endif
