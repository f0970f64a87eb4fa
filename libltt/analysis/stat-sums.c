/* stat-sums.c - counts by type, thread and window of time, which can be added up in any order. */
#include "analysis/stat-priv.h"

#include <ltt/ltt-hash.h>

#include <string.h>

static guint hash_thread(gconstpointer data)
{
	const LttStatThread *thread = data;

	return (guint)ltt_hash_pair(thread->host, (guint64)thread->pid << 32 | thread->tid);
}

static gboolean are_equal_threads(gconstpointer a, gconstpointer b)
{
	const LttStatThread *first = a;
	const LttStatThread *second = b;

	return first->tid == second->tid && first->pid == second->pid &&
	       first->host == second->host;
}

static guint hash_process(gconstpointer data)
{
	const LttStatProcess *process = data;

	return (guint)ltt_hash_pair(process->host, process->pid);
}

static gboolean are_equal_processes(gconstpointer a, gconstpointer b)
{
	const LttStatProcess *first = a;
	const LttStatProcess *second = b;

	return first->pid == second->pid && first->host == second->host;
}

void ltt_stat_sums_init(LttStatSums *sums)
{
	*sums = (LttStatSums){
		.types = g_hash_table_new_full(ltt_hash_text, g_str_equal, NULL, g_free),
		/* Each element begins with its count, followed by its key. */
		.threads = g_hash_table_new_full(hash_thread, are_equal_threads, NULL, g_free),
		.no_process = LTT_STAT_NO_COUNT,
		.windows = g_hash_table_new_full(ltt_hash_int64, g_int64_equal, NULL, g_free),
	};
}

void ltt_stat_sums_clear(LttStatSums *sums)
{
	g_hash_table_unref(sums->types);
	g_hash_table_unref(sums->threads);
	g_hash_table_unref(sums->windows);
}

LttStatCount *ltt_stat_need_type(LttStatSums *sums, const char *name)
{
	LttStatCount *count = g_hash_table_lookup(sums->types, name);

	if (count == NULL) {
		count = g_new(LttStatCount, 1);
		*count = LTT_STAT_NO_COUNT;
		count->name = name;
		g_hash_table_insert(sums->types, (gpointer)name, count);
	}
	return count;
}

LttStatCount *ltt_stat_need_thread(LttStatSums *sums, guint host, guint32 pid, guint32 tid)
{
	const LttStatThread key = {LTT_STAT_NO_COUNT, host, pid, tid};
	LttStatThread *thread = g_hash_table_lookup(sums->threads, &key);

	if (thread == NULL) {
		thread = g_memdup2(&key, sizeof(key));
		g_hash_table_add(sums->threads, thread);
	}
	return &thread->count;
}

static LttStatWindow *need_window(LttStatSums *sums, guint64 start_ns)
{
	LttStatWindow *window = g_hash_table_lookup(sums->windows, &start_ns);

	if (window == NULL) {
		window = g_new(LttStatWindow, 1);
		*window = (LttStatWindow){LTT_STAT_NO_COUNT, start_ns};
		g_hash_table_insert(sums->windows, &window->start_ns, window);
	}
	return window;
}

gboolean ltt_stat_change_window(LttStatSums *sums, const LttStatTask *task, guint64 time_ns)
{
	const guint64 origin_ns = task->origin_ns;
	const guint64 interval_ns = task->interval_ns;
	guint64 start_ns;

	if (time_ns >= origin_ns) {
		start_ns = time_ns - (time_ns - origin_ns) % interval_ns;
		sums->window_end_ns = start_ns + interval_ns;
	} else {
		/* Time begins at 0, so the first window may be cut off. */
		sums->window_end_ns =
			origin_ns - (origin_ns - time_ns - 1) / interval_ns * interval_ns;
		start_ns = sums->window_end_ns - MIN(sums->window_end_ns, interval_ns);
	}
	sums->window = need_window(sums, start_ns);
	return g_hash_table_size(sums->windows) <= LTT_MAX_STAT_WINDOWS;
}

