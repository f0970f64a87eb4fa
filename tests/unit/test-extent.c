/* Extents accept the payloads that ltt_layout_measure() accepts, and find the same end. */
#include "unit.h"

#include "reader/extent-priv.h"

#include <string.h>

enum { N_BYTES = 96, N_ROUNDS = 400 };

static LttType *new_string(void)
{
	return ltt_type_new_string();
}

static LttType *new_pair(void)
{
	LttType *pair = ltt_type_new_struct();

	ltt_type_add_field(pair, "x", NULL, ltt_type_new_int(LTT_WIDTH_4));
	ltt_type_add_field(pair, "y", NULL, ltt_type_new_int(LTT_WIDTH_1));
	return pair;
}

static LttType *new_points(LttWidth width)
{
	return ltt_type_new_sequence(width, new_pair());
}

static LttType *new_union(void)
{
	LttType *type = ltt_type_new_union(LTT_WIDTH_1);

	ltt_type_add_field(type, "number", NULL, ltt_type_new_uint(LTT_WIDTH_8));
	ltt_type_add_field(type, "name", NULL, new_string());
	ltt_type_add_field(type, "points", NULL, new_points(LTT_WIDTH_2));
	return type;
}

/* A struct with variable parts, which is part of another one. */
static LttType *new_nested(void)
{
	LttType *nested = ltt_type_new_struct();
	LttType *inner = ltt_type_new_struct();

	ltt_type_add_field(inner, "n", NULL, ltt_type_new_uint(LTT_WIDTH_2));
	ltt_type_add_field(inner, "points", NULL, new_points(LTT_WIDTH_1));
	ltt_type_add_field(inner, "name", NULL, new_string());
	ltt_type_add_field(inner, "m", NULL, ltt_type_new_uint(LTT_WIDTH_4));
	ltt_type_add_field(nested, "before", NULL, ltt_type_new_uint(LTT_WIDTH_1));
	ltt_type_add_field(nested, "inner", NULL, inner);
	ltt_type_add_field(nested, "after", NULL, ltt_type_new_uint(LTT_WIDTH_2));
	return nested;
}

/* Structs of two structs each: 256 strings. */
static LttType *new_doubled(guint depth)
{
	LttType *type = ltt_type_new_struct();

	for (guint i = 0; i < 2; i++)
		ltt_type_add_field(type, i == 0 ? "a" : "b", NULL,
				   depth > 0 ? new_doubled(depth - 1) : new_string());
	return type;
}

/* Each kind of part, alone and after others, and the types left to ltt_layout_measure(). */
static LttFacility *new_facility(void)
{
	LttFacility *facility = ltt_facility_new("f");
	LttType *all = ltt_type_new_struct();
	LttType *path = ltt_type_new_struct();
	g_autoptr(GError) error = NULL;

	ltt_type_add_field(path, "id", NULL, ltt_type_new_uint(LTT_WIDTH_4));
	ltt_type_add_field(path, "path", NULL, new_string());
	ltt_type_add_field(path, "flags", NULL, ltt_type_new_uint(LTT_WIDTH_2));
	ltt_type_add_field(all, "points", NULL, new_points(LTT_WIDTH_1));
	ltt_type_add_field(all, "by", NULL, new_union());
	ltt_type_add_field(all, "names", NULL, ltt_type_new_array(2, new_string()));
	ltt_type_add_field(all, "nothing", NULL,
			   ltt_type_new_sequence(LTT_WIDTH_1, ltt_type_new_struct()));
	ltt_type_add_field(all, "end", NULL, ltt_type_new_uint(LTT_WIDTH_1));
	ltt_facility_add_event(facility, "name", NULL, new_string());
	ltt_facility_add_event(facility, "path", NULL, path);
	ltt_facility_add_event(facility, "points", NULL, new_points(LTT_WIDTH_8));
	ltt_facility_add_event(facility, "by", NULL, new_union());
	ltt_facility_add_event(facility, "all", NULL, all);
	ltt_facility_add_event(facility, "nested", NULL, new_nested());
	ltt_facility_add_event(facility, "doubled", NULL, new_doubled(7));
	UNIT_ASSERT_OK(ltt_facility_seal(facility, &error), error);
	return facility;
}

