/* export.c - convert a trace to Trace Event JSON (doc/chrome.md).
 *
 * Viewers store times as microseconds in floating point. Times are therefore relative to the first
 * event, which keeps nanoseconds exact for weeks. Events without a thread belong to a
 * pseudo-process that represents the trace; its threads represent the tracefiles.
 */
#include "formats/export-priv.h"

#include "analysis/stat-priv.h"
#include "base/sink-priv.h"
#include "formats/chrome/slices-priv.h"
#include "print/template-priv.h"
#include "reader/thread-names-priv.h"

#include <ltt/ltt-system.h>
#include <ltt/ltt-time.h>

#define TRACE_PID 5000000 /* above the maximum process id of Linux, 4194304 */

/* Prepared output of an event type. */
typedef struct ChromeType {
	LttSliceRole role;
	const LttEventType *begin; /* type of the event that begins the slice */
	char *slice;               /* name and category of a slice as JSON; NULL: not a slice */
	char *instant;             /* name and category of an instant as JSON */
	LttTemplate *args;
	gboolean is_object; /* args writes a JSON object */
} ChromeType;

typedef struct ChromeThread {
	guint32 pid;
	guint32 tid;
	const LttTracefile *tracefile; /* tracefile of its first event */
} ChromeThread;

typedef struct Chrome {
	LttSink sink;
	guint64 start_ns;
	GHashTable *types;      /* LttEventType -> ChromeType */
	GHashTable *names;      /* pid -> name of the process; NULL: unknown */
	GHashTable *threads;    /* set of ChromeThread */
	GHashTable *tracefiles; /* set of tracefiles with events that have no thread */
	LttSlices *slices;
	const char *before; /* separator to write before the next entry */
} Chrome;

static void free_type(gpointer data)
{
	ChromeType *type = data;

	g_free(type->slice);
	g_free(type->instant);
	ltt_template_free(type->args);
	g_free(type);
}

static guint hash_thread(gconstpointer data)
{
	return ((const ChromeThread *)data)->tid;
}

static gboolean equal_threads(gconstpointer a, gconstpointer b)
{
	const ChromeThread *first = a;
	const ChromeThread *second = b;

	return first->tid == second->tid && first->pid == second->pid;
}

static void add_text(Chrome *chrome, const char *text)
{
	ltt_sink_add(&chrome->sink, text, strlen(text));
}

static void add_string(Chrome *chrome, const char *text)
{
	g_autoptr(GString) json = g_string_new(NULL);

	ltt_json_append_string(json, text, -1);
	add_text(chrome, json->str);
}

static char *describe_name(const char *facility, const char *name)
{
	g_autofree char *full =
		name[0] != '\0' ? g_strconcat(facility, ".", name, NULL) : g_strdup(facility);
	GString *json = g_string_new("\"name\":");

	ltt_json_append_string(json, full, -1);
	g_string_append(json, ",\"cat\":");
	ltt_json_append_string(json, facility, -1);
	return g_string_free(json, FALSE);
}

static ChromeType *find_type(Chrome *chrome, const LttEvent *event)
{
	const char *facility = ltt_facility_get_name(event->type->facility);
	ChromeType *type = g_hash_table_lookup(chrome->types, event->type);
	g_autofree char *name = NULL;

	if (type != NULL)
		return type;
	type = g_new0(ChromeType, 1);
	type->role = ltt_slice_find(event->type, &type->begin, &name);
	type->slice = name != NULL ? describe_name(facility, name) : NULL;
	type->instant = describe_name(facility, event->type->name);
	type->is_object = event->layout == NULL || event->layout->kind == LTT_STRUCT ||
			  event->layout->kind == LTT_UNION;
	type->args = ltt_template_new(event->layout, &ltt_style_json, FALSE, NULL);
	g_hash_table_insert(chrome->types, (gpointer)event->type, type);
	return type;
}

/* ---- entries ---- */

static void begin_entry(Chrome *chrome)
{
	add_text(chrome, chrome->before);
	chrome->before = ",\n";
}

/* @key: "process_name" or "thread_name" */
static void add_naming(Chrome *chrome, const char *key, guint32 pid, guint32 tid, const char *name)
{
	char text[128];

	begin_entry(chrome);
	g_snprintf(text, sizeof(text),
		   "{\"name\":\"%s\",\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"args\":{\"name\":", key,
		   pid, tid);
	add_text(chrome, text);
	add_string(chrome, name);
	add_text(chrome, "}}");
}

