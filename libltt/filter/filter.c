/* filter.c - create and evaluate filters on events.
 *
 * The tests of an expression are shared by all filters made of it; each filter keeps the plans of
 * the event types seen so far. The last plan of each event id is found by one lookup.
 */
#include "filter/plan-priv.h"

#include "base/bytes-priv.h"

#include <ltt/ltt-filter.h>

#include <math.h>
#include <string.h>

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

const GArray *ltt_filter_get_tests(const LttFilter *filter)
{
	return filter->program->tests;
}

/* ---- evaluate ---- */

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

static gboolean is_float_among(const LttPlanTest *test, double number)
{
	guint low = 0;
	guint high = test->floats.n;

	while (low < high) {
		const guint middle = low + (high - low) / 2;

		if (test->floats.sorted[middle] < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low < test->floats.n && test->floats.sorted[low] == number;
}

static gboolean bits_hold(const LttPlanTest *test, guint64 bits)
{
	return (test->kind == LTT_PLAN_RANGE ? bits - test->range.first <= test->range.span
					     : is_among(test, bits)) != test->is_negated;
}

static gboolean is_text_among(const LttPlanTest *test, const char *text, gsize length)
{
	guint low = 0;
	guint high = test->texts.n;

	while (low < high) {
		const guint middle = low + (high - low) / 2;
		const LttPlanText *other = &test->texts.sorted[middle];
		const int order =
			ltt_filter_compare_bytes(text, length, other->bytes, other->length);

		if (order == 0)
			return TRUE;
		if (order > 0)
			low = middle + 1;
		else
			high = middle;
	}
	return FALSE;
}

static gboolean text_holds(const LttPlanTest *test, const char *text, gsize length)
{
	if (test->kind == LTT_PLAN_LIKE)
		return ltt_glob_matches(test->glob, text, length);
	if (test->kind == LTT_PLAN_TEXTS)
		return is_text_among(test, text, length);
	return ltt_compare_holds(
		test->compare,
		ltt_filter_compare_bytes(text, length, test->string.bytes, test->string.length));
}

/* Checks a value of the payload; an LttPlaceCheck. */
static gboolean value_holds(const LttValue *value, gconstpointer user_data)
{
	const LttPlanTest *test = user_data;
	const char *text;
	gsize length;

	switch (test->kind) {
	case LTT_PLAN_RANGE:
	case LTT_PLAN_VALUES:
		return bits_hold(test, test->subject.is_length ? ltt_filter_get_length(value)
							       : ltt_value_get_uint(value));
	case LTT_PLAN_FLOAT:
		return float_holds(test, ltt_value_get_float(value));
	case LTT_PLAN_FLOATS:
		return is_float_among(test, ltt_value_get_float(value));
	default:
		text = ltt_value_get_string(value, &length);
		return text_holds(test, text, length);
	}
}

/* Checks a value of the event outside its payload. */
static gboolean attribute_holds(const LttPlanTest *test, const LttEvent *event)
{
	const char *text;
	guint64 bits;

	if (!ltt_filter_is_text(test->subject.kind))
		return ltt_filter_get_number(test->subject.kind, event, &bits) &&
		       bits_hold(test, bits);
	text = ltt_filter_get_text(test->subject.kind, event);
	return text != NULL && text_holds(test, text, strlen(text));
}

/* The bits of an integer that is at the same offset in all payloads. */
static inline guint64 load_bits(const LttPlace *place, const LttEvent *event)
{
	const guint8 *at = event->payload + place->offset_bytes;

	return place->layout->is_signed
		       ? (guint64)ltt_load_int(at, place->layout->width_bytes, event->byte_order)
		       : ltt_load_uint(at, place->layout->width_bytes, event->byte_order);
}

static gboolean test_holds(const LttPlanTest *test, const LttEvent *event)
{
	const LttSubject *subject = &test->subject;
	LttValue value;

	if (test->kind == LTT_PLAN_PAIR)
		return ltt_filter_compare_pair(test->compare, subject, &test->other, event);
	if (subject->kind != LTT_OPERAND_PATH)
		return attribute_holds(test, event);
	if (subject->place.n_hops == 0 && !subject->is_length &&
	    (test->kind == LTT_PLAN_RANGE || test->kind == LTT_PLAN_VALUES))
		return bits_hold(test, load_bits(&subject->place, event));
	if (subject->place.has_each)
		return ltt_place_any(&subject->place, event, value_holds, test);
	return ltt_place_get(&subject->place, event, &value) && value_holds(&value, test);
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
