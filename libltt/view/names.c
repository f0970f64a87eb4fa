/* names.c - see names-priv.h. */
#include "view/names-priv.h"
#include "view/states-priv.h"

/* The thread of a process. */
#define PROCESS G_MAXUINT32

static gint64 make_key(guint32 pid, guint32 tid)
{
	return (gint64)((guint64)pid << 32 | tid);
}

static void add(GHashTable *names, guint32 pid, guint32 tid, const char *name)
{
	gint64 *key;

	if (name == NULL)
		return;
	key = g_new(gint64, 1);
	*key = make_key(pid, tid);
	g_hash_table_insert(names, key, (gpointer)name);
}

GHashTable *ltt_view_names_new(const LttStatSummary *stat)
{
	GHashTable *names = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);

	for (guint i = 0; i < stat->n_threads; i++)
		add(names, stat->threads[i].pid, stat->threads[i].tid, stat->threads[i].count.name);
	for (guint i = 0; i < stat->n_processes; i++)
		add(names, stat->processes[i].pid, PROCESS, stat->processes[i].count.name);
	return names;
}

const char *ltt_view_names_thread(GHashTable *names, guint32 pid, guint32 tid)
{
	const gint64 key = make_key(pid, tid);

	return g_hash_table_lookup(names, &key);
}

const char *ltt_view_names_process(GHashTable *names, guint32 pid)
{
	return ltt_view_names_thread(names, pid, PROCESS);
}

char *ltt_view_names_lane(GHashTable *names, const LttViewMap *map, const LttLane *lane)
{
	const char *name = ltt_view_names_thread(names, lane->key.pid, lane->key.tid);

	if (name == NULL && map->states != NULL)
		return ltt_view_states_name_lane(map->states, lane->id);
	return g_strdup(name);
}
