/* processes.c - see processes-priv.h. */
#include "symbols/processes-priv.h"

#include <ltt/ltt-hash.h>

/* Maximum number of parents of a process that are searched; those without mappings of their own do not count. */
#define MAX_PARENTS 16

/* A life lasts until the next one of the same id begins. */
typedef struct Life {
	guint64 from_ns;
	LttRanges *ranges; /* NULL: nothing mapped yet */
	gboolean is_fork;
	guint64 parent;    /* key of the process whose mappings it began with */
	guint64 parent_ns; /* until when that had got them */
} Life;

typedef struct Process {
	guint64 key;
	GArray *lives; /* of Life, by time; the first begins at 0 */
} Process;

struct LttProcesses {
	GHashTable *by_key; /* Process by its key */
};

static void clear_life(gpointer data)
{
	g_clear_pointer(&((Life *)data)->ranges, ltt_ranges_free);
}

static void free_process(gpointer data)
{
	Process *process = data;

	g_array_unref(process->lives);
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

	if (process != NULL)
		return process;
	process = g_new(Process, 1);
	process->key = key;
	process->lives = g_array_new(FALSE, TRUE, sizeof(Life));
	g_array_set_clear_func(process->lives, clear_life);
	g_array_set_size(process->lives, 1);
	g_hash_table_insert(processes->by_key, &process->key, process);
	return process;
}

static Life *get_last(const Process *process)
{
	return &g_array_index(process->lives, Life, process->lives->len - 1);
}

void ltt_processes_map(LttProcesses *processes, guint64 key, const LttRange *range)
{
	Life *life = get_last(find_process(processes, key));

	if (life->ranges == NULL)
		life->ranges = ltt_ranges_new();
	ltt_ranges_add(life->ranges, range);
}

static Life *begin_life(LttProcesses *processes, guint64 key, guint64 from_ns)
{
	Process *process = find_process(processes, key);
	Life *life;

	g_array_set_size(process->lives, process->lives->len + 1);
	life = get_last(process);
	life->from_ns = from_ns;
	return life;
}

void ltt_processes_fork(LttProcesses *processes, guint64 key, guint64 parent, guint64 time_ns)
{
	Life *life = begin_life(processes, key, time_ns);
	const Process *process = g_hash_table_lookup(processes->by_key, &parent);
	const Life *source = process != NULL ? get_last(process) : NULL;

	life->is_fork = TRUE;
	life->parent = parent;
	life->parent_ns = time_ns;
	/* A parent without mappings of its own has those of its parent. */
	if (source != NULL && source->is_fork && source->ranges == NULL) {
		life->parent = source->parent;
		life->parent_ns = source->parent_ns;
	}
}

void ltt_processes_exec(LttProcesses *processes, guint64 key, guint64 time_ns)
{
	begin_life(processes, key, time_ns);
}

static const Life *find_life(const Process *process, guint64 time_ns, LttMappingsSpan *span)
{
	const GArray *lives = process->lives;
	guint first = 0;
	guint last = lives->len;

	/* Between the last one that has begun, and the first that has not. */
	while (last - first > 1) {
		const guint middle = first + (last - first) / 2;

		if (g_array_index(lives, Life, middle).from_ns <= time_ns)
			first = middle;
		else
			last = middle;
	}
	span->from_ns = g_array_index(lives, Life, first).from_ns;
	span->to_ns = last < lives->len ? g_array_index(lives, Life, last).from_ns : G_MAXUINT64;
	return &g_array_index(lives, Life, first);
}

const LttRange *ltt_processes_find(LttProcesses *processes, guint64 key, guint64 address,
				   guint64 time_ns, LttMappingsSpan *valid)
{
	const LttRange *later = NULL;

	for (guint i = 0; i < MAX_PARENTS; i++) {
		const Process *process = g_hash_table_lookup(processes->by_key, &key);
		LttRangesAnswer answer = {NULL, NULL};
		LttMappingsSpan span;
		const Life *life;

		if (process == NULL)
			break;
		life = find_life(process, time_ns, &span);
		if (life->ranges != NULL)
			answer = ltt_ranges_find(life->ranges, address, time_ns);
		if (i == 0)
			*valid = span;
		if (i == 0 && answer.earliest != NULL) {
			later = answer.earliest;
			valid->to_ns = later->time_ns;
		}
		if (i == 0 && answer.latest != NULL)
			valid->from_ns = answer.latest->time_ns;
		if (answer.latest != NULL)
			return answer.latest;
		if (!life->is_fork)
			break;
		key = life->parent;
		time_ns = life->parent_ns;
	}
	return later;
}
