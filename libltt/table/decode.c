/* decode.c - see decode-priv.h.
 *
 * It decodes by columns: a field for all places, then the next field. The place of a field is a
 * pointer for each event and an offset for all events. The offset grows with each field of fixed
 * size; after a field of variable size new pointers begin:
 *
 *	struct   | pid u32 | path string ...| status u16 | size u64 |
 *	place    at + 0    at + 4           next + 0     next + 2
 */
#include "table/decode-priv.h"

#include "base/bytes-priv.h"

/* Maximum number of places on the stack; more are allocated, once for all events of a block. */
#define FEW 64

/* Elements that are decoded at a time. */
#define N_ELEMENTS 256

/* ---- lists ---- */

/* Adds @n consecutive elements. Returns: their end */
static const guint8 *decode_elements(LttBuilder *builder, const LttPlaces *of, const guint8 *at,
				     gsize n)
{
	const LttLayout *layout = of->layout->element;
	const guint8 *places_at[N_ELEMENTS];
	LttPlaces places = {
		.layout = layout,
		.at = places_at,
		.byte_order = of->byte_order,
		.limit = of->limit,
	};

	while (n > 0) {
		places.n = layout->is_fixed ? MIN(n, N_ELEMENTS) : 1;
		if (layout->is_fixed) {
			for (gsize i = 0; i < places.n; i++)
				places_at[i] = at + i * layout->min_bytes;
			at += places.n * layout->min_bytes;
			ltt_decode(builder, &places, NULL);
		} else {
			places_at[0] = at;
			ltt_decode(builder, &places, &at);
		}
		n -= places.n;
	}
	return at;
}

static void decode_lists(LttBuilder *builder, const LttPlaces *places, const guint8 **ends)
{
	const LttLayout *layout = places->layout;
	LttBuilder *items = &builder->children[0];

	for (gsize i = 0; i < places->n; i++) {
		const guint8 *at = places->at[i] + places->offset;
		gsize n = layout->n_elements;

		if (layout->kind == LTT_SEQUENCE) {
			n = ltt_load_uint(at, layout->width_bytes, places->byte_order);
			at += layout->width_bytes;
		}
		at = decode_elements(items, places, at, n);
		if (builder->column->kind == LTT_COLUMN_LIST)
			*ltt_builder_add_offsets(builder, 1) = (gint32)items->n_values;
		if (ends != NULL)
			ends[i] = at;
	}
}

/* ---- structs and unions ---- */

/* Computes the ends of values of any layout. */
static void find_ends(const LttPlaces *places, const guint8 **ends)
{
	const LttLayout *layout = places->layout;

	for (gsize i = 0; i < places->n; i++) {
		const guint8 *at = places->at[i] + places->offset;
		gsize size = layout->min_bytes;

		if (layout->kind == LTT_STRING)
			size = strlen((const char *)at) + 1;
		else if (!layout->is_fixed &&
			 !ltt_layout_measure(layout, at, (gsize)(places->limit - at),
					     places->byte_order, &size, NULL))
			g_assert_not_reached(); /* the block was checked */
		ends[i] = at + size;
	}
}

static guint count_wanted(LttBuilder *const *builders, guint n_members)
{
	while (n_members > 0 && builders[n_members - 1] == NULL)
		n_members--;
	return n_members;
}

void ltt_decode_members(LttBuilder *const *builders, const LttPlaces *places, const guint8 **ends)
{
	const LttLayout *layout = places->layout;
	const guint n_members =
		ends != NULL ? layout->n_members : count_wanted(builders, layout->n_members);
	const guint8 *few[2][FEW];
	const guint8 **room[2] = {few[0], few[1]};
	g_autofree const guint8 **many = NULL;
	LttPlaces member = *places;
	guint turn = 0;

	if (places->n > FEW) {
		many = g_new(const guint8 *, 2 * places->n);
		room[0] = many;
		room[1] = many + places->n;
	}
	for (guint i = 0; i < n_members; i++) {
		const gboolean is_fixed = layout->members[i].layout->is_fixed;

		member.layout = layout->members[i].layout;
		if (builders[i] != NULL)
			ltt_decode(builders[i], &member, is_fixed ? NULL : room[turn]);
		else if (!is_fixed)
			find_ends(&member, room[turn]);
		if (is_fixed) {
			member.offset += member.layout->min_bytes;
		} else {
			member.at = room[turn];
			member.offset = 0;
			turn = 1 - turn;
		}
	}
	for (gsize i = 0; ends != NULL && i < places->n; i++)
		ends[i] = member.at[i] + member.offset;
}

