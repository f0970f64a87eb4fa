/* lists.c - the tables with few rows: types, processes, threads, losses and bookmarks.
 *
 * ltt_stat() counts the events. It reads the trace once, when the first such table is read.
 */
#include "sql/lists-priv.h"

#include "sql/list-priv.h"

#include <ltt/ltt-bookmarks.h>
#include <ltt/ltt-hash.h>
#include <ltt/ltt-stat.h>

struct LttSqlLists {
	LttSqlEnv *env;
	GPtrArray *tables; /* of LttSqlTable: the tables of events; borrowed */
	gboolean has_stat;
	LttStatSummary stat;
};

LttSqlLists *ltt_sql_lists_new(LttSqlEnv *env, GPtrArray *event_tables)
{
	LttSqlLists *lists = g_new0(LttSqlLists, 1);

	lists->env = env;
	lists->tables = event_tables;
	return lists;
}

void ltt_sql_lists_free(LttSqlLists *lists)
{
	ltt_stat_summary_clear(&lists->stat);
	g_free(lists);
}

static gboolean need_stat(LttSqlLists *lists, GError **error)
{
	g_autoptr(LttSelect) select = ltt_select_new();
	const LttStatRequest request = {
		.trace = lists->env->trace,
		.select = select,
		.n_threads = lists->env->n_threads,
		.callbacks = {ltt_sql_env_report, ltt_sql_env_progress, lists->env},
	};

	ltt_select_set_all(select, lists->env->all);
	lists->has_stat = lists->has_stat || ltt_stat(&request, &lists->stat, error);
	return lists->has_stat;
}

/* Adds the columns n_events, n_bytes, first and last. */
static void add_count(LttSqlList *list, const LttStatCount *count)
{
	ltt_sql_list_add_int(list, (gint64)count->n_events);
	ltt_sql_list_add_int(list, (gint64)count->n_bytes);
	if (count->n_events == 0) {
		ltt_sql_list_add_null(list);
		ltt_sql_list_add_null(list);
	} else {
		ltt_sql_list_add_int(list, (gint64)count->first_ns);
		ltt_sql_list_add_int(list, (gint64)count->last_ns);
	}
}

#define COUNT_COLUMNS                                                                              \
	LTT_SQL_INT_COLUMN("n_events"), LTT_SQL_INT_COLUMN("n_bytes"),                             \
		LTT_SQL_TIME_COLUMN("first"), LTT_SQL_TIME_COLUMN("last")

/* ---- types ---- */

static const LttColumn type_columns[] = {
	LTT_SQL_TEXT_COLUMN("type"), LTT_SQL_TEXT_COLUMN("table_name"),
	LTT_SQL_INT_COLUMN("hidden"), LTT_SQL_TEXT_COLUMN("description"), COUNT_COLUMNS};

/* Returns: (transfer full): the counts by the name of the type. The summary owns both. */
static GHashTable *index_counts(const LttStatSummary *stat)
{
	GHashTable *counts = g_hash_table_new(ltt_hash_text, g_str_equal);

	/* The first one of a name replaces the others. */
	for (guint i = stat->n_types; i-- > 0;)
		g_hash_table_insert(counts, (gpointer)stat->types[i].name,
				    (gpointer)&stat->types[i]);
	return counts;
}

static LttSqlRun *make_types(LttSqlEnv *env, gpointer data, GError **error)
{
	static const LttStatCount none;
	LttSqlLists *lists = data;
	g_autoptr(GHashTable) counts = NULL;
	LttSqlList *list;

	(void)env;
	if (!need_stat(lists, error))
		return NULL;
	counts = index_counts(&lists->stat);
	list = ltt_sql_list_new(type_columns, G_N_ELEMENTS(type_columns));
	for (guint i = 0; i < lists->tables->len; i++) {
		const LttSqlTable *table = lists->tables->pdata[i];
		const char *type = ltt_sql_source_table_get_name(table->source);
		const LttStatCount *count = g_hash_table_lookup(counts, type);

		ltt_sql_list_add_text(list, type);
		ltt_sql_list_add_text(list, table->name);
		ltt_sql_list_add_int(list, table->is_hidden);
		ltt_sql_list_add_text(list, table->description);
		add_count(list, count != NULL ? count : &none);
	}
	return ltt_sql_list_finish(list);
}

/* ---- processes and threads ---- */

static const LttColumn process_columns[] = {LTT_SQL_INT_COLUMN("pid"), LTT_SQL_TEXT_COLUMN("name"),
					    COUNT_COLUMNS};
static const LttColumn thread_columns[] = {LTT_SQL_INT_COLUMN("pid"), LTT_SQL_INT_COLUMN("tid"),
					   LTT_SQL_TEXT_COLUMN("name"), COUNT_COLUMNS};

static LttSqlRun *make_processes(LttSqlEnv *env, gpointer data, GError **error)
{
	LttSqlLists *lists = data;
	LttSqlList *list;

	(void)env;
	if (!need_stat(lists, error))
		return NULL;
	list = ltt_sql_list_new(process_columns, G_N_ELEMENTS(process_columns));
	for (guint i = 0; i < lists->stat.n_processes; i++) {
		const LttStatProcess *process = &lists->stat.processes[i];

		ltt_sql_list_add_int(list, process->pid);
		ltt_sql_list_add_text(list, process->count.name);
		add_count(list, &process->count);
		ltt_sql_list_add_origin(list, 0, process->host);
	}
	return ltt_sql_list_finish(list);
}

