/* filter.c - create and evaluate filters on events.
 *
 * The tests of an expression are shared by all filters made of it; each filter keeps the plans of
 * the event types that it has met. The last plan of each event id is found by one lookup.
 */
#include "filter/plan-priv.h"

#include "base/bytes-priv.h"

#include <ltt/ltt-filter.h>

#include <math.h>

/* Maximum number of tests in all plans together; above it the plans are dropped. It bounds the
 * memory for an expression of thousands of tests and a trace of thousands of event types. */
#define MAX_PLANNED_TESTS 100000

/* The parsed expression, which does not change. */
typedef struct Program {
	gint n_users; /* atomic */
	char *expression;
	GArray *tests; /* of LttTest */
} Program;

struct LttFilter {
	Program *program;
	GHashTable *plans; /* of LttFilterPlan, by type and layout; owned */
	GArray *by_id;     /* of LttFilterPlan *: the last one of each event id */
	gsize n_planned_tests;
};

static void release(Program *program)
{
	if (!g_atomic_int_dec_and_test(&program->n_users))
		return;
	g_array_unref(program->tests);
	g_free(program->expression);
	g_free(program);
}

static guint hash_plan(gconstpointer key)
{
	const LttFilterPlan *plan = key;

	return g_direct_hash(plan->type) ^ g_direct_hash(plan->layout);
}

static gboolean are_equal_plans(gconstpointer left, gconstpointer right)
{
	const LttFilterPlan *a = left;
	const LttFilterPlan *b = right;

	return a->type == b->type && a->layout == b->layout;
}

static LttFilter *new_of(Program *program)
{
	LttFilter *filter = g_new0(LttFilter, 1);

	filter->program = program;
	filter->plans = g_hash_table_new_full(hash_plan, are_equal_plans, NULL,
					      (GDestroyNotify)ltt_filter_plan_free);
	filter->by_id = g_array_new(FALSE, TRUE, sizeof(LttFilterPlan *));
	return filter;
}

LttFilter *ltt_filter_new(const char *expression, GError **error)
{
	GArray *tests = ltt_filter_parse(expression, error);
	Program *program;

	if (tests == NULL)
		return NULL;
	program = g_new(Program, 1);
	*program = (Program){.n_users = 1, .expression = g_strdup(expression), .tests = tests};
	return new_of(program);
}

LttFilter *ltt_filter_dup(const LttFilter *filter)
{
	g_atomic_int_inc(&filter->program->n_users);
	return new_of(filter->program);
}

void ltt_filter_free(LttFilter *filter)
{
	if (filter == NULL)
		return;
	g_hash_table_unref(filter->plans);
	g_array_unref(filter->by_id);
	release(filter->program);
	g_free(filter);
}

const char *ltt_filter_get_expression(const LttFilter *filter)
{
	return filter->program->expression;
}

/* ---- asking ---- */

/* Gets the value of an integer subject, as bits. */
static gboolean get_bits(const LttSubject *subject, const LttEvent *event, guint64 *bits)
{
	const LttPlace *place = &subject->place;
	LttValue value;

	if (subject->kind != LTT_OPERAND_PATH)
		return ltt_filter_get_number(subject->kind, event, bits);
	if (place->n_hops == 0) {
		const guint8 *at = event->payload + place->offset_bytes;

		*bits = place->layout->is_signed
				? (guint64)ltt_load_int(at, place->layout->width_bytes,
							event->byte_order)
				: ltt_load_uint(at, place->layout->width_bytes, event->byte_order);
		return TRUE;
	}
	if (!ltt_place_get(place, event, &value))
		return FALSE;
	*bits = ltt_value_get_uint(&value);
	return TRUE;
}

static gboolean is_among(const LttPlanTest *test, guint64 bits)
{
	guint low = 0;
	guint high = test->values.n;

	while (low < high) {
		const guint middle = low + (high - low) / 2;

		if (test->values.sorted[middle] == bits)
			return TRUE;
		if (test->values.sorted[middle] < bits)
			low = middle + 1;
		else
			high = middle;
	}
	return FALSE;
}

