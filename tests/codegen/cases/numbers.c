/* Every number, as parameters; types are asserted where a wider one would give the same bytes. */
#include "numbers.h"

int main(void)
{
	void (*widths)(int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, int64_t, uint64_t) =
		trace_numbers_widths;
	void (*words)(short, unsigned short, int, unsigned int, long, unsigned long) =
		trace_numbers_words;
	void (*floats)(float, float, double, double) = trace_numbers_floats;
	void (*one)(uint64_t) = trace_numbers_one;
	void (*none)(void) = trace_numbers_none;

	widths(-2, 0xfe, -2, 0xfedc, -2, 0xfedcba98, -2, 0xfedcba9876543210);
	words(-3, 0xfedc, -3, 0xfedcba98, -3, 0xfedcba9876543210);
	floats(1.5f, -2.0f, 1.5, -2.0);
	one(7);
	none();
	ltt_probe_facility_numbers_0x567bbddf.on = 0;
	none();
	one(8);
	return 0;
}
