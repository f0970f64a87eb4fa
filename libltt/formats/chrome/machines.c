/* machines.c - see machines-priv.h. */
#include "formats/chrome/machines-priv.h"

#include "analysis/stat-priv.h"
#include "reader/trace-priv.h"

#include <ltt/ltt-join.h>

/* Above the ids of Linux and those of the pseudo-processes (entries-priv.h). */
#define IDS_PER_MACHINE 10000000

guint32 ltt_chrome_get_base(const LttTracefile *tracefile)
{
	return tracefile->trace->machine * IDS_PER_MACHINE;
}

/* Finds the names of the processes in one trace. */
static void find_member_names(LttTrace *member, GHashTable *names)
{
	const guint32 base = member->machine * IDS_PER_MACHINE;
	g_autoptr(GHashTable) found = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	GHashTableIter iter;
	gpointer pid;
	gpointer name;

	g_hash_table_iter_init(&iter, names);
	while (g_hash_table_iter_next(&iter, &pid, NULL)) {
		if (GPOINTER_TO_UINT(pid) / IDS_PER_MACHINE == member->machine)
			g_hash_table_insert(found, GUINT_TO_POINTER(GPOINTER_TO_UINT(pid) - base),
					    NULL);
	}
	ltt_stat_find_names(member, found);
	g_hash_table_iter_init(&iter, found);
	while (g_hash_table_iter_next(&iter, &pid, &name)) {
		if (name != NULL)
			g_hash_table_insert(names, GUINT_TO_POINTER(GPOINTER_TO_UINT(pid) + base),
					    g_strdup(name));
	}
}

void ltt_chrome_find_names(LttTrace *trace, GHashTable *names)
{
	if (trace->members == NULL)
		ltt_stat_find_names(trace, names);
	for (guint i = 0; trace->members != NULL && i < trace->members->len; i++)
		find_member_names(trace->members->pdata[i], names);
}

static gboolean has_several_machines(const LttTrace *trace)
{
	gboolean has_several = FALSE;

	for (guint i = 0; i < ltt_trace_get_n_members(trace); i++)
		has_several = has_several || ltt_trace_get_member(trace, i)->machine > 0;
	return has_several;
}

char *ltt_chrome_name_process(const LttTrace *trace, guint32 pid, const char *name)
{
	const guint32 machine = pid / IDS_PER_MACHINE;
	const char *host;

	if (!has_several_machines(trace) || machine >= ltt_trace_get_n_members(trace))
		return g_strdup(name);
	host = ltt_system_get(ltt_trace_get_member(trace, machine)->system, "node_name");
	if (host == NULL || *host == '\0')
		host = ltt_trace_get_path(ltt_trace_get_member(trace, machine));
	return name != NULL ? g_strdup_printf("%s (%s)", name, host)
			    : g_strdup_printf("%u (%s)", pid % IDS_PER_MACHINE, host);
}
