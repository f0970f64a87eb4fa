/* lttng.c - measure the events of bench.xml with LTTng-UST, in one thread.
 *
 * Run inside a session that records them; prints a line "KIND NS" for each kind of event.
 */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "lttng-bench-trace.h"
#include "measure.h"

#include <stdio.h>

enum { EVENTS = 100000, RUNS = 40 };

static const uint64_t values[32] = {1, 2, 3};
static const char text[] = "a string of 20 bytes";

#define PRINT_KIND(NAME, ...)                                                                      \
	do {                                                                                       \
		double best = 1e9;                                                                 \
		for (int run = 0; run < RUNS; run++) {                                             \
			double begin = now_ns();                                                   \
			for (uint64_t i = 0; i < EVENTS; i++)                                      \
				lttng_ust_tracepoint(ltt_bench, NAME, ##__VA_ARGS__);              \
			best = least(best, (now_ns() - begin) / EVENTS);                           \
		}                                                                                  \
		printf("%s %.2f\n", #NAME, best);                                                  \
	} while (0)

int main(void)
{
	pin(0);
	PRINT_KIND(none);
	PRINT_KIND(two, i, i * 3);
	PRINT_KIND(eight, values);
	PRINT_KIND(many, values);
	PRINT_KIND(text, text);
	return 0;
}
