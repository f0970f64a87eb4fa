/* Strings with their length, trace_F_E_enabled(), and unions' codes as constants. */
#include "lengths.h"

static void trace_strings(void)
{
	const char text[5] = {'a', 'b', 'c', 'd', 'e'};
	const uint8_t list[1] = {7};
	const char *const strings[2] = {"x", NULL};
	struct lengths_mixed_inner inner;

	inner.s = "in";
	trace_lengths_one_n_2(text, 5);
	trace_lengths_one_n_2(text, 0);
	trace_lengths_one_n_2(NULL, 5);
	trace_lengths_one_n_2("a\0b", 3);
	trace_lengths_one_n_2("abc", SIZE_MAX);
	trace_lengths_mixed(1, "s", 2, 1, list, &inner, "c");
	trace_lengths_mixed_n(1, text, 3, 2, 1, list, &inner, text, 1);
	trace_lengths_staged_n(text, 2, 2, strings);
	trace_lengths_staged("st", 0, NULL);
	/* More parts than a list may have. */
	trace_lengths_many_n(text, 1, 1, text, 2, 2, text, 3, 3, text, 4, 4, text, 5, 5, "", 0, 6,
			     NULL, 0, 7, "o", 1);
}

int main(void)
{
	struct lengths_codes_v v;

	if (!trace_lengths_one_enabled_2() || !trace_lengths_codes_enabled())
		return 1;
	trace_strings();
	trace_lengths_one_n(9); /* the events that are called so */
	trace_lengths_one_enabled(8);
	v.code = lengths_codes_v_code_2_deep;
	v.u.deep.code = lengths_codes_v_deep_code_x;
	v.u.deep.u.x = 3;
	trace_lengths_codes(&v, lengths_codes_v_code_A);
	v.code = lengths_codes_v_code_2_int;
	v.u.int_ = 4;
	trace_lengths_codes(&v, lengths_codes_v_code_int);
	return 0;
}
