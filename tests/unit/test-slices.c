/* Which events form pairs, and which slices an end event ends. */
#include "unit.h"

#include "formats/chrome/slices-priv.h"

static LttFacility *make_facility(const char *const *names)
{
	LttFacility *facility = ltt_facility_new("f");
	g_autoptr(GError) error = NULL;

	for (; *names != NULL; names++)
		ltt_facility_add_event(facility, *names, NULL, NULL);
	UNIT_ASSERT_OK(ltt_facility_seal(facility, &error), error);
	return facility;
}

static void assert_pair(const LttFacility *facility, const char *begin, const char *end,
			const char *about)
{
	const LttEventType *first = ltt_facility_find_event(facility, begin);
	const LttEventType *second = ltt_facility_find_event(facility, end);
	const LttEventType *found;
	g_autofree char *name = NULL;
	g_autofree char *name_again = NULL;

	CU_ASSERT_EQUAL(ltt_slice_find(first, &found, &name), LTT_SLICE_BEGIN);
	CU_ASSERT_PTR_EQUAL(found, first);
	UNIT_ASSERT_TEXT(name, about);
	CU_ASSERT_EQUAL(ltt_slice_find(second, &found, &name_again), LTT_SLICE_END);
	CU_ASSERT_PTR_EQUAL(found, first);
	UNIT_ASSERT_TEXT(name_again, about);
}

static void assert_alone(const LttFacility *facility, const char *event)
{
	const LttEventType *begin;
	char *name;

	CU_ASSERT_EQUAL(ltt_slice_find(ltt_facility_find_event(facility, event), &begin, &name),
			LTT_SLICE_NONE);
	CU_ASSERT_PTR_NULL(begin);
	CU_ASSERT_PTR_NULL(name);
}

static void test_pairs(void)
{
	static const char *const names[] = {
		"begin",          "end",           "irq_entry",    "irq_exit",
		"sys_enter_read", "sys_exit_read", "disk_start",   "disk_stop",
		"net_start",      "net_end",       "fork",         "exit",
		"sys_exit_dup",   "weekend",       "start_lonely", NULL};
	g_autoptr(LttFacility) facility = make_facility(names);

	assert_pair(facility, "begin", "end", "");
	assert_pair(facility, "irq_entry", "irq_exit", "irq");
	assert_pair(facility, "sys_enter_read", "sys_exit_read", "sys_read");
	assert_pair(facility, "disk_start", "disk_stop", "disk");
	assert_pair(facility, "net_start", "net_end", "net");
	for (guint i = 10; names[i] != NULL; i++)
		assert_alone(facility, names[i]);
}

static void test_nesting(void)
{
	static const char *const names[] = {"a_begin", "b_begin", NULL};
	g_autoptr(LttFacility) facility = make_facility(names);
	const LttEventType *a = ltt_facility_find_event(facility, "a_begin");
	const LttEventType *b = ltt_facility_find_event(facility, "b_begin");
	LttSlices *slices = ltt_slices_new();

	CU_ASSERT_EQUAL(ltt_slices_end(slices, 1, a), 0);
	CU_ASSERT_TRUE(ltt_slices_begin(slices, 1, a));
	CU_ASSERT_TRUE(ltt_slices_begin(slices, 1, b));
	CU_ASSERT_TRUE(ltt_slices_begin(slices, 1, b));
	CU_ASSERT_EQUAL(ltt_slices_end(slices, 2, a), 0);
	CU_ASSERT_EQUAL(ltt_slices_end(slices, 1, b), 1);
	/* The other b was left some other way. */
	CU_ASSERT_EQUAL(ltt_slices_end(slices, 1, a), 2);
	CU_ASSERT_EQUAL(ltt_slices_end(slices, 1, b), 0);
	ltt_slices_free(slices);
}

static void test_depth_has_a_ceiling(void)
{
	static const char *const names[] = {"a_begin", NULL};
	g_autoptr(LttFacility) facility = make_facility(names);
	const LttEventType *a = ltt_facility_find_event(facility, "a_begin");
	LttSlices *slices = ltt_slices_new();
	guint kept = 0;
	guint ended = 0;

	for (guint i = 0; i < 100000; i++)
		kept += ltt_slices_begin(slices, 7, a) ? 1 : 0;
	CU_ASSERT_EQUAL(kept, 1000);
	while (ltt_slices_end(slices, 7, a) == 1)
		ended++;
	CU_ASSERT_EQUAL(ended, kept);
	ltt_slices_free(slices);
}

UNIT_MAIN("slices", UNIT(test_pairs), UNIT(test_nesting), UNIT(test_depth_has_a_ceiling))
