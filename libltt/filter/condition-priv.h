/* condition-priv.h - conditions under construction: runs of tests whose jumps lack their targets.
 *
 * A condition is a run of tests and two lists of exits, one for true and one for false, whose
 * targets are still unknown (backpatching). A list is linked through the target fields themselves.
 */
#ifndef LTT_FILTER_CONDITION_PRIV_H
#define LTT_FILTER_CONDITION_PRIV_H

#ifndef LTT_BUILDING
#error "filter/condition-priv.h is private to libltt; use <ltt/ltt-filter.h>"
#endif

#include "filter/filter-priv.h"

/* A list of exits. An exit is encoded as twice the number of its test, plus 1 for the exit on
 * false. */
typedef struct LttExits {
	guint32 first;
	guint32 last;
} LttExits;

typedef struct LttCondition {
	guint32 first_test;
	LttExits if_true;
	LttExits if_false;
} LttCondition;

/* Appends the comparison of two operands, whose ownership it takes, to @tests (of LttTest).
 * Returns: the
 *   condition of this test */
LttCondition ltt_condition_new(GArray *tests, LttCompare compare, LttOperand *left,
			       LttOperand *right);

/* Extends @condition by @next, whose tests follow. @is_and: with &&; else with || */
void ltt_condition_link(GArray *tests, LttCondition *condition, const LttCondition *next,
			gboolean is_and);

void ltt_condition_negate(LttCondition *condition);

/* Leads the exits of the whole filter to its answers. */
void ltt_condition_finish(GArray *tests, const LttCondition *condition);

#endif