static void add_start(Chrome *chrome, const char *phase, guint64 time_ns, guint32 pid, guint32 tid)
{
	const gboolean is_before = time_ns < chrome->start_ns;
	const guint64 distance_ns =
		is_before ? chrome->start_ns - time_ns : time_ns - chrome->start_ns;
	char text[160];

	g_snprintf(text, sizeof(text),
		   ",\"ph\":\"%s\",\"ts\":%s%" G_GUINT64_FORMAT ".%03u,\"pid\":%u,\"tid\":%u",
		   phase, is_before ? "-" : "", distance_ns / 1000, (guint)(distance_ns % 1000),
		   pid, tid);
	add_text(chrome, text);
}

static void add_entry(Chrome *chrome, const ChromeType *type, const LttEvent *event,
		      const char *phase, guint32 pid, guint32 tid)
{
	const gboolean is_instant = phase[0] == 'i';

	begin_entry(chrome);
	add_text(chrome, "{");
	add_text(chrome, is_instant ? type->instant : type->slice);
	add_start(chrome, phase, event->time_ns, pid, tid);
	add_text(chrome, is_instant ? ",\"s\":\"t\",\"args\":" : ",\"args\":");
	if (!type->is_object)
		add_text(chrome, "{\"value\":");
	ltt_template_fill(type->args, &chrome->sink, event->payload, event->byte_order);
	add_text(chrome, type->is_object ? "}" : "}}");
}

/* Writes the end of a slice that has no end event. */
static void add_bare_end(Chrome *chrome, const LttEvent *event, guint32 pid, guint32 tid)
{
	begin_entry(chrome);
	add_text(chrome, "{\"name\":\"\"");
	add_start(chrome, "E", event->time_ns, pid, tid);
	add_text(chrome, "}");
}

static void note_thread(Chrome *chrome, const LttEvent *event)
{
	const ChromeThread thread = {event->pid, event->tid, event->tracefile};

	if (g_hash_table_contains(chrome->threads, &thread))
		return;
	g_hash_table_add(chrome->threads, g_memdup2(&thread, sizeof(thread)));
	if (!g_hash_table_contains(chrome->names, GUINT_TO_POINTER(thread.pid)))
		g_hash_table_insert(chrome->names, GUINT_TO_POINTER(thread.pid), NULL);
}

/* Gets the process and the thread to which an event is assigned. Writes the name of a tracefile at
 * its first event. The names of threads are written at the end, when all of them are known. */
static void place(Chrome *chrome, const LttEvent *event, guint32 *pid, guint32 *tid)
{
	if (event->has_thread) {
		*pid = event->pid;
		*tid = event->tid;
		note_thread(chrome, event);
		return;
	}
	*pid = TRACE_PID;
	*tid = TRACE_PID + 1 + ltt_tracefile_get_index(event->tracefile);
	if (g_hash_table_size(chrome->tracefiles) == 0)
		add_naming(chrome, "process_name", *pid, *tid, "trace");
	if (g_hash_table_add(chrome->tracefiles, (gpointer)event->tracefile))
		add_naming(chrome, "thread_name", *pid, *tid,
			   ltt_tracefile_get_label(event->tracefile));
}

static gboolean take_event(const LttEvent *event, gpointer user_data, GError **error)
{
	Chrome *chrome = user_data;
	const ChromeType *type = find_type(chrome, event);
	const char *phase = "i";
	guint64 thread;
	guint32 pid;
	guint32 tid;

	place(chrome, event, &pid, &tid);
	thread = (guint64)pid << 32 | tid;
	if (type->role == LTT_SLICE_BEGIN &&
	    ltt_slices_begin(chrome->slices, thread, type->begin)) {
		phase = "B";
	} else if (type->role == LTT_SLICE_END) {
		guint n_ended = ltt_slices_end(chrome->slices, thread, type->begin);

		phase = n_ended > 0 ? "E" : "i";
		for (; n_ended > 1; n_ended--)
			add_bare_end(chrome, event, pid, tid);
	}
	add_entry(chrome, type, event, phase, pid, tid);
	return ltt_sink_check(&chrome->sink, error);
}

