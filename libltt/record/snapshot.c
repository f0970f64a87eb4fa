/* snapshot.c - copy a trace while it is being recorded. See ltt-snapshot.h; session/snapshot.c makes
 * the copy. */
#include "session/snapshot.h"
#include "base/error-priv.h"
#include "base/job-priv.h"
#include "record/guard-priv.h"
#include "record/recording-priv.h"
#include "session/directory.h"
#include "session/open.h"

#include <ltt/ltt-snapshot.h>

#include <errno.h>

typedef struct Job {
	const LttSnapshotRequest *request;
	guint64 n_done; /* highest so far: a second attempt begins from 0 */
	GError *error;  /* of a callback that cancels */
} Job;

static bool look(const struct lttp_copying *copying)
{
	Job *job = copying->data;

	job->n_done = MAX(job->n_done, copying->blocks);
	return ltt_job_progress(&job->request->callbacks, LTT_PROGRESS_BLOCKS, job->n_done,
				MAX(job->n_done, copying->total), &job->error);
}

static gboolean fail_to_copy(Job *job, int result, GError **error)
{
	const char *path = job->request->path;

	switch (result) {
	case -ECANCELED:
		g_propagate_error(error, job->error);
		return FALSE;
	case -EEXIST:
		return ltt_fail(error, LTT_ERROR_EXISTS,
				"%s: already exists; expected the name of a new directory", path);
	case -EBUSY:
		return ltt_fail(
			error, LTT_ERROR_IO,
			"%s: could not copy: another snapshot is being taken, or the "
			"disk has no space for the blocks that the programs overwrite meanwhile",
			path);
	case -ETIMEDOUT:
		return ltt_fail(
			error, LTT_ERROR_IO,
			"%s: could not copy: the recorder of the kernel's events does not answer",
			path);
	case -ESHUTDOWN:
		return ltt_fail(error, LTT_ERROR_INVALID,
				"%s: could not copy: the recording has ended", path);
	default:
		return ltt_fail_io(error, path, "copy the trace", -result);
	}
}

static gboolean copy(struct lttp_session *session, const LttSnapshotRequest *request,
		     LttSnapshotSummary *summary, GError **error)
{
	Job job = {.request = request};
	struct lttp_copying copying = {.on_block = look, .data = &job};
	const int result = lttp_snapshot(session, request->path, &copying);

	if (result != 0)
		return fail_to_copy(&job, result, error);
	if (summary != NULL)
		summary->n_blocks = copying.blocks;
	return TRUE;
}

static gboolean fail_to_open(const char *trace, int result, GError **error)
{
	const gboolean is_trace = g_file_test(trace, G_FILE_TEST_IS_DIR);

	switch (result) {
	case -ENOENT:
		if (is_trace)
			return ltt_fail(error, LTT_ERROR_INVALID,
					"%s: is not being recorded: it has no info/session", trace);
		return ltt_fail_io(error, trace, "open", ENOENT);
	case -EBADMSG:
		return ltt_fail(error, LTT_ERROR_INVALID,
				"%s/info/session: is not the state of a recording", trace);
	case -EPROTO:
		return ltt_fail(error, LTT_ERROR_UNSUPPORTED,
				"%s/info/session: belongs to another version or architecture",
				trace);
	default:
		return ltt_fail_io(error, trace, "open", -result);
	}
}

/* A recording of another process, or one that this process has not opened. */
static gboolean copy_other(const LttSnapshotRequest *request, LttSnapshotSummary *summary,
			   GError **error)
{
	struct lttp_session session = {0};
	const int result = lttp_session_open(&session, request->trace, LTTP_SESSION_WATCH);
	gboolean done;

	if (result != 0)
		return fail_to_open(request->trace, result, error);
	ltt_guard_begin();
	done = copy(&session, request, summary, error);
	ltt_guard_end();
	lttp_session_close(&session);
	return done;
}

gboolean ltt_snapshot(const LttSnapshotRequest *request, LttSnapshotSummary *summary,
		      GError **error)
{
	if (request->recording != NULL)
		return copy(ltt_recording_get_session(request->recording), request, summary, error);
	return copy_other(request, summary, error);
}
