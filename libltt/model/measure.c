/* measure.c - how many bytes a value takes, trusting none of them (doc/format.md, 8.4).
 *
 * Every event of varying size passes here once, so this is both the guard and a part of the speed
 * of reading. A walk never goes back, and each element of varying size takes at least a byte, so
 * the work is bounded by the bytes there are.
 */
#include "base/bytes-priv.h"

#include <ltt/ltt-layout.h>

/* What is left to look at. */
typedef struct Walk {
	const guint8 *at;
	const guint8 *end;
	LttByteOrder byte_order;
	const char *why;
} Walk;

static gboolean fail(Walk *walk, const char *why)
{
	walk->why = why;
	return FALSE;
}

static gboolean skip(Walk *walk, guint64 n_bytes)
{
	if (n_bytes > (guint64)(walk->end - walk->at))
		return fail(walk, "its payload runs past the end of the block");
	walk->at += n_bytes;
	return TRUE;
}

static gboolean take_uint(Walk *walk, guint width_bytes, guint64 *value)
{
	const guint8 *at = walk->at;

	if (!skip(walk, width_bytes))
		return FALSE;
	*value = ltt_load_uint(at, width_bytes, walk->byte_order);
	return TRUE;
}

static gboolean walk_value(Walk *walk, const LttLayout *layout);

static gboolean walk_string(Walk *walk)
{
	const gsize left = (gsize)(walk->end - walk->at);
	const guint8 *nul = left > 0 ? memchr(walk->at, '\0', left) : NULL;

	if (nul == NULL)
		return fail(walk, "a string has no end in the block");
	walk->at = nul + 1;
	return TRUE;
}

static gboolean walk_elements(Walk *walk, const LttLayout *element, guint64 count)
{
	if (element->min_bytes != 0 && count > (guint64)(walk->end - walk->at) / element->min_bytes)
		return fail(walk, "its payload runs past the end of the block");
	if (element->is_fixed)
		return skip(walk, count * element->min_bytes);
	for (guint64 i = 0; i < count; i++) {
		if (!walk_value(walk, element))
			return FALSE;
	}
	return TRUE;
}

static gboolean walk_sequence(Walk *walk, const LttLayout *layout)
{
	guint64 count;

	if (!take_uint(walk, layout->width_bytes, &count))
		return FALSE;
	if (layout->element->n_empty_values > 0 &&
	    count > LTT_MAX_EMPTY_VALUES / layout->element->n_empty_values)
		return fail(walk, "a sequence has too many elements that take no bytes");
	return walk_elements(walk, layout->element, count);
}

static gboolean walk_union(Walk *walk, const LttLayout *layout)
{
	guint64 code;

	if (!take_uint(walk, layout->width_bytes, &code))
		return FALSE;
	if (code >= layout->n_members)
		return fail(walk, "a union's code names none of its fields");
	return walk_value(walk, layout->members[code].layout);
}

static gboolean walk_value(Walk *walk, const LttLayout *layout)
{
	if (layout->is_fixed)
		return skip(walk, layout->min_bytes);
	switch (layout->kind) {
	case LTT_STRING:
		return walk_string(walk);
	case LTT_ARRAY:
		return walk_elements(walk, layout->element, layout->n_elements);
	case LTT_SEQUENCE:
		return walk_sequence(walk, layout);
	case LTT_UNION:
		return walk_union(walk, layout);
	default:
		break;
	}
	g_assert(layout->kind == LTT_STRUCT);
	for (guint i = 0; i < layout->n_members; i++) {
		if (!walk_value(walk, layout->members[i].layout))
			return FALSE;
	}
	return TRUE;
}

gboolean ltt_layout_measure(const LttLayout *layout, const guint8 *bytes, gsize available,
			    LttByteOrder byte_order, gsize *size_bytes, const char **why)
{
	static const guint8 nothing;
	const guint8 *start = bytes != NULL ? bytes : &nothing; /* no bytes may be NULL */
	Walk walk = {.at = start, .end = start + available, .byte_order = byte_order};

	if (!walk_value(&walk, layout)) {
		if (why != NULL)
			*why = walk.why;
		return FALSE;
	}
	*size_bytes = (gsize)(walk.at - start);
	return TRUE;
}
