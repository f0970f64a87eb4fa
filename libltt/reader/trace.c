/* trace.c - open a trace from its store (doc/format.md, 1). */
#include "base/error-priv.h"
#include "reader/hosts-priv.h"
#include "reader/live-priv.h"
#include "reader/trace-priv.h"

#include <ltt/ltt-eventdefs.h>
#include <ltt/ltt-hash.h>

/* ---- info/system.xml ---- */

static LttSystem *read_system(const LttStore *store, GError **error)
{
	static const char name[] = "info/system.xml";
	g_autoptr(GString) text = ltt_store_read(store, name, LTT_MAX_XML_BYTES, error);
	LttSystem *system = text != NULL ? ltt_system_parse(text->str, text->len, error) : NULL;

	if (system == NULL) {
		g_autofree char *place = ltt_store_dup_place(store, name);

		g_prefix_error(error, "%s: ", place);
	}
	return system;
}

static void check_version(LttTrace *trace)
{
	const char *minor = ltt_system_get(trace->system, "ltt_minor_version");

	if (g_ascii_strtoull(minor, NULL, 10) != 0 && !ltt_system_is_dialect_22(trace->system))
		ltt_trace_add_problem_printf(
			trace, "info/system.xml",
			"ltt_minor_version=\"%s\" is not known: it is read as 0", minor);
}

/* ---- trace ---- */

static gboolean has_file(const LttStore *store, const char *name)
{
	LttStoredFile file;

	if (!ltt_store_open(store, name, &file, NULL))
		return FALSE;
	ltt_stored_file_close(&file);
	return TRUE;
}

/* Returns: whether programs may still write to the trace. The state of a recording is renamed when
 * the trace is complete enough for programs to join. */
static gboolean has_session(const LttStore *store)
{
	return has_file(store, LTT_LIVE_NEW_FILE) || has_file(store, LTT_LIVE_FILE);
}

LttTrace *ltt_trace_take_store(LttStore *store, GError **error)
{
	g_autoptr(LttTrace) trace = g_new0(LttTrace, 1);

	g_mutex_init(&trace->lock);
	g_mutex_init(&trace->names_lock);
	g_mutex_init(&trace->described_lock);
	trace->store = store;
	trace->problems = g_ptr_array_new_with_free_func((GDestroyNotify)ltt_problem_free);
	trace->described = g_ptr_array_new_with_free_func((GDestroyNotify)ltt_facility_unref);
	trace->described_names = ltt_trace_new_described_names();
	trace->seen = g_hash_table_new_full(ltt_hash_text, g_str_equal, g_free, NULL);
	trace->tracefiles = g_ptr_array_new_with_free_func((GDestroyNotify)ltt_tracefile_free);
	trace->slots = ltt_slots_new();
	trace->system = read_system(store, error);
	if (trace->system == NULL)
		return NULL;
	/* A recording creates its state before info/system.xml, and removes it at its end, when
	 * the files that are opened below are complete. */
	trace->is_live = has_session(store);
	trace->new_loads = trace->is_live ? ltt_new_loads_new() : NULL;
	check_version(trace);
	ltt_trace_find_descriptions(trace);
	ltt_trace_find_tracefiles(trace);
	ltt_hosts_read(trace);
	ltt_trace_read_loads(trace);
	return g_steal_pointer(&trace);
}

LttTrace *ltt_trace_open_job(const LttTraceRequest *request, GError **error)
{
	LttStore *store = ltt_store_open_any(request->path, &request->callbacks, error);

	return store != NULL ? ltt_trace_take_store(store, error) : NULL;
}

LttTrace *ltt_trace_open(const char *path, GError **error)
{
	const LttTraceRequest request = {.path = path};

	return ltt_trace_open_job(&request, error);
}

void ltt_trace_free(LttTrace *trace)
{
	if (trace == NULL)
		return;
	ltt_thread_names_free(trace->names);
	g_ptr_array_unref(trace->tracefiles);
	g_clear_pointer(&trace->members, g_ptr_array_unref);
	g_clear_pointer(&trace->hosts, g_ptr_array_unref);
	g_clear_pointer(&trace->recordings, g_array_unref);
	ltt_new_loads_free(trace->new_loads);
	ltt_slots_free(trace->slots);
	g_clear_pointer(&trace->described_names, g_tree_unref);
	g_ptr_array_unref(trace->described);
	g_hash_table_unref(trace->seen);
	g_ptr_array_unref(trace->problems);
	g_clear_pointer(&trace->bookmarks, g_ptr_array_unref);
	ltt_system_free(trace->system);
	g_mutex_clear(&trace->lock);
	g_mutex_clear(&trace->names_lock);
	g_mutex_clear(&trace->described_lock);
	ltt_store_free(trace->store);
	ltt_clock_map_free(trace->clock_map);
	g_free(trace);
}

const char *ltt_trace_get_path(const LttTrace *trace)
{
	return ltt_store_get_path(trace->store);
}

const LttSystem *ltt_trace_get_system(const LttTrace *trace)
{
	return trace->system;
}

guint ltt_trace_get_n_loads(const LttTrace *trace)
{
	return trace->slots->loads->len;
}

const LttLoad *ltt_trace_get_load(const LttTrace *trace, guint index)
{
	return trace->slots->loads->pdata[index];
}

guint ltt_trace_get_n_tracefiles(const LttTrace *trace)
{
	return trace->tracefiles->len;
}

LttTracefile *ltt_trace_get_tracefile(const LttTrace *trace, guint index)
{
	return trace->tracefiles->pdata[index];
}

gboolean ltt_trace_has_threads(const LttTrace *trace)
{
	return trace->slots->has_threads;
}
