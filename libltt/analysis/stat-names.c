/* stat-names.c - find the names of processes.
 *
 * Several facilities describe processes in control/processes. An event with a number "pid", a
 * string "name" and no number "tid" sets the name of that process. The last such event wins,
 * because a process changes its name when it executes another program.
 */
#include "analysis/stat-priv.h"
#include "reader/cursor-priv.h"
#include "reader/thread-names-priv.h"
#include "reader/trace-priv.h"

#include <ltt/ltt-hash.h>
#include <ltt/ltt-value.h>

static void take_name(gpointer data, const LttEvent *event)
{
	GHashTable *names = data;
	LttValue payload;
	LttValue pid;
	LttValue tid;
	LttValue name;

	if (!ltt_event_get_value(event, &payload) || !ltt_value_find(&payload, "pid", &pid) ||
	    pid.layout->kind != LTT_UINT || ltt_value_find(&payload, "tid", &tid) ||
	    !ltt_value_find(&payload, "name", &name) || name.layout->kind != LTT_STRING)
		return;
	if (g_hash_table_contains(names, GUINT_TO_POINTER((guint)ltt_value_get_uint(&pid))))
		g_hash_table_insert(names, GUINT_TO_POINTER((guint)ltt_value_get_uint(&pid)),
				    g_strdup(ltt_value_get_string(&name, NULL)));
}

void ltt_stat_find_names(LttTrace *trace, guint host, GHashTable *names)
{
	for (guint i = 0; g_hash_table_size(names) > 0 && i < trace->tracefiles->len; i++) {
		LttTracefile *tracefile = trace->tracefiles->pdata[i];

		if (tracefile->host == host && ltt_tracefile_lists_processes(tracefile))
			ltt_cursor_visit_readable(tracefile, take_name, names);
	}
}

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

static void name_processes(LttTrace *trace, guint host, LttStatSummary *stat)
{
	g_autoptr(GHashTable) names = g_hash_table_new_full(ltt_hash_word, NULL, NULL, g_free);

	for (guint i = 0; i < stat->n_processes; i++) {
		if (stat->processes[i].host == host)
			g_hash_table_insert(names, GUINT_TO_POINTER(stat->processes[i].pid), NULL);
	}
	ltt_stat_find_names(trace, host, names);
	for (guint i = 0; i < stat->n_processes; i++) {
		LttStatProcess *process = &stat->processes[i];

		if (process->host == host)
			process->count.name = g_strdup(
				g_hash_table_lookup(names, GUINT_TO_POINTER(process->pid)));
	}
}

void ltt_stat_name_processes(LttTrace *trace, LttStatSummary *stat)
{
	for (guint host = 0; host < ltt_trace_get_n_hosts(trace); host++)
		name_processes(trace, host, stat);
	for (guint i = 0; i < stat->n_threads; i++) {
		LttStatThread *thread = &stat->threads[i];

		thread->count.name = ltt_stat_find_thread_name(trace, thread->host, thread->pid,
							       thread->tid, thread->count.last_ns);
	}
}
