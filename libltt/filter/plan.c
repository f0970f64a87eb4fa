/* plan.c - compile a filter for one event type.
 *
 * Constant folding: tests with a constant answer are removed, and jumps to them are redirected to
 * the target of that answer. The remaining tests, if any, must be evaluated for each event.
 */
#include "filter/plan-priv.h"

/* Evaluates the tests that are reachable given the answers of earlier tests.
 * Returns: (element-type LttPlanTest): one element per test; LTT_PLAN_FALSE for unreachable ones */
static GArray *work_out(const GArray *tests, const LttEventType *type, const LttLayout *layout)
{
	GArray *found = g_array_sized_new(FALSE, TRUE, sizeof(LttPlanTest), tests->len);
	g_autofree gboolean *is_reached = g_new0(gboolean, tests->len);

	g_array_set_clear_func(found, ltt_plan_test_clear);
	g_array_set_size(found, tests->len);
	is_reached[0] = TRUE;
	for (guint i = 0; i < tests->len; i++) {
		const LttTest *test = &g_array_index(tests, LttTest, i);
		LttPlanTest *plan = &g_array_index(found, LttPlanTest, i);

		if (!is_reached[i])
			continue;
		ltt_plan_test_init(plan, test, type, layout);
		if (plan->kind != LTT_PLAN_FALSE && test->on_true < tests->len)
			is_reached[test->on_true] = TRUE;
		if (plan->kind != LTT_PLAN_TRUE && test->on_false < tests->len)
			is_reached[test->on_false] = TRUE;
	}
	return found;
}

static guint32 lead(const guint32 *places, guint32 target)
{
	return target >= LTT_FILTER_FALSE ? target : places[target];
}

LttFilterPlan *ltt_filter_plan_new(const GArray *tests, const LttEventType *type,
				   const LttLayout *layout)
{
	LttFilterPlan *plan = g_new(LttFilterPlan, 1);
	g_autoptr(GArray) found = work_out(tests, type, layout);
	g_autofree guint32 *places =
		g_new0(guint32, tests->len); /* index of each test in the plan */

	*plan = (LttFilterPlan){
		.type = type,
		.layout = layout,
		.tests = g_array_new(FALSE, FALSE, sizeof(LttPlanTest)),
	};
	g_array_set_clear_func(plan->tests, ltt_plan_test_clear);
	/* Jumps only go forward, so in reverse order all targets are known. */
	for (guint i = tests->len; i-- > 0;) {
		const LttTest *test = &g_array_index(tests, LttTest, i);
		LttPlanTest *one = &g_array_index(found, LttPlanTest, i);

		one->on_true = lead(places, test->on_true);
		one->on_false = lead(places, test->on_false);
		if (one->kind == LTT_PLAN_TRUE || one->on_true == one->on_false) {
			places[i] = one->on_true;
		} else if (one->kind == LTT_PLAN_FALSE) {
			places[i] = one->on_false;
		} else {
			places[i] = plan->tests->len;
			g_array_append_val(plan->tests, *one);
			*one = (LttPlanTest){.kind = LTT_PLAN_FALSE};
		}
	}
	plan->start = places[0];
	ltt_filter_plan_combine(plan);
	return plan;
}

void ltt_filter_plan_free(LttFilterPlan *plan)
{
	g_array_unref(plan->tests);
	g_free(plan);
}
