/* plan-test.c - specialize one test of a filter for an event type.
 *
 * Many tests become a constant answer. Others become a check of a number or string of the event,
 * with everything precomputed that follows from the type and from the other operand.
 */
#include "filter/plan-priv.h"

#include <string.h>

#define DECIMALS_OF_NS 9

static void answer(LttPlanTest *plan, gboolean is_true)
{
	plan->kind = is_true ? LTT_PLAN_TRUE : LTT_PLAN_FALSE;
}

/* Gets the string that an operand has for all events of the type. Returns: FALSE if it varies or is
 * not a string */
static gboolean get_text(const LttOperand *operand, const LttEventType *type, const char **bytes,
			 gsize *length)
{
	switch (operand->kind) {
	case LTT_OPERAND_STRING:
		*bytes = operand->string->str;
		*length = operand->string->len;
		return TRUE;
	case LTT_OPERAND_EVENT:
		*bytes = type->full_name;
		break;
	case LTT_OPERAND_FACILITY:
		*bytes = ltt_facility_get_name(type->facility);
		break;
	default:
		return FALSE;
	}
	*length = strlen(*bytes);
	return TRUE;
}

/* @glob: as in LttTest */
static gboolean compare_texts(LttCompare compare, const LttGlob *glob, const char *left,
			      gsize left_length, const char *right, gsize right_length)
{
	if (ltt_compare_is_match(compare))
		return ltt_glob_matches(glob, left, left_length);
	return ltt_compare_holds(compare,
				 ltt_filter_compare_bytes(left, left_length, right, right_length));
}

/* Gets the range of integers of @layout; NULL: unsigned 64-bit. */
static void get_bounds(const LttLayout *layout, LttWide *least, LttWide *most)
{
	const guint bits = layout != NULL ? 8 * layout->width_bytes : 64;
	const LttWide count = (LttWide)1 << bits;

	*least = layout != NULL && layout->is_signed ? -count / 2 : 0;
	*most = *least + count - 1;
}

/* Returns: whether every event of the type has the subject */
static gboolean is_always_there(const LttSubject *subject)
{
	return subject->kind == LTT_OPERAND_PATH ? subject->place.n_hops == 0
						 : subject->kind == LTT_OPERAND_TIME;
}

/* Plans a test whose answer is @is_true for every event that has the subject. */
static void plan_presence(LttPlanTest *plan, gboolean is_true)
{
	plan->kind = LTT_PLAN_RANGE;
	plan->range.first = 0;
	plan->range.span = G_MAXUINT64;
	if (!is_true || is_always_there(&plan->subject))
		answer(plan, is_true);
}

static void plan_range(LttPlanTest *plan, LttWide first, LttWide last, gboolean is_negated)
{
	plan->kind = LTT_PLAN_RANGE;
	plan->range.first = (guint64)first;
	plan->range.span = (guint64)(last - first);
	plan->is_negated = is_negated;
}

static void plan_whole_with_number(LttPlanTest *plan, const LttNumber *number)
{
	const guint decimals = plan->subject.kind == LTT_OPERAND_TIME ? DECIMALS_OF_NS : 0;
	LttRangeKind kind;
	LttWide least;
	LttWide most;
	LttWide first;
	LttWide last;

	get_bounds(ltt_subject_get_layout(&plan->subject), &least, &most);
	kind = ltt_filter_range(plan->compare, number, decimals, least, most, &first, &last);
	if (kind == LTT_RANGE_NONE || kind == LTT_RANGE_ALL)
		plan_presence(plan, kind == LTT_RANGE_ALL);
	else
		plan_range(plan, first, last, kind == LTT_RANGE_OUTSIDE);
}

static void plan_with_number(LttPlanTest *plan, const LttNumber *number)
{
	const LttLayout *layout = ltt_subject_get_layout(&plan->subject);

	if (layout != NULL && layout->kind == LTT_STRING) {
		answer(plan, FALSE);
	} else if (layout != NULL && layout->kind == LTT_FLOAT) {
		plan->kind = LTT_PLAN_FLOAT;
		plan->number.nearest =
			ltt_number_nearest(number, layout->width_bytes, &plan->number.beyond);
		if (plan->compare == LTT_COMPARE_EQ && plan->number.beyond != 0)
			answer(plan, FALSE); /* no float has this value */
	} else {
		plan_whole_with_number(plan, number);
	}
}

/* ---- enums and labels ---- */

typedef struct Shown {
	guint64 bits; /* of the value */
	guint index;  /* of the label */
} Shown;

