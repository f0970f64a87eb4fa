/* ltt-export.h - convert traces to the formats of other tools (doc/ctf.md, doc/chrome.md, and
 * doc/import.md for imported recordings).
 *
 *	const LttExportRequest request = {.trace = trace, .kind = "ctf", .path = "out"};
 *
 *	if (!ltt_export(&request, NULL, &error))
 *		puts(error->message);
 *
 * The output appears under its name only when it is complete.
 */
#ifndef LTT_EXPORT_H
#define LTT_EXPORT_H

#include <ltt/ltt-job.h>
#include <ltt/ltt-print.h>
#include <ltt/ltt-select.h>

G_BEGIN_DECLS

/* A format that a trace can be exported to. */
typedef struct LttExportKind {
	const char *name;         /* "ctf" */
	const char *summary;      /* description in a few words */
	gboolean makes_directory; /* FALSE: a single stream of bytes */
	gboolean can_split;       /* LttExportRequest.split is allowed */
} LttExportKind;

/* Returns: all kinds, as a NULL-terminated array */
const LttExportKind *const *ltt_export_kinds(void);

/* Returns: (nullable): the kind of that name */
const LttExportKind *ltt_export_find_kind(const char *name);

/* What to export, and where to. */
typedef struct LttExportRequest {
	LttTrace *trace;
	LttSelect *select; /* events to export; NULL: all except hidden ones */
	const char *kind;  /* a name of ltt_export_kinds() */
	const char *path;  /* file or directory to create; NULL, unless the kind makes a directory:
			      pass the bytes to @write instead */
	LttWriteFunc write;
	gpointer write_data;
	gboolean split; /* make a directory with a file for each event type that occurs */
	LttJobCallbacks callbacks; /* problems: damage in the trace, and events that the format
				      cannot represent; progress in blocks or events */
} LttExportRequest;

typedef struct LttExportSummary {
	const LttExportKind *kind;
	guint64 n_problems;
} LttExportSummary;

/**
 * ltt_export:
 * @summary: (out) (optional): set on success
 *
 * Exports the selected events. The events of a damaged block up to the damage are exported.
 * Problems of the trace as a whole are not reported to the callbacks: ltt_trace_get_problem()
 * returns them.
 *
 * A split export names the file of an event type after the type and the kind:
 * "core.schedchange.csv". Bytes other than ASCII letters, digits, "_", "-" and "." become "_". A
 * second type of the same name, such as that of another version of the facility, gets the suffix
 * "-2". A file has the same lines as an export of these events alone; CSV always has a column for
 * each field.
 *
 * Returns: FALSE, with nothing left behind, and
 *   LTT_ERROR_INVALID  unknown kind; the kind cannot be split; a directory needs a path
 *   LTT_ERROR_EXISTS   @path exists already; it is never overwritten
 *   LTT_ERROR_IO       reading or writing failed
 *   LTT_ERROR_LIMIT    out of memory for a block
 *   LTT_ERROR_CANCELLED
 *   or the error of @write
 */
gboolean ltt_export(const LttExportRequest *request, LttExportSummary *summary, GError **error);

G_END_DECLS

#endif /* LTT_EXPORT_H */
