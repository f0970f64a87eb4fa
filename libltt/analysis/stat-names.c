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

void ltt_stat_find_names(LttTrace *trace, GHashTable *names)
{
	for (guint i = 0; g_hash_table_size(names) > 0 && i < trace->tracefiles->len; i++) {
		LttTracefile *tracefile = trace->tracefiles->pdata[i];

		if (ltt_tracefile_lists_processes(tracefile))
			ltt_cursor_visit_readable(tracefile, take_name, names);
	}
}

/* If several traces are read together, the first that has a name for the thread sets it. */
char *ltt_stat_find_thread_name(LttTrace *trace, guint32 pid, guint32 tid, guint64 time_ns)
{
	const LttThreadNames *names = ltt_trace_get_thread_names(trace);
	LttEvent event = {.has_thread = TRUE, .pid = pid, .tid = tid, .time_ns = time_ns};
	LttNameSpan span = {.name = NULL};

	for (guint i = 0; span.name == NULL && i < trace->tracefiles->len; i++) {
		event.tracefile = trace->tracefiles->pdata[i];
		if (i == 0 || event.tracefile->trace !=
				      ((LttTracefile *)trace->tracefiles->pdata[i - 1])->trace)
			ltt_thread_names_find(names, &event, &span);
	}
	return g_strdup(span.name);
}

void ltt_stat_name_processes(LttTrace *trace, LttStatSummary *stat)
{
	g_autoptr(GHashTable) names = g_hash_table_new_full(NULL, NULL, NULL, g_free);

	for (guint i = 0; i < stat->n_processes; i++)
		g_hash_table_insert(names, GUINT_TO_POINTER(stat->processes[i].pid), NULL);
	ltt_stat_find_names(trace, names);
	for (guint i = 0; i < stat->n_processes; i++) {
		LttStatProcess *process = &stat->processes[i];

		process->count.name =
			g_strdup(g_hash_table_lookup(names, GUINT_TO_POINTER(process->pid)));
	}
	for (guint i = 0; i < stat->n_threads; i++)
		stat->threads[i].count.name =
			ltt_stat_find_thread_name(trace, stat->threads[i].pid, stat->threads[i].tid,
						  stat->threads[i].count.last_ns);
}
