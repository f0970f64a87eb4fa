/* directory-priv.h - make, fill, list and remove a directory with folders. */
#ifndef LTT_BASE_DIRECTORY_PRIV_H
#define LTT_BASE_DIRECTORY_PRIV_H

#ifndef LTT_BUILDING
#error "base/directory-priv.h is private to libltt; use <ltt/ltt-writer.h>"
#endif

#include <glib.h>

/* Makes a directory and the folders in it. @folders: their names, and NULL.
 * Returns: FALSE, with nothing left behind, and LTT_ERROR_EXISTS or LTT_ERROR_IO */
gboolean ltt_directory_make(const char *path, const char *const *folders, GError **error);

/* Writes a file of the directory atomically: writes a temporary file, whose name does not end in
 * ".xml", and renames it. A file that it replaces passes on its mode and, if permitted, its owner and
 * group. @name: for example "info/system.xml". Returns: FALSE with LTT_ERROR_IO */
gboolean ltt_directory_write(const char *path, const char *name, const char *text, GError **error);

/* Returns: (transfer full) (nullable): the names in a directory, in no order, except "." and "..";
 *   NULL with LTT_ERROR_IO. An error in the middle is not taken for the end, as g_dir_read_name()
 *   does. */
GPtrArray *ltt_directory_list(const char *path, GError **error);

/* Removes @path recursively, without following links. Ignores errors. */
void ltt_directory_remove(const char *path);

#endif
