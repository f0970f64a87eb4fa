/* What filters select: tables of filters and the events that they select, in both byte orders. The
 * negation and a copy of each filter are tested, too. */
#include "filter-cases-events.h"
#include "filter-cases-lists.h"
#include "filter-cases-values.h"
#include "support-filter.h"
#include "unit.h"

#include "filter/plan-priv.h"

#include <ltt/ltt-filter.h>

#include <string.h>

static char *select_events(LttFilter *filter, const FilterEvents *all)
{
	GString *letters = g_string_new(NULL);

	for (guint i = 0; i < FILTER_N_EVENTS; i++) {
		if (ltt_filter_matches(filter, filter_events_get(all, i)))
			g_string_append_c(letters, (char)('A' + i));
	}
	return g_string_free(letters, FALSE);
}

static void assert_selects(const char *expression, const char *events, const FilterEvents *all)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(LttFilter) filter = ltt_filter_new(expression, &error);
	g_autoptr(LttFilter) copy = NULL;
	g_autofree char *expected = g_strdup_printf("%s: %s", expression, events);

	UNIT_ASSERT_OK(filter != NULL, error);
	copy = ltt_filter_dup(filter);
	for (guint i = 0; i < 3; i++) { /* the second time with existing plans */
		g_autofree char *letters = select_events(i < 2 ? filter : copy, all);
		g_autofree char *got = g_strdup_printf("%s: %s", expression, letters);

		UNIT_ASSERT_TEXT(got, expected);
	}
}

static void assert_opposite(const char *expression, const char *events, const FilterEvents *all)
{
	g_autofree char *opposite = g_strdup_printf("!(%s)", expression);
	g_autoptr(GString) others = g_string_new(NULL);

	for (const char *letter = ALL; *letter != '\0'; letter++) {
		if (strchr(events, *letter) == NULL)
			g_string_append_c(others, *letter);
	}
	assert_selects(opposite, others->str, all);
}

static void check_cases(const FilterCase *cases, gsize n_cases, const FilterEvents *all)
{
	for (gsize i = 0; i < n_cases; i++) {
		assert_selects(cases[i].expression, cases[i].events, all);
		assert_opposite(cases[i].expression, cases[i].events, all);
	}
}

static void check_tables(LttByteOrder byte_order)
{
	FilterEvents *all = filter_events_new(byte_order);

	check_cases(value_cases, G_N_ELEMENTS(value_cases), all);
	check_cases(event_cases, G_N_ELEMENTS(event_cases), all);
	check_cases(list_cases, G_N_ELEMENTS(list_cases), all);
	filter_events_free(all);
}

static void test_tables_little_endian(void)
{
	check_tables(LTT_LITTLE_ENDIAN);
}

static void test_tables_big_endian(void)
{
	check_tables(LTT_BIG_ENDIAN);
}

/* Events with the same id and different types, as in two files with local loads. */
static void test_types_with_one_id(void)
{
	FilterEvents *all = filter_events_new(LTT_NATIVE_ENDIAN);
	g_autoptr(LttFilter) filter = ltt_filter_new("tail == 77 || data == 42", NULL);
	LttEvent a = *filter_events_get(all, 0);
	LttEvent c = *filter_events_get(all, 2);
	LttEvent d = *filter_events_get(all, 3);

	a.id = c.id = d.id = 7;
	for (guint i = 0; i < 3; i++) {
		CU_ASSERT_TRUE(ltt_filter_matches(filter, &a));
		CU_ASSERT_TRUE(ltt_filter_matches(filter, &c));
		CU_ASSERT_FALSE(ltt_filter_matches(filter, &d));
	}
	filter_events_free(all);
}

/* Returns: the number of tests on the longest way through the plan of @expression for event A */
static guint count_tests(const char *expression, const FilterEvents *all)
{
	const LttEvent *event = filter_events_get(all, 0);
	g_autoptr(LttFilter) filter = ltt_filter_new(expression, NULL);
	LttFilterPlan *plan =
		ltt_filter_plan_new(ltt_filter_get_tests(filter), event->type, event->layout);
	g_autofree guint *longest = g_new0(guint, plan->tests->len);
	guint n_tests;

	/* Jumps lead to lower indices. */
	for (guint i = 0; i < plan->tests->len; i++) {
		const LttPlanTest *test = &g_array_index(plan->tests, LttPlanTest, i);
		const guint32 targets[] = {test->on_true, test->on_false};

		for (guint j = 0; j < G_N_ELEMENTS(targets); j++) {
			if (targets[j] < LTT_FILTER_FALSE)
				longest[i] = MAX(longest[i], longest[targets[j]]);
		}
		longest[i]++;
	}
	n_tests = plan->start < LTT_FILTER_FALSE ? longest[plan->start] : 0;
	ltt_filter_plan_free(plan);
	return n_tests;
}

/* A long list costs one test. */
static void test_long_lists(void)
{
	FilterEvents *all = filter_events_new(LTT_NATIVE_ENDIAN);
	g_autoptr(GString) numbers = g_string_new("i32 in (12");
	g_autoptr(GString) floats = g_string_new("f64 in (0.1");
	g_autoptr(GString) texts = g_string_new("s in (\"\"");

	for (guint i = 0; i < 1000; i++) {
		g_string_append_printf(numbers, ", %u", 1000 + 7 * i % 1000);
		g_string_append_printf(floats, ", %u.5", 7 * i % 1000);
		g_string_append_printf(texts, ", \"text %u\"", 7 * i % 1000);
	}
	g_string_append(numbers, ")");
	g_string_append(floats, ")");
	g_string_append(texts, ")");
	assert_selects(numbers->str, "A", all);
	assert_selects(floats->str, "A", all);
	assert_selects(texts->str, "B", all);
	CU_ASSERT_EQUAL(count_tests(numbers->str, all), 1);
	CU_ASSERT_EQUAL(count_tests(floats->str, all), 1);
	CU_ASSERT_EQUAL(count_tests(texts->str, all), 1);
	CU_ASSERT_EQUAL(count_tests("i32 in (1, 2) || s in (\"a\", \"b\")", all), 2);
	CU_ASSERT_EQUAL(count_tests("i32 == 1 || i16 == 2 || i32 == 3", all), 3);
	filter_events_free(all);
}

/* More event types than a filter keeps plans for. */
static void test_forgotten_plans(void)
{
	FilterEvents *all = filter_events_new(LTT_NATIVE_ENDIAN);
	GString *expression = g_string_new("tid == 101 && (pid == 1");
	g_autoptr(LttFilter) filter = NULL;
	LttEventType types[16];

	for (guint i = 0; i < 4500; i++)
		g_string_append_printf(expression, "||pid==%u", 3 * i);
	g_string_append(expression, "||pid==100)");
	filter = ltt_filter_new(expression->str, NULL);
	CU_ASSERT_PTR_NOT_NULL_FATAL(filter);
	for (guint round = 0; round < 3; round++) {
		for (guint i = 0; i < 2 * G_N_ELEMENTS(types); i++) {
			LttEvent event = *filter_events_get(all, i % 2);

			types[i / 2] = *event.type;
			event.type = &types[i / 2];
			CU_ASSERT_EQUAL(ltt_filter_matches(filter, &event), i % 2 == 0);
		}
	}
	g_string_free(expression, TRUE);
	filter_events_free(all);
}

UNIT_MAIN("filter", UNIT(test_tables_little_endian), UNIT(test_tables_big_endian),
	  UNIT(test_types_with_one_id), UNIT(test_long_lists), UNIT(test_forgotten_plans))