static gboolean float_holds(const LttPlanTest *test, double number)
{
	if (isnan(number))
		return test->compare == LTT_COMPARE_NE;
	return ltt_compare_holds(test->compare, number < test->number.nearest ? -1
						: number > test->number.nearest
							? 1
							: -test->number.beyond);
}

/* Returns: (nullable): the text that a test compares; NULL: the event does not have it */
static const char *get_text(const LttSubject *subject, const LttEvent *event, gsize *length)
{
	LttValue value;
	const char *text;

	if (subject->kind != LTT_OPERAND_COMM)
		return ltt_place_get(&subject->place, event, &value)
			       ? ltt_value_get_string(&value, length)
			       : NULL;
	text = ltt_filter_get_comm(event);
	*length = text != NULL ? strlen(text) : 0;
	return text;
}

static gboolean test_holds(const LttPlanTest *test, const LttEvent *event)
{
	LttValue value;
	const char *text;
	guint64 bits;
	gsize length;

	switch (test->kind) {
	case LTT_PLAN_RANGE:
		return get_bits(&test->subject, event, &bits) &&
		       (bits - test->range.first <= test->range.span) != test->is_negated;
	case LTT_PLAN_VALUES:
		return get_bits(&test->subject, event, &bits) &&
		       is_among(test, bits) != test->is_negated;
	case LTT_PLAN_PAIR:
		return ltt_filter_compare_pair(test->compare, &test->subject, &test->other, event);
	default:
		break;
	}
	if (test->kind == LTT_PLAN_FLOAT)
		return ltt_place_get(&test->subject.place, event, &value) &&
		       float_holds(test, ltt_value_get_float(&value));
	text = get_text(&test->subject, event, &length);
	if (text == NULL)
		return FALSE;
	if (test->kind == LTT_PLAN_LIKE)
		return ltt_glob_matches(test->glob, text, length);
	return ltt_compare_holds(
		test->compare,
		ltt_filter_compare_bytes(text, length, test->string.bytes, test->string.length));
}

static void forget_plans(LttFilter *filter)
{
	g_hash_table_remove_all(filter->plans);
	g_array_set_size(filter->by_id, 0);
	filter->n_planned_tests = 0;
}

/* Finds or makes the plan of a type. */
static LttFilterPlan *need_plan(LttFilter *filter, const LttEventType *type,
				const LttLayout *layout)
{
	const LttFilterPlan wanted = {.type = type, .layout = layout};
	LttFilterPlan *plan = g_hash_table_lookup(filter->plans, &wanted);

	if (plan == NULL) {
		if (filter->n_planned_tests > MAX_PLANNED_TESTS)
			forget_plans(filter);
		plan = ltt_filter_plan_new(filter->program->tests, type, layout);
		g_hash_table_insert(filter->plans, plan, plan);
		filter->n_planned_tests += plan->tests->len;
	}
	return plan;
}

guint32 ltt_filter_answer(LttFilter *filter, const LttEventType *type, const LttLayout *layout)
{
	return need_plan(filter, type, layout)->start;
}

static inline const LttFilterPlan *get_plan(LttFilter *filter, const LttEvent *event)
{
	LttFilterPlan *plan;

	if (G_LIKELY(event->id < filter->by_id->len)) {
		plan = g_array_index(filter->by_id, LttFilterPlan *, event->id);
		if (G_LIKELY(plan != NULL && plan->type == event->type &&
			     plan->layout == event->layout))
			return plan;
	}
	plan = need_plan(filter, event->type, event->layout);
	if (event->id >= filter->by_id->len)
		g_array_set_size(filter->by_id, event->id + 1U);
	g_array_index(filter->by_id, LttFilterPlan *, event->id) = plan;
	return plan;
}

gboolean ltt_filter_matches(LttFilter *filter, const LttEvent *event)
{
	const LttFilterPlan *plan = get_plan(filter, event);
	guint32 at = plan->start;

	while (at < LTT_FILTER_FALSE) {
		const LttPlanTest *test = &g_array_index(plan->tests, LttPlanTest, at);

		at = test_holds(test, event) ? test->on_true : test->on_false;
	}
	return at == LTT_FILTER_TRUE;
}
