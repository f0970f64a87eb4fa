/* tar-scan-priv.h - read an untrusted archive, entry by entry.
 *
 * The scanner validates everything that it returns: names are valid (members-priv.h), entries are
 * regular files and folders, and their sizes are within the limits. An entry that no trace has is
 * an error and is not skipped, because such an archive is hostile or not of a trace.
 *
 *	ltt_tar_scan_next() -+- LTT_TAR_ENTRY, a folder: next entry
 *	    ^                +- LTT_TAR_ENTRY, a file:   read it, or part of it, then next entry
 *	    +----------------+
 *	                     +- LTT_TAR_END:             ltt_tar_scan_get_root() is known
 *	                     +- LTT_TAR_FAILED:          only free the scan
 */
#ifndef LTT_TAR_SCAN_PRIV_H
#define LTT_TAR_SCAN_PRIV_H

#ifndef LTT_BUILDING
#error "tar-scan-priv.h is private to libltt"
#endif

#include <ltt/ltt-archive.h>

typedef struct LttTarScan LttTarScan;

typedef enum LttTarStep {
	LTT_TAR_FAILED = -1,
	LTT_TAR_END = 0,
	LTT_TAR_ENTRY = 1,
} LttTarStep;

typedef struct LttTarEntry {
	const char *name; /* normalized; valid until the next step */
	gboolean is_folder;
	guint64 size_bytes;
	gboolean is_in_place;
	guint64 offset; /* if is_in_place: where the contents begin in the archive file */
} LttTarEntry;

/**
 * ltt_tar_scan_new:
 * @fd: borrowed; read from its current offset; may be a pipe
 * @place: name of the archive in errors
 * @limits: (nullable): NULL for those of ltt-archive.h
 *
 * Returns: (transfer full) (nullable): NULL with an error of ltt_unpack(); the functions
 *   below fail with these errors too
 */
LttTarScan *ltt_tar_scan_new(int fd, const char *place, const LttArchiveLimits *limits,
			     GError **error);
void ltt_tar_scan_free(LttTarScan *scan); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttTarScan, ltt_tar_scan_free)

/* Moves to the next entry that is not hidden. At the end it verifies that the archive is complete,
 * and determines which part of the archive is the trace. */
LttTarStep ltt_tar_scan_next(LttTarScan *scan, LttTarEntry *entry, GError **error);

/* Reads more of the current file. Returns: the number of bytes read; 0 at its end; -1 with @error
 * set */
gssize ltt_tar_scan_read(LttTarScan *scan, gpointer bytes, gsize length, GError **error);

/* Returns: after the end, the part of the archive that is the trace: "" or a folder */
const char *ltt_tar_scan_get_root(const LttTarScan *scan);

/* Returns: the number of bytes of the archive read so far */
guint64 ltt_tar_scan_get_n_packed(const LttTarScan *scan);

#endif
