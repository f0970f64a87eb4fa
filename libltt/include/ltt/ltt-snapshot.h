/* ltt-snapshot.h - copy a trace while it is being recorded.
 *
 *	const LttSnapshotRequest request = {.trace = "trace", .path = "now"};
 *
 *	if (!ltt_snapshot(&request, NULL, &error))
 *		puts(error->message);
 *
 * The copy is a complete trace with all events before one instant and no event after it. The
 * recording continues.
 */
#ifndef LTT_SNAPSHOT_H
#define LTT_SNAPSHOT_H

#include <ltt/ltt-job.h>
#include <ltt/ltt-recording.h>

G_BEGIN_DECLS

typedef struct LttSnapshotRequest {
	const char *trace;         /* that this process or another one is recording */
	LttRecording *recording;   /* (nullable): the open recording to copy, in place of @trace */
	const char *path;          /* directory to create; must not exist */
	LttJobCallbacks callbacks; /* no problems; progress in blocks */
} LttSnapshotRequest;

typedef struct LttSnapshotSummary {
	guint64 n_blocks; /* blocks copied */
} LttSnapshotSummary;

/**
 * ltt_snapshot:
 * @summary: (out) (optional): set on success
 *
 * From then on until the end of the recording, the tracefiles of a flight recorder are twice as
 * long.
 *
 * Returns: FALSE on failure, which leaves no copy, with
 *   LTT_ERROR_EXISTS       @path already exists
 *   LTT_ERROR_INVALID      the trace is not being recorded
 *   LTT_ERROR_UNSUPPORTED  another version of the recorder is recording it
 *   LTT_ERROR_IO           another snapshot is being taken, or a file could not be copied
 *   LTT_ERROR_CANCELLED
 */
gboolean ltt_snapshot(const LttSnapshotRequest *request, LttSnapshotSummary *summary,
		      GError **error);

G_END_DECLS

#endif /* LTT_SNAPSHOT_H */