static void decode_structs(LttBuilder *builder, const LttPlaces *places, const guint8 **ends)
{
	const guint n_members = places->layout->n_members;
	LttBuilder *few[FEW];
	g_autofree LttBuilder **many = n_members > FEW ? g_new(LttBuilder *, n_members) : NULL;
	LttBuilder **builders = many != NULL ? many : few;

	for (guint i = 0; i < n_members; i++)
		builders[i] = &builder->children[i];
	ltt_decode_members(builders, places, ends);
}

static guint load_code(const LttPlaces *places, gsize i)
{
	return (guint)ltt_load_uint(places->at[i] + places->offset, places->layout->width_bytes,
				    places->byte_order);
}

/* Decodes consecutive unions that hold the same member. */
static void decode_same_union(LttBuilder *builder, const LttPlaces *run, guint code,
			      const guint8 **ends)
{
	LttPlaces member = *run;
	gint32 *tags = (gint32 *)(gpointer)ltt_buffer_add(&builder->children[0].values,
							  run->n * sizeof(gint32));

	for (gsize i = 0; i < run->n; i++)
		tags[i] = (gint32)code;
	ltt_builder_count(&builder->children[0], run->n);
	member.layout = run->layout->members[code].layout;
	member.offset += run->layout->width_bytes;
	for (guint i = 0; i < run->layout->n_members; i++) {
		if (i == code)
			ltt_decode(&builder->children[i + 1], &member, ends);
		else
			ltt_builder_add_nulls(&builder->children[i + 1], run->n);
	}
}

static void decode_unions(LttBuilder *builder, const LttPlaces *places, const guint8 **ends)
{
	for (gsize i = 0; i < places->n;) {
		const guint code = load_code(places, i);
		LttPlaces run = *places;

		run.at = places->at + i;
		for (run.n = 1; i + run.n < places->n && load_code(places, i + run.n) == code;)
			run.n++;
		decode_same_union(builder, &run, code, ends != NULL ? ends + i : NULL);
		i += run.n;
	}
}

/* ---- all of them ---- */

void ltt_decode(LttBuilder *builder, const LttPlaces *places, const guint8 **ends)
{
	switch (builder->column->kind) {
	case LTT_COLUMN_TIME:
	case LTT_COLUMN_INT:
	case LTT_COLUMN_UINT:
	case LTT_COLUMN_FLOAT:
		ltt_decode_numbers(builder, places);
		break;
	case LTT_COLUMN_ENUM:
		ltt_decode_enums(builder, places);
		break;
	case LTT_COLUMN_STRING:
		ltt_decode_strings(builder, places, ends);
		break;
	case LTT_COLUMN_BYTES:
		ltt_decode_bytes(builder, places, ends);
		break;
	case LTT_COLUMN_FIXED_BYTES:
		ltt_decode_fixed_bytes(builder, places);
		break;
	case LTT_COLUMN_LIST:
	case LTT_COLUMN_FIXED_LIST:
		decode_lists(builder, places, ends);
		break;
	case LTT_COLUMN_STRUCT:
		decode_structs(builder, places, ends);
		break;
	case LTT_COLUMN_UNION:
		decode_unions(builder, places, ends);
		break;
	}
	ltt_builder_count(builder, places->n);
	/* For kinds of fixed size, compute the ends only if the caller needs them. */
	if (ends != NULL && places->layout->is_fixed)
		find_ends(places, ends);
}
