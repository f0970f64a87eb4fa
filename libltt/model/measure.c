/* measure.c - measure and validate a value of untrusted bytes (doc/format.md, 8.4).
 *
 * These functions measure every event of variable size once, because the next event begins at its
 * end. All readers rely on this check. It is critical for speed, so the functions pass the position
 * as argument and result, which keeps it in a register.
 *
 * The position never decreases, and each element of variable size takes at least one byte, so the
 * work is linear in the number of bytes.
 */
#include "base/nul-priv.h"

#include <ltt/ltt-layout.h>

/* The bytes of a value. */
typedef struct Walk {
	const guint8 *end;
	LttByteOrder byte_order;
	const char *why; /* set on failure */
} Walk;

static const char past_the_end[] = "its payload runs past the end of the block";

/* This and all functions below return the end of the value that begins at @at; NULL on failure. */
static G_GNUC_NO_INLINE const guint8 *fail(Walk *walk, const char *why)
{
	walk->why = why;
	return NULL;
}

static inline const guint8 *skip(Walk *walk, const guint8 *at, guint64 n_bytes)
{
	return G_LIKELY(n_bytes <= (guint64)(walk->end - at)) ? at + n_bytes
							      : fail(walk, past_the_end);
}

/* Most strings are short: tests the first bytes here before it calls memchr(). */
static inline const guint8 *walk_string(Walk *walk, const guint8 *at)
{
	const guint8 *nul;

	for (guint i = 0; i < 4 && walk->end - at >= LTT_NUL_STEP; i++) {
		const guint n = ltt_find_nul(at);

		if (n < LTT_NUL_STEP)
			return at + n + 1;
		at += LTT_NUL_STEP;
	}
	nul = walk->end > at ? memchr(at, '\0', (gsize)(walk->end - at)) : NULL;
	return nul != NULL ? nul + 1 : fail(walk, "a string has no end in the block");
}

static const guint8 *walk_large(Walk *walk, const LttLayout *layout, const guint8 *at);

static inline const guint8 *walk_value(Walk *walk, const LttLayout *layout, const guint8 *at)
{
	if (layout->is_fixed)
		return skip(walk, at, layout->min_bytes);
	if (layout->kind == LTT_STRING)
		return walk_string(walk, at);
	return walk_large(walk, layout, at);
}

static const guint8 *walk_elements(Walk *walk, const LttLayout *element, const guint8 *at,
				   guint64 count)
{
	if (element->min_bytes != 0 && count > (guint64)(walk->end - at) / element->min_bytes)
		return fail(walk, past_the_end);
	if (element->is_fixed)
		return skip(walk, at, count * element->min_bytes);
	for (guint64 i = 0; at != NULL && i < count; i++)
		at = walk_value(walk, element, at);
	return at;
}

static inline const guint8 *walk_sequence(Walk *walk, const LttLayout *layout, const guint8 *at)
{
	const LttLayout *element = layout->element;
	const guint8 *elements = skip(walk, at, layout->width_bytes);
	guint64 count;

	if (elements == NULL)
		return NULL;
	count = ltt_load_uint(at, layout->width_bytes, walk->byte_order);
	if (element->n_empty_values > 0 && count > LTT_MAX_EMPTY_VALUES / element->n_empty_values)
		return fail(walk, "a sequence has too many elements that take no bytes");
	/* If both factors fit 32 bits, the product cannot overflow and needs no division. */
	if (element->is_fixed && (count | element->min_bytes) <= G_MAXUINT32)
		return skip(walk, elements, count * element->min_bytes);
	return walk_elements(walk, element, elements, count);
}

static inline const guint8 *walk_union(Walk *walk, const LttLayout *layout, const guint8 *at)
{
	const guint8 *member = skip(walk, at, layout->width_bytes);
	guint64 code;

	if (member == NULL)
		return NULL;
	code = ltt_load_uint(at, layout->width_bytes, walk->byte_order);
	if (code >= layout->n_members)
		return fail(walk, "a union's code names none of its fields");
	return walk_value(walk, layout->members[code].layout, member);
}

/* Measures a value of a type with parts, within another value. */
static const guint8 *walk_large(Walk *walk, const LttLayout *layout, const guint8 *at)
{
	switch (layout->kind) {
	case LTT_ARRAY:
		return walk_elements(walk, layout->element, at, layout->n_elements);
	case LTT_SEQUENCE:
		return walk_sequence(walk, layout, at);
	case LTT_UNION:
		return walk_union(walk, layout, at);
	default:
		break;
	}
	g_assert(layout->kind == LTT_STRUCT);
	for (guint i = 0; at != NULL && i < layout->n_members; i++)
		at = walk_value(walk, layout->members[i].layout, at);
	return at;
}

/* Measures a payload. Most are structs: their members are measured here, without a call for
 * each. */
static inline const guint8 *walk_payload(Walk *walk, const LttLayout *layout, const guint8 *at)
{
	if (layout->is_fixed || layout->kind != LTT_STRUCT)
		return walk_value(walk, layout, at);
	for (guint i = 0; at != NULL && i < layout->n_members; i++) {
		const LttLayout *member = layout->members[i].layout;

		if (member->kind == LTT_SEQUENCE)
			at = walk_sequence(walk, member, at);
		else if (member->kind == LTT_UNION && !member->is_fixed)
			at = walk_union(walk, member, at);
		else
			at = walk_value(walk, member, at);
	}
	return at;
}

gboolean ltt_layout_measure(const LttLayout *layout, const guint8 *bytes, gsize available,
			    LttByteOrder byte_order, gsize *size_bytes, const char **why)
{
	static const guint8 nothing;
	const guint8 *start = bytes != NULL ? bytes : &nothing; /* NULL is allowed for 0 bytes */
	Walk walk = {.end = start + available, .byte_order = byte_order};
	const guint8 *end = walk_payload(&walk, layout, start);

	if (end == NULL) {
		if (why != NULL)
			*why = walk.why;
		return FALSE;
	}
	*size_bytes = (gsize)(end - start);
	return TRUE;
}
