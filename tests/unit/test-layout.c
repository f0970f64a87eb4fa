/* Sizes and offsets under each architecture, and measuring hostile bytes. */
#include "unit.h"

#include <ltt/ltt-layout.h>

#include <string.h>

static LttFacility *with_event(LttType *type)
{
	LttFacility *facility = ltt_facility_new("f");
	g_autoptr(GError) error = NULL;

	ltt_facility_add_event(facility, "e", NULL, type);
	UNIT_ASSERT_OK(ltt_facility_seal(facility, &error), error);
	return facility;
}

static LttType *symbolic_struct(void)
{
	LttType *type = ltt_type_new_struct();

	ltt_type_add_field(type, "s", NULL, ltt_type_new_int(LTT_WIDTH_SHORT));
	ltt_type_add_field(type, "m", NULL, ltt_type_new_uint(LTT_WIDTH_MEDIUM));
	ltt_type_add_field(type, "l", NULL, ltt_type_new_uint(LTT_WIDTH_LONG));
	ltt_type_add_field(type, "f", NULL, ltt_type_new_float(LTT_WIDTH_MEDIUM));
	ltt_type_add_field(type, "d", NULL, ltt_type_new_float(LTT_WIDTH_LONG));
	ltt_type_add_field(type, "t", NULL, ltt_type_new_string());
	ltt_type_add_field(type, "z", NULL, ltt_type_new_int(LTT_WIDTH_1));
	return type;
}

/* The table of doc/format.md, 2. */
static void test_symbolic_sizes(void)
{
	static const guint64 offsets[LTT_N_ARCH_SIZES][6] = {
		[LTT_LP32] = {0, 2, 4, 8, 12, 20},
		[LTT_ILP32] = {0, 2, 6, 10, 14, 22},
		[LTT_LP64] = {0, 2, 6, 14, 18, 26},
		[LTT_ILP64] = {0, 2, 10, 18, 22, 30},
	};
	g_autoptr(LttFacility) facility = with_event(symbolic_struct());

	for (guint size = 0; size < LTT_N_ARCH_SIZES; size++) {
		const LttArch arch = {LTT_BIG_ENDIAN, (LttArchSize)size};
		g_autoptr(LttLayouts) layouts = ltt_layouts_new(facility, &arch);
		const LttLayout *layout = ltt_layouts_get(layouts, 0);

		for (guint i = 0; i < 6; i++)
			CU_ASSERT_EQUAL(layout->members[i].offset_bytes, offsets[size][i]);
		CU_ASSERT_EQUAL(layout->members[6].offset_bytes, LTT_OFFSET_VARIES);
		CU_ASSERT_FALSE(layout->is_fixed);
		CU_ASSERT_EQUAL(layout->min_bytes, offsets[size][5] + 2);
	}
}

static void test_fixed_size_is_known_where_it_can_be(void)
{
	LttType *pair = ltt_type_new_struct();
	LttType *labels = ltt_type_new_enum(LTT_WIDTH_8);
	g_autoptr(LttFacility) facility = NULL;
	g_autoptr(LttLayouts) layouts = NULL;
	const LttArch arch = {LTT_LITTLE_ENDIAN, LTT_LP64};

	ltt_type_add_field(pair, "a", NULL, ltt_type_new_array(3, ltt_type_new_uint(LTT_WIDTH_2)));
	ltt_type_add_field(pair, "b", NULL, ltt_type_new_array(0, ltt_type_new_string()));
	ltt_type_add_field(pair, "c", NULL, labels);
	ltt_type_add_label(labels, "A", 0);
	facility = with_event(pair);
	layouts = ltt_layouts_new(facility, &arch);
	CU_ASSERT_TRUE(ltt_layouts_get(layouts, 0)->is_fixed);
	CU_ASSERT_EQUAL(ltt_layouts_get(layouts, 0)->min_bytes, 14);
}

/* Asserts the result of measuring: a size, or -1 and a message. Takes ownership of @type. */
static void assert_measure(LttType *type, const char *bytes, gsize length, gssize expected,
			   const char *expected_why)
{
	g_autoptr(LttFacility) facility = with_event(type);
	const LttArch arch = {LTT_LITTLE_ENDIAN, LTT_LP64};
	g_autoptr(LttLayouts) layouts = ltt_layouts_new(facility, &arch);
	/* On the heap and of the exact size, so that sanitizers detect reads past the end. */
	g_autofree guint8 *copy = g_memdup2(bytes, length);
	const char *why = NULL;
	gsize size = 0;

	if (ltt_layout_measure(ltt_layouts_get(layouts, 0), copy, length, LTT_LITTLE_ENDIAN, &size,
			       &why))
		CU_ASSERT_EQUAL((gssize)size, expected);
	UNIT_ASSERT_TEXT(why, expected_why);
}

#define RUNS_PAST "its payload runs past the end of the block"

static LttType *strings(LttWidth width)
{
	return ltt_type_new_sequence(width, ltt_type_new_string());
}

static void test_measure(void)
{
	LttType *choice = ltt_type_new_union(LTT_WIDTH_1);

	ltt_type_add_field(choice, "a", NULL, ltt_type_new_uint(LTT_WIDTH_4));
	ltt_type_add_field(choice, "b", NULL, ltt_type_new_string());
	assert_measure(ltt_type_ref(choice), "\0abcde", 6, 5, NULL);
	assert_measure(ltt_type_ref(choice), "\1ab\0de", 6, 4, NULL);
	assert_measure(ltt_type_ref(choice), "\2ab\0de", 6, -1,
		       "a union's code names none of its fields");
	assert_measure(ltt_type_ref(choice), "\0ab", 3, -1, RUNS_PAST);
	assert_measure(choice, "\1ab", 3, -1, "a string has no end in the block");
	assert_measure(strings(LTT_WIDTH_2), "\2\0a\0b\0", 6, 6, NULL);
	assert_measure(strings(LTT_WIDTH_2), "\3\0a\0b\0", 6, -1,
		       "a string has no end in the block");
	assert_measure(strings(LTT_WIDTH_2), "\4\0a\0b", 5, -1, RUNS_PAST);
	assert_measure(ltt_type_new_string(), "", 0, -1, "a string has no end in the block");
}

static void test_measure_huge_counts(void)
{
	const char *all_ones = "\xff\xff\xff\xff\xff\xff\xff\xff";

	assert_measure(strings(LTT_WIDTH_8), all_ones, 8, -1, RUNS_PAST);
	assert_measure(ltt_type_new_sequence(LTT_WIDTH_8, ltt_type_new_uint(LTT_WIDTH_8)), all_ones,
		       8, -1, RUNS_PAST);
	assert_measure(ltt_type_new_sequence(LTT_WIDTH_8, ltt_type_new_struct()), all_ones, 8, -1,
		       "a sequence has too many elements that take no bytes");
	assert_measure(ltt_type_new_sequence(LTT_WIDTH_2, ltt_type_new_struct()), "\x00\x10", 2, 2,
		       NULL);
	assert_measure(ltt_type_new_sequence(LTT_WIDTH_2, ltt_type_new_struct()), "\x01\x10", 2, -1,
		       "a sequence has too many elements that take no bytes");
}

UNIT_MAIN("layout", UNIT(test_symbolic_sizes), UNIT(test_fixed_size_is_known_where_it_can_be),
	  UNIT(test_measure), UNIT(test_measure_huge_counts))
