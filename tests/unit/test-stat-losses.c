/* Losses in the selected time, also in a flight recorder. */
#include "support-stat.h"
#include "unit.h"

#include <ltt/ltt-check.h>

#define BLOCK_BYTES 256

typedef struct LossCase {
	const char *what;
	const char *blocks[4]; /* of cpu/0 */
	guint32 first_id;
	guint64 from_ns; /* 0: no window */
	guint64 to_ns;
	guint64 expected;
} LossCase;

static const LossCase losses[] = {
	{"no losses", {"@0 C T1 5 6"}, 0, 0, 0, 0},
	{"the greatest total", {"@0 C T1 5 L3 6", "@10 C T1 L3 11 L7 12"}, 0, 0, 0, 7},
	{"a total met twice", {"@0 L3 5 L3 6 L3"}, 0, 0, 0, 3},
	{"a smaller one later", {"@0 L9 5 L3 6"}, 0, 0, 0, 9},
	{"before the first event of a whole recording", {"@0 C T1 L4 5"}, 0, 0, 0, 4},
	{"in an open block", {"@0 C T1 5", "@10 C T1 11 L2 open"}, 0, 0, 0, 2},
	/* Without the beginning, losses before the first block do not count. */
	{"flight recorder, lost before", {"@0 C T1 L4 5 6"}, 7, 0, 0, 0},
	{"flight recorder, lost before and within",
	 {"@0 C T1 L4 5 L6 6", "@9 C T1 L6"},
	 7,
	 0,
	 0,
	 2},
	{"flight recorder, lost within", {"@0 C T1 5 L6 6"}, 7, 0, 0, 6},
	{"flight recorder, another writer", {"@0 L4 5 L6 6"}, 7, 0, 0, 2},
	/* Windows. */
	{"a window behind all losses", {"@0 C 5 L3 6", "@10 C L3 11", "@20 C L3 21"}, 0, 20, 99, 0},
	{"a window with losses", {"@0 C 5 L3 6", "@10 C L3 11 L5 12", "@20 C L5 21"}, 0, 11, 99, 2},
	{"a window before all losses", {"@0 C 5 6", "@10 C 11 L5 12"}, 0, 1, 11, 0},
	{"a window that ends between losses", {"@0 C 5 L3 6", "@10 C L3 11 L5 12"}, 0, 1, 11, 3},
	{"a window within a block", {"@0 C 5 L3 7 L4 8 L6 9 L7"}, 0, 7, 9, 3},
	{"a window, totals are not repeated",
	 {"@0 5 L3 6", "@10 11", "@20 21 L5 22"},
	 0,
	 20,
	 99,
	 2},
	{"a window, no totals before", {"@0 5 6", "@10 11", "@20 21 L5 22"}, 0, 20, 99, 5},
	{"a window, a live writer without losses",
	 {"@0 C 5", "@10 C 11", "@20 C 21 L5"},
	 0,
	 20,
	 99,
	 5},
};

/* A check, without a window, finds the same number. */
static void assert_check_finds(StatScene *scene, guint64 n_lost)
{
	g_autoptr(LttTrace) trace = stat_scene_open(scene);
	const LttCheckRequest request = {.trace = trace,
					 .callbacks = {.on_problem = stat_scene_no_problem}};
	LttCheckSummary summary;

	CU_ASSERT_TRUE(ltt_check(&request, &summary, NULL));
	CU_ASSERT_EQUAL(summary.n_lost, n_lost);
}

static void test_losses(void)
{
	for (guint i = 0; i < G_N_ELEMENTS(losses); i++) {
		const LossCase *loss = &losses[i];
		StatScene *scene = stat_scene_new(BLOCK_BYTES);
		g_autoptr(LttSelect) select = ltt_select_new();
		g_auto(LttStatSummary) stat = {0};
		g_autofree char *got = NULL;
		g_autofree char *expected = NULL;

		for (guint j = 0; j < 4 && loss->blocks[j] != NULL; j++)
			stat_scene_add(scene, "cpu/0", loss->first_id + j, loss->blocks[j]);
		if (loss->to_ns > 0)
			ltt_select_set_window(select, loss->from_ns, loss->to_ns);
		else
			assert_check_finds(scene, loss->expected);
		stat_scene_count(scene, select, 0, &stat);
		got = g_strdup_printf("%s: %" G_GUINT64_FORMAT, loss->what, stat.n_lost);
		expected = g_strdup_printf("%s: %" G_GUINT64_FORMAT, loss->what, loss->expected);
		UNIT_ASSERT_TEXT(got, expected);
		stat_scene_free(scene);
	}
}

static void test_losses_of_several_files(void)
{
	StatScene *scene = stat_scene_new(BLOCK_BYTES);
	g_autoptr(LttSelect) select = ltt_select_new();
	g_auto(LttStatSummary) all = {0};
	g_auto(LttStatSummary) one = {0};

	stat_scene_add(scene, "cpu/0", 0, "@0 C 5 L3 6");
	stat_scene_add(scene, "cpu/1", 4, "@0 C L10 5 L11 6");
	stat_scene_add(scene, "cpu/3", 0, "@0 C 5 6");
	stat_scene_count(scene, NULL, 0, &all);
	CU_ASSERT_EQUAL(all.n_lost, 4);
	CU_ASSERT_EQUAL(all.n_tracefiles, 4); /* control/facilities is one */
	CU_ASSERT_EQUAL(all.tracefiles[1].n_lost, 3);
	CU_ASSERT_EQUAL(all.tracefiles[2].n_lost, 1);
	CU_ASSERT_EQUAL(all.tracefiles[3].n_lost, 0);

	/* Selections by file affect losses, selections by name do not. */
	CU_ASSERT_TRUE(ltt_select_set_events(select, "disk.read", NULL));
	CU_ASSERT_TRUE(ltt_select_set_cpus(select, "1-3", NULL));
	stat_scene_count(scene, select, 0, &one);
	CU_ASSERT_EQUAL(one.n_lost, 1);
	CU_ASSERT_EQUAL(one.total.n_events, 0);
	CU_ASSERT_EQUAL(one.n_tracefiles, 2);
	stat_scene_free(scene);
}

UNIT_MAIN("stat-losses", UNIT(test_losses), UNIT(test_losses_of_several_files))
