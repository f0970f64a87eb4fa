/* aside-priv.h - create a file or directory under a temporary name and rename it when complete.
 *
 * Other processes see either nothing or the complete result under the final name. An existing file
 * or directory of that name causes LTT_ERROR_EXISTS, both at the beginning, before any long work,
 * and at the end.
 */
#ifndef LTT_BASE_ASIDE_PRIV_H
#define LTT_BASE_ASIDE_PRIV_H

#ifndef LTT_BUILDING
#error "base/aside-priv.h is private to libltt"
#endif

#include "base/out-file-priv.h"

/* The name of a trace in such a directory, for ltt_aside_settle_part(). */
#define LTT_ASIDE_TRACE "trace"

typedef struct LttAside {
	char *place; /* final path */
	char *path;  /* temporary path, "PLACE.part0"; NULL: does not exist */
} LttAside;

/* Create an empty directory or file under a temporary name. @file: (out): the open file.
 * Return: FALSE, with nothing created, and LTT_ERROR_EXISTS or LTT_ERROR_IO */
gboolean ltt_aside_make_directory(LttAside *aside, const char *place, GError **error);
gboolean ltt_aside_make_file(LttAside *aside, const char *place, LttOutFile *file, GError **error);

/* Renames it to the final path.
 * Returns: FALSE, with nothing renamed, and LTT_ERROR_EXISTS or LTT_ERROR_IO */
gboolean ltt_aside_settle(LttAside *aside, GError **error);

/* Renames the entry @name of the temporary directory to the final path, and removes the rest.
 * Returns: as ltt_aside_settle() */
gboolean ltt_aside_settle_part(LttAside *aside, const char *name, GError **error);

/* Recursively removes the temporary file or directory unless it has been settled. Frees the strings
 * of @aside. */
void ltt_aside_clear(LttAside *aside);

#endif
