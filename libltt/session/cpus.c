/* cpus.c - run once on each CPU. See cpus.h. */
#define _GNU_SOURCE
#include "session/cpus.h"

#include "session/sys.h"

#include <sched.h>
#include <string.h>

enum { PATIENCE_NS = 2000000 };

union cpu_mask {
	cpu_set_t set;
	uint8_t bytes[LTTP_CPUS_MAX / 8];
};

/* A mask of all CPUs restores the affinity of a thread that had no mask of its own: the thread then
 * also runs on CPUs that its cpuset gains later. */
static void restore(const union cpu_mask *before)
{
	union cpu_mask now;

	memset(&now, 0xff, sizeof(now));
	if (sched_setaffinity(0, sizeof(now), &now.set) != 0 ||
	    sched_getaffinity(0, sizeof(now), &now.set) != 0 ||
	    memcmp(now.bytes, before->bytes, sizeof(now.bytes)) != 0)
		sched_setaffinity(0, sizeof(*before), &before->set);
}

void lttp_cpus_visit(const struct lttp_head *head, void (*visit)(uint32_t cpu, void *data),
		     void *data, bool *visited)
{
	union cpu_mask before, one;
	bool all = true;

	memset(visited, 0, head->cpus * sizeof(*visited));
	if (sched_getaffinity(0, sizeof(before), &before.set) != 0) {
		lttp_sleep_ns(PATIENCE_NS);
		return;
	}
	for (uint32_t cpu = 0; cpu < head->cpus; cpu++) {
		memset(&one, 0, sizeof(one));
		CPU_SET_S(cpu, sizeof(one), &one.set);
		if (sched_setaffinity(0, sizeof(one), &one.set) != 0) {
			all = false;
			continue;
		}
		visited[cpu] = true;
		if (visit != NULL)
			visit(cpu, data);
	}
	restore(&before);
	if (!all)
		lttp_sleep_ns(PATIENCE_NS);
}
