/* aside-priv.h - a file or directory made beside its place and put there once it is whole.
 *
 * Whoever looks at the place finds either nothing or all of it. What stood there first stays: it is
 * looked for at the beginning, so that no long work is done in vain, and again at the end.
 */
#ifndef LTT_BASE_ASIDE_PRIV_H
#define LTT_BASE_ASIDE_PRIV_H

#ifndef LTT_BUILDING
#error "base/aside-priv.h is private to libltt"
#endif

#include "base/out-file-priv.h"

typedef struct LttAside {
	char *place; /* where it is to be */
	char *path;  /* where it is until then: "PLACE.part0"; NULL: nowhere */
} LttAside;

/* Make it, empty. @file: (out): the file, open. Return: FALSE, with nothing made, and
 * LTT_ERROR_EXISTS or LTT_ERROR_IO */
gboolean ltt_aside_make_directory(LttAside *aside, const char *place, GError **error);
gboolean ltt_aside_make_file(LttAside *aside, const char *place, LttOutFile *file, GError **error);

/* Puts it in its place. Returns: FALSE, with nothing moved, and LTT_ERROR_EXISTS or LTT_ERROR_IO */
gboolean ltt_aside_settle(LttAside *aside, GError **error);

/* Puts what is called @name in the directory aside in the place instead, and removes the rest.
 * Returns: as ltt_aside_settle() */
gboolean ltt_aside_settle_part(LttAside *aside, const char *name, GError **error);

/* Removes it, with all that is in it, unless it has been settled; frees what @aside holds. */
void ltt_aside_clear(LttAside *aside);

#endif
