/* cpus.c - run once on each CPU. See cpus.h. */
#define _GNU_SOURCE
#include "session/cpus.h"

#include "session/sys.h"

#include <sched.h>
#include <string.h>

enum { PATIENCE_NS = 2000000 };

void lttp_cpus_visit(const struct lttp_head *head, void (*visit)(uint32_t cpu, void *data),
		     void *data, bool *visited)
{
	union {
		cpu_set_t set;
		uint8_t bytes[LTTP_CPUS_MAX / 8];
	} before, one;
	size_t size = sizeof(one.bytes);
	bool all = true;

	memset(visited, 0, head->cpus * sizeof(*visited));
	if (sched_getaffinity(0, size, (cpu_set_t *)before.bytes) != 0)
		all = false;
	for (uint32_t cpu = 0; all && cpu < head->cpus; cpu++) {
		memset(&one, 0, sizeof(one));
		CPU_SET_S(cpu, size, &one.set);
		if (sched_setaffinity(0, size, &one.set) != 0)
			continue;
		visited[cpu] = true;
		if (visit != NULL)
			visit(cpu, data);
	}
	for (uint32_t cpu = 0; cpu < head->cpus; cpu++)
		all = all && visited[cpu];
	sched_setaffinity(0, size, &before.set);
	if (!all)
		lttp_sleep_ns(PATIENCE_NS);
}
