/* Which events are paired by their threads. */
#include "support-stat.h"
#include "unit.h"

#include <ltt/ltt-pair.h>

/* Checks the pairs of disk.idle and disk.read: "10-30 20-40", in the order of their ends. */
static void assert_pairs(StatScene *scene, const char *by, const char *expected)
{
	g_autoptr(LttTrace) trace = stat_scene_open(scene);
	const LttPairRequest request = {
		.trace = trace, .begin = "disk.idle", .end = "disk.read", .by = by};
	g_autoptr(GError) error = NULL;
	g_autoptr(LttPairs) pairs = ltt_pairs_new(&request, &error);
	g_autoptr(GString) got = g_string_new(NULL);
	const LttPair *pair;

	UNIT_ASSERT_OK(pairs != NULL, error);
	while (ltt_pairs_next(pairs, &pair, &error) == LTT_STEP_EVENT)
		g_string_append_printf(got, "%s%u-%u", got->len > 0 ? " " : "",
				       (guint)pair->begin_ns, (guint)pair->end_ns);
	CU_ASSERT_PTR_NULL(error);
	UNIT_ASSERT_TEXT(got->str, expected);
}

static void test_a_thread_that_moves_to_another_cpu(void)
{
	StatScene *scene = stat_scene_new(4096);

	stat_scene_add(scene, "cpu/0", 0, "@10 T7 10 T5 50");
	stat_scene_add(scene, "cpu/1", 0, "@20 T5 20 R40 T7 R60");
	assert_pairs(scene, NULL, "20-40 10-60");
	assert_pairs(scene, "cpu", "20-40");
	stat_scene_free(scene);
}

/* Thread 0 of each CPU is a thread of its own. */
static void test_idle_threads(void)
{
	StatScene *scene = stat_scene_new(4096);

	stat_scene_add(scene, "cpu/0", 0, "@10 T0 10 R30");
	stat_scene_add(scene, "cpu/1", 0, "@20 T0 20 R40");
	assert_pairs(scene, NULL, "10-30 20-40");
	assert_pairs(scene, "thread", "10-30 20-40");
	stat_scene_free(scene);
}

UNIT_MAIN("pairs", UNIT(test_a_thread_that_moves_to_another_cpu), UNIT(test_idle_threads))
