/* range.c - convert a comparison with a number to a range of integers.
 *
 * For any number - beyond 64 bits, negative, with decimals - the integers for which the comparison
 * holds lie in one range, or outside one. So a test takes one subtraction and one comparison for
 * each event, and does not use the number itself.
 */
#include "filter/plan-priv.h"

LttRangeKind ltt_filter_range(LttCompare compare, const LttNumber *number, guint decimals,
			      LttWide least, LttWide most, LttWide *first, LttWide *last)
{
	const gboolean is_not_equal = compare == LTT_COMPARE_NE;
	gboolean is_exact;
	const LttWide below = ltt_number_floor(number, decimals, &is_exact);
	const LttWide above = is_exact ? below : below + 1;

	*first = least;
	*last = most;
	switch (compare) {
	case LTT_COMPARE_LT:
		*last = MIN(most, above - 1);
		break;
	case LTT_COMPARE_LE:
		*last = MIN(most, below);
		break;
	case LTT_COMPARE_GT:
		*first = MAX(least, below + 1);
		break;
	case LTT_COMPARE_GE:
		*first = MAX(least, above);
		break;
	default:
		*first = MAX(least, above);
		*last = MIN(most, below);
		break;
	}
	if (*first > *last)
		return is_not_equal ? LTT_RANGE_ALL : LTT_RANGE_NONE;
	if (*first == least && *last == most)
		return is_not_equal ? LTT_RANGE_NONE : LTT_RANGE_ALL;
	return is_not_equal ? LTT_RANGE_OUTSIDE : LTT_RANGE_INSIDE;
}
