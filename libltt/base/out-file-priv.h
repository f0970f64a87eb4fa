/* out-file-priv.h - a new file, written from its beginning to its end.
 *
 * It is never one that is there already. Writes go straight to the system: who uses this has
 * pieces that are large enough.
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

/* Returns: FALSE, and @file as it was, with LTT_ERROR_EXISTS or LTT_ERROR_IO */
gboolean ltt_out_file_make(LttOutFile *file, const char *path, GError **error);

/* Opens one that was made before, to write on at its end. Returns: likewise */
gboolean ltt_out_file_extend(LttOutFile *file, const char *path, GError **error);

/* Returns: FALSE with LTT_ERROR_IO; the file may have a part of the bytes then */
gboolean ltt_out_file_write(LttOutFile *file, gconstpointer bytes, gsize length, GError **error);

/* Closes it. Returns: FALSE with LTT_ERROR_IO if the system says only now that bytes were not
 * written */
gboolean ltt_out_file_close(LttOutFile *file, GError **error);

/* Closes it, whatever became of it. One that is closed or was never made is left as it is. */
void ltt_out_file_drop(LttOutFile *file);

#endif
