/* stat-names.c - find the names of processes and threads.
 *
 * A process changes its name when it executes another program, and its id may be used again. It gets the name
 * that it has at its last event, as a thread does.
 */
#include "analysis/stat-priv.h"
#include "reader/thread-names-priv.h"
#include "reader/trace-priv.h"

char *ltt_stat_find_thread_name(LttTrace *trace, guint host, guint32 pid, guint32 tid,
				guint64 time_ns)
{
	const LttTracefile place = {.host = host};
	const LttEvent event = {.tracefile = &place,
				.has_thread = TRUE,
				.pid = pid,
				.tid = tid,
				.time_ns = time_ns};
	LttNameSpan span;

	ltt_thread_names_find(ltt_trace_get_thread_names(trace), &event, &span);
	return g_strdup(span.name);
}

void ltt_stat_find_names(LttTrace *trace, guint host, GHashTable *names)
{
	const LttThreadNames *known;
	GHashTableIter iter;
	gpointer pid;

	if (g_hash_table_size(names) == 0)
		return;
	known = ltt_trace_get_thread_names(trace);
	g_hash_table_iter_init(&iter, names);
	while (g_hash_table_iter_next(&iter, &pid, NULL))
		g_hash_table_iter_replace(
			&iter, g_strdup(ltt_thread_names_find_process(
				       known, host, GPOINTER_TO_UINT(pid), G_MAXUINT64)));
}

/* Returns: (transfer full) (nullable): the name at the last event; if none was known by then, the last one */
static char *find_process_name(const LttThreadNames *names, const LttStatProcess *process)
{
	const char *name = ltt_thread_names_find_process(names, process->host, process->pid,
							 process->count.last_ns);

	if (name == NULL)
		name = ltt_thread_names_find_process(names, process->host, process->pid,
						     G_MAXUINT64);
	return g_strdup(name);
}

void ltt_stat_name_processes(LttTrace *trace, LttStatSummary *stat)
{
	const LttThreadNames *names;

	if (stat->n_processes == 0)
		return;
	names = ltt_trace_get_thread_names(trace);
	for (guint i = 0; i < stat->n_processes; i++)
		stat->processes[i].count.name = find_process_name(names, &stat->processes[i]);
	for (guint i = 0; i < stat->n_threads; i++) {
		LttStatThread *thread = &stat->threads[i];

		thread->count.name = ltt_stat_find_thread_name(trace, thread->host, thread->pid,
							       thread->tid, thread->count.last_ns);
	}
}
