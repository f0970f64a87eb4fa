/* ltt-archive.h - pack a trace directory into a tar archive and unpack it again (doc/archives.md).
 *
 * The archive may be plain or compressed with gzip or zstd. Reading does not need unpacking:
 * ltt_trace_open() accepts archives too.
 *
 *	const LttPackRequest request = {.trace = "foo", .path = "foo.tar.gz"};
 *
 *	if (!ltt_pack(&request, NULL, &error))
 *		puts(error->message);
 *
 * The result appears under its name only when it is complete; after a failure nothing is left.
 */
#ifndef LTT_ARCHIVE_H
#define LTT_ARCHIVE_H

#include <ltt/ltt-job.h>
#include <ltt/ltt-print.h>

G_BEGIN_DECLS

/* Limits for unpacking untrusted archives. */
typedef struct LttArchiveLimits {
	guint64 max_bytes; /* total size of all files */
	guint64 max_files; /* number of files and directories */
	guint64 max_ratio; /* beyond the first GiB: unpacked bytes per packed byte; 0: no limit */
} LttArchiveLimits;

#define LTT_MAX_ARCHIVE_BYTES ((guint64)16 << 30)
#define LTT_MAX_ARCHIVE_FILES ((guint64)100000)
#define LTT_MAX_ARCHIVE_RATIO ((guint64)250)

/* Returns: the supported forms, as a NULL-terminated array: "tar.gz", "tar.zst", "tar" */
const char *const *ltt_archive_forms(void);

/* What to pack, and where to. The call borrows everything. */
typedef struct LttPackRequest {
	const char *trace; /* a trace directory; or an archive, to give it another form */
	const char *form;  /* of ltt_archive_forms(); NULL: by the suffix of @path, else "tar.gz" */
	const char *path;  /* file to create; NULL: pass the bytes to @write instead */
	LttWriteFunc write;
	gpointer write_data;
	LttJobCallbacks callbacks; /* problems: files that are left out; progress in bytes */
} LttPackRequest;

typedef struct LttPackSummary {
	guint64 n_files;    /* files in the archive, without directories */
	guint64 n_bytes;    /* their size, before compression */
	guint64 n_left_out; /* entries that are neither files nor directories */
} LttPackSummary;

/**
 * ltt_pack:
 * @summary: (out) (optional): set on success
 *
 * Creates an archive of a trace. The archive contains one directory with the name of the trace
 * ("trace" if an archive cannot contain that name), with all regular files and directories, sorted
 * by name. Owners, times and modes are not kept, so the same trace always gives the same bytes.
 * Hidden files (with a leading dot) and the session state of a finished recording are left out
 * without a report.
 *
 * Returns: FALSE with
 *   LTT_ERROR_INVALID  unknown form; the trace is being recorded; it has no info/system.xml; a name
 *                      in it is not UTF-8 or has control characters; a link leads out of it
 *   LTT_ERROR_EXISTS   @path already exists; it is never overwritten
 *   LTT_ERROR_IO       reading or writing failed
 *   LTT_ERROR_LIMIT    out of memory
 *   LTT_ERROR_CANCELLED
 *   or an error of ltt_unpack() if @trace is an archive, or the error of @write
 */
gboolean ltt_pack(const LttPackRequest *request, LttPackSummary *summary, GError **error);

/* What to unpack, and where to. The call borrows everything. */
typedef struct LttUnpackRequest {
	const char *archive; /* path; NULL: read @fd, which may be a pipe */
	int fd;
	const char *path;               /* directory to create: the trace itself */
	const LttArchiveLimits *limits; /* NULL: LTT_MAX_ARCHIVE_... */
	LttJobCallbacks callbacks;      /* no problems; progress in bytes of the archive */
} LttUnpackRequest;

typedef struct LttUnpackSummary {
	guint64 n_files; /* without directories */
	guint64 n_bytes; /* their size */
} LttUnpackSummary;

/**
 * ltt_unpack:
 * @summary: (out) (optional): set on success
 *
 * Unpacks an archive of any archiver into a trace directory. The trace is the only directory of the
 * archive, or the whole archive. Hidden files (with a leading dot) are left out. Files get the
 * default mode and owner of new files.
 *
 * Returns: FALSE with
 *   LTT_ERROR_EXISTS       @path already exists; it is never overwritten
 *   LTT_ERROR_CORRUPT      the archive is damaged or truncated
 *   LTT_ERROR_UNSUPPORTED  not a tar archive; not of a trace; a member that no trace has: a link, a
 *                          device, a duplicate name, a name that leads out of it, a set-id file ...
 *   LTT_ERROR_LIMIT        the contents exceed @limits
 *   LTT_ERROR_IO           reading or writing failed
 *   LTT_ERROR_CANCELLED
 */
gboolean ltt_unpack(const LttUnpackRequest *request, LttUnpackSummary *summary, GError **error);

G_END_DECLS

#endif /* LTT_ARCHIVE_H */
