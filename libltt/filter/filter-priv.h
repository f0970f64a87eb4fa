/* filter-priv.h - a parsed filter: a list of tests with jumps (short-circuit code).
 *
 * Each test is one comparison with a target for true and one for false. The targets implement &&
 * and ||, and ! swaps them, so evaluation needs no stack, and a comparison with a missing value is
 * simply false. Jumps only go forward.
 *
 *	a == 1 && !(b < 2 || c =~ "x*")
 *
 *	test 0   a == 1       true: test 1          false: LTT_FILTER_FALSE
 *	test 1   b < 2        true: FILTER_FALSE    false: test 2
 *	test 2   c =~ "x*"    true: FILTER_FALSE    false: LTT_FILTER_TRUE
 */
#ifndef LTT_FILTER_FILTER_PRIV_H
#define LTT_FILTER_FILTER_PRIV_H

#ifndef LTT_BUILDING
#error "filter/filter-priv.h is private to libltt; use <ltt/ltt-filter.h>"
#endif

#include "filter/glob-priv.h"
#include "filter/operand-priv.h"

#include <ltt/ltt-filter.h>

/* In the order of the tokens. */
typedef enum LttCompare {
	LTT_COMPARE_EQ,
	LTT_COMPARE_NE,
	LTT_COMPARE_LT,
	LTT_COMPARE_LE,
	LTT_COMPARE_GT,
	LTT_COMPARE_GE,
	LTT_COMPARE_LIKE,
} LttCompare;

/* Returns: whether the right operand is a pattern, which LttTest.glob has in compiled form */
static inline gboolean ltt_compare_is_match(LttCompare compare)
{
	return compare == LTT_COMPARE_LIKE;
}

/* @order: below, at or above 0 as left is less than, equal to or greater than right.
 * Returns: whether the comparison holds */
static inline gboolean ltt_compare_holds(LttCompare compare, int order)
{
	switch (compare) {
	case LTT_COMPARE_EQ:
		return order == 0;
	case LTT_COMPARE_NE:
		return order != 0;
	case LTT_COMPARE_LT:
		return order < 0;
	case LTT_COMPARE_LE:
		return order <= 0;
	case LTT_COMPARE_GT:
		return order > 0;
	default:
		return order >= 0;
	}
}

/* Returns: the same comparison with its operands swapped */
static inline LttCompare ltt_compare_turned(LttCompare compare)
{
	switch (compare) {
	case LTT_COMPARE_LT:
		return LTT_COMPARE_GT;
	case LTT_COMPARE_LE:
		return LTT_COMPARE_GE;
	case LTT_COMPARE_GT:
		return LTT_COMPARE_LT;
	case LTT_COMPARE_GE:
		return LTT_COMPARE_LE;
	default:
		return compare;
	}
}

/* Final jump targets; any other target is the number of a test. */
#define LTT_FILTER_FALSE (G_MAXUINT32 - 1)
#define LTT_FILTER_TRUE  G_MAXUINT32

/* One comparison. If one operand is a literal and the other is not, the literal is on the right. */
typedef struct LttTest {
	LttCompare compare;
	LttOperand left;
	LttOperand right;
	LttGlob *glob; /* if ltt_compare_is_match(); owned */
	guint32 on_true;
	guint32 on_false;
} LttTest;

/* Parses an expression. Returns: (transfer full) (element-type LttTest) (nullable): the tests, in
 * order of evaluation; frees its elements. NULL with an error of ltt_filter_new() */
GArray *ltt_filter_parse(const char *expression, GError **error);

/* Returns: (transfer none) (element-type LttTest): the tests of the expression */
const GArray *ltt_filter_get_tests(const LttFilter *filter);

/* Returns: the answer of @filter that is the same for all events of a type: LTT_FILTER_TRUE or
 *   LTT_FILTER_FALSE; any other value if it depends on the event */
guint32 ltt_filter_answer(LttFilter *filter, const LttEventType *type, const LttLayout *layout);

#endif
