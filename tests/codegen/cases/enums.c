/* Enums of all sizes and values, with labels that are no identifiers, alone and in arrays. */
#include "enums.h"

int main(void)
{
	const enum enums_mode list[3] = {enums_mode_WRITE, enums_mode_READ, enums_mode_WRITE};
	const enum enums_mode rows[2][2] = {{enums_mode_READ, enums_mode_WRITE},
					    {enums_mode_WRITE, enums_mode_WRITE}};
	const enum enums_many_each each[2] = {enums_many_each_YES, enums_many_each_NO};

	trace_enums_some(enums_mode_WRITE, enums_some_wide_top, enums_some_deep_bottom,
			 enums_some_four_top, enums_some_minus_bottom, enums_some_word_int);
	trace_enums_some(enums_mode_READ, enums_some_wide_low, enums_some_deep_up,
			 enums_some_four_top, enums_some_minus_top, enums_some_word_int);
	trace_enums_signs(enums_signs_value_a_b);
	trace_enums_signs(enums_signs_value_a_b_2);
	trace_enums_signs(enums_signs_value_a_b_3);
	trace_enums_signs(enums_signs_value__t_);
	trace_enums_signs(enums_signs_value___);
	trace_enums_signs(enums_signs_value_0);
	trace_enums_many(list, 2, rows, 2, each);
	trace_enums_many(list, 0, rows, 0, NULL);
	return 0;
}
