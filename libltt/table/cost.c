/* cost.c - see cost-priv.h. */
#include "table/cost-priv.h"

#include "base/bytes-priv.h"
#include "base/utf8-priv.h"

/* A validity bit, and the count of values, are taken as a byte. */
#define COUNT_BYTES  1
#define OFFSET_BYTES sizeof(gint32)

/* An index, and the number of the trace if it is wanted. */
#define ENUM_BYTES (sizeof(gint32) + sizeof(gint64))

/* Returns: the bytes of a value without its children, elements and text */
static guint64 get_own_bytes(const LttColumn *column)
{
	switch (column->kind) {
	case LTT_COLUMN_ENUM:
		return COUNT_BYTES + ENUM_BYTES;
	case LTT_COLUMN_FIXED_BYTES:
		return COUNT_BYTES + column->n_elements;
	case LTT_COLUMN_STRING:
	case LTT_COLUMN_BYTES:
	case LTT_COLUMN_LIST:
		return COUNT_BYTES + OFFSET_BYTES;
	default:
		return COUNT_BYTES + column->width_bytes;
	}
}

guint64 ltt_cost_of_null(const LttColumn *column)
{
	const guint64 n_each = column->kind == LTT_COLUMN_FIXED_LIST ? column->n_elements : 1;
	guint64 n_bytes = get_own_bytes(column);

	for (guint i = 0; column->kind != LTT_COLUMN_LIST && i < column->n_children; i++)
		n_bytes = ltt_cost_add(
			n_bytes, ltt_cost_multiply(n_each, ltt_cost_of_null(&column->children[i])));
	return n_bytes;
}

/* ---- bounds ---- */

/* An element of n bytes takes at most cost.bytes + cost.factor * (n - min_bytes). */
static LttCost cost_of_elements(const LttBuilder *builder, const LttLayout *layout)
{
	const LttLayout *element = layout->element;
	const LttCost cost = ltt_cost_of_values(&builder->children[0], element);
	const guint64 own = get_own_bytes(builder->column);
	guint64 n = layout->n_elements;

	if (layout->kind == LTT_SEQUENCE && element->min_bytes > 0)
		return (LttCost){own, MAX(cost.factor, cost.bytes / element->min_bytes + 1)};
	if (layout->kind == LTT_SEQUENCE)
		n = LTT_MAX_EMPTY_VALUES / MAX(element->n_empty_values, 1);
	return (LttCost){ltt_cost_add(own, ltt_cost_multiply(n, cost.bytes)), cost.factor};
}

static LttCost cost_of_bytes(const LttBuilder *builder, const LttLayout *layout)
{
	const guint64 own = get_own_bytes(builder->column);

	if (layout->kind == LTT_SEQUENCE)
		return (LttCost){own, 1};
	return (LttCost){own + layout->n_elements, 0};
}

static LttCost cost_of_members(const LttBuilder *builder, const LttLayout *layout)
{
	LttCost all = {get_own_bytes(builder->column), 0};

	for (guint i = 0; i < layout->n_members; i++) {
		const LttCost cost =
			ltt_cost_of_values(&builder->children[i], layout->members[i].layout);

		all.bytes = ltt_cost_add(all.bytes, cost.bytes);
		all.factor = MAX(all.factor, cost.factor);
	}
	return all;
}

/* The tag is child 0. A member is added to its null, which it replaces. */
static LttCost cost_of_union(const LttBuilder *builder, const LttLayout *layout)
{
	LttCost all = {0, 0};

	for (guint i = 0; i < layout->n_members; i++) {
		const LttCost cost =
			ltt_cost_of_values(&builder->children[i + 1], layout->members[i].layout);

		all.bytes = MAX(all.bytes, cost.bytes);
		all.factor = MAX(all.factor, cost.factor);
	}
	all.bytes = ltt_cost_add(all.bytes, builder->null_bytes);
	return all;
}

