/* pack-redacted.c - pack a redacted copy of a trace; see ltt-redact.h. */
#include "base/directory-priv.h"
#include "base/error-priv.h"
#include "base/job-priv.h"
#include "edit/pack-priv.h"
#include "reader/trace-priv.h"

#include <ltt/ltt-redact.h>

#include <errno.h>

/* ---- callbacks until the archive is written ---- */

static void report(const LttProblem *problem, gpointer request)
{
	ltt_job_report(&((const LttPackRequest *)request)->callbacks, problem);
}

static gboolean look(const LttProgress *progress, gpointer request)
{
	(void)progress;
	return ltt_job_progress(&((const LttPackRequest *)request)->callbacks, LTT_PROGRESS_BYTES,
				0, 0, NULL);
}

static LttJobCallbacks get_callbacks(const LttPackRequest *request)
{
	return (LttJobCallbacks){report, look, (gpointer)request};
}

/* ---- the copy ---- */

/* Problems of the trace as a whole, such as descriptions with mistakes. */
static void report_problems(LttTrace *trace, const LttJobCallbacks *callbacks)
{
	for (guint i = 0; i < ltt_trace_get_n_problems(trace); i++)
		ltt_job_report(callbacks, ltt_trace_get_problem(trace, i));
}

/* The copy would have the events of the file that a link leads to. */
static gboolean check_links(const LttTrace *trace, GError **error)
{
	for (guint i = 0; i < trace->tracefiles->len; i++) {
		const LttTracefile *tracefile = trace->tracefiles->pdata[i];

		if (ltt_store_look(trace->store, tracefile->stored_name) == LTT_STORED_LINK_OUT)
			return ltt_pack_refuse_link(trace->store, tracefile->stored_name, error);
	}
	return TRUE;
}

static gboolean write_copy(const LttPackRequest *request, const LttRedaction *redaction,
			   LttTrace *trace, const char *path, LttRedactSummary *summary,
			   GError **error)
{
	const LttRedactRequest copy = {
		.trace = trace,
		.path = path,
		.redaction = redaction,
		.callbacks = get_callbacks(request),
	};

	return ltt_redact(&copy, summary, error);
}

static gboolean pack(const LttPackRequest *request, const LttRedaction *redaction, LttTrace *trace,
		     const char *folder, LttRedactSummary *summary, GError **error)
{
	g_autofree char *name = ltt_pack_find_root(trace->store, error);
	g_autofree char *path = g_build_filename(folder, name, NULL);
	LttRedactSummary found;
	LttPackRequest copied = *request;

	if (name == NULL || !check_links(trace, error) ||
	    !write_copy(request, redaction, trace, path, &found, error))
		return FALSE;
	copied.trace = path;
	if (!ltt_pack(&copied, NULL, error)) {
		ltt_redact_summary_clear(&found);
		return FALSE;
	}
	if (summary != NULL)
		*summary = found;
	else
		ltt_redact_summary_clear(&found);
	return TRUE;
}

gboolean ltt_pack_redacted(const LttPackRequest *request, const LttRedaction *redaction,
			   LttRedactSummary *summary, GError **error)
{
	const LttTraceRequest opening = {.path = request->trace,
					 .callbacks = get_callbacks(request)};
	g_autoptr(LttTrace) trace = NULL;
	g_autofree char *folder = NULL;
	gboolean ok;

	if (!ltt_pack_check(request, error))
		return FALSE;
	trace = ltt_trace_open_job(&opening, error);
	if (trace == NULL)
		return FALSE;
	report_problems(trace, &request->callbacks);
	folder = g_dir_make_tmp("ltt-redacted-XXXXXX", NULL);
	if (folder == NULL)
		return ltt_fail_io(error, g_get_tmp_dir(), "make a directory", errno);
	ok = pack(request, redaction, trace, folder, summary, error);
	ltt_directory_remove(folder);
	return ok;
}