void ltt_stat_sums_add(LttStatSums *to, const LttStatSums *from)
{
	GHashTableIter iter;
	gpointer element;

	g_hash_table_iter_init(&iter, from->types);
	while (g_hash_table_iter_next(&iter, NULL, &element)) {
		const LttStatCount *count = element;

		ltt_stat_add(ltt_stat_need_type(to, count->name), count);
	}
	g_hash_table_iter_init(&iter, from->threads);
	while (g_hash_table_iter_next(&iter, NULL, &element)) {
		const LttStatThread *thread = element;

		ltt_stat_add(ltt_stat_need_thread(to, thread->host, thread->pid, thread->tid),
			     &thread->count);
	}
	g_hash_table_iter_init(&iter, from->windows);
	while (g_hash_table_iter_next(&iter, NULL, &element)) {
		const LttStatWindow *window = element;

		ltt_stat_add(&need_window(to, window->start_ns)->count, &window->count);
	}
	ltt_stat_add(&to->no_process, &from->no_process);
}

/* ---- order ---- */

static gint most_events_first(const LttStatCount *a, const LttStatCount *b)
{
	return a->n_events != b->n_events ? a->n_events < b->n_events ? 1 : -1 : 0;
}

static gint compare_types(gconstpointer left, gconstpointer right)
{
	const LttStatCount *a = left;
	const LttStatCount *b = right;
	const gint order = most_events_first(a, b);

	return order != 0 ? order : strcmp(a->name, b->name);
}

static gint compare_processes(gconstpointer left, gconstpointer right)
{
	const LttStatProcess *a = left;
	const LttStatProcess *b = right;
	const gint order = most_events_first(&a->count, &b->count);

	if (order != 0)
		return order;
	return a->host != b->host ? (a->host > b->host) - (a->host < b->host)
				  : (a->pid > b->pid) - (a->pid < b->pid);
}

static gint compare_threads(gconstpointer left, gconstpointer right)
{
	const LttStatThread *a = left;
	const LttStatThread *b = right;
	const gint order = most_events_first(&a->count, &b->count);

	if (order != 0)
		return order;
	if (a->host != b->host)
		return a->host > b->host ? 1 : -1;
	return a->pid != b->pid ? (a->pid > b->pid) - (a->pid < b->pid)
				: (a->tid > b->tid) - (a->tid < b->tid);
}

static gint compare_windows(gconstpointer left, gconstpointer right)
{
	const LttStatWindow *a = left;
	const LttStatWindow *b = right;

	return (a->start_ns > b->start_ns) - (a->start_ns < b->start_ns);
}

/* Copies the elements of a table, of @size each, into an array. */
static gpointer sorted(GHashTable *table, gsize size, GCompareFunc compare, guint *n)
{
	GArray *array = g_array_sized_new(FALSE, FALSE, (guint)size, g_hash_table_size(table));
	GHashTableIter iter;
	gpointer element;

	g_hash_table_iter_init(&iter, table);
	while (g_hash_table_iter_next(&iter, NULL, &element))
		g_array_append_vals(array, element, 1);
	g_array_sort(array, compare);
	*n = array->len;
	return g_array_free(array, FALSE);
}

/* The count of a process is the sum of its threads. */
static void add_up_processes(LttStatSummary *stat)
{
	g_autoptr(GHashTable) processes =
		g_hash_table_new_full(hash_process, are_equal_processes, NULL, g_free);

	for (guint i = 0; i < stat->n_threads; i++) {
		const LttStatThread *thread = &stat->threads[i];
		const LttStatProcess key = {LTT_STAT_NO_COUNT, thread->host, thread->pid};
		LttStatProcess *process = g_hash_table_lookup(processes, &key);

		if (process == NULL) {
			process = g_memdup2(&key, sizeof(key));
			g_hash_table_add(processes, process);
		}
		ltt_stat_add(&process->count, &thread->count);
	}
	stat->processes =
		sorted(processes, sizeof(LttStatProcess), compare_processes, &stat->n_processes);
}

void ltt_stat_sums_give(LttStatSums *sums, LttStatSummary *stat)
{
	stat->types = sorted(sums->types, sizeof(LttStatCount), compare_types, &stat->n_types);
	stat->threads =
		sorted(sums->threads, sizeof(LttStatThread), compare_threads, &stat->n_threads);
	add_up_processes(stat);
	stat->windows =
		sorted(sums->windows, sizeof(LttStatWindow), compare_windows, &stat->n_windows);
	stat->no_process = sums->no_process;
}
