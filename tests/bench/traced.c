/* traced.c - a program to be recorded: each process traces events of one kind on its own CPU.
 *
 * usage: traced pair|string|nested EVENTS PROCESSES
 *
 *	pair    two 64-bit fields: 22 bytes on disk
 *	string  a path of some 20 bytes and a number
 *	nested  a sequence of one to four structs of two numbers, and a union
 *
 * EVENTS is the total of all processes.
 */
#include "measure.h"
#include "read-trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATHS = 1024, PATH_BYTES = 32, MOST_POINTS = 4 };

static char paths[PATHS][PATH_BYTES];

static void trace_pairs(uint64_t events)
{
	for (uint64_t i = 0; i < events; i++)
		trace_bench_pair(i, i * 3);
}

static void trace_strings(uint64_t events)
{
	for (uint64_t i = 0; i < events; i++)
		trace_bench_opened(paths[i * 7919 % PATHS], (uint32_t)i);
}

static void trace_nested(uint64_t events)
{
	for (uint64_t i = 0; i < events; i++) {
		const size_t n_points = 1 + i % MOST_POINTS;
		struct bench_drawn_points points[MOST_POINTS];
		struct bench_drawn_by by = {.code = (uint8_t)(i % 2)};

		for (size_t j = 0; j < n_points; j++)
			points[j] =
				(struct bench_drawn_points){.x = (int32_t)(i + j), .y = (int16_t)j};
		if (i % 2 == 0)
			by.u.id = i;
		else
			by.u.name = "odd";
		trace_bench_drawn(n_points, points, &by);
	}
}

static const struct {
	const char *name;
	void (*trace)(uint64_t events);
} kinds[] = {{"pair", trace_pairs}, {"string", trace_strings}, {"nested", trace_nested}};

int main(int argc, char **argv)
{
	void (*trace)(uint64_t events) = NULL;
	long processes;
	uint64_t events;

	for (size_t i = 0; argc == 4 && i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strcmp(argv[1], kinds[i].name) == 0)
			trace = kinds[i].trace;
	}
	if (trace == NULL) {
		fprintf(stderr, "usage: traced pair|string|nested EVENTS PROCESSES\n");
		return 2;
	}
	events = strtoull(argv[2], NULL, 10);
	processes = strtol(argv[3], NULL, 10);
	for (size_t i = 0; i < PATHS; i++)
		snprintf(paths[i], sizeof(paths[i]), "/usr/include/f%05zu.h", i * 97);
	for (long i = 0; i < processes; i++) {
		const pid_t child = fork();

		if (child < 0) {
			perror("traced: fork");
			return 2;
		}
		if (child == 0) {
			pin(i);
			trace(events / (uint64_t)processes);
			exit(0);
		}
	}
	while (wait(NULL) > 0)
		;
	return 0;
}
