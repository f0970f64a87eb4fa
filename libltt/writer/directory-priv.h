/* directory-priv.h - the few things that making a trace directory asks of the file system. */
#ifndef LTT_DIRECTORY_PRIV_H
#define LTT_DIRECTORY_PRIV_H

#ifndef LTT_BUILDING
#error "directory-priv.h is private to libltt; use <ltt/ltt-writer.h>"
#endif

#include <glib.h>

/* Makes the directory of a trace with its four folders.
 * Returns: FALSE, with nothing left behind, and LTT_ERROR_EXISTS or LTT_ERROR_IO */
gboolean ltt_directory_make(const char *path, GError **error);

/* Writes a file of the trace aside and renames it, so that it is there whole or not at all. The
 * name aside does not end in ".xml". @name: "info/system.xml". Returns: FALSE with LTT_ERROR_IO */
gboolean ltt_directory_write(const char *path, const char *name, const char *text, GError **error);

/* Removes @path and all that is in it, following no link. What cannot be removed stays. */
void ltt_directory_remove(const char *path);

#endif
