/* export.c - convert a trace to Trace Event JSON (doc/chrome.md).
 *
 * Viewers store times as microseconds in floating point. Times are therefore relative to the start
 * of the trace, which keeps nanoseconds exact for weeks. For the same reason a slice has an entry
 * for its begin and one for its end: the sum of a time and a duration would be rounded. Asynchronous
 * slices are written when they end, with the fields of both events. Events without a thread belong
 * to a pseudo-process that represents the trace; its threads represent the tracefiles.
 */
#include "formats/export-priv.h"

#include "analysis/span-args-priv.h"
#include "analysis/span-feed-priv.h"
#include "formats/chrome/machines-priv.h"
#include "formats/chrome/marks-priv.h"
#include "reader/thread-names-priv.h"

#include <ltt/ltt-hash.h>
#include <ltt/ltt-system.h>
#include <ltt/ltt-time.h>

typedef struct ChromeThread {
	guint32 pid; /* as written, as is tid */
	guint32 tid;
	const LttTracefile *tracefile; /* tracefile of its first event */
} ChromeThread;

typedef struct Chrome {
	const LttExportRequest *request;
	LttChromeEntries entries;
	gboolean has_begun;     /* the head of the file has been written */
	guint64 last_ns;        /* time of the latest event */
	GHashTable *instants;   /* LttEventType -> name and category as JSON */
	GHashTable *slices;     /* name of a span, owned by the feed -> name and category as JSON */
	GHashTable *names;      /* pid -> name of the process; NULL: unknown */
	GHashTable *threads;    /* set of ChromeThread */
	GHashTable *tracefiles; /* set of tracefiles with events that have no thread */
	LttSpanFeed *feed;
	LttSpanArgs *args;
	LttChromeCounters *counters;
	LttChromeCpus *cpus;
} Chrome;

static guint hash_thread(gconstpointer data)
{
	const ChromeThread *thread = data;

	return (guint)ltt_hash_number((guint64)thread->pid << 32 | thread->tid);
}

static gboolean equal_threads(gconstpointer a, gconstpointer b)
{
	const ChromeThread *first = a;
	const ChromeThread *second = b;

	return first->tid == second->tid && first->pid == second->pid;
}

static gint compare_ids(gconstpointer a, gconstpointer b)
{
	const ChromeThread *first = a;
	const ChromeThread *second = b;

	return first->pid != second->pid ? (first->pid > second->pid) - (first->pid < second->pid)
					 : (first->tid > second->tid) - (first->tid < second->tid);
}

/* Gets the JSON text for a name from a cache. @key: key in the cache @known. Returns: (transfer
 * none): name and category as JSON */
static const char *describe(GHashTable *known, gconstpointer key, const char *name,
			    const LttFacility *facility)
{
	char *text = g_hash_table_lookup(known, key);

	if (text == NULL) {
		text = ltt_chrome_describe(name, ltt_facility_get_name(facility));
		g_hash_table_insert(known, (gpointer)key, text);
	}
	return text;
}

/* ---- threads ---- */

static void note_thread(Chrome *chrome, const LttEvent *event)
{
	const guint32 base = ltt_chrome_get_base(event->tracefile);
	const ChromeThread thread = {event->pid + base, event->tid + base, event->tracefile};

	if (g_hash_table_contains(chrome->threads, &thread))
		return;
	g_hash_table_add(chrome->threads, g_memdup2(&thread, sizeof(thread)));
	if (!g_hash_table_contains(chrome->names, GUINT_TO_POINTER(thread.pid)))
		g_hash_table_insert(chrome->names, GUINT_TO_POINTER(thread.pid), NULL);
}

static void name_trace(Chrome *chrome)
{
	ltt_chrome_add_naming(&chrome->entries, "process_name", LTT_CHROME_TRACE_PID,
			      LTT_CHROME_TRACE_PID, "trace");
}

/* Gets the process and the thread to which an event is assigned. Writes the name of a tracefile at
 * its first event. The names of threads are written at the end, when all of them are known. */
static void place(Chrome *chrome, const LttEvent *event, guint32 *pid, guint32 *tid)
{
	if (event->has_thread) {
		*pid = event->pid + ltt_chrome_get_base(event->tracefile);
		*tid = event->tid + ltt_chrome_get_base(event->tracefile);
		note_thread(chrome, event);
		return;
	}
	*pid = LTT_CHROME_TRACE_PID;
	*tid = LTT_CHROME_TRACE_PID + 1 + ltt_tracefile_get_index(event->tracefile);
	if (g_hash_table_size(chrome->tracefiles) == 0)
		name_trace(chrome);
	if (g_hash_table_add(chrome->tracefiles, (gpointer)event->tracefile))
		ltt_chrome_add_naming(&chrome->entries, "thread_name", *pid, *tid,
				      ltt_tracefile_get_label(event->tracefile));
}

