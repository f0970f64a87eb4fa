/* ltt-import.h - what others have recorded, as a trace (doc/import.md).
 *
 *	const LttImportRequest request = {.path = "log.rr", .output = "trace"};
 *	const LttImportKind *kind;
 *	if (!ltt_import(&request, &kind, &error))
 *		puts(error->message);
 *
 * The trace stands under its name only once it is whole; after a failure nothing is left. Its
 * system has the attributes `recording`, the kind and version, and `recording_file`, the name of
 * what was imported (doc/format.md, 9.1). Nothing of a recording is dropped in silence: what
 * cannot be told apart is kept as bytes, and told of as a problem.
 */
#ifndef LTT_IMPORT_H
#define LTT_IMPORT_H

#include <ltt/ltt-job.h>

G_BEGIN_DECLS

/* One kind of recording that can be made a trace. */
typedef struct LttImportKind {
	const char *name;    /* "revent" */
	const char *summary; /* what it is, in a few words */
} LttImportKind;

/* Returns: the kinds there are, in a NULL-terminated array */
const LttImportKind *const *ltt_import_kinds(void);

/* Returns: (nullable): the kind of that name */
const LttImportKind *ltt_import_find_kind(const char *name);

/* Returns: (nullable): the kind that the file, or the directory, at @path is by its content; NULL:
 * none that is known, or it cannot be read. Pipes are left alone, as what is read of one is gone.
 */
const LttImportKind *ltt_import_recognise(const char *path);

/* What is to be imported, and to where. All is borrowed for the time of the call. */
typedef struct LttImportRequest {
	const char *path;          /* a file, a pipe, or for kinds that are one a directory; "-":
				      standard input */
	const char *kind;          /* a name of ltt_import_kinds(); NULL: found by the content */
	const char *output;        /* the trace: a directory that is not there yet */
	LttJobCallbacks callbacks; /* problems: damage in the recording, with offsets from its
				      start; those after the first 1000 are only counted.
				      Progress in bytes */
} LttImportRequest;

/**
 * ltt_import:
 * @kind: (out) (optional): what it was
 *
 * Where the recording is cut short or damaged, tells of it and keeps everything that can be read;
 * the bytes behind are kept as such.
 *
 * Returns: FALSE, and nothing made, with
 *   LTT_ERROR_INVALID      there is no kind of that name
 *   LTT_ERROR_UNSUPPORTED  it is of no kind that is known, or of a version that is not
 *   LTT_ERROR_CORRUPT      it is so damaged that nothing can be read of it
 *   LTT_ERROR_EXISTS       something has the name @output already
 *   LTT_ERROR_IO           reading or writing failed
 *   LTT_ERROR_CANCELLED
 *   LTT_ERROR_LIMIT        there is no memory for a record, or it is too large for a block
 */
gboolean ltt_import(const LttImportRequest *request, const LttImportKind **kind, GError **error);

G_END_DECLS

#endif /* LTT_IMPORT_H */
