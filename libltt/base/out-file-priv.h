/* out-file-priv.h - create a new file and write it sequentially.
 *
 * An existing file is never overwritten. Writes are not buffered, so callers write large pieces.
 */
#ifndef LTT_BASE_OUT_FILE_PRIV_H
#define LTT_BASE_OUT_FILE_PRIV_H

#ifndef LTT_BUILDING
#error "base/out-file-priv.h is private to libltt"
#endif

#include <glib.h>

typedef struct LttOutFile {
	int fd;
	char *path;
} LttOutFile;

#define LTT_OUT_FILE_NONE                                                                          \
	{                                                                                          \
		-1, NULL                                                                           \
	}

/* Creates @path. Returns: FALSE, with @file unchanged, and LTT_ERROR_EXISTS or LTT_ERROR_IO */
gboolean ltt_out_file_make(LttOutFile *file, const char *path, GError **error);

/* Opens an existing file for appending. Returns: FALSE, with @file unchanged, and LTT_ERROR_IO */
gboolean ltt_out_file_extend(LttOutFile *file, const char *path, GError **error);

/* Returns: FALSE with LTT_ERROR_IO; some of the bytes may have been written */
gboolean ltt_out_file_write(LttOutFile *file, gconstpointer bytes, gsize length, GError **error);

/* Closes the file, also on failure. Returns: FALSE with LTT_ERROR_IO if close() reports a delayed
 * write error */
gboolean ltt_out_file_close(LttOutFile *file, GError **error);

/* Closes the file and ignores errors. Does nothing if the file is closed or was never opened. */
void ltt_out_file_drop(LttOutFile *file);

#endif
