/* ltt-export.h - convert traces to the formats of other tools (doc/ctf.md, doc/chrome.md, and
 * doc/import.md for imported recordings).
 *
 *	const LttExportRequest request = {.trace = trace, .kind = "ctf", .path = "out"};
 *
 *	if (!ltt_export(&request, NULL, &error))
 *		puts(error->message);
 *
 * The output file or directory appears only when it is complete.
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

/* Returns: (nullable): the kind with the name @name */
const LttExportKind *ltt_export_find_kind(const char *name);

/* Arguments of ltt_export(). */
typedef struct LttExportRequest {
	LttTrace *trace;
	LttSelect *select; /* events to export; NULL: all except hidden ones */
	const char *kind;  /* a name of ltt_export_kinds() */
	const char *path;  /* file or directory to create; NULL: pass the bytes to @write, which is
			      possible only if the output is a single stream of bytes */
	LttWriteFunc write;
	gpointer write_data;
	gboolean split; /* create a directory with one file for each event type that occurs */
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
 * Exports the selected events. Of a damaged block, it exports the events before the damage. The
 * callbacks do not receive problems of the trace as a whole; use ltt_trace_get_problem().
 *
 * A split export names the file of an event type after the type and the kind:
 * "core.schedchange.csv". Bytes other than ASCII letters, digits, "_", "-" and "." become "_". If
 * two types have the same name, for example types of two versions of a facility, the second one
 * gets the suffix "-2". A file has the same lines as an export of only its events. CSV files always
 * have a column for each field.
 *
 * Returns: FALSE on failure, which leaves no partial output, with
 *   LTT_ERROR_INVALID      unknown kind; the kind cannot be split; no path for a directory; the
 *                          trace does not contain what the kind needs
 *   LTT_ERROR_UNSUPPORTED  the kind cannot represent the events, or an incompatible version of
 *                          libltt imported the recording
 *   LTT_ERROR_EXISTS       @path already exists; it is never overwritten
 *   LTT_ERROR_IO           reading or writing failed
 *   LTT_ERROR_LIMIT        out of memory for a block; "arrow": an event that is too large for
 *                          ltt_table_reader_next()
 *   LTT_ERROR_CANCELLED    a callback cancelled the export
 *   or the error of @write
 */
gboolean ltt_export(const LttExportRequest *request, LttExportSummary *summary, GError **error);

G_END_DECLS

#endif /* LTT_EXPORT_H */
