/* machines.c - see machines-priv.h. */
#include "formats/chrome/machines-priv.h"

#include "analysis/stat-priv.h"
#include "reader/trace-priv.h"

/* Above the ids of Linux and those of the pseudo-processes (entries-priv.h). */
#define IDS_PER_MACHINE 10000000

guint32 ltt_chrome_get_base(const LttTracefile *tracefile)
{
	return tracefile->host * IDS_PER_MACHINE;
}

/* Finds the names of the processes of one machine. */
static void find_names_of(LttTrace *trace, guint host, GHashTable *names)
{
	const guint32 base = host * IDS_PER_MACHINE;
	g_autoptr(GHashTable) found = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	GHashTableIter iter;
	gpointer pid;
	gpointer name;

	g_hash_table_iter_init(&iter, names);
	while (g_hash_table_iter_next(&iter, &pid, NULL)) {
		if (GPOINTER_TO_UINT(pid) / IDS_PER_MACHINE == host)
			g_hash_table_insert(found, GUINT_TO_POINTER(GPOINTER_TO_UINT(pid) - base),
					    NULL);
	}
	ltt_stat_find_names(trace, host, found);
	g_hash_table_iter_init(&iter, found);
	while (g_hash_table_iter_next(&iter, &pid, &name)) {
		if (name != NULL)
			g_hash_table_insert(names, GUINT_TO_POINTER(GPOINTER_TO_UINT(pid) + base),
					    g_strdup(name));
	}
}

void ltt_chrome_find_names(LttTrace *trace, GHashTable *names)
{
	const guint n_hosts = ltt_trace_get_n_hosts(trace);

	if (n_hosts == 1)
		ltt_stat_find_names(trace, 0, names);
	for (guint i = 0; n_hosts > 1 && i < n_hosts; i++)
		find_names_of(trace, i, names);
}

char *ltt_chrome_name_process(const LttTrace *trace, guint32 pid, const char *name)
{
	const guint32 machine = pid / IDS_PER_MACHINE;
	const char *host;

	if (ltt_trace_get_n_hosts(trace) == 1 || machine >= ltt_trace_get_n_hosts(trace))
		return g_strdup(name);
	host = ltt_trace_get_host(trace, machine);
	return name != NULL ? g_strdup_printf("%s (%s)", name, host)
			    : g_strdup_printf("%u (%s)", pid % IDS_PER_MACHINE, host);
}
