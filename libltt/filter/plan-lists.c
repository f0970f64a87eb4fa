/* plan-lists.c - combine tests of one value with many constants into one binary search.
 *
 * "x in (1, 2, 3)" and "x == 1 || x == 2 || x == 3" are chains of tests:
 *
 *	x == 1 ──false──► x == 2 ──false──► x == 3 ──false──► ...
 *	  └──────true───────┴──────true───────┴──────true───► ...
 *
 * The first test of a chain takes the constants of the others, which are then unreachable.
 */
#include "filter/plan-priv.h"

static gboolean has_values(const LttPlanTest *test)
{
	if (test->is_negated)
		return FALSE;
	return test->kind == LTT_PLAN_VALUES ||
	       (test->kind == LTT_PLAN_RANGE && test->range.span == 0);
}

static gboolean has_float(const LttPlanTest *test)
{
	return test->kind == LTT_PLAN_FLOAT && test->compare == LTT_COMPARE_EQ;
}

static gboolean has_text(const LttPlanTest *test)
{
	return test->kind == LTT_PLAN_STRING && test->compare == LTT_COMPARE_EQ;
}

static gboolean is_same_subject(const LttSubject *a, const LttSubject *b)
{
	if (a->kind != b->kind || a->is_length != b->is_length ||
	    a->place.layout != b->place.layout || a->place.from != b->place.from ||
	    a->place.offset_bytes != b->place.offset_bytes || a->place.n_hops != b->place.n_hops)
		return FALSE;
	for (guint i = 0; i < a->place.n_hops; i++) {
		if (a->place.hops[i].kind != b->place.hops[i].kind ||
		    a->place.hops[i].index != b->place.hops[i].index)
			return FALSE;
	}
	return TRUE;
}

/* Returns: whether @next asks about the same value, with the same consequence */
static gboolean continues(const LttPlanTest *test, const LttPlanTest *next)
{
	return ((has_values(test) && has_values(next)) || (has_float(test) && has_float(next)) ||
		(has_text(test) && has_text(next))) &&
	       test->on_true == next->on_true && is_same_subject(&test->subject, &next->subject);
}

static gint compare_bits(gconstpointer left, gconstpointer right)
{
	const guint64 a = *(const guint64 *)left;
	const guint64 b = *(const guint64 *)right;

	return a < b ? -1 : a > b;
}

static gint compare_floats(gconstpointer left, gconstpointer right)
{
	const double a = *(const double *)left;
	const double b = *(const double *)right;

	return a < b ? -1 : a > b;
}

static gint compare_texts(gconstpointer left, gconstpointer right)
{
	const LttPlanText *a = left;
	const LttPlanText *b = right;

	return ltt_filter_compare_bytes(a->bytes, a->length, b->bytes, b->length);
}

/* ---- chains ---- */

/* @chain: (element-type LttPlanTest): the tests of a chain, in order */
static void take_values(const GPtrArray *chain)
{
	GArray *values = g_array_new(FALSE, FALSE, sizeof(guint64));
	LttPlanTest *first = chain->pdata[0];

	for (guint i = 0; i < chain->len; i++) {
		const LttPlanTest *test = chain->pdata[i];

		if (test->kind == LTT_PLAN_VALUES)
			g_array_append_vals(values, test->values.sorted, test->values.n);
		else
			g_array_append_val(values, test->range.first);
	}
	g_array_sort(values, compare_bits);
	if (first->kind == LTT_PLAN_VALUES)
		g_free(first->values.sorted);
	first->kind = LTT_PLAN_VALUES;
	first->values.n = values->len;
	first->values.sorted = (guint64 *)(gpointer)g_array_free(values, FALSE);
}

static void take_floats(const GPtrArray *chain)
{
	GArray *floats = g_array_new(FALSE, FALSE, sizeof(double));
	LttPlanTest *first = chain->pdata[0];

	for (guint i = 0; i < chain->len; i++)
		g_array_append_val(floats, ((const LttPlanTest *)chain->pdata[i])->number.nearest);
	g_array_sort(floats, compare_floats);
	first->kind = LTT_PLAN_FLOATS;
	first->floats.n = floats->len;
	first->floats.sorted = (double *)(gpointer)g_array_free(floats, FALSE);
}

static void take_texts(const GPtrArray *chain)
{
	GArray *texts = g_array_new(FALSE, FALSE, sizeof(LttPlanText));
	LttPlanTest *first = chain->pdata[0];

	for (guint i = 0; i < chain->len; i++)
		g_array_append_val(texts, ((const LttPlanTest *)chain->pdata[i])->string);
	g_array_sort(texts, compare_texts);
	first->kind = LTT_PLAN_TEXTS;
	first->texts.n = texts->len;
	first->texts.sorted = (LttPlanText *)(gpointer)g_array_free(texts, FALSE);
}

/* Returns: the number of jumps to each test */
static guint *count_jumps(const LttFilterPlan *plan)
{
	guint *n_jumps = g_new0(guint, plan->tests->len + 1);

	if (plan->start < LTT_FILTER_FALSE)
		n_jumps[plan->start]++;
	for (guint i = 0; i < plan->tests->len; i++) {
		const LttPlanTest *test = &g_array_index(plan->tests, LttPlanTest, i);

		if (test->on_true < LTT_FILTER_FALSE)
			n_jumps[test->on_true]++;
		if (test->on_false < LTT_FILTER_FALSE)
			n_jumps[test->on_false]++;
	}
	return n_jumps;
}

/* Combines the chain that begins with @first. Sets the number of jumps to its other tests to 0. */
static void combine_chain(LttFilterPlan *plan, LttPlanTest *first, guint *n_jumps)
{
	g_autoptr(GPtrArray) chain = g_ptr_array_new();
	guint32 at = first->on_false;

	g_ptr_array_add(chain, first);
	/* A test that is also reached in another way stays. */
	while (at < LTT_FILTER_FALSE && n_jumps[at] == 1 &&
	       continues(first, &g_array_index(plan->tests, LttPlanTest, at))) {
		g_ptr_array_add(chain, &g_array_index(plan->tests, LttPlanTest, at));
		n_jumps[at] = 0;
		at = g_array_index(plan->tests, LttPlanTest, at).on_false;
	}
	if (chain->len == 1)
		return;
	if (has_text(first))
		take_texts(chain);
	else if (has_float(first))
		take_floats(chain);
	else
		take_values(chain);
	first->on_false = at;
}

void ltt_filter_plan_combine(LttFilterPlan *plan)
{
	g_autofree guint *n_jumps = count_jumps(plan);

	/* Jumps lead to lower indices, so the first test of a chain comes first. */
	for (guint i = plan->tests->len; i-- > 0;) {
		if (n_jumps[i] > 0)
			combine_chain(plan, &g_array_index(plan->tests, LttPlanTest, i), n_jumps);
	}
}
