/* select-check.c - find names in a selection that no event of the trace has. */
#include "filter/doubt-priv.h"
#include "filter/glob-priv.h"
#include "filter/select-priv.h"
#include "reader/trace-priv.h"

#include <ltt/ltt-join.h>
#include <ltt/ltt-nearest.h>

#include <string.h>

/* ---- types ---- */

/* Returns: (transfer container) (element-type LttEventType): the types loaded or described in
 *   @trace. @select: (nullable): NULL: all; else those whose names it selects */
static GPtrArray *list_types(const LttSelect *select, const LttTrace *trace)
{
	g_autoptr(GPtrArray) facilities = ltt_trace_list_facilities(trace);
	GPtrArray *types = g_ptr_array_new();

	for (guint i = 0; i < facilities->len; i++) {
		const LttFacility *facility = facilities->pdata[i];

		for (guint j = 0; j < ltt_facility_get_n_events(facility); j++) {
			const LttEventType *type = ltt_facility_get_event(facility, j);

			if (select == NULL ||
			    ltt_select_wants_type(select, type, LTT_ROLE_ORDINARY))
				g_ptr_array_add(types, (gpointer)type);
		}
	}
	return types;
}

GPtrArray *ltt_filter_check(const LttFilter *filter, const LttTrace *trace)
{
	GPtrArray *doubts = ltt_doubts_new();
	g_autoptr(GPtrArray) types = list_types(NULL, trace);

	ltt_filter_check_types(filter, types, FALSE, trace, doubts);
	return doubts;
}

GPtrArray *ltt_select_check_filter(const LttSelect *select, const LttTrace *trace)
{
	GPtrArray *doubts = ltt_doubts_new();
	g_autoptr(GPtrArray) types = list_types(select, trace);

	/* If no event is selected, the names of events are in doubt, not those of fields. */
	if (ltt_select_get_filter(select) != NULL && types->len > 0)
		ltt_filter_check_types(ltt_select_get_filter(select), types,
				       ltt_select_is_named(select), trace, doubts);
	return doubts;
}

/* ---- globs ---- */

static gboolean matches_any(const char *text, const GPtrArray *names)
{
	LttGlob *glob = ltt_glob_new(text, strlen(text));
	gboolean found = FALSE;

	for (guint i = 0; !found && names->pdata[i] != NULL; i++)
		found = ltt_glob_matches(glob, names->pdata[i], strlen(names->pdata[i]));
	ltt_glob_free(glob);
	return found;
}

/* @names: end with NULL */
static GPtrArray *check_globs(const char *const *globs, const GPtrArray *names, LttDoubtKind kind,
			      const char *message)
{
	GPtrArray *doubts = ltt_doubts_new();

	for (guint i = 0; globs[i] != NULL; i++)
		if (!matches_any(globs[i], names))
			ltt_doubts_add(doubts, kind, LTT_NOWHERE, globs[i],
				       ltt_nearest(globs[i], (const char *const *)names->pdata),
				       g_strdup_printf(message, globs[i]));
	return doubts;
}

GPtrArray *ltt_select_check_events(const LttSelect *select, const LttTrace *trace)
{
	g_autoptr(GPtrArray) types = list_types(NULL, trace);
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	g_auto(GStrv) globs = ltt_select_dup_globs(select);

	for (guint i = 0; i < types->len; i++)
		g_ptr_array_add(names, ((const LttEventType *)types->pdata[i])->full_name);
	g_ptr_array_add(names, NULL);
	return check_globs((const char *const *)globs, names, LTT_DOUBT_EVENT,
			   "%s: the trace has no such event");
}

GPtrArray *ltt_select_check_fields(const LttSelect *select, const LttTrace *trace,
				   const char *const *globs)
{
	g_autoptr(GPtrArray) types = list_types(select, trace);
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	for (guint i = 0; i < types->len; i++) {
		const LttEventType *event = types->pdata[i];
		const LttType *type = event->type != NULL ? ltt_type_resolve(event->type) : NULL;

		for (guint j = 0; type != NULL && ltt_type_get_kind(type) == LTT_STRUCT &&
				  j < ltt_type_get_n_fields(type);
		     j++)
			g_ptr_array_add(names, (gpointer)ltt_type_get_field(type, j)->name);
	}
	g_ptr_array_add(names, NULL);
	return check_globs(globs, names, LTT_DOUBT_FIELD,
			   ltt_select_is_named(select) ? "%s: no selected event has such a field"
						       : "%s: the trace has no such field");
}

/* ---- CPUs ---- */

static gint compare_cpus(gconstpointer left, gconstpointer right)
{
	return *(const gint *)left - *(const gint *)right;
}

/* Returns: (transfer full) (element-type gint): the numbers of the cpu files, in ascending order */
static GArray *list_cpus(const LttTrace *trace)
{
	GArray *cpus = g_array_new(FALSE, FALSE, sizeof(gint));

	for (guint i = 0; i < ltt_trace_get_n_tracefiles(trace); i++) {
		const gint cpu = ltt_tracefile_get_cpu(ltt_trace_get_tracefile(trace, i));

		if (cpu >= 0)
			g_array_append_val(cpus, cpu);
	}
	g_array_sort(cpus, compare_cpus);
	return cpus;
}

/* Returns: (transfer full): "0-2,5" */
static char *describe_cpus(const GArray *cpus)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < cpus->len;) {
		const gint first = g_array_index(cpus, gint, i);
		gint last = first;

		/* Several tracefiles can be of one CPU. */
		while (++i < cpus->len && g_array_index(cpus, gint, i) <= last + 1)
			last = g_array_index(cpus, gint, i);
		g_string_append_printf(text, "%s%d", text->len > 0 ? "," : "", first);
		if (last > first)
			g_string_append_printf(text, "-%d", last);
	}
	return g_string_free(text, FALSE);
}

/* Returns: the number of CPUs of the machine; an idle one has no tracefile. 0: several machines */
static guint count_cpus(const LttTrace *trace)
{
	const LttSystem *system = ltt_trace_get_system(trace);

	if (ltt_trace_get_n_members(trace) > 1)
		return 0;
	return ltt_system_get_n_cpus(system) - ltt_system_get_n_lanes(system) -
	       ltt_system_get_n_kernel_files(system);
}

static gboolean has_cpu(const GArray *cpus, guint n_cpus, const char *range)
{
	guint64 first;
	guint64 last;

	ltt_select_parse_cpus(range, &first, &last);
	if (first < n_cpus)
		return TRUE;
	for (guint i = 0; i < cpus->len; i++) {
		const guint64 cpu = (guint64)g_array_index(cpus, gint, i);

		if (cpu >= first && cpu <= last)
			return TRUE;
	}
	return FALSE;
}

GPtrArray *ltt_select_check_cpus(const LttSelect *select, const LttTrace *trace)
{
	GPtrArray *doubts = ltt_doubts_new();
	const char *list = ltt_select_get_cpu_list(select);
	g_auto(GStrv) ranges = g_strsplit(list != NULL ? list : "", ",", 0);
	g_autoptr(GArray) cpus = list_cpus(trace);
	g_autofree char *all = describe_cpus(cpus);

	for (guint i = 0; ranges[i] != NULL; i++)
		if (!has_cpu(cpus, count_cpus(trace), ranges[i]))
			ltt_doubts_add(doubts, LTT_DOUBT_CPU, LTT_NOWHERE, ranges[i], NULL,
				       g_strdup_printf("%s: the trace has no such CPU; it has %s",
						       ranges[i], cpus->len > 0 ? all : "none"));
	return doubts;
}
