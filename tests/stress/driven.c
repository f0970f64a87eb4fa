/* driven.c - trace events on command.
 *
 * Reads numbers from standard input, one per line. For a number N it traces N events demo.pair with
 * the number of the line and a count from 0; for -N it traces N events demo.open of 64 KiB, which a
 * small block cannot hold. Then it prints the number. A line that is not a number ends
 * it.
 *
 *	driven [DIR]      DIR: starts a trace there instead of joining one
 */
#include "probe/demo-trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
	static char large[64 << 10];
	char line[32];

	if (argc > 1 && ltt_probe_start(argv[1], NULL) != 0)
		return 1;

	memset(large, 'x', sizeof(large) - 1);
	for (uint64_t number = 0; fgets(line, sizeof(line), stdin) != NULL; number++) {
		char *end;
		long long n = strtoll(line, &end, 10);

		if (end == line)
			break;
		for (long long i = 0; i < n; i++)
			trace_demo_pair(number, (uint64_t)i);
		for (long long i = n; i < 0; i++)
			trace_demo_open(large, 1, 2);
		printf("%lld\n", n);
		fflush(stdout);
	}
	return 0;
}
