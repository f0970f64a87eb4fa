/* names.c - see names-priv.h. */
#include "view/names-priv.h"
#include "view/states-priv.h"

#include <ltt/ltt-hash.h>

/* The thread of a process. */
#define PROCESS G_MAXUINT32

typedef struct Key {
	guint host;
	guint32 pid;
	guint32 tid;
} Key;

static guint hash(gconstpointer data)
{
	const Key *key = data;

	return (guint)ltt_hash_pair(key->host, (guint64)key->pid << 32 | key->tid);
}

static gboolean equal(gconstpointer a, gconstpointer b)
{
	const Key *first = a;
	const Key *second = b;

	return first->tid == second->tid && first->pid == second->pid &&
	       first->host == second->host;
}

static void add(GHashTable *names, const Key *key, const char *name)
{
	if (name != NULL)
		g_hash_table_insert(names, g_memdup2(key, sizeof(*key)), (gpointer)name);
}

GHashTable *ltt_view_names_new(const LttStatSummary *stat)
{
	GHashTable *names = g_hash_table_new_full(hash, equal, g_free, NULL);

	for (guint i = 0; i < stat->n_threads; i++) {
		const LttStatThread *thread = &stat->threads[i];
		const Key key = {thread->host, thread->pid, thread->tid};

		add(names, &key, thread->count.name);
	}
	for (guint i = 0; i < stat->n_processes; i++) {
		const Key key = {stat->processes[i].host, stat->processes[i].pid, PROCESS};

		add(names, &key, stat->processes[i].count.name);
	}
	return names;
}

const char *ltt_view_names_process(GHashTable *names, guint host, guint32 pid)
{
	const Key key = {host, pid, PROCESS};

	return g_hash_table_lookup(names, &key);
}

char *ltt_view_names_lane(GHashTable *names, const LttViewMap *map, const LttLane *lane)
{
	const Key key = {lane->key.host, lane->key.pid, lane->key.tid};
	const char *name = g_hash_table_lookup(names, &key);

	if (name == NULL && map->states != NULL)
		return ltt_view_states_name_lane(map->states, lane->id);
	return g_strdup(name);
}
