/* trace.c - open a trace, whose files are in a store (doc/format.md, 1). */
#include "base/error-priv.h"
#include "reader/live-priv.h"
#include "reader/trace-priv.h"

#include <ltt/ltt-eventdefs.h>

/* With more tracefiles than this, files are opened for each read rather than kept open. */
#define MAX_OPEN_FILES 256

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

	if (!g_str_equal(minor, "0") && !ltt_system_is_dialect_22(trace->system))
		ltt_trace_add_problem_printf(
			trace, "info/system.xml",
			"ltt_minor_version=\"%s\" is not known: it is read as 0", minor);
}

/* ---- tracefiles ---- */

static gboolean is_listed(const LttTrace *trace, const char *folder, const char *name)
{
	g_autoptr(GPtrArray) names = ltt_store_list(trace->store, folder, NULL);

	return g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL);
}

static void add_tracefile(LttTrace *trace, const char *folder, const char *name, gint cpu,
			  gboolean keep_open)
{
	g_autofree char *file = g_build_filename(folder, name, NULL);
	g_autoptr(GError) error = NULL;
	LttTracefile *tracefile = ltt_tracefile_new(trace, file, cpu, keep_open, &error);
	guint64 partial_bytes;

	if (tracefile == NULL) {
		LttProblem problem;

		/* Files that were allocated and not used go when a recording ends. */
		if (trace->is_live && !is_listed(trace, folder, name))
			return;
		ltt_problem_from_error(error, &problem);
		ltt_trace_add_problem(trace, file, LTT_NOWHERE, LTT_NOWHERE, problem.message);
		return;
	}
	partial_bytes = tracefile->size_bytes % tracefile->block_bytes;
	if (partial_bytes > 0) {
		g_autofree char *message = g_strdup_printf("the file ends with %" G_GUINT64_FORMAT
							   " bytes of a block of %" G_GUINT64_FORMAT
							   ": they are left out",
							   partial_bytes, tracefile->block_bytes);

		ltt_trace_add_problem(trace, file, (gint64)tracefile->n_blocks, 0, message);
	}
	tracefile->index = trace->tracefiles->len;
	g_ptr_array_add(trace->tracefiles, tracefile);
}

/* "0", "17": digits without leading zeros, below the ceiling. */
static gboolean cpu_number(const char *name, gint *cpu)
{
	guint64 number;

	if ((name[0] == '0' && name[1] != '\0') ||
	    !g_ascii_string_to_unsigned(name, 10, 0, LTT_MAX_CPUS - 1, &number, NULL))
		return FALSE;
	*cpu = (gint)number;
	return TRUE;
}

static gint compare_cpus(gconstpointer a, gconstpointer b)
{
	return *(const gint *)a - *(const gint *)b;
}

/* The numbers of the cpu files that are new. */
static GArray *list_cpus(LttTrace *trace)
{
	g_autoptr(GPtrArray) names = ltt_trace_list_folder(trace, "cpu");
	GArray *cpus = g_array_new(FALSE, FALSE, sizeof(gint));
	const guint n_cpus = ltt_system_get_n_cpus(trace->system);
	gint cpu;

	for (guint i = 0; i < names->len; i++) {
		g_autofree char *file = g_build_filename("cpu", names->pdata[i], NULL);

		if (!ltt_trace_meets(trace, "cpu", names->pdata[i]))
			continue;
		if (!cpu_number(names->pdata[i], &cpu)) {
			ltt_trace_add_problem_printf(trace, file,
						     "its name is no CPU number: it is left out");
			continue;
		}
		if ((guint)cpu >= n_cpus)
			ltt_trace_add_problem_printf(
				trace, file,
				"its number is not below cpu=\"%u\" of info/system.xml", n_cpus);
		g_array_append_val(cpus, cpu);
	}
	g_array_sort(cpus, compare_cpus);
	return cpus;
}

