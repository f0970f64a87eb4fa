/* cut.c - cut a trace, tracefile by tracefile. */
#include "edit/edit-priv.h"
#include "edit/merged-priv.h"

#include <string.h>

/* Returns: whether to write a tracefile. Files of unselected CPUs are left out, but not control
 *   files, which describe the trace itself, and not files with events that others may refer to */
static gboolean wants_file(const LttEdit *edit, const LttTracefile *tracefile)
{
	return tracefile->cpu < 0 || edit->has_named || edit->request->select == NULL ||
	       ltt_select_wants_tracefile(edit->request->select, tracefile);
}

/* Every trace has a control/facilities, even without loads. */
static gboolean make_facilities(LttEdit *edit, GError **error)
{
	g_autoptr(LttRewriter) out = ltt_edit_open(edit, "control/facilities", error);

	if (out != NULL && edit->needs_tracer)
		ltt_edit_load_tracer(edit, out);
	return out != NULL && ltt_rewriter_close(out, error);
}

/* control/facilities is written last, because its loads depend on the other files. */
static gboolean write_tracefiles(LttEdit *edit, GError **error)
{
	const GPtrArray *tracefiles = edit->trace->tracefiles;
	LttTracefile *facilities = NULL;

	for (guint i = 0; i < tracefiles->len; i++) {
		LttTracefile *tracefile = tracefiles->pdata[i];

		if (g_str_equal(tracefile->name, "control/facilities"))
			facilities = tracefile;
		else if (wants_file(edit, tracefile) && !ltt_edit_tracefile(edit, tracefile, error))
			return FALSE;
	}
	return facilities != NULL ? ltt_edit_tracefile(edit, facilities, error)
				  : make_facilities(edit, error);
}

gboolean ltt_edit_run(LttEdit *edit, GError **error)
{
	for (guint i = 0; i < edit->trace->tracefiles->len; i++)
		edit->n_total += ((LttTracefile *)edit->trace->tracefiles->pdata[i])->n_blocks;
	return ltt_edit_begin(edit, error) && write_tracefiles(edit, error) &&
	       ltt_edit_describe(edit, error) && ltt_edit_bookmarks(edit, error);
}

gboolean ltt_edit_cut(const LttCutRequest *request, LttTrace *trace, const LttNeededBlocks *blocks,
		      LttCutSummary *summary, GError **error)
{
	LttEdit edit = {
		.trace = trace, .request = request, .to_ns = G_MAXUINT64, .needed_blocks = blocks};
	gboolean done;

	if (request->select != NULL) {
		edit.has_window =
			ltt_select_get_window(request->select, &edit.from_ns, &edit.to_ns);
		edit.asks_events = ltt_select_asks_events(request->select);
	}
	ltt_edit_find_needed(&edit, request->select != NULL && !request->drops_needed);
	done = ltt_edit_run(&edit, error) && ltt_edit_settle(&edit, error);
	if (done && summary != NULL)
		*summary = edit.summary;
	ltt_edit_clear(&edit);
	return done;
}

gboolean ltt_cut(const LttCutRequest *request, LttCutSummary *summary, GError **error)
{
	LttMerged merged;
	gboolean done;

	if (!ltt_merged_begin(&merged, request->trace, request->path, &request->callbacks, error))
		return FALSE;
	done = ltt_edit_cut(request, merged.trace, NULL, summary, error);
	ltt_merged_end(&merged);
	return done;
}
