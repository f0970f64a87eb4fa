/* folders.c - list the folders of a trace and find new files (doc/format.md, 1). */
#include "base/error-priv.h"
#include "reader/trace-priv.h"

/* Maximum number of tracefiles kept open. With more, each read opens its file. */
#define MAX_OPEN_FILES 256

gboolean ltt_trace_meets(LttTrace *trace, const char *folder, const char *name)
{
	return g_hash_table_add(trace->seen, g_build_filename(folder, name, NULL));
}

GPtrArray *ltt_trace_list_folder(LttTrace *trace, const char *folder)
{
	g_autoptr(GError) error = NULL;
	GPtrArray *names = ltt_store_list(trace->store, folder, &error);

	if (error != NULL && ltt_trace_meets(trace, folder, ""))
		ltt_trace_add_problem_printf(trace, folder, "%s", error->message);
	return names;
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

		/* The end of a recording removes files that were allocated but not used. */
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

/* Returns: the numbers of the new cpu files */
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

gboolean ltt_trace_has_cpus(const LttTrace *trace)
{
	for (guint i = 0; i < trace->tracefiles->len; i++) {
		const LttTracefile *tracefile = trace->tracefiles->pdata[i];

		if (tracefile->cpu >= 0 && tracefile->n_blocks > 0)
			return TRUE;
	}
	return FALSE;
}