/* ---- the file ---- */

static void begin_file(Chrome *chrome, const LttTrace *trace)
{
	const char *host = ltt_system_get(ltt_trace_get_system(trace), "node_name");
	char start[LTT_TIME_TEXT_BYTES];

	ltt_time_format(chrome->start_ns, start);
	add_text(chrome, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"start\":\"");
	add_text(chrome, start);
	add_text(chrome, "\",\"node_name\":");
	add_string(chrome, host != NULL ? host : "");
	add_text(chrome, "},\"traceEvents\":[");
}

/* Writes the names of threads whose name differs from the name of the process. If a thread or
 * process had several names, the last one is used. */
static void name_threads(Chrome *chrome, LttTrace *trace)
{
	const LttThreadNames *names = ltt_trace_get_thread_names(trace);
	const ChromeThread *thread;
	GHashTableIter iter;
	gpointer key;

	g_hash_table_iter_init(&iter, chrome->threads);
	while (g_hash_table_iter_next(&iter, &key, NULL)) {
		LttEvent event = {.has_thread = TRUE, .time_ns = G_MAXUINT64};
		LttNameSpan span;

		thread = key;
		event.pid = thread->pid;
		event.tid = thread->tid;
		event.tracefile = thread->tracefile;
		ltt_thread_names_find(names, &event, &span);
		if (span.name != NULL &&
		    g_strcmp0(span.name, g_hash_table_lookup(chrome->names,
							     GUINT_TO_POINTER(thread->pid))) != 0)
			add_naming(chrome, "thread_name", thread->pid, thread->tid, span.name);
	}
}

static void end_file(Chrome *chrome, LttTrace *trace)
{
	GHashTableIter iter;
	gpointer pid;
	gpointer name;

	ltt_stat_find_names(trace, chrome->names);
	g_hash_table_iter_init(&iter, chrome->names);
	while (g_hash_table_iter_next(&iter, &pid, &name)) {
		if (name != NULL)
			add_naming(chrome, "process_name", GPOINTER_TO_UINT(pid),
				   GPOINTER_TO_UINT(pid), name);
	}
	name_threads(chrome, trace);
	add_text(chrome, "\n]}\n");
	ltt_sink_hand_on(&chrome->sink);
}

/* Returns: the earliest time of any event. This includes the control files, which can begin before
 * the time span of the trace, because viewers reject negative times. */
static guint64 find_start(LttTrace *trace)
{
	guint64 start_ns = G_MAXUINT64;

	for (guint i = 0; i < ltt_trace_get_n_tracefiles(trace); i++) {
		const LttTracefileSummary *summary =
			ltt_tracefile_get_summary(ltt_trace_get_tracefile(trace, i));

		if (summary->has_events)
			start_ns = MIN(start_ns, summary->first_ns);
	}
	return start_ns != G_MAXUINT64 ? start_ns : 0;
}

static gboolean run(const LttExportRequest *request, GError **error)
{
	Chrome chrome = {.before = "\n", .start_ns = find_start(request->trace)};
	gboolean ok;

	chrome.types = g_hash_table_new_full(NULL, NULL, NULL, free_type);
	chrome.names = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	chrome.threads = g_hash_table_new_full(hash_thread, equal_threads, g_free, NULL);
	chrome.tracefiles = g_hash_table_new(NULL, NULL);
	chrome.slices = ltt_slices_new();
	ltt_sink_init(&chrome.sink, request->write, request->write_data);
	begin_file(&chrome, request->trace);
	ok = ltt_export_visit_selected(request, take_event, &chrome, error);
	if (ok) {
		end_file(&chrome, request->trace);
		ok = ltt_sink_check(&chrome.sink, error);
	}
	ltt_sink_clear(&chrome.sink);
	ltt_slices_free(chrome.slices);
	g_hash_table_unref(chrome.tracefiles);
	g_hash_table_unref(chrome.names);
	g_hash_table_unref(chrome.threads);
	g_hash_table_unref(chrome.types);
	return ok;
}

const LttExporter ltt_export_chrome = {
	.kind = {.name = "chrome",
		 .summary = "Trace Event JSON, for ui.perfetto.dev, chrome://tracing, speedscope"},
	.run = run,
};
