/* stat-text.c - `ltt stat` as text: the totals, then tables sorted by number of events.
 *
 * All rates refer to the time from the first to the last counted event, so the rates of a table add
 * up to the total rate.
 */
#include "amount.h"
#include "conversions.h"
#include "hosts.h"
#include "losses.h"
#include "stat.h"
#include "table.h"
#include "tool.h"

#define BAR_COLUMNS 40

static guint64 length_of(const LttStatCount *count)
{
	return count->last_ns - count->first_ns;
}

/* Prints the span of the trace as `ltt info` does. */
static void print_span(const StatView *view)
{
	g_autofree char *start = amount_time(view->start_ns);
	g_autofree char *end = amount_time(view->end_ns);
	g_autofree char *length = amount_time(view->end_ns - view->start_ns);

	if (!view->has_span)
		return;
	tool_print("start      %s\n", start);
	tool_print("end        %s  (after %s s)\n", end, length);
}

static void print_total(const LttStatSummary *stat, const StatView *view)
{
	const LttStatCount *total = &stat->total;
	g_autofree char *events = amount_count(total->n_events);
	g_autofree char *lost = amount_count(stat->n_lost);
	g_autofree char *lost_process_events = amount_count(stat->losses->n_process_events);
	g_autofree char *size = amount_size(total->n_bytes);
	g_autofree char *rate = amount_rate(total->n_events, length_of(total));
	g_autofree char *first = amount_time(total->first_ns);
	g_autofree char *last = amount_time(total->last_ns);
	g_autofree char *length = amount_time(length_of(total));

	tool_print("events     %s\n", events);
	if (stat->n_lost > 0)
		tool_print("lost       %s\n", lost);
	if (stat->losses->n_process_events > 0)
		tool_print("           %s process starts and exits\n", lost_process_events);
	if (total->n_events == 0)
		return;
	tool_print("size       %s\n", size);
	print_span(view);
	tool_print("first      %s\n", first);
	tool_print("last       %s  (after %s s)\n", last, length);
	if (length_of(total) > 0)
		tool_print("per second %s\n", rate);
}

/* Returns: how many of @n lines to print. "1 others" would take the line of the row that it
 * replaces, so a single remaining row is printed. */
static guint n_shown(guint n, guint n_top)
{
	return n > n_top && n - n_top > 1 ? n_top : n;
}

static void add_type(Table *table, char *name, const LttStatCount *type, const LttStatCount *total)
{
	table_add(table, name, amount_count(type->n_events),
		  amount_percent(type->n_events, total->n_events),
		  amount_rate(type->n_events, length_of(total)), amount_size(type->n_bytes), NULL);
}

static void print_types(const LttStatSummary *stat, guint n_top)
{
	g_autoptr(Table) table = table_new("event", ">events", ">%", ">per second", ">size", NULL);
	const guint n = n_shown(stat->n_types, n_top);
	LttStatCount rest = {.n_events = 0};

	for (guint i = 0; i < stat->n_types; i++) {
		if (i < n)
			add_type(table, g_strdup(stat->types[i].name), &stat->types[i],
				 &stat->total);
		rest.n_events += i < n ? 0 : stat->types[i].n_events;
		rest.n_bytes += i < n ? 0 : stat->types[i].n_bytes;
	}
	if (n < stat->n_types)
		add_type(table, g_strdup_printf("%u others", stat->n_types - n), &rest,
			 &stat->total);
	table_print(table);
}

static void print_tracefiles(const LttStatSummary *stat, const LttTrace *trace)
{
	g_autoptr(Table) table =
		table_new("tracefile", ">events", ">%", ">per second", ">size", ">lost",
			  ">longest gap", ">from", hosts_get_title(trace), NULL);

	for (guint i = 0; i < stat->n_tracefiles; i++) {
		const LttStatTracefile *file = &stat->tracefiles[i];

		table_add(table, g_strdup(file->label), amount_count(file->count.n_events),
			  amount_percent(file->count.n_events, stat->total.n_events),
			  amount_rate(file->count.n_events, length_of(&stat->total)),
			  amount_size(file->count.n_bytes), amount_count(file->n_lost),
			  file->gap_ns > 0 ? amount_time(file->gap_ns) : g_strdup("-"),
			  file->gap_ns > 0 ? amount_time(file->gap_start_ns) : g_strdup("-"),
			  hosts_dup_cell(trace, file->host), NULL);
	}
	table_print(table);
}

static void add_reason(Table *table, const char *name, guint64 n_events, guint64 n_lost,
		       const char *meaning)
{
	table_add(table, g_strdup(name), amount_count(n_events), amount_percent(n_events, n_lost),
		  g_strdup(meaning), NULL);
}

static void print_losses(const LttStatSummary *stat)
{
	g_autoptr(Table) table = table_new("lost", ">events", ">%", "why", NULL);
	const LttLossReasons *losses = stat->losses;
	guint64 n_explained = 0;

	for (guint i = 0; i < losses->n_reasons; i++)
		n_explained += losses->reasons[i].n_events;
	for (guint i = 0; i < losses->n_reasons; i++)
		add_reason(table, losses->reasons[i].name, losses->reasons[i].n_events,
			   MAX(stat->n_lost, n_explained),
			   losses_describe(losses->reasons[i].name));
	if (losses->n_reasons > 0 && n_explained < stat->n_lost)
		add_reason(table, "-", stat->n_lost - n_explained, stat->n_lost,
			   "the trace does not record the reason");
	table_print(table);
}