static LttSqlRun *make_threads(LttSqlEnv *env, gpointer data, GError **error)
{
	LttSqlLists *lists = data;
	LttSqlList *list;

	(void)env;
	if (!need_stat(lists, error))
		return NULL;
	list = ltt_sql_list_new(thread_columns, G_N_ELEMENTS(thread_columns));
	for (guint i = 0; i < lists->stat.n_threads; i++) {
		const LttStatThread *thread = &lists->stat.threads[i];

		ltt_sql_list_add_int(list, thread->pid);
		ltt_sql_list_add_int(list, thread->tid);
		ltt_sql_list_add_text(list, thread->count.name);
		add_count(list, &thread->count);
		ltt_sql_list_add_origin(list, 0, thread->host);
	}
	return ltt_sql_list_finish(list);
}

/* ---- losses ---- */

static const LttColumn loss_columns[] = {LTT_SQL_TEXT_COLUMN("tracefile"),
					 LTT_SQL_TEXT_COLUMN("reason"), LTT_SQL_TEXT_COLUMN("type"),
					 LTT_SQL_UINT_COLUMN("n_events")};

static void add_loss(LttSqlList *list, guint host, const char *tracefile, const char *reason,
		     const char *type, guint64 n_events)
{
	ltt_sql_list_add_text(list, tracefile);
	ltt_sql_list_add_text(list, reason);
	ltt_sql_list_add_text(list, type);
	ltt_sql_list_add_int(list, (gint64)n_events);
	ltt_sql_list_add_origin(list, 0, host);
}

static LttSqlRun *make_losses(LttSqlEnv *env, gpointer data, GError **error)
{
	LttSqlLists *lists = data;
	const LttStatSummary *stat = &lists->stat;
	LttSqlList *list;

	(void)env;
	if (!need_stat(lists, error))
		return NULL;
	list = ltt_sql_list_new(loss_columns, G_N_ELEMENTS(loss_columns));
	for (guint i = 0; i < stat->n_tracefiles; i++) {
		if (stat->tracefiles[i].n_lost > 0)
			add_loss(list, stat->tracefiles[i].host, stat->tracefiles[i].label, NULL,
				 NULL, stat->tracefiles[i].n_lost);
	}
	for (guint i = 0; stat->losses != NULL && i < stat->losses->n_reasons; i++)
		add_loss(list, LTT_SQL_NO_HOST, NULL, stat->losses->reasons[i].name, NULL,
			 stat->losses->reasons[i].n_events);
	for (guint i = 0; stat->losses != NULL && i < stat->losses->n_types; i++)
		add_loss(list, LTT_SQL_NO_HOST, NULL, NULL, stat->losses->types[i].name,
			 stat->losses->types[i].n_events);
	return ltt_sql_list_finish(list);
}

/* ---- bookmarks ---- */

static const LttColumn bookmark_columns[] = {
	LTT_SQL_TIME_COLUMN("time"), LTT_SQL_UINT_COLUMN("dur"), LTT_SQL_TEXT_COLUMN("name"),
	LTT_SQL_TEXT_COLUMN("text"), LTT_SQL_INT_COLUMN("cpu"),  LTT_SQL_UINT_COLUMN("cycles")};

static LttSqlRun *make_bookmarks(LttSqlEnv *env, gpointer data, GError **error)
{
	LttSqlList *list = ltt_sql_list_new(bookmark_columns, G_N_ELEMENTS(bookmark_columns));
	const GPtrArray *bookmarks = ltt_trace_read_bookmarks(env->trace);

	(void)data;
	(void)error;
	for (guint i = 0; i < bookmarks->len; i++) {
		const LttBookmark *bookmark = bookmarks->pdata[i];
		const gboolean has_time = bookmark->unit == LTT_BOOKMARK_TIME;

		if (has_time)
			ltt_sql_list_add_int(list, (gint64)bookmark->start);
		else
			ltt_sql_list_add_null(list);
		ltt_sql_list_add_int(list, (gint64)(bookmark->end - bookmark->start));
		ltt_sql_list_add_text(list, bookmark->name);
		ltt_sql_list_add_text(list, bookmark->text);
		if (bookmark->cpu >= 0)
			ltt_sql_list_add_int(list, bookmark->cpu);
		else
			ltt_sql_list_add_null(list);
		if (has_time)
			ltt_sql_list_add_null(list);
		else
			ltt_sql_list_add_int(list, (gint64)bookmark->start);
	}
	return ltt_sql_list_finish(list);
}

/* ---- all ---- */

void ltt_sql_lists_add(LttSqlLists *lists, LttSqlAddFunc add_table, gpointer user_data)
{
	static const struct {
		const char *name;
		const char *description;
		const LttColumn *columns;
		LttSqlListFunc make;
		guint n_columns;
		gboolean has_host;
	} all[] = {
		{"types", "the event types, and how many events of each there are", type_columns,
		 make_types, G_N_ELEMENTS(type_columns), FALSE},
		{"processes", "the processes that have events", process_columns, make_processes,
		 G_N_ELEMENTS(process_columns), TRUE},
		{"threads", "the threads that have events", thread_columns, make_threads,
		 G_N_ELEMENTS(thread_columns), TRUE},
		{"losses",
		 "events that were lost: by tracefile, and the same once more by reason; those too "
		 "large also by type",
		 loss_columns, make_losses, G_N_ELEMENTS(loss_columns), TRUE},
		{"bookmarks", "notes on instants and intervals of the trace", bookmark_columns,
		 make_bookmarks, G_N_ELEMENTS(bookmark_columns), FALSE},
	};

	for (guint i = 0; i < G_N_ELEMENTS(all); i++) {
		LttSqlTable *table =
			ltt_sql_list_table(lists->env, all[i].name, all[i].description,
					   all[i].columns, all[i].n_columns, all[i].make, lists);

		if (all[i].has_host)
			ltt_sql_table_add_place(table, "host", LTT_SQL_FORM_HOST,
						!ltt_sql_env_has_origins(lists->env));
		add_table(table, user_data);
	}
}