LttCost ltt_cost_of_values(const LttBuilder *builder, const LttLayout *layout)
{
	switch (builder->column->kind) {
	case LTT_COLUMN_STRING:
		return (LttCost){get_own_bytes(builder->column), LTT_REPLACEMENT_BYTES};
	case LTT_COLUMN_BYTES:
		return cost_of_bytes(builder, layout);
	case LTT_COLUMN_LIST:
	case LTT_COLUMN_FIXED_LIST:
		return cost_of_elements(builder, layout);
	case LTT_COLUMN_STRUCT:
		return cost_of_members(builder, layout);
	case LTT_COLUMN_UNION:
		return cost_of_union(builder, layout);
	default:
		return (LttCost){get_own_bytes(builder->column), 0};
	}
}

/* ---- values ---- */

static guint64 measure_skipped(const LttPlaces *place, const guint8 **at)
{
	gsize size = place->layout->min_bytes;

	if (!place->layout->is_fixed &&
	    !ltt_layout_measure(place->layout, *at, (gsize)(place->limit - *at), place->byte_order,
				&size, NULL))
		g_assert_not_reached(); /* the block was checked */
	*at += size;
	return 0;
}

static guint64 measure_list(const LttBuilder *builder, const LttPlaces *place, const guint8 **at)
{
	const LttLayout *layout = place->layout;
	guint64 n_bytes = get_own_bytes(builder->column);
	guint64 n = layout->n_elements;
	LttPlaces element = *place;

	if (layout->kind == LTT_SEQUENCE) {
		n = ltt_load_uint(*at, layout->width_bytes, place->byte_order);
		*at += layout->width_bytes;
	}
	element.layout = layout->element;
	if (layout->element->is_fixed) {
		const LttBuilder *items =
			builder->column->n_children > 0 ? builder->children : NULL;
		const guint64 each =
			items != NULL ? ltt_cost_of_values(items, layout->element).bytes : 1;

		*at += n * layout->element->min_bytes;
		return ltt_cost_add(n_bytes, ltt_cost_multiply(n, each));
	}
	for (guint64 i = 0; i < n; i++)
		n_bytes = ltt_cost_add(n_bytes,
				       ltt_cost_measure(&builder->children[0], &element, at));
	return n_bytes;
}

static guint64 measure_struct(const LttBuilder *builder, const LttPlaces *place, const guint8 **at)
{
	guint64 n_bytes = get_own_bytes(builder->column);
	LttPlaces member = *place;

	for (guint i = 0; i < place->layout->n_members; i++) {
		member.layout = place->layout->members[i].layout;
		n_bytes =
			ltt_cost_add(n_bytes, ltt_cost_measure(&builder->children[i], &member, at));
	}
	return n_bytes;
}

static guint64 measure_union(const LttBuilder *builder, const LttPlaces *place, const guint8 **at)
{
	const LttLayout *layout = place->layout;
	const guint64 code = ltt_load_uint(*at, layout->width_bytes, place->byte_order);
	LttPlaces member = *place;

	*at += layout->width_bytes;
	member.layout = layout->members[code].layout;
	return ltt_cost_add(builder->null_bytes,
			    ltt_cost_measure(&builder->children[code + 1], &member, at));
}

guint64 ltt_cost_measure(const LttBuilder *builder, const LttPlaces *place, const guint8 **at)
{
	const guint8 *start = *at;

	if (builder == NULL)
		return measure_skipped(place, at);
	switch (place->layout->kind) {
	case LTT_STRING:
		*at += strlen((const char *)start) + 1;
		return get_own_bytes(builder->column) +
		       LTT_REPLACEMENT_BYTES * (guint64)(*at - start - 1);
	case LTT_ARRAY:
	case LTT_SEQUENCE:
		return measure_list(builder, place, at);
	case LTT_STRUCT:
		return measure_struct(builder, place, at);
	case LTT_UNION:
		return measure_union(builder, place, at);
	default:
		*at += place->layout->width_bytes;
		return get_own_bytes(builder->column);
	}
}