static gint compare_shown(gconstpointer left, gconstpointer right)
{
	const Shown *a = left;
	const Shown *b = right;

	if (a->bits != b->bits)
		return a->bits < b->bits ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

/* Returns: the values of an enum with their labels, sorted by value; among equal values, the label
 *   that is shown comes first */
static GArray *list_values(const LttType *type)
{
	const guint n_labels = ltt_type_get_n_labels(type);
	GArray *list = g_array_sized_new(FALSE, FALSE, sizeof(Shown), n_labels);

	for (guint i = 0; i < n_labels; i++) {
		const Shown shown = {(guint64)ltt_type_get_label(type, i)->value, i};

		g_array_append_val(list, shown);
	}
	g_array_sort(list, compare_shown);
	return list;
}

/* Plans a comparison by label. A value without a label differs from all strings. */
static void plan_with_labels(LttPlanTest *plan, const LttGlob *glob, const char *bytes,
			     gsize length)
{
	const LttType *type = plan->subject.place.layout->type;
	const gboolean without_label = plan->compare == LTT_COMPARE_NE;
	g_autoptr(GArray) list = list_values(type);
	g_autoptr(GArray) others = g_array_new(FALSE, FALSE, sizeof(guint64));

	for (guint i = 0; i < list->len; i++) {
		const Shown *shown = &g_array_index(list, Shown, i);
		const char *label = ltt_type_get_label(type, shown->index)->name;

		if (i > 0 && shown[-1].bits == shown->bits)
			continue;
		if (compare_texts(plan->compare, glob, label, strlen(label), bytes, length) !=
		    without_label)
			g_array_append_val(others, shown->bits);
	}
	if (others->len == 0) {
		plan_presence(plan, without_label);
		return;
	}
	plan->kind = LTT_PLAN_VALUES;
	plan->is_negated = without_label;
	plan->values.n = others->len;
	plan->values.sorted = (guint64 *)(gpointer)g_array_free(g_steal_pointer(&others), FALSE);
	if (plan->values.n == 1) {
		const guint64 only = plan->values.sorted[0];

		g_free(plan->values.sorted);
		plan_range(plan, only, only, without_label);
	}
}

static void plan_with_text(LttPlanTest *plan, const LttGlob *glob, const char *bytes, gsize length)
{
	const gboolean is_name = ltt_filter_is_text(plan->subject.kind);

	g_assert(is_name || plan->subject.kind == LTT_OPERAND_PATH); /* the parser rejects others */
	switch (is_name                   ? LTT_STRING
		: plan->subject.is_length ? LTT_UINT
					  : plan->subject.place.layout->kind) {
	case LTT_ENUM:
		plan_with_labels(plan, glob, bytes, length);
		break;
	case LTT_STRING:
		plan->kind = glob != NULL ? LTT_PLAN_LIKE : LTT_PLAN_STRING;
		if (glob != NULL) {
			plan->glob = glob;
		} else {
			plan->string.bytes = bytes;
			plan->string.length = length;
		}
		break;
	default:
		answer(plan, FALSE);
		break;
	}
}

/* Returns: FALSE if no event of the type has the subject */
static gboolean find_subject(const LttOperand *operand, const LttLayout *layout,
			     LttSubject *subject)
{
	subject->kind = operand->kind;
	subject->is_length = operand->is_length;
	return operand->kind != LTT_OPERAND_PATH ||
	       ltt_place_find(layout, operand, &subject->place);
}

/* Plans a comparison of two values of the event. */
static void plan_pair(LttPlanTest *plan, const LttOperand *right, const LttLayout *layout)
{
	LttSubject other = {0};

	if (!find_subject(right, layout, &other))
		return;
	plan->kind = LTT_PLAN_PAIR;
	plan->other = other;
}

void ltt_plan_test_init(LttPlanTest *plan, const LttTest *test, const LttEventType *type,
			const LttLayout *layout)
{
	const LttOperand *left = &test->left;
	const LttOperand *right = &test->right;
	const char *left_text;
	const char *text;
	gsize left_length;
	gsize length;

	*plan = (LttPlanTest){.kind = LTT_PLAN_FALSE, .compare = test->compare};
	if (left->kind == LTT_OPERAND_NUMBER) {
		answer(plan, ltt_compare_holds(test->compare,
					       ltt_number_compare(&left->number, &right->number)));
		return;
	}
	if (get_text(left, type, &left_text, &left_length)) {
		if (get_text(right, type, &text, &length)) {
			answer(plan, compare_texts(test->compare, test->glob, left_text,
						   left_length, text, length));
			return;
		}
		/* Moves a value that is constant for the type to the right, like a literal. */
		left = &test->right;
		right = &test->left;
		plan->compare = ltt_compare_turned(test->compare);
	}
	if (!find_subject(left, layout, &plan->subject))
		return;
	if (right->kind == LTT_OPERAND_NUMBER)
		plan_with_number(plan, &right->number);
	else if (get_text(right, type, &text, &length))
		plan_with_text(plan, test->glob, text, length);
	else
		plan_pair(plan, right, layout);
}

void ltt_plan_test_clear(gpointer data)
{
	LttPlanTest *plan = data;

	ltt_place_clear(&plan->subject.place);
	if (plan->kind == LTT_PLAN_PAIR)
		ltt_place_clear(&plan->other.place);
	if (plan->kind == LTT_PLAN_VALUES)
		g_free(plan->values.sorted);
	if (plan->kind == LTT_PLAN_FLOATS)
		g_free(plan->floats.sorted);
	if (plan->kind == LTT_PLAN_TEXTS)
		g_free(plan->texts.sorted);
}
