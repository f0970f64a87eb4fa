/* directory-priv.h - create, fill and remove a trace directory. */
#ifndef LTT_DIRECTORY_PRIV_H
#define LTT_DIRECTORY_PRIV_H

#ifndef LTT_BUILDING
#error "directory-priv.h is private to libltt; use <ltt/ltt-writer.h>"
#endif

#include <glib.h>

/* Creates the directory of a trace with its four folders.
 * Returns: FALSE, with nothing left behind, and LTT_ERROR_EXISTS or LTT_ERROR_IO */
gboolean ltt_directory_make(const char *path, GError **error);

/* Writes a file of the trace atomically: writes a temporary file, whose name does not end in
 * ".xml", and renames it. @name: for example "info/system.xml". Returns: FALSE with LTT_ERROR_IO */
gboolean ltt_directory_write(const char *path, const char *name, const char *text, GError **error);

/* Removes @path recursively, without following links. Ignores errors. */
void ltt_directory_remove(const char *path);

#endif
