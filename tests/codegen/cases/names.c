/* Names that mean something in C or C++, and names that meet one another. */
#include <errno.h>
#include <sys/stat.h>

#include "names.h"

int main(void)
{
	const uint8_t one[1] = {9};
	const struct names_t list[1] = {{0x11}};
	const struct names_a_b_2 b = {0x31};
	const struct names_a_b_c c = {0x32};
	const struct names_a_b named = {0x33}; /* the type of that name has it */
	const char *const strings[1] = {"s"};
	const uint8_t bytes[2] = {1, 2};
	struct names_code_value code;

	trace_names_words(1, 2, 3, 4, 5, 6, 7, 8, one, 10, 11, 12, 13, 14, 15);
	trace_names_locals(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
	trace_names_gathered("g", 2, 1, list, 4, 5, 1, strings, 2, bytes);
	trace_names_a(&b);
	trace_names_a_b(&c);
	(void)named;
	trace_names_unsigned(names_unsigned_signed_auto);
	code.code = 0;
	code.u.u = 3;
	trace_names_code(&code);
	code.code = 1;
	code.u.union_ = "u";
	trace_names_code(&code);
	return list[0].register_ != 0x11;
}
