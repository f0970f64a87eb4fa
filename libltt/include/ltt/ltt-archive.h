/* ltt-archive.h - traces as one file: a tar archive of the directory, as it is or packed by gzip or
 * zstd (doc/archives.md).
 *
 * To read a trace it need not be unpacked: ltt_trace_open() takes archives too.
 *
 *	const LttPackRequest request = {.trace = "foo", .path = "foo.tar.gz"};
 *	if (!ltt_archive_pack(&request, &error))
 *		puts(error->message);
 *
 * What is made stands under its name only once it is whole; after a failure nothing is left.
 */
#ifndef LTT_ARCHIVE_H
#define LTT_ARCHIVE_H

#include <ltt/ltt-print.h>

G_BEGIN_DECLS

/* How much may come out of an archive, which may come from anybody. */
typedef struct LttArchiveLimits {
	guint64 max_bytes; /* of all files together, thus also of each */
	guint64 max_files; /* files and folders */
	guint64 max_ratio; /* beyond the first GiB: bytes for each packed one; 0: any number */
} LttArchiveLimits;

#define LTT_ARCHIVE_MAX_BYTES ((guint64)16 << 30)
#define LTT_ARCHIVE_MAX_FILES ((guint64)100000)
#define LTT_ARCHIVE_MAX_RATIO ((guint64)250)

/* Returns: the forms there are, in a NULL-terminated array: "tar.gz", "tar.zst", "tar" */
const char *const *ltt_archive_forms(void);

/* Returns: (nullable): the form that a file of such a name has, "foo.tgz" also being "tar.gz" */
const char *ltt_archive_find_form(const char *path);

/* What is to be packed, and to where. All is borrowed for the time of the call. */
typedef struct LttPackRequest {
	const char *trace; /* a trace directory; or an archive, to give it another form */
	const char *form;  /* of ltt_archive_forms(); NULL: what @path says, else "tar.gz" */
	const char *path;  /* what to make; NULL: give the bytes to @write instead */
	LttWriteFunc write;
	gpointer write_data;
	LttProblemFunc on_problem; /* told of what is left out; NULL: nobody is told */
	gpointer problem_data;
	LttProgressFunc on_progress; /* told of bytes; NULL: nobody is told */
	gpointer progress_data;
} LttPackRequest;

/**
 * ltt_archive_pack:
 *
 * Makes an archive of a trace: one folder that has the name of the trace, or "trace" if that is no
 * name an archive can have, and in it all plain files and folders sorted by name; owners, times and
 * modes are not kept. So a trace is always packed into the same bytes. Names that begin with a
 * point and the session state of a recording that has come to its end are left out in silence.
 *
 * Returns: FALSE with
 *   LTT_ERROR_INVALID  no such form; the trace is being recorded; it has no info/system.xml; a name
 *                      in it is not UTF-8 or has control characters; a link leads out of it
 *   LTT_ERROR_EXISTS   something has the name @path already; it is never written over
 *   LTT_ERROR_IO       reading or writing failed, or @on_progress ended it
 *   LTT_ERROR_LIMIT    there is no memory
 *   or an error of ltt_archive_unpack() where an archive is packed, or the error of @write
 */
gboolean ltt_archive_pack(const LttPackRequest *request, GError **error);

/* What is to be unpacked. All is borrowed for the time of the call. */
typedef struct LttUnpackRequest {
	const char *archive; /* path; NULL: read @fd, which need not be a file */
	int fd;
	const char *path;               /* the directory to be made: the trace itself */
	const LttArchiveLimits *limits; /* NULL: those above */
	LttProgressFunc on_progress; /* told of bytes, of as many as the archive has if it is a file
					and of 0 else; NULL: nobody is told */
	gpointer progress_data;
} LttUnpackRequest;

/**
 * ltt_archive_unpack:
 *
 * Makes a trace directory of an archive, whoever has packed it. The trace is the one folder in the
 * archive, or the archive as a whole. Names that begin with a point are left out. Files get modes
 * and owners as any new file.
 *
 * Returns: FALSE with
 *   LTT_ERROR_EXISTS       something has the name @path already; it is never written over
 *   LTT_ERROR_CORRUPT      damaged or cut off
 *   LTT_ERROR_UNSUPPORTED  no tar archive; not of a trace; it holds what no trace does: a link, a
 *                          device, a name twice, a name that leads out of it, a set-id file ...
 *   LTT_ERROR_LIMIT        more comes out of it than @limits let it
 *   LTT_ERROR_IO           reading or writing failed, or @on_progress ended it
 */
gboolean ltt_archive_unpack(const LttUnpackRequest *request, GError **error);

G_END_DECLS

#endif /* LTT_ARCHIVE_H */
