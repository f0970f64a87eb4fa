/* filter-priv.h - a filter after parsing: a row of tests with jumps.
 *
 * Each test is one comparison and says where to go on if it is true and if it is false. && and ||
 * are nothing but these targets, and ! swaps them; so evaluation needs no stack, and a comparison
 * with something absent is simply false. Targets are always further down the row.
 */
#ifndef LTT_FILTER_PRIV_H
#define LTT_FILTER_PRIV_H

#ifndef LTT_BUILDING
#error "filter-priv.h is private to libltt; use <ltt/ltt-filter.h>"
#endif

#include "reader/filter-glob-priv.h"
#include "reader/filter-operand-priv.h"

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

/* Returns: whether @order, which is below, at or above 0 as left is to right, is what is asked */
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

/* Returns: the same comparison with its sides changed */
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

/* Where a test leads; else the number of a test. */
#define LTT_FILTER_FALSE (G_MAXUINT32 - 1)
#define LTT_FILTER_TRUE  G_MAXUINT32

/* If one side is a number or a string of the expression and the other is not, that one is on the
 * right. */
typedef struct LttTest {
	LttCompare compare;
	LttOperand left;
	LttOperand right;
	LttGlob *glob; /* of LTT_COMPARE_LIKE; owned */
	guint32 on_true;
	guint32 on_false;
} LttTest;

/* Parses. Returns: (transfer full) (element-type LttTest) (nullable): the tests, the first of them
 * first; frees what they own. NULL with an error as ltt_filter_new() gives it */
GArray *ltt_filter_parse(const char *expression, GError **error);

/* What @filter, without looking at any event, says of those of a type: LTT_FILTER_TRUE,
 * LTT_FILTER_FALSE, or something else if it depends on the event. */
guint32 ltt_filter_answer(LttFilter *filter, const LttEventType *type, const LttLayout *layout);

#endif
