/* select-check.c - find names in a selection that no event of the trace has. */
#include "filter/doubt-priv.h"
#include "filter/glob-priv.h"
#include "filter/select-priv.h"
#include "reader/trace-priv.h"

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

	ltt_filter_check_types(filter, types, FALSE, ltt_trace_has_threads(trace), doubts);
	return doubts;
}

GPtrArray *ltt_select_check_filter(const LttSelect *select, const LttTrace *trace)
{
	GPtrArray *doubts = ltt_doubts_new();
	g_autoptr(GPtrArray) types = list_types(select, trace);

	/* If no event is selected, the names of events are in doubt, not those of fields. */
	if (ltt_select_get_filter(select) != NULL && types->len > 0)
		ltt_filter_check_types(ltt_select_get_filter(select), types,
				       ltt_select_is_named(select), ltt_trace_has_threads(trace),
				       doubts);
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
