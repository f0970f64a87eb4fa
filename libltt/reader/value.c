/* value.c - typed access to a payload, at any depth.
 *
 * The payload was measured when its block was decoded (model/measure.c), so the lengths, codes and
 * ends of strings in it are valid. An item with a fixed offset is found by arithmetic; otherwise
 * the items before it are measured.
 */
#include "base/bytes-priv.h"

#include <ltt/ltt-value.h>

gboolean ltt_event_get_value(const LttEvent *event, LttValue *out)
{
	if (event->layout == NULL)
		return FALSE;
	*out = (LttValue){
		.layout = event->layout,
		.bytes = event->payload,
		.available = event->payload_bytes,
		.byte_order = event->byte_order,
	};
	return TRUE;
}

guint64 ltt_value_get_uint(const LttValue *value)
{
	if (value->layout->is_signed)
		return (guint64)ltt_load_int(value->bytes, value->layout->width_bytes,
					     value->byte_order);
	return ltt_load_uint(value->bytes, value->layout->width_bytes, value->byte_order);
}

gint64 ltt_value_get_int(const LttValue *value)
{
	return (gint64)ltt_value_get_uint(value);
}

double ltt_value_get_float(const LttValue *value)
{
	union {
		guint32 u32;
		guint64 u64;
		float f;
		double d;
	} bits;

	if (value->layout->width_bytes == 4) {
		bits.u32 = ltt_load_u32(value->bytes, value->byte_order);
		return (double)bits.f;
	}
	bits.u64 = ltt_load_u64(value->bytes, value->byte_order);
	return bits.d;
}

const char *ltt_value_get_string(const LttValue *value, gsize *length)
{
	if (length != NULL)
		*length = strlen((const char *)value->bytes);
	return (const char *)value->bytes;
}

const char *ltt_value_get_label(const LttValue *value)
{
	const LttType *type = value->layout->type;
	const guint n_labels = ltt_type_get_n_labels(type);
	const gint64 number = ltt_value_get_int(value);
	const gboolean is_negative = value->layout->is_signed && number < 0;

	for (guint i = 0; i < n_labels; i++) {
		const LttLabel *label = ltt_type_get_label(type, i);

		if (label->value == number && label->is_negative == is_negative)
			return label->name;
	}
	return NULL;
}

/* Returns: the part at @at inside @of */
static LttValue part_at(const LttValue *of, const guint8 *at, const LttLayout *layout)
{
	return (LttValue){
		.layout = layout,
		.bytes = at,
		.available = of->available - (gsize)(at - of->bytes),
		.byte_order = of->byte_order,
	};
}

gsize ltt_value_get_size(const LttValue *value)
{
	gsize size_bytes = 0;

	if (value->layout->is_fixed)
		return value->layout->min_bytes;
	if (!ltt_layout_measure(value->layout, value->bytes, value->available, value->byte_order,
				&size_bytes, NULL))
		g_assert_not_reached();
	return size_bytes;
}

guint ltt_value_get_union_code(const LttValue *value)
{
	return (guint)ltt_load_uint(value->bytes, value->layout->width_bytes, value->byte_order);
}

guint64 ltt_value_get_n_items(const LttValue *value)
{
	switch (value->layout->kind) {
	case LTT_ARRAY:
		return value->layout->n_elements;
	case LTT_SEQUENCE:
		return ltt_load_uint(value->bytes, value->layout->width_bytes, value->byte_order);
	case LTT_STRUCT:
		return value->layout->n_members;
	case LTT_UNION:
		return 1;
	default:
		return 0;
	}
}

void ltt_value_iter_init(LttValueIter *iter, const LttValue *value)
{
	*iter = (LttValueIter){
		.of = *value,
		.n_items = ltt_value_get_n_items(value),
		.next = value->bytes,
	};
	if (value->layout->kind == LTT_SEQUENCE || value->layout->kind == LTT_UNION)
		iter->next += value->layout->width_bytes;
}

static const LttLayout *layout_of_next(const LttValueIter *iter, const char **name)
{
	const LttLayout *layout = iter->of.layout;
	const LttMember *member;

	*name = NULL;
	if (layout->kind == LTT_ARRAY || layout->kind == LTT_SEQUENCE)
		return layout->element;
	member = layout->kind == LTT_UNION ? &layout->members[ltt_value_get_union_code(&iter->of)]
					   : &layout->members[iter->index];
	*name = member->name;
	return member->layout;
}

gboolean ltt_value_iter_next(LttValueIter *iter, LttValue *out, const char **name)
{
	const char *found_name;

	if (iter->index == iter->n_items)
		return FALSE;
	*out = part_at(&iter->of, iter->next, layout_of_next(iter, &found_name));
	if (name != NULL)
		*name = found_name;
	if (++iter->index < iter->n_items)
		iter->next += ltt_value_get_size(out);
	return TRUE;
}

/* Finds the item number @index by walking over those before it. */
static gboolean walk_to(const LttValue *value, guint64 index, LttValue *out)
{
	LttValueIter iter;

	ltt_value_iter_init(&iter, value);
	do {
		if (!ltt_value_iter_next(&iter, out, NULL))
			return FALSE;
	} while (iter.index <= index);
	return TRUE;
}

gboolean ltt_value_get_item(const LttValue *value, guint64 index, LttValue *out)
{
	const LttLayout *layout = value->layout;
	const LttMember *member;

	if (index >= ltt_value_get_n_items(value))
		return FALSE;
	if (layout->kind == LTT_STRUCT &&
	    layout->members[index].offset_bytes != LTT_OFFSET_VARIES) {
		member = &layout->members[index];
		*out = part_at(value, value->bytes + member->offset_bytes, member->layout);
		return TRUE;
	}
	if (layout->element != NULL && layout->element->is_fixed) {
		const guint lead = layout->kind == LTT_SEQUENCE ? layout->width_bytes : 0;

		*out = part_at(value, value->bytes + lead + index * layout->element->min_bytes,
			       layout->element);
		return TRUE;
	}
	return walk_to(value, index, out);
}

gboolean ltt_value_find(const LttValue *value, const char *name, LttValue *out)
{
	const LttLayout *layout = value->layout;

	if (layout->kind == LTT_UNION) {
		const LttMember *member = &layout->members[ltt_value_get_union_code(value)];

		return g_str_equal(member->name, name) && ltt_value_get_item(value, 0, out);
	}
	for (guint i = 0; i < layout->n_members; i++) {
		if (g_str_equal(layout->members[i].name, name))
			return ltt_value_get_item(value, i, out);
	}
	return FALSE;
}
