/* ltt-import.h - convert recordings of other tools to traces (doc/import.md).
 *
 *	const LttImportRequest request = {.path = "log.rr", .output = "trace"};
 *	LttImportSummary summary;
 *
 *	if (!ltt_import(&request, &summary, &error))
 *		puts(error->message);
 *
 * The trace appears under its name only when it is complete. Its system has the attributes
 * `recording`, the kind and version, and `recording_file`, the name of the imported file
 * (doc/format.md, 9.1). No part of a recording is dropped silently: bytes that cannot be decoded
 * are kept as bytes and reported as a problem.
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

/* Returns: (nullable): the kind of that name */
const LttImportKind *ltt_import_find_kind(const char *name);

/* Returns: (nullable): the kind of the file or directory at @path, detected from its contents; NULL
 *   if it is unknown, cannot be read, or is a pipe, which could be read only once */
const LttImportKind *ltt_import_recognise(const char *path);

/* What to import, and where to. */
typedef struct LttImportRequest {
	const char *path;   /* a file, a pipe, or for some kinds a directory; "-": standard input */
	const char *kind;   /* a name of ltt_import_kinds(); NULL: detect it from the contents */
	const char *output; /* the trace: a directory to create; must not exist */
	LttJobCallbacks callbacks; /* problems: damage in the recording, with offsets from its
				      start; those after the first 1000 are only counted.
				      Progress in bytes */
} LttImportRequest;

typedef struct LttImportSummary {
	const LttImportKind *kind; /* kind of the recording */
	guint64 n_problems;        /* including those that were only counted */
} LttImportSummary;

/**
 * ltt_import:
 * @summary: (out) (optional): set on success
 *
 * Converts a recording to a trace. Damage in the recording is a problem: everything that can be
 * read is converted, and the bytes behind the damage are kept as bytes.
 *
 * Returns: FALSE, with nothing left behind, and
 *   LTT_ERROR_INVALID      unknown kind
 *   LTT_ERROR_UNSUPPORTED  the file is of no known kind, or of an unknown version
 *   LTT_ERROR_CORRUPT      the recording is so damaged that nothing can be read
 *   LTT_ERROR_EXISTS       @output exists already; it is never overwritten
 *   LTT_ERROR_IO           reading or writing failed
 *   LTT_ERROR_LIMIT        out of memory for a record, or a record is too large for a block
 *   LTT_ERROR_CANCELLED
 */
gboolean ltt_import(const LttImportRequest *request, LttImportSummary *summary, GError **error);

G_END_DECLS

#endif /* LTT_IMPORT_H */
