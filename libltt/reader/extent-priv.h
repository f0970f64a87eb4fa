/* extent-priv.h - find the end of a payload of variable size by a precompiled plan of its type.
 *
 * ltt_layout_measure() walks the type tree for each payload. An extent is made once for a type: it
 * lists the values of variable size, and the number of fixed bytes before each.
 *
 *	struct   | fd u32 | path string | pos u64 | points sequence(1) of 6 bytes | by union(1) ... | n u16 |
 *	extent   [4 bytes, STRING]      [8 bytes, SEQUENCE]                         [0, UNION]        [2]
 *
 * Nested values of variable size are left to ltt_layout_measure(), and so is the message for an
 * invalid payload. An extent accepts only payloads that this function accepts, with the same size.
 */
#ifndef LTT_EXTENT_PRIV_H
#define LTT_EXTENT_PRIV_H

#ifndef LTT_BUILDING
#error "extent-priv.h is private to libltt"
#endif

#include "base/nul-priv.h"

#include <ltt/ltt-layout.h>

typedef enum LttExtentKind {
	LTT_EXTENT_STRING,
	LTT_EXTENT_SEQUENCE, /* of elements of fixed size */
	LTT_EXTENT_UNION,
	LTT_EXTENT_OTHER, /* by ltt_layout_measure() */
} LttExtentKind;

/* A value of variable size, and the constant bytes before it. */
typedef struct LttExtentPart {
	guint32 lead_bytes;
	guint8 kind;
	guint8 width_bytes;    /* of a sequence's length, a union's code; 0: an array */
	guint32 element_bytes; /* SEQUENCE */
	guint32 n_members;     /* UNION: the sizes of the members by code, or a mark below; owned */
	guint32 *member_bytes;
	const LttLayout *layout;
} LttExtentPart;

#define LTT_EXTENT_IS_STRING G_MAXUINT32
#define LTT_EXTENT_IS_OTHER  (G_MAXUINT32 - 1)

typedef struct LttExtent {
	guint n_parts;
	guint32 tail_bytes; /* after the last part */
	LttExtentPart *parts;
} LttExtent;

/* Readable bytes after the end of a payload. */
#define LTT_EXTENT_SLACK_BYTES LTT_NUL_DOUBLE_STEP

/* @layout: of variable size; must outlive the extent. Returns: (transfer full): free it with
 * ltt_extent_free() */
LttExtent *ltt_extent_new(const LttLayout *layout);
void ltt_extent_free(LttExtent *extent); /* NULL is allowed and ignored */

/* All functions below take a position in @bytes and return the end of the value; 0 if the value is
 * invalid. The end of a union or a sequence can lie after @end, which the caller checks. Positions
 * have 64 bits, so that sums of untrusted numbers of 32 bits do not overflow. */

static inline gsize ltt_extent_string(const guint8 *bytes, gsize at, gsize end)
{
	while (at < end) {
		const guint n = ltt_find_nul_far(bytes + at);

		at += n;
		if (n < LTT_NUL_DOUBLE_STEP)
			return at < end ? at + 1 : 0;
	}
	return 0;
}

static inline gsize ltt_extent_other(const LttLayout *layout, const guint8 *bytes, gsize at,
				     gsize end, LttByteOrder byte_order)
{
	gsize size;

	return at <= end && ltt_layout_measure(layout, bytes + at, end - at, byte_order, &size,
					       NULL)
		       ? at + size
		       : 0;
}

static inline gsize ltt_extent_union(const LttExtentPart *part, guint64 code, const guint8 *bytes,
				     gsize at, gsize end, LttByteOrder byte_order)
{
	guint32 size;

	if (code >= part->n_members)
		return 0;
	size = part->member_bytes[code];
	if (size == LTT_EXTENT_IS_STRING)
		return ltt_extent_string(bytes, at, end);
	if (size == LTT_EXTENT_IS_OTHER)
		return ltt_extent_other(part->layout->members[code].layout, bytes, at, end,
					byte_order);
	return at + size;
}

/* @at: of a payload. LTT_EXTENT_SLACK_BYTES after @end may be read */
static inline __attribute__((always_inline)) gsize ltt_extent_end(const LttExtent *extent,
								  const guint8 *bytes, gsize at,
								  gsize end,
								  LttByteOrder byte_order)
{
	const LttExtentPart *part = extent->parts;
	guint64 number;

	for (guint i = extent->n_parts; i > 0; i--, part++) {
		at += part->lead_bytes;
		if (at + part->width_bytes > end)
			return 0;
		switch (part->kind) {
		case LTT_EXTENT_STRING:
			at = ltt_extent_string(bytes, at, end);
			break;
		case LTT_EXTENT_SEQUENCE:
			number = ltt_load_uint(bytes + at, part->width_bytes, byte_order);
			at = number <= end ? at + part->width_bytes + number * part->element_bytes
					   : 0;
			break;
		case LTT_EXTENT_UNION:
			number = ltt_load_uint(bytes + at, part->width_bytes, byte_order);
			at = ltt_extent_union(part, number, bytes, at + part->width_bytes, end,
					      byte_order);
			break;
		default:
			at = ltt_extent_other(part->layout, bytes, at, end, byte_order);
			break;
		}
		if (at == 0)
			return 0;
	}
	at += extent->tail_bytes;
	return at <= end ? at : 0;
}

#endif