static void print_large_types(const LttLossReasons *losses)
{
	g_autoptr(Table) table = table_new("too large", ">events", ">largest", NULL);

	for (guint i = 0; i < losses->n_types; i++) {
		const LttLossType *type = &losses->types[i];

		table_add(table, g_strdup(type->name), amount_count(type->n_events),
			  amount_size(type->n_bytes), NULL);
	}
	table_print(table);
}

/* @host: (transfer full) (nullable) */
static void add_process(Table *table, char *name, const LttStatCount *count,
			const LttStatCount *total, char *host)
{
	table_add(table, name, amount_count(count->n_events),
		  amount_percent(count->n_events, total->n_events),
		  amount_rate(count->n_events, length_of(total)), amount_size(count->n_bytes),
		  g_strdup(count->name != NULL ? count->name : ""), host, NULL);
}

/* @host: (transfer full) (nullable) */
static void add_thread(Table *table, char *tid, char *pid, const LttStatCount *count,
		       const LttStatCount *total, char *host)
{
	table_add(table, tid, pid, amount_count(count->n_events),
		  amount_percent(count->n_events, total->n_events),
		  amount_rate(count->n_events, length_of(total)), amount_size(count->n_bytes),
		  g_strdup(count->name != NULL ? count->name : ""), host, NULL);
}

static void print_processes(const LttStatSummary *stat, const LttTrace *trace, guint n_top)
{
	g_autoptr(Table) table = table_new("process", ">events", ">%", ">per second", ">size",
					   "name", hosts_get_title(trace), NULL);
	const guint n = n_shown(stat->n_processes, n_top);
	LttStatCount rest = {.n_events = 0};

	for (guint i = 0; i < stat->n_processes; i++) {
		const LttStatProcess *process = &stat->processes[i];

		if (i < n)
			add_process(table, g_strdup_printf("%u", process->pid), &process->count,
				    &stat->total, hosts_dup_cell(trace, process->host));
		rest.n_events += i < n ? 0 : process->count.n_events;
		rest.n_bytes += i < n ? 0 : process->count.n_bytes;
	}
	if (n < stat->n_processes)
		add_process(table, g_strdup_printf("%u others", stat->n_processes - n), &rest,
			    &stat->total, NULL);
	if (stat->no_process.n_events > 0)
		add_process(table, g_strdup("unknown"), &stat->no_process, &stat->total, NULL);
	table_print(table);
}

/* Omitted if each process has one thread: the table of processes has the same rows. */
static void print_threads(const LttStatSummary *stat, const LttTrace *trace, guint n_top)
{
	g_autoptr(Table) table = table_new("thread", ">process", ">events", ">%", ">per second",
					   ">size", "name", hosts_get_title(trace), NULL);
	const guint n = n_shown(stat->n_threads, n_top);
	LttStatCount rest = {.n_events = 0};

	for (guint i = 0; i < stat->n_threads; i++) {
		const LttStatThread *thread = &stat->threads[i];

		if (i < n)
			add_thread(table, g_strdup_printf("%u", thread->tid),
				   g_strdup_printf("%u", thread->pid), &thread->count, &stat->total,
				   hosts_dup_cell(trace, thread->host));
		rest.n_events += i < n ? 0 : thread->count.n_events;
		rest.n_bytes += i < n ? 0 : thread->count.n_bytes;
	}
	if (n < stat->n_threads)
		add_thread(table, g_strdup_printf("%u others", stat->n_threads - n), g_strdup(""),
			   &rest, &stat->total, NULL);
	table_print(table);
}

/* Returns: (transfer full): a bar of BAR_COLUMNS * @part / @most characters, at least one */
static char *bar(guint64 part, guint64 most)
{
	const double columns = BAR_COLUMNS * ((double)part / (double)most);

	return g_strnfill(MAX(1, (gsize)(columns + 0.5)), '#');
}

static void print_windows(const LttStatSummary *stat, guint64 interval_ns)
{
	g_autoptr(Table) table = table_new("from", ">events", ">per second", ">size", "", NULL);
	guint64 most = 0;

	for (guint i = 0; i < stat->n_windows; i++)
		most = MAX(most, stat->windows[i].count.n_events);
	for (guint i = 0; i < stat->n_windows; i++) {
		const LttStatWindow *window = &stat->windows[i];

		if (i > 0 && window->start_ns - window[-1].start_ns > interval_ns)
			table_add(table, g_strdup("..."), g_strdup("0"), NULL);
		table_add(table, amount_time(window->start_ns),
			  amount_count(window->count.n_events),
			  amount_rate(window->count.n_events, interval_ns),
			  amount_size(window->count.n_bytes), bar(window->count.n_events, most),
			  NULL);
	}
	table_print(table);
}

void stat_print_text(const LttStatSummary *stat, const StatView *view)
{
	print_total(stat, view);
	conversions_print_text(view->trace);
	if (stat->n_types > 0) {
		tool_write_text("\n");
		print_types(stat, view->n_top);
	}
	if (stat->n_tracefiles > 0) {
		tool_write_text("\n");
		print_tracefiles(stat, view->trace);
	}
	if (stat->losses->n_reasons > 0) {
		tool_write_text("\n");
		print_losses(stat);
	}
	if (stat->losses->n_types > 0) {
		tool_write_text("\n");
		print_large_types(stat->losses);
	}
	if (view->has_threads && stat->n_types > 0) {
		tool_write_text("\n");
		print_processes(stat, view->trace, view->n_top);
	}
	if (view->has_threads && stat->n_threads > stat->n_processes) {
		tool_write_text("\n");
		print_threads(stat, view->trace, view->n_top);
	}
	if (stat->n_windows > 0) {
		tool_write_text("\n");
		print_windows(stat, view->interval_ns);
	}
}
