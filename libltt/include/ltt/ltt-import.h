/* ltt-import.h - convert recordings of other tools to traces (doc/import.md).
 *
 *	const LttImportRequest request = {.path = "log.rr", .output = "trace"};
 *	LttImportSummary summary;
 *
 *	if (!ltt_import(&request, &summary, &error))
 *		puts(error->message);
 *
 * The output directory appears only when the trace is complete. The system of the trace has the
 * attributes `recording` (kind and version) and `recording_file` (name of the imported file); see
 * doc/format.md, 9.1. The import drops no part of a recording silently. It keeps bytes that it
 * cannot decode as raw bytes and reports a problem.
 */
#ifndef LTT_IMPORT_H
#define LTT_IMPORT_H

#include <ltt/ltt-job.h>

G_BEGIN_DECLS

/* A kind of recording that can be imported. */
typedef struct LttImportKind {
	const char *name;    /* "revent" */
	const char *summary; /* description in a few words */
} LttImportKind;

/* Returns: all kinds, as a NULL-terminated array */
const LttImportKind *const *ltt_import_kinds(void);

/* Returns: (nullable): the kind with the name @name */
const LttImportKind *ltt_import_find_kind(const char *name);

/* Detects the kind of a file or directory from its contents. Returns: (nullable): NULL if the kind
 * is unknown, if @path cannot be read, or if @path is a pipe, because detection would consume its
 * data */
const LttImportKind *ltt_import_recognise(const char *path);

/* Arguments of ltt_import(). */
typedef struct LttImportRequest {
	const char *path;   /* a file, a pipe, or for some kinds a directory; "-": standard input */
	const char *kind;   /* a name of ltt_import_kinds(); NULL: detect it from the contents */
	const char *output; /* the trace: a directory to create; must not exist */
	LttJobCallbacks callbacks; /* problems: damage, with offsets from the start of the
				      recording; problems after the first 1000 are only counted.
				      Progress: bytes of the recording */
} LttImportRequest;

typedef struct LttImportSummary {
	const LttImportKind *kind; /* kind of the recording */
	guint64 n_problems;        /* including problems that were only counted */
} LttImportSummary;

/**
 * ltt_import:
 * @summary: (out) (optional): set on success
 *
 * Converts a recording to a trace. Damage in the recording does not end the import: it is reported
 * as a problem. Everything that can be read is converted, and the bytes after the damage are kept
 * as raw bytes.
 *
 * Returns: FALSE on failure, which leaves no partial output, with
 *   LTT_ERROR_INVALID      there is no kind with the name @kind
 *   LTT_ERROR_UNSUPPORTED  the kind or the version of the file is unknown
 *   LTT_ERROR_CORRUPT      the recording is so damaged that nothing can be read
 *   LTT_ERROR_EXISTS       @output already exists; it is never overwritten
 *   LTT_ERROR_IO           reading or writing failed
 *   LTT_ERROR_LIMIT        out of memory for a record, or a record is too large for a block
 *   LTT_ERROR_CANCELLED    a callback cancelled the import
 */
gboolean ltt_import(const LttImportRequest *request, LttImportSummary *summary, GError **error);

G_END_DECLS

#endif /* LTT_IMPORT_H */