/* Small numbers, so that counts, codes and ends of strings are often valid. */
static void fill(GRand *random, guint8 *bytes, gint32 limit)
{
	for (guint i = 0; i < N_BYTES; i++)
		bytes[i] = (guint8)g_rand_int_range(random, 0, limit);
}

/* Measures the values at @at for every end of the bytes. */
static void compare(const LttLayout *layout, const LttExtent *extent, const guint8 *bytes, gsize at,
		    LttByteOrder byte_order)
{
	for (gsize end = at; end <= N_BYTES; end++) {
		gsize size;
		const gboolean is_sound =
			ltt_layout_measure(layout, bytes + at, end - at, byte_order, &size, NULL);

		CU_ASSERT_EQUAL(ltt_extent_end(extent, bytes, at, end, byte_order),
				is_sound ? at + size : 0);
	}
}

static void test_same_as_measured(void)
{
	static const gint32 limits[] = {2, 4, 256};
	g_autoptr(LttFacility) facility = new_facility();
	GRand *random = g_rand_new_with_seed(20);

	for (guint order = LTT_LITTLE_ENDIAN; order <= LTT_BIG_ENDIAN; order++) {
		const LttArch arch = {(LttByteOrder)order, LTT_LP64};
		g_autoptr(LttLayouts) layouts = ltt_layouts_new(facility, &arch);

		for (guint i = 0; i < ltt_facility_get_n_events(facility); i++) {
			const LttLayout *layout = ltt_layouts_get(layouts, i);
			LttExtent *extent = ltt_extent_new(layout);

			for (guint round = 0; round < N_ROUNDS; round++) {
				guint8 bytes[N_BYTES + LTT_EXTENT_SLACK_BYTES] = {0};

				fill(random, bytes, limits[round % G_N_ELEMENTS(limits)]);
				compare(layout, extent, bytes, 1 + round % 7, arch.byte_order);
			}
			ltt_extent_free(extent);
		}
	}
	g_rand_free(random);
}

/* A length near 2^64 does not wrap to an end in the block. */
static void test_lengths_that_overflow(void)
{
	static const guint64 lengths[] = {G_MAXUINT64, G_MAXUINT64 / 5 + 1, (guint64)1 << 63,
					  (guint64)G_MAXUINT32 + 1};
	g_autoptr(LttFacility) facility = new_facility();
	const LttArch arch = {LTT_LITTLE_ENDIAN, LTT_LP64};
	g_autoptr(LttLayouts) layouts = ltt_layouts_new(facility, &arch);
	LttExtent *extent = ltt_extent_new(ltt_layouts_get(layouts, 2));

	for (guint i = 0; i < G_N_ELEMENTS(lengths); i++) {
		guint8 bytes[N_BYTES + LTT_EXTENT_SLACK_BYTES] = {0};

		ltt_store_u64(bytes + 6, lengths[i], LTT_LITTLE_ENDIAN);
		CU_ASSERT_EQUAL(ltt_extent_end(extent, bytes, 6, N_BYTES, LTT_LITTLE_ENDIAN), 0);
	}
	ltt_extent_free(extent);
}

static void test_structs_in_structs(void)
{
	const LttArch arch = {LTT_LITTLE_ENDIAN, LTT_LP64};
	g_autoptr(LttFacility) facility = new_facility();
	g_autoptr(LttLayouts) layouts = ltt_layouts_new(facility, &arch);
	const guint n_events = ltt_facility_get_n_events(facility);
	LttExtent *nested = ltt_extent_new(ltt_layouts_get(layouts, n_events - 2));
	LttExtent *doubled = ltt_extent_new(ltt_layouts_get(layouts, n_events - 1));

	CU_ASSERT_EQUAL_FATAL(nested->n_parts, 2);
	CU_ASSERT_EQUAL(nested->parts[0].kind, LTT_EXTENT_SEQUENCE);
	CU_ASSERT_EQUAL(nested->parts[0].lead_bytes, 3);
	CU_ASSERT_EQUAL(nested->parts[1].kind, LTT_EXTENT_STRING);
	CU_ASSERT_EQUAL(nested->tail_bytes, 6);
	/* 64 strings, and two structs that are measured as a whole. */
	CU_ASSERT_EQUAL(doubled->n_parts, 66);
	ltt_extent_free(nested);
	ltt_extent_free(doubled);
}

UNIT_MAIN("extent", UNIT(test_same_as_measured), UNIT(test_structs_in_structs),
	  UNIT(test_lengths_that_overflow))
