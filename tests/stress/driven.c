/* driven.c - traces when it is told to.
 *
 * For each line of standard input, a number N, traces N events demo.pair with the number of that
 * line and a count from 0, and when they are written prints N.
 *
 *	driven [DIR]      DIR: starts a trace there, rather than to join one
 */
#include "probe/demo-trace.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	char line[32];

	if (argc > 1 && ltt_probe_start(argv[1], NULL) != 0)
		return 1;

	for (uint64_t number = 0; fgets(line, sizeof(line), stdin) != NULL; number++) {
		uint64_t n = strtoull(line, NULL, 10);

		for (uint64_t i = 0; i < n; i++)
			trace_demo_pair(number, i);
		printf("%llu\n", (unsigned long long)n);
		fflush(stdout);
	}
	return 0;
}