/* ---- entries ---- */

static void add_args(Chrome *chrome, const LttEvent *begin, const LttEvent *end)
{
	ltt_chrome_add_text(&chrome->entries, ",\"args\":");
	ltt_span_args_write(chrome->args, &chrome->entries.sink, begin, end);
	ltt_chrome_add_text(&chrome->entries, "}");
}

static void add_instant(Chrome *chrome, const LttEvent *event, guint32 pid, guint32 tid)
{
	const char *name = describe(chrome->instants, event->type, event->type->full_name,
				    event->type->facility);

	ltt_chrome_begin(&chrome->entries, name, "i", event->time_ns, pid, tid);
	ltt_chrome_add_text(&chrome->entries, ",\"s\":\"t\"");
	add_args(chrome, event, NULL);
}

/* Writes the begin or the end of a nested span, without arguments: some viewers take them as a part of
 * the name, and an end does not have those of its begin. @time_ns: of the entry */
static void add_nested(Chrome *chrome, const LttSpan *span, const char *phase, guint64 time_ns)
{
	const char *name =
		describe(chrome->slices, span->name, span->name, span->begin->type->facility);
	guint32 pid;
	guint32 tid;

	place(chrome, span->begin, &pid, &tid);
	ltt_chrome_begin(&chrome->entries, name, phase, time_ns, pid, tid);
	ltt_chrome_add_text(&chrome->entries, "}");
}

/* Writes an event that begins or ends a nested span as an instant, if it has fields. */
static void add_fields(Chrome *chrome, const LttEvent *event)
{
	guint32 pid;
	guint32 tid;

	if (event == NULL || event->payload_bytes == 0)
		return;
	place(chrome, event, &pid, &tid);
	add_instant(chrome, event, pid, tid);
}

/* Writes an asynchronous span: an entry for its begin and an entry for its end, with the same id. */
static void add_async(Chrome *chrome, const LttSpan *span)
{
	const char *name =
		describe(chrome->slices, span->name, span->name, span->begin->type->facility);
	LttChromeEntries *entries = &chrome->entries;
	guint32 pid;
	guint32 tid;
	char id[64];

	place(chrome, span->begin, &pid, &tid);
	g_snprintf(id, sizeof(id), ",\"id\":\"%" G_GUINT64_FORMAT "\"", span->id);
	ltt_chrome_begin(entries, name, "b", span->begin_ns, pid, tid);
	ltt_chrome_add_text(entries, id);
	add_args(chrome, span->begin, span->end);
	ltt_chrome_begin(entries, name, "e", span->end_ns, pid, tid);
	ltt_chrome_add_text(entries, id);
	ltt_chrome_add_text(entries, "}");
}

static void add_ended(Chrome *chrome, const LttSpan *span)
{
	if (span->is_async) {
		add_async(chrome, span);
		return;
	}
	add_nested(chrome, span, "E", span->end_ns);
	add_fields(chrome, span->end);
}

static void add_ready_spans(Chrome *chrome)
{
	const LttSpan *span;

	while ((span = ltt_span_feed_next(chrome->feed)) != NULL)
		add_ended(chrome, span);
}

/* ---- the file ---- */

/* Writes the head of the file. @first_ns: time of the first entry. It can be before the time span
 * of the trace, because control files are not part of the span; viewers reject negative times. */
static void begin_file(Chrome *chrome, guint64 first_ns)
{
	LttTrace *trace = chrome->request->trace;
	const char *host = ltt_system_get(ltt_trace_get_system(trace), "node_name");
	char start[LTT_TIME_TEXT_BYTES];
	guint64 start_ns = 0;
	guint64 end_ns = 0;

	ltt_trace_get_span(trace, &start_ns, &end_ns);
	chrome->entries.start_ns = MIN(start_ns, first_ns);
	chrome->has_begun = TRUE;
	ltt_time_format(chrome->entries.start_ns, start);
	ltt_chrome_add_text(&chrome->entries,
			    "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"start\":\"");
	ltt_chrome_add_text(&chrome->entries, start);
	ltt_chrome_add_text(&chrome->entries, "\",\"node_name\":");
	ltt_chrome_add_string(&chrome->entries, host != NULL ? host : "");
	ltt_chrome_add_text(&chrome->entries, "},\"traceEvents\":[");
}

static gboolean take_event(const LttEvent *event, gpointer user_data, GError **error)
{
	Chrome *chrome = user_data;
	const LttSpan *begun;
	guint32 pid;
	guint32 tid;

	if (!chrome->has_begun)
		begin_file(chrome, event->time_ns);
	chrome->last_ns = MAX(chrome->last_ns, event->time_ns);
	place(chrome, event, &pid, &tid);
	if (!ltt_span_feed_take(chrome->feed, event))
		add_instant(chrome, event, pid, tid);
	begun = ltt_span_feed_get_begun(chrome->feed);
	add_ready_spans(chrome);
	if (begun != NULL && !begun->is_async) {
		add_nested(chrome, begun, "B", begun->begin_ns);
		add_fields(chrome, begun->begin);
	}
	ltt_chrome_counters_add(chrome->counters, &chrome->entries, event, pid, tid);
	ltt_chrome_cpus_take(chrome->cpus, &chrome->entries, event);
	return ltt_sink_check(&chrome->entries.sink, error);
}

