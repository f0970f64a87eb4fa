/* demo.c - trace some events of each kind, in a trace that the program starts.
 *
 *	demo DIR [FLIGHT_BYTES [BLOCK_BYTES [PAIRS]]]
 *
 * Prints the return values of the functions of ltt-probe.h. Also compiled as C++ (demo-cpp.cc).
 */
#include "demo-trace.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { LONG_BYTES = 100000 };

static void trace_odd_ones(void)
{
	struct demo_points_value points[300];
	char *long_text = (char *)malloc(LONG_BYTES);
	size_t i;

	for (i = 0; i < 300; i++) {
		points[i].x = (int16_t)-i;
		points[i].name = i % 2 != 0 ? "odd" : NULL;
		points[i].weight = (double)i / 4;
	}
	memset(long_text, 'x', LONG_BYTES - 1);
	long_text[LONG_BYTES - 1] = 0;

	trace_demo_open(NULL, -1, 0xffff);
	trace_demo_points(0, NULL);
	trace_demo_points(2, points);
	trace_demo_points(255, points); /* more than a stage on the stack holds */
	trace_demo_points(256, points); /* more than the length field can count */
	trace_demo_open(long_text, 1, 2);
	free(long_text);
}

int main(int argc, char **argv)
{
	struct ltt_probe_options options;
	uint64_t i, pairs = argc > 4 ? strtoull(argv[4], NULL, 0) : 3;

	if (argc < 2)
		return 2;
	memset(&options, 0, sizeof(options));
	options.size_bytes = sizeof(options);
	options.flight_bytes = argc > 2 ? strtoull(argv[2], NULL, 0) : 0;
	options.block_bytes = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 0) : 0;

	trace_demo_tick(); /* before the start: nothing */
	printf("start %d\n", ltt_probe_start(argv[1], &options));
	errno = 1234;
	trace_demo_tick();
	trace_demo_pair(0x0123456789abcdefu, 0xfedcba9876543210u);
	trace_demo_open("/etc/passwd", 3, 0x8000);
	trace_odd_ones();
	for (i = 0; i < pairs; i++)
		trace_demo_pair(i, i * 3);
	printf("errno %d\n", errno);
	printf("again %d\n", ltt_probe_start(argv[1], &options));
	ltt_probe_stop();
	trace_demo_tick(); /* after the stop: nothing */
	printf("there %d\n", ltt_probe_start(argv[1], &options));
	return 0;
}
