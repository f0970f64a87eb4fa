/* tar-write-priv.h - write a tar archive, compressed or not.
 *
 * The headers contain a name, a type and a size; owner, mode and time are fixed. So packing the
 * same files always produces the same bytes.
 *
 *	ltt_tar_writer_begin(tar, "trace/", 0, error);
 *	ltt_tar_writer_begin(tar, "trace/info", 5, error);
 *	ltt_tar_writer_add(tar, "hello", 5, error);
 *	ltt_tar_writer_end(tar, error);
 */
#ifndef LTT_TAR_WRITE_PRIV_H
#define LTT_TAR_WRITE_PRIV_H

#ifndef LTT_BUILDING
#error "tar-write-priv.h is private to libltt; use <ltt/ltt-archive.h>"
#endif

#include "archive/decode-priv.h"

#include <ltt/ltt-print.h>

typedef struct LttTarWriter LttTarWriter;

/* @write: receives the archive in pieces of some 128 KiB.
 * Returns: (transfer full) (nullable): NULL with LTT_ERROR_LIMIT if out of memory */
LttTarWriter *ltt_tar_writer_new(LttPacking packing, LttWriteFunc write, gpointer user_data,
				 GError **error);
void ltt_tar_writer_free(LttTarWriter *tar); /* NULL is allowed and ignored */

/* Begins a file, or makes a folder: a name with a slash at its end, which has no bytes.
 * @name: any bytes; begins with the name of the topmost folder
 *
 * Returns: FALSE with LTT_ERROR_INVALID if tar cannot represent it, or with the error of the write
 *   function; the writer can then only be freed */
gboolean ltt_tar_writer_begin(LttTarWriter *tar, const char *name, guint64 size_bytes,
			      GError **error);

/* Adds bytes to the file begun last, in all as many as its size.
 * Returns: as ltt_tar_writer_begin() */
gboolean ltt_tar_writer_add(LttTarWriter *tar, gconstpointer bytes, gsize length, GError **error);

/* Ends the archive and hands all of it to the write function.
 * Returns: as ltt_tar_writer_begin() */
gboolean ltt_tar_writer_end(LttTarWriter *tar, GError **error);

#endif
