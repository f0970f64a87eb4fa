/* traced.c - a program to be recorded: each process traces events of one kind on its own CPU.
 *
 * usage: traced pair|string|nested|requests EVENTS PROCESSES
 *
 *	pair      two 64-bit fields: 22 bytes on disk
 *	string    a path of some 20 bytes and a number
 *	nested    a sequence of one to four structs of two numbers, and a union
 *	requests  of five events, two requests, their responses up to 64 requests later, and a tick
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

enum { PATHS = 1024, PATH_BYTES = 32, MOST_POINTS = 4, MOST_OPEN = 64, REQUESTED_PATHS = 40 };

static char paths[PATHS][PATH_BYTES];
static uint64_t process;
static uint64_t n_processes;

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

/* A linear congruential generator: the same numbers in each run. */
static uint32_t next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005U + 1442695040888963407U;
	return (uint32_t)(*state >> 33);
}

static void trace_response(uint64_t id, uint32_t luck)
{
	const enum bench_response_status status = luck < 90   ? bench_response_status_OK
						  : luck < 98 ? bench_response_status_NOT_FOUND
							      : bench_response_status_ERROR;

	trace_bench_response((uint32_t)id, status, 200 + luck * luck);
}

/* The processes share the ids of requests: each has those of its residue class. */
static void trace_requests(uint64_t events)
{
	const uint64_t n_requests = events * 2 / 5;
	uint64_t open[MOST_OPEN];
	uint64_t state = 7;
	uint32_t n_open = 0;

	for (uint64_t i = 0; i < n_requests; i++) {
		const uint64_t id = i * n_processes + process;

		trace_bench_request((uint32_t)id, (uint16_t)(1024 + i % 60000),
				    paths[next_random(&state) % REQUESTED_PATHS]);
		open[n_open++] = id;
		if (n_open == MOST_OPEN) {
			const uint32_t which = next_random(&state) % n_open;

			trace_response(open[which], next_random(&state) % 100);
			open[which] = open[--n_open];
		}
		if (i % 2 == 0)
			trace_bench_tick();
	}
	while (n_open > 0)
		trace_response(open[--n_open], 0);
}

static const struct {
	const char *name;
	void (*trace)(uint64_t events);
} kinds[] = {{"pair", trace_pairs},
	     {"string", trace_strings},
	     {"nested", trace_nested},
	     {"requests", trace_requests}};

int main(int argc, char **argv)
{
	void (*trace)(uint64_t events) = NULL;
	uint64_t events;

	for (size_t i = 0; argc == 4 && i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strcmp(argv[1], kinds[i].name) == 0)
			trace = kinds[i].trace;
	}
	if (trace == NULL) {
		fprintf(stderr, "usage: traced pair|string|nested|requests EVENTS PROCESSES\n");
		return 2;
	}
	events = strtoull(argv[2], NULL, 10);
	n_processes = strtoull(argv[3], NULL, 10);
	for (size_t i = 0; i < PATHS; i++)
		snprintf(paths[i], sizeof(paths[i]), "/usr/include/f%05zu.h", i * 97);
	for (process = 0; process < n_processes; process++) {
		const pid_t child = fork();

		if (child < 0) {
			perror("traced: fork");
			return 2;
		}
		if (child == 0) {
			pin((long)process);
			trace(events / n_processes);
			exit(0);
		}
	}
	while (wait(NULL) > 0)
		;
	return 0;
}
