/* traced.c - a program that traces itself; C and C++. */
#include "greeting-trace.h"

#include <stdio.h>

int main(int argc, char **argv)
{
	int failed = ltt_probe_start(argc > 1 ? argv[1] : "", NULL);

	if (failed != 0) {
		printf("ltt_probe_start: %d\n", failed);
		return 2;
	}
	for (uint32_t i = 0; i < 3; i++)
		trace_greeting_hello("world", i);
	ltt_probe_stop();
	return 0;
}