/* Writes the names of threads whose name differs from the name of the process. If a thread or
 * process had several names, the last one is used. */
static void name_threads(Chrome *chrome, LttTrace *trace)
{
	const LttThreadNames *names = ltt_trace_get_thread_names(trace);
	g_autoptr(GList) threads = g_list_sort(g_hash_table_get_keys(chrome->threads), compare_ids);

	for (const GList *item = threads; item != NULL; item = item->next) {
		const ChromeThread *thread = item->data;
		LttEvent event = {.has_thread = TRUE, .time_ns = G_MAXUINT64};
		LttNameSpan span;

		event.pid = thread->pid - ltt_chrome_get_base(thread->tracefile);
		event.tid = thread->tid - ltt_chrome_get_base(thread->tracefile);
		event.tracefile = thread->tracefile;
		ltt_thread_names_find(names, &event, &span);
		if (span.name != NULL &&
		    g_strcmp0(span.name, g_hash_table_lookup(chrome->names,
							     GUINT_TO_POINTER(thread->pid))) != 0)
			ltt_chrome_add_naming(&chrome->entries, "thread_name", thread->pid,
					      thread->tid, span.name);
	}
}

static void name_processes(Chrome *chrome, LttTrace *trace)
{
	GHashTableIter iter;
	gpointer pid;
	gpointer name;

	g_hash_table_iter_init(&iter, chrome->names);
	while (g_hash_table_iter_next(&iter, &pid, &name)) {
		g_autofree char *text = ltt_chrome_name_process(trace, GPOINTER_TO_UINT(pid), name);

		if (text != NULL)
			ltt_chrome_add_naming(&chrome->entries, "process_name",
					      GPOINTER_TO_UINT(pid), GPOINTER_TO_UINT(pid), text);
	}
}

static void end_file(Chrome *chrome)
{
	LttTrace *trace = chrome->request->trace;
	const GPtrArray *bookmarks = ltt_trace_read_bookmarks(trace);

	if (!chrome->has_begun)
		begin_file(chrome, G_MAXUINT64);
	ltt_span_feed_end(chrome->feed);
	add_ready_spans(chrome);
	ltt_chrome_cpus_end(chrome->cpus, &chrome->entries, chrome->last_ns);
	if (bookmarks->len > 0 && g_hash_table_size(chrome->tracefiles) == 0)
		name_trace(chrome);
	ltt_chrome_add_bookmarks(&chrome->entries, trace, chrome->request->select);
	ltt_chrome_find_names(trace, chrome->names);
	name_processes(chrome, trace);
	name_threads(chrome, trace);
	ltt_chrome_add_text(&chrome->entries, "\n]}\n");
	ltt_sink_hand_on(&chrome->entries.sink);
}

static gboolean run(const LttExportRequest *request, GError **error)
{
	Chrome chrome = {.request = request, .entries = {.before = "\n"}};
	gboolean ok;

	chrome.instants = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	chrome.slices = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	chrome.names = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	chrome.threads = g_hash_table_new_full(hash_thread, equal_threads, g_free, NULL);
	chrome.tracefiles = g_hash_table_new(NULL, NULL);
	chrome.feed = ltt_span_feed_new();
	chrome.args = ltt_span_args_new();
	chrome.counters = ltt_chrome_counters_new();
	chrome.cpus = ltt_chrome_cpus_new();
	ltt_sink_init(&chrome.entries.sink, request->write, request->write_data);
	ok = ltt_export_visit_selected(request, take_event, &chrome, error);
	if (ok) {
		end_file(&chrome);
		ok = ltt_sink_check(&chrome.entries.sink, error);
	}
	ltt_sink_clear(&chrome.entries.sink);
	ltt_chrome_cpus_free(chrome.cpus);
	ltt_chrome_counters_free(chrome.counters);
	ltt_span_args_free(chrome.args);
	ltt_span_feed_free(chrome.feed);
	g_hash_table_unref(chrome.tracefiles);
	g_hash_table_unref(chrome.threads);
	g_hash_table_unref(chrome.names);
	g_hash_table_unref(chrome.slices);
	g_hash_table_unref(chrome.instants);
	return ok;
}

const LttExporter ltt_export_chrome = {
	.kind = {.name = "chrome",
		 .summary = "Trace Event JSON, for ui.perfetto.dev, chrome://tracing, speedscope"},
	.run = run,
};
