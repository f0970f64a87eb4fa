/* tar-scan-priv.h - what is in an archive, one entry after the other.
 *
 * Whatever comes out of here has been looked at: names are good (members-priv.h), entries are files
 * and folders, and all of it stays within the limits. What no trace holds is an error, not
 * something to pass over: whoever packs such things means harm, or another program.
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
	const char *name; /* settled; lent until the next step */
	gboolean is_folder;
	guint64 size_bytes;
	gboolean is_in_place;
	guint64 offset; /* if is_in_place: the bytes stand in the file itself, from here on */
} LttTarEntry;

/**
 * ltt_tar_scan_new:
 * @fd: borrowed; read from where it stands, and need not be a file
 * @place: what errors call the archive
 * @limits: (nullable): NULL for those of ltt-archive.h
 *
 * Returns: (transfer full) (nullable): NULL, as the functions below, with an error of
 *   ltt_archive_unpack()
 */
LttTarScan *ltt_tar_scan_new(int fd, const char *place, const LttArchiveLimits *limits,
			     GError **error);
void ltt_tar_scan_free(LttTarScan *scan); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttTarScan, ltt_tar_scan_free)

/* Goes to the next entry with a name that does not begin with a point. At the end, which is known
 * to be the true one then, it is also known which part of the archive is the trace. */
LttTarStep ltt_tar_scan_next(LttTarScan *scan, LttTarEntry *entry, GError **error);

/* Reads on in the file that the last step went to. Returns: how many bytes; 0 at its end; -1 */
gssize ltt_tar_scan_read(LttTarScan *scan, gpointer bytes, gsize length, GError **error);

/* Returns: what part of the archive is the trace, once the end was met: "" or a folder */
const char *ltt_tar_scan_get_root(const LttTarScan *scan);

/* Returns: bytes of the archive that were read so far */
guint64 ltt_tar_scan_get_n_packed(const LttTarScan *scan);

#endif
