/* condition.c - join conditions by &&, || and !, and lead their exits. See condition-priv.h.
 *
 *	a == 1 && b == 2	exits on true of the first test lead to the second; exits on false
 *				of both are the exits on false of the whole
 */
#include "filter/condition-priv.h"

#define NO_EXIT G_MAXUINT32

static guint32 *exit_target(GArray *tests, guint32 exit)
{
	LttTest *test = &g_array_index(tests, LttTest, exit / 2);

	return exit % 2 == 0 ? &test->on_true : &test->on_false;
}

static LttExits join_exits(GArray *tests, LttExits a, LttExits b)
{
	*exit_target(tests, a.last) = b.first;
	return (LttExits){a.first, b.last};
}

static void lead_exits(GArray *tests, LttExits exits, guint32 target)
{
	guint32 next;

	for (guint32 exit = exits.first; exit != NO_EXIT; exit = next) {
		guint32 *slot = exit_target(tests, exit);

		next = *slot;
		*slot = target;
	}
}

LttCondition ltt_condition_new(GArray *tests, LttCompare compare, LttOperand *left,
			       LttOperand *right)
{
	const guint32 number = tests->len;
	const gboolean must_turn = !ltt_compare_is_match(compare) && ltt_operand_is_literal(left) &&
				   !ltt_operand_is_literal(right);
	LttTest test = {
		.compare = must_turn ? ltt_compare_turned(compare) : compare,
		.left = must_turn ? *right : *left,
		.right = must_turn ? *left : *right,
		.on_true = NO_EXIT,
		.on_false = NO_EXIT,
	};

	if (ltt_compare_is_match(compare))
		test.glob = ltt_glob_new(test.right.string->str, test.right.string->len);
	g_array_append_val(tests, test);
	*left = (LttOperand){0};
	*right = (LttOperand){0};
	return (LttCondition){
		.first_test = number,
		.if_true = {2 * number, 2 * number},
		.if_false = {2 * number + 1, 2 * number + 1},
	};
}

void ltt_condition_link(GArray *tests, LttCondition *condition, const LttCondition *next,
			gboolean is_and)
{
	if (is_and) {
		lead_exits(tests, condition->if_true, next->first_test);
		condition->if_true = next->if_true;
		condition->if_false = join_exits(tests, condition->if_false, next->if_false);
	} else {
		lead_exits(tests, condition->if_false, next->first_test);
		condition->if_false = next->if_false;
		condition->if_true = join_exits(tests, condition->if_true, next->if_true);
	}
}

void ltt_condition_negate(LttCondition *condition)
{
	const LttExits if_true = condition->if_true;

	condition->if_true = condition->if_false;
	condition->if_false = if_true;
}

void ltt_condition_finish(GArray *tests, const LttCondition *condition)
{
	lead_exits(tests, condition->if_true, LTT_FILTER_TRUE);
	lead_exits(tests, condition->if_false, LTT_FILTER_FALSE);
}
