/* redact.c - see ltt-redact.h. A cut of everything, of which no block is copied. */
#include "edit/edit-priv.h"
#include "edit/redactor-priv.h"

#include <ltt/ltt-bookmarks.h>

static gboolean write_report(LttEdit *edit, LttSystem *system, const LttRedactSummary *summary,
			     GError **error)
{
	g_autofree char *lines = ltt_redact_summary_print(summary);
	g_autofree char *text = g_strconcat("\nRedacted by libltt:\n", lines, NULL);

	ltt_system_set_text(system, text);
	return ltt_edit_write_system(edit, error);
}

static gboolean run(LttEdit *edit, LttSystem *system, LttRedactSummary *summary, GError **error)
{
	if (!ltt_edit_run(edit, error))
		return FALSE;
	ltt_redactor_count(edit->redactor, "bookmarks", ltt_trace_read_bookmarks(edit->trace)->len);
	*summary = (LttRedactSummary){.counts = ltt_redactor_take_counts(edit->redactor),
				      .n_unwritable = edit->summary.n_unwritable};
	if (write_report(edit, system, summary, error) && ltt_edit_settle(edit, error))
		return TRUE;
	ltt_redact_summary_clear(summary);
	return FALSE;
}

gboolean ltt_redact(const LttRedactRequest *request, LttRedactSummary *summary, GError **error)
{
	const LttCutRequest all = {
		.trace = request->trace, .path = request->path, .callbacks = request->callbacks};
	LttRedactor *redactor = ltt_redactor_new(request->redaction, request->trace, error);
	g_autoptr(LttSystem) system = NULL;
	LttRedactSummary found;
	LttEdit edit;
	gboolean ok;

	if (redactor == NULL)
		return FALSE;
	system = ltt_redactor_filter_system(redactor, request->trace->system);
	edit = (LttEdit){.trace = request->trace,
			 .request = &all,
			 .to_ns = G_MAXUINT64,
			 .system = system,
			 .redactor = redactor};
	ok = run(&edit, system, &found, error);
	ltt_edit_clear(&edit);
	ltt_redactor_free(redactor);
	if (ok && summary != NULL)
		*summary = found;
	else if (ok)
		ltt_redact_summary_clear(&found);
	return ok;
}

/* ---- the summary ---- */

void ltt_redact_summary_clear(LttRedactSummary *summary)
{
	g_clear_pointer(&summary->counts, g_ptr_array_unref);
}

char *ltt_redact_summary_print(const LttRedactSummary *summary)
{
	static const char *const words[] = {
		[LTT_REDACT_HASHED] = "hashed",
		[LTT_REDACT_EMPTIED] = "emptied",
		[LTT_REDACT_LEFT_OUT] = "left out",
		[LTT_REDACT_KEPT] = "kept, which contain names of processes",
	};
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < summary->counts->len; i++) {
		const LttRedactCount *count = summary->counts->pdata[i];

		g_string_append_printf(text, "%s: %" G_GUINT64_FORMAT " %s\n", count->what,
				       count->n, words[count->how]);
	}
	return g_string_free(text, FALSE);
}