void ltt_trace_find_tracefiles(LttTrace *trace)
{
	g_autoptr(GPtrArray) controls = ltt_trace_list_folder(trace, "control");
	g_autoptr(GArray) cpus = list_cpus(trace);
	const gboolean keep_open =
		trace->tracefiles->len + controls->len + cpus->len <= MAX_OPEN_FILES;

	for (guint i = 0; i < controls->len; i++) {
		if (ltt_trace_meets(trace, "control", controls->pdata[i]))
			add_tracefile(trace, "control", controls->pdata[i], -1, keep_open);
	}
	for (guint i = 0; i < cpus->len; i++) {
		const gint cpu = g_array_index(cpus, gint, i);
		g_autofree char *name = g_strdup_printf("%d", cpu);

		add_tracefile(trace, "cpu", name, cpu, keep_open);
	}
}

/* ---- the trace ---- */

gboolean ltt_trace_has_cpus(const LttTrace *trace)
{
	for (guint i = 0; i < trace->tracefiles->len; i++) {
		const LttTracefile *tracefile = trace->tracefiles->pdata[i];

		if (tracefile->cpu >= 0 && tracefile->n_blocks > 0)
			return TRUE;
	}
	return FALSE;
}

void ltt_trace_hide_machine(LttTrace *trace)
{
	if (trace->is_live || ltt_trace_has_cpus(trace->joined != NULL ? trace->joined : trace))
		ltt_slots_hide_machine(trace->slots);
}

/* Whether somebody may still be writing. */
static gboolean has_session(const LttStore *store)
{
	LttStoredFile file;

	if (!ltt_store_open(store, LTT_LIVE_FILE, &file, NULL))
		return FALSE;
	ltt_stored_file_close(&file);
	return TRUE;
}

LttTrace *ltt_trace_take_store(LttStore *store, GError **error)
{
	g_autoptr(LttTrace) trace = g_new0(LttTrace, 1);

	g_mutex_init(&trace->lock);
	g_mutex_init(&trace->names_lock);
	trace->store = store;
	trace->problems = g_ptr_array_new_with_free_func((GDestroyNotify)ltt_problem_free);
	trace->described = g_ptr_array_new_with_free_func((GDestroyNotify)ltt_facility_unref);
	trace->seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	trace->tracefiles = g_ptr_array_new_with_free_func((GDestroyNotify)ltt_tracefile_free);
	trace->slots = ltt_slots_new();
	trace->is_live = has_session(store);
	trace->system = read_system(store, error);
	if (trace->system == NULL)
		return NULL;
	check_version(trace);
	ltt_trace_find_descriptions(trace);
	ltt_trace_find_tracefiles(trace);
	ltt_trace_read_loads(trace);
	return g_steal_pointer(&trace);
}

LttTrace *ltt_trace_open_with_progress(const char *path, LttProgressFunc on_progress,
				       gpointer progress_data, GError **error)
{
	LttStore *store = ltt_store_open_any(path, on_progress, progress_data, error);

	return store != NULL ? ltt_trace_take_store(store, error) : NULL;
}

LttTrace *ltt_trace_open(const char *path, GError **error)
{
	return ltt_trace_open_with_progress(path, NULL, NULL, error);
}

void ltt_trace_free(LttTrace *trace)
{
	if (trace == NULL)
		return;
	g_ptr_array_unref(trace->tracefiles);
	g_clear_pointer(&trace->members, g_ptr_array_unref);
	ltt_slots_free(trace->slots);
	g_ptr_array_unref(trace->described);
	g_hash_table_unref(trace->seen);
	g_ptr_array_unref(trace->problems);
	g_clear_pointer(&trace->bookmarks, g_ptr_array_unref);
	ltt_system_free(trace->system);
	g_mutex_clear(&trace->lock);
	g_mutex_clear(&trace->names_lock);
	ltt_thread_names_free(trace->names);
	ltt_store_free(trace->store);
	g_free(trace);
}

const char *ltt_trace_get_path(const LttTrace *trace)
{
	return ltt_store_get_path(trace->store);
}

GPtrArray *ltt_trace_list_files(const LttTrace *trace, const char *folder)
{
	return ltt_store_list(trace->store, folder, NULL);
}

GString *ltt_trace_read_file(const LttTrace *trace, const char *name, gsize max_bytes,
			     GError **error)
{
	GString *text = ltt_store_read(trace->store, name, max_bytes, error);

	if (text == NULL) {
		g_autofree char *place = ltt_store_dup_place(trace->store, name);

		g_prefix_error(error, "%s: ", place);
	}
	return text;
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
