/* place.c - resolve the path of a field to a place in the payload.
 *
 * Done once for each event type. If the field is at the same offset in all payloads, its place is
 * that offset. Otherwise the place is the offset of the first string, sequence or union on the way,
 * and from there a list of hops, which are followed for each event.
 */
#include "filter/plan-priv.h"

#include <string.h>

static gboolean has_length(const LttLayout *layout)
{
	return layout->kind == LTT_STRING || layout->kind == LTT_ARRAY ||
	       layout->kind == LTT_SEQUENCE;
}

static gboolean is_scalar(const LttLayout *layout)
{
	switch (layout->kind) {
	case LTT_INT:
	case LTT_UINT:
	case LTT_FLOAT:
	case LTT_STRING:
	case LTT_ENUM:
		return TRUE;
	default:
		return FALSE;
	}
}

/* A partly resolved path. */
typedef struct Way {
	const LttLayout *layout; /* of the current position */
	guint64 offset_bytes;    /* up to the first hop */
	const LttLayout *from;   /* where the first hop starts; NULL: no hop yet */
	GArray *hops;
} Way;

static void hop(Way *way, LttHopKind kind, guint64 index, const LttLayout *to)
{
	const LttHop next = {kind, index};

	if (way->from == NULL)
		way->from = way->layout;
	g_array_append_val(way->hops, next);
	way->layout = to;
}

/* Advances by @offset_bytes if that offset is the same in all payloads, else by a hop. */
static void go(Way *way, guint64 index, guint64 offset_bytes, const LttLayout *to)
{
	if (way->from != NULL || offset_bytes == LTT_OFFSET_VARIES) {
		hop(way, LTT_HOP_ITEM, index, to);
		return;
	}
	way->offset_bytes += offset_bytes;
	way->layout = to;
}

static gboolean enter_member(Way *way, const char *name)
{
	const LttLayout *layout = way->layout;

	for (guint i = 0; i < layout->n_members; i++) {
		const LttMember *member = &layout->members[i];

		if (!g_str_equal(member->name, name))
			continue;
		if (layout->kind == LTT_UNION)
			hop(way, LTT_HOP_UNION, i, member->layout);
		else
			go(way, i, member->offset_bytes, member->layout);
		return TRUE;
	}
	return FALSE;
}

static gboolean enter_element(Way *way, guint64 index)
{
	const LttLayout *element = way->layout->element;

	if (way->layout->kind == LTT_SEQUENCE)
		hop(way, LTT_HOP_ITEM, index, element);
	else if (way->layout->kind == LTT_ARRAY && index < way->layout->n_elements)
		go(way, index, element->is_fixed ? index * element->min_bytes : LTT_OFFSET_VARIES,
		   element);
	else
		return FALSE;
	return TRUE;
}

static gboolean enter_each(Way *way)
{
	if (way->layout->kind != LTT_SEQUENCE && way->layout->kind != LTT_ARRAY)
		return FALSE;
	hop(way, LTT_HOP_EACH, 0, way->layout->element);
	return TRUE;
}

static gboolean find_from(const LttLayout *layout, const LttOperand *operand, guint first,
			  LttPlace *place)
{
	g_autoptr(GArray) hops = g_array_new(FALSE, FALSE, sizeof(LttHop));
	Way way = {.layout = layout, .hops = hops};
	const GArray *path = operand->path;

	for (guint i = first; i < path->len; i++) {
		const LttPathStep *step = &g_array_index(path, LttPathStep, i);

		if (!(step->name != NULL ? enter_member(&way, step->name)
		      : step->is_any     ? enter_each(&way)
					 : enter_element(&way, step->index)))
			return FALSE;
	}
	if (!(operand->is_length ? has_length(way.layout) : is_scalar(way.layout)))
		return FALSE;
	*place = (LttPlace){
		.layout = way.layout,
		.offset_bytes = (guint32)way.offset_bytes,
		.from = way.from != NULL ? way.from : way.layout,
		.n_hops = hops->len,
		.has_each = operand->is_any,
		.hops = g_memdup2(hops->data, sizeof(LttHop) * hops->len),
	};
	return TRUE;
}

gboolean ltt_place_find(const LttLayout *layout, const LttOperand *operand, LttPlace *place)
{
	const char *first = g_array_index(operand->path, LttPathStep, 0).name;

	if (layout == NULL)
		return FALSE;
	return (g_str_equal(first, "data") && find_from(layout, operand, 1, place)) ||
	       find_from(layout, operand, 0, place);
}

void ltt_place_clear(LttPlace *place)
{
	g_clear_pointer(&place->hops, g_free);
}

static LttValue start_of(const LttPlace *place, const LttEvent *event)
{
	return (LttValue){
		.layout = place->from,
		.bytes = event->payload + place->offset_bytes,
		.available = event->payload_bytes - place->offset_bytes,
		.byte_order = event->byte_order,
	};
}

static gboolean take_hop(const LttHop *hop, LttValue *value)
{
	const LttValue from = *value;

	if (hop->kind != LTT_HOP_UNION)
		return ltt_value_get_item(&from, hop->index, value);
	return ltt_value_get_union_code(&from) == hop->index && ltt_value_get_item(&from, 0, value);
}

gboolean ltt_place_get(const LttPlace *place, const LttEvent *event, LttValue *out)
{
	LttValue value = start_of(place, event);

	for (guint i = 0; i < place->n_hops; i++)
		if (!take_hop(&place->hops[i], &value))
			return FALSE;
	*out = value;
	return TRUE;
}

/* Checks the values that the hops from number @first on lead to from @value. */
static gboolean any_from(const LttPlace *place, guint first, LttValue value, LttPlaceCheck check,
			 gconstpointer user_data)
{
	LttValueIter iter;
	LttValue element;

	for (; first < place->n_hops && place->hops[first].kind != LTT_HOP_EACH; first++)
		if (!take_hop(&place->hops[first], &value))
			return FALSE;
	if (first == place->n_hops)
		return check(&value, user_data);
	ltt_value_iter_init(&iter, &value);
	while (ltt_value_iter_next(&iter, &element, NULL))
		if (any_from(place, first + 1, element, check, user_data))
			return TRUE;
	return FALSE;
}

gboolean ltt_place_any(const LttPlace *place, const LttEvent *event, LttPlaceCheck check,
		       gconstpointer user_data)
{
	return any_from(place, 0, start_of(place, event), check, user_data);
}

guint64 ltt_filter_get_length(const LttValue *value)
{
	gsize length;

	if (value->layout->kind != LTT_STRING)
		return ltt_value_get_n_items(value);
	ltt_value_get_string(value, &length);
	return length;
}
