/* processes.c - see processes-priv.h. */
#include "symbols/processes-priv.h"

#include <ltt/ltt-hash.h>

/* Maximum number of parents of a process that are searched. */
#define MAX_PARENTS 16

typedef struct Process {
	guint64 key;
	LttRanges *ranges;
	guint64 parent;  /* key of the process that forked it */
	guint64 fork_ns; /* 0: unknown */
} Process;

struct LttProcesses {
	GHashTable *by_key; /* Process by its key */
};

static void free_process(gpointer data)
{
	Process *process = data;

	ltt_ranges_free(process->ranges);
	g_free(process);
}

LttProcesses *ltt_processes_new(void)
{
	LttProcesses *processes = g_new(LttProcesses, 1);

	processes->by_key =
		g_hash_table_new_full(ltt_hash_int64, g_int64_equal, NULL, free_process);
	return processes;
}

void ltt_processes_free(LttProcesses *processes)
{
	g_hash_table_unref(processes->by_key);
	g_free(processes);
}

static Process *find_process(LttProcesses *processes, guint64 key)
{
	Process *process = g_hash_table_lookup(processes->by_key, &key);

	if (process == NULL) {
		process = g_new0(Process, 1);
		process->key = key;
		process->ranges = ltt_ranges_new();
		g_hash_table_insert(processes->by_key, &process->key, process);
	}
	return process;
}

void ltt_processes_map(LttProcesses *processes, guint64 key, const LttRange *range)
{
	ltt_ranges_add(find_process(processes, key)->ranges, range);
}

void ltt_processes_fork(LttProcesses *processes, guint64 key, guint64 parent, guint64 time_ns)
{
	Process *process = find_process(processes, key);

	process->parent = parent;
	process->fork_ns = time_ns;
}

const LttRange *ltt_processes_find(LttProcesses *processes, guint64 key, guint64 address,
				   guint64 time_ns, LttMappingsSpan *valid)
{
	const LttRange *later = NULL;

	for (guint i = 0; i < MAX_PARENTS; i++) {
		const Process *process = g_hash_table_lookup(processes->by_key, &key);
		LttRangesAnswer answer;

		if (process == NULL)
			break;
		answer = ltt_ranges_find(process->ranges, address, time_ns);
		if (answer.earliest != NULL && i == 0) {
			later = answer.earliest;
			valid->to_ns = later->time_ns;
		}
		if (answer.latest != NULL) {
			valid->from_ns = i == 0 ? answer.latest->time_ns : process->fork_ns;
			return answer.latest;
		}
		if (process->fork_ns == 0)
			break;
		key = process->parent;
		time_ns = process->fork_ns;
	}
	return later;
}
