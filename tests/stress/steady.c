/* steady.c - a program of one thread that makes no system call between its start and its end, except those of libltt-probe.
 *
 *	steady N      traces N events demo.pair, numbered from 0; prints a line and exits with status 3
 *
 * A test lets the system calls of libltt-probe fail; the line and the status must not change.
 */
#include "probe/demo-trace.h"

#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	static const char line[] = "done\n";
	const unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;

	for (unsigned long i = 0; i < n; i++)
		trace_demo_pair(i, n);
	return write(STDOUT_FILENO, line, sizeof(line) - 1) < 0 ? 4 : 3;
}
