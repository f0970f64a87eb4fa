/* export-visit.c - iterate over the events of a trace for exporters. */
#include "formats/export-priv.h"

#include "base/job-priv.h"
#include "filter/select-priv.h"
#include "table/table-priv.h"

#include <ltt/ltt-cursor.h>
#include <ltt/ltt-merge.h>

/* Events between two calls of on_progress. */
#define PROGRESS_EVENTS 16384

gboolean ltt_export_take_damage(const LttExportRequest *request, GError *error, GError **out)
{
	return ltt_job_pass_damage(&request->callbacks, error, out);
}

void ltt_export_tell(const LttExportRequest *request, const LttTracefile *tracefile, gint64 block,
		     const char *message)
{
	const LttProblem problem = {.tracefile = ltt_tracefile_get_name(tracefile),
				    .block = block,
				    .byte = LTT_NOWHERE,
				    .message = message};

	ltt_job_report(&request->callbacks, &problem);
}

static gboolean visit_events(const LttExportRequest *request, LttSelect *select,
			     LttExportVisit visit, gpointer user_data, GError **error)
{
	g_autoptr(LttMerge) merge = ltt_merge_new(request->trace, select);
	const LttEvent *event;
	guint64 n_events = 0;
	LttStep step;

	ltt_merge_read_ahead(merge);
	do {
		g_autoptr(GError) damage = NULL;

		while ((step = ltt_merge_next(merge, &event, &damage)) == LTT_STEP_EVENT) {
			if (!visit(event, user_data, error))
				return FALSE;
			if (n_events++ % PROGRESS_EVENTS == 0 &&
			    !ltt_job_progress(&request->callbacks, LTT_PROGRESS_EVENTS, n_events, 0,
					      error))
				return FALSE;
		}
		if (step == LTT_STEP_ERROR && !ltt_export_take_damage(request, damage, error))
			return FALSE;
		ltt_merge_skip_block(merge);
	} while (step != LTT_STEP_END);
	return TRUE;
}

gboolean ltt_export_visit_selected(const LttExportRequest *request, LttExportVisit visit,
				   gpointer user_data, GError **error)
{
	return visit_events(request, request->select, visit, user_data, error);
}

/* ---- file by file ---- */

static gboolean visit_file(const LttExportRequest *request, LttTracefile *tracefile,
			   guint64 *n_events, LttExportVisit visit, gpointer user_data,
			   GError **error)
{
	g_autoptr(LttCursor) cursor = ltt_cursor_new(tracefile);
	const LttEvent *event;
	LttStep step;

	do {
		g_autoptr(GError) damage = NULL;

		while ((step = ltt_cursor_next(cursor, &event, &damage)) == LTT_STEP_EVENT) {
			if (!visit(event, user_data, error))
				return FALSE;
			if (++*n_events % PROGRESS_EVENTS == 0 &&
			    !ltt_job_progress(&request->callbacks, LTT_PROGRESS_EVENTS, *n_events,
					      0, error))
				return FALSE;
		}
		if (step == LTT_STEP_ERROR && !ltt_export_take_damage(request, damage, error))
			return FALSE;
		ltt_cursor_skip_block(cursor);
	} while (step != LTT_STEP_END);
	return TRUE;
}

gboolean ltt_export_visit_unordered(const LttExportRequest *request, LttExportVisit visit,
				    gpointer user_data, GError **error)
{
	guint64 n_events = 0;

	if (!ltt_select_wants_all(request->select))
		return visit_events(request, request->select, visit, user_data, error);
	for (guint i = 0; i < ltt_trace_get_n_tracefiles(request->trace); i++)
		if (!visit_file(request, ltt_trace_get_tracefile(request->trace, i), &n_events,
				visit, user_data, error))
			return FALSE;
	return TRUE;
}

/* ---- events of one facility ---- */

typedef struct OfFacility {
	const char *name;
	LttExportVisit visit;
	gpointer user_data;
} OfFacility;

static gboolean visit_its(const LttEvent *event, gpointer user_data, GError **error)
{
	const OfFacility *wanted = user_data;

	return !g_str_equal(ltt_facility_get_name(event->type->facility), wanted->name) ||
	       wanted->visit(event, wanted->user_data, error);
}

gboolean ltt_export_wants_table(const LttExportRequest *request, const LttTable *table)
{
	for (guint i = 0; i < table->versions->len; i++) {
		if (ltt_select_wants_type(request->select,
					  g_array_index(table->versions, LttTableVersion, i).type,
					  table->role))
			return TRUE;
	}
	return FALSE;
}

gboolean ltt_export_visit(const LttExportRequest *request, const char *facility,
			  LttExportVisit visit, gpointer user_data, GError **error)
{
	OfFacility wanted = {facility, visit, user_data};

	return visit_events(request, request->select, visit_its, &wanted, error);
}

gboolean ltt_export_visit_all(const LttExportRequest *request, const char *facility,
			      LttExportVisit visit, gpointer user_data, GError **error)
{
	OfFacility wanted = {facility, visit, user_data};
	LttExportRequest silent = *request;
	guint64 n_events = 0;

	silent.callbacks.on_problem = NULL;
	for (guint i = 0; i < ltt_trace_get_n_tracefiles(request->trace); i++) {
		LttTracefile *tracefile = ltt_trace_get_tracefile(request->trace, i);

		if (ltt_tracefile_get_cpu(tracefile) < 0 &&
		    !visit_file(&silent, tracefile, &n_events, visit_its, &wanted, error))
			return FALSE;
	}
	return TRUE;
}
