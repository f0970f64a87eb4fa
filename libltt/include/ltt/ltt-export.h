/* ltt-export.h - a trace in the form of another tool (doc/ctf.md for CTF, doc/import.md for
 * recordings that were imported).
 *
 *	const LttExportRequest request = {.trace = trace, .kind = "ctf", .path = "out"};
 *	if (!ltt_export(&request, &error))
 *		puts(error->message);
 *
 * What is made stands under its name only once it is whole; after a failure nothing is left.
 */
#ifndef LTT_EXPORT_H
#define LTT_EXPORT_H

#include <ltt/ltt-job.h>
#include <ltt/ltt-print.h>
#include <ltt/ltt-select.h>

G_BEGIN_DECLS

/* One form that a trace can be given. */
typedef struct LttExportKind {
	const char *name;         /* "ctf" */
	const char *summary;      /* what it is, in a few words */
	gboolean makes_directory; /* else a single stream of bytes */
	gboolean can_split;       /* else LttExportRequest.split is not for it */
} LttExportKind;

/* Returns: the kinds there are, in a NULL-terminated array */
const LttExportKind *const *ltt_export_kinds(void);

/* Returns: (nullable): the kind of that name */
const LttExportKind *ltt_export_find_kind(const char *name);

/* What is to be exported, and to where. All is borrowed for the time of the call. */
typedef struct LttExportRequest {
	LttTrace *trace;
	LttSelect *select; /* which events; NULL: those that ltt_select_new() lets through */
	const char *kind;  /* a name of ltt_export_kinds() */
	const char *path;  /* what to make; NULL: give the bytes to @write instead, where
			      the kind makes no directory */
	LttWriteFunc write;
	gpointer write_data;
	gboolean split;            /* make a directory, of a file for each event type that comes */
	LttJobCallbacks callbacks; /* problems: damage in the trace, and events that the format
				      cannot represent; progress in blocks or events */
} LttExportRequest;

/**
 * ltt_export:
 *
 * Exports the selected events. Where a block is damaged, tells of it, takes the events before the
 * damage and goes on with the next block; so too for what the other form cannot hold. Problems of
 * the trace as a whole are not told here, but kept by the trace (ltt_trace_get_problem()).
 *
 * Split, the file of an event type has its full name and that of the kind:
 * "core.schedchange.csv". Of what is no ASCII letter, digit or one of "_-." stands "_" there; the
 * second type of one name, such as that of another version of the facility, has "-2" behind its
 * name. A file has the lines that the export of these events alone would have; CSV always has a
 * column for each field.
 *
 * Returns: FALSE, and nothing made, with
 *   LTT_ERROR_INVALID  no such kind; it cannot be split; a directory needs a path
 *   LTT_ERROR_EXISTS   something has the name @path already; it is never written over
 *   LTT_ERROR_IO       reading or writing failed
 *   LTT_ERROR_CANCELLED
 *   LTT_ERROR_LIMIT    there is no memory for a block
 *   or the error of @write
 */
gboolean ltt_export(const LttExportRequest *request, GError **error);

G_END_DECLS

#endif /* LTT_EXPORT_H */
