/* Events that the stage has no room for at first, or never. */
#include "large.h"

#include <stdio.h>

int main(void)
{
	static uint16_t list[300];
	static struct large_cell cells[400000];
	static char text[600];
	static uint32_t limit[64];
	static uint64_t eight[8];
	static char enormous[(1 << 20) + 1];

	memset(text, 'x', sizeof(text) - 1);
	memset(enormous, 'y', sizeof(enormous) - 1);
	limit[63] = 0xffffffff;
	list[299] = 0xffff;
	cells[199].b = 0x1234;
	eight[7] = 0x12;
	trace_large_limit(limit);
	trace_large_fixed(1, list, cells, 2);
	trace_large_string(1, text, 2);
	trace_large_string(1, enormous, 2);
	trace_large_many(200, cells);
	trace_large_many(400000, cells);
	trace_large_sixteen(eight, eight, eight, eight, eight);
	return 0;
}
