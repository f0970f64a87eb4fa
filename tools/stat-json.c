/* stat-json.c - `ltt stat --json`. The keys are a contract (doc/stat.md).
 *
 * First objects with the counts by name, which are easy to look up; then lists with all details.
 */
#include "conversions.h"
#include "hosts.h"
#include "json.h"
#include "losses.h"
#include "stat.h"

#include <ltt/ltt-hash.h>

static void print_count(Json *json, const LttStatCount *count)
{
	const gboolean has_events = count->n_events > 0;

	json_number(json, "events", count->n_events);
	json_number(json, "bytes", count->n_bytes);
	json_time(json, "first", has_events, count->first_ns);
	json_time(json, "last", has_events, count->last_ns);
}

static void print_by_event(Json *json, const LttStatSummary *stat)
{
	json_open(json, "by_event", '{');
	for (guint i = 0; i < stat->n_types; i++)
		json_number(json, stat->types[i].name, stat->types[i].n_events);
	json_close(json, '}');
}

static void print_by_tracefile(Json *json, const LttStatSummary *stat)
{
	guint64 n_events = 0;

	json_open(json, "by_tracefile", '{');
	/* Several traces of one machine have tracefiles of one name, one after the other. */
	for (guint i = 0; i < stat->n_tracefiles; i++) {
		const char *name = stat->tracefiles[i].count.name;
		const gboolean is_last = i + 1 == stat->n_tracefiles ||
					 !g_str_equal(stat->tracefiles[i + 1].count.name, name);

		n_events += stat->tracefiles[i].count.n_events;
		if (is_last && n_events > 0)
			json_number(json, name, n_events);
		n_events = is_last ? 0 : n_events;
	}
	json_close(json, '}');
}

/* Machines can have the same name; the counts of such processes are added up. */
static void print_processes_of_hosts(Json *json, const LttStatSummary *stat, const LttTrace *trace)
{
	g_autoptr(GHashTable) sums =
		g_hash_table_new_full(ltt_hash_text, g_str_equal, g_free, g_free);
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	for (guint i = 0; i < stat->n_processes; i++) {
		const LttStatProcess *process = &stat->processes[i];
		char *name = g_strdup_printf("%s/%u", ltt_trace_get_host(trace, process->host),
					     process->pid);
		guint64 *sum = g_hash_table_lookup(sums, name);

		if (sum == NULL) {
			sum = g_new0(guint64, 1);
			g_ptr_array_add(names, name);
			g_hash_table_insert(sums, name, sum);
		} else {
			g_free(name);
		}
		*sum += process->count.n_events;
	}
	for (guint i = 0; i < names->len; i++)
		json_number(json, names->pdata[i],
			    *(const guint64 *)g_hash_table_lookup(sums, names->pdata[i]));
}

static void print_by_process(Json *json, const LttStatSummary *stat, const LttTrace *trace)
{
	const gboolean has_hosts = ltt_trace_has_hosts(trace);

	json_open(json, "by_process", '{');
	for (guint i = 0; !has_hosts && i < stat->n_processes; i++) {
		char pid[16];

		g_snprintf(pid, sizeof(pid), "%u", stat->processes[i].pid);
		json_number(json, pid, stat->processes[i].count.n_events);
	}
	if (has_hosts)
		print_processes_of_hosts(json, stat, trace);
	json_close(json, '}');
	json_number(json, "no_process", stat->no_process.n_events);
}

static void print_types(Json *json, const LttStatSummary *stat)
{
	json_open(json, "types", '[');
	for (guint i = 0; i < stat->n_types; i++) {
		json_open(json, NULL, '{');
		json_text(json, "name", stat->types[i].name);
		print_count(json, &stat->types[i]);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void print_tracefiles(Json *json, const LttStatSummary *stat, const LttTrace *trace)
{
	json_open(json, "tracefiles", '[');
	for (guint i = 0; i < stat->n_tracefiles; i++) {
		const LttStatTracefile *file = &stat->tracefiles[i];

		json_open(json, NULL, '{');
		json_text(json, "name", file->count.name);
		hosts_print_json(json, trace, file->host);
		print_count(json, &file->count);
		json_number(json, "lost", file->n_lost);
		json_time(json, "longest_gap", file->gap_ns > 0, file->gap_ns);
		json_time(json, "gap_start", file->gap_ns > 0, file->gap_start_ns);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void print_processes(Json *json, const LttStatSummary *stat, const LttTrace *trace)
{
	json_open(json, "processes", '[');
	for (guint i = 0; i < stat->n_processes; i++) {
		json_open(json, NULL, '{');
		hosts_print_json(json, trace, stat->processes[i].host);
		json_number(json, "pid", stat->processes[i].pid);
		json_text(json, "name", stat->processes[i].count.name);
		print_count(json, &stat->processes[i].count);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void print_threads(Json *json, const LttStatSummary *stat, const LttTrace *trace)
{
	json_open(json, "threads", '[');
	for (guint i = 0; i < stat->n_threads; i++) {
		json_open(json, NULL, '{');
		hosts_print_json(json, trace, stat->threads[i].host);
		json_number(json, "pid", stat->threads[i].pid);
		json_number(json, "tid", stat->threads[i].tid);
		json_text(json, "name", stat->threads[i].count.name);
		print_count(json, &stat->threads[i].count);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void print_windows(Json *json, const LttStatSummary *stat)
{
	json_open(json, "windows", '[');
	for (guint i = 0; i < stat->n_windows; i++) {
		json_open(json, NULL, '{');
		json_time(json, "start", TRUE, stat->windows[i].start_ns);
		print_count(json, &stat->windows[i].count);
		json_close(json, '}');
	}
	json_close(json, ']');
}

void stat_print_json(const LttStatSummary *stat, const StatView *view)
{
	Json json = {0, FALSE};

	json_open(&json, NULL, '{');
	json_number(&json, "events", stat->total.n_events);
	print_by_event(&json, stat);
	print_by_tracefile(&json, stat);
	json_number(&json, "lost", stat->n_lost);
	losses_print_json(&json, stat->losses);
	json_number(&json, "bytes", stat->total.n_bytes);
	json_time(&json, "first", stat->total.n_events > 0, stat->total.first_ns);
	json_time(&json, "last", stat->total.n_events > 0, stat->total.last_ns);
	if (view->has_threads) {
		print_by_process(&json, stat, view->trace);
	} else {
		json_null(&json, "by_process");
		json_null(&json, "no_process");
	}
	print_types(&json, stat);
	print_tracefiles(&json, stat, view->trace);
	if (view->has_threads)
		print_processes(&json, stat, view->trace);
	else
		json_null(&json, "processes");
	if (view->has_threads)
		print_threads(&json, stat, view->trace);
	else
		json_null(&json, "threads");
	json_time(&json, "interval", view->interval_ns > 0, view->interval_ns);
	if (view->interval_ns > 0)
		print_windows(&json, stat);
	else
		json_null(&json, "windows");
	conversions_print_json(&json, view->trace);
	json_close(&json, '}');
}
