/* pack-priv.h - the parts of packing that redacted copies need. */
#ifndef LTT_PACK_PRIV_H
#define LTT_PACK_PRIV_H

#ifndef LTT_BUILDING
#error "edit/pack-priv.h is private to libltt; use <ltt/ltt-archive.h>"
#endif

#include "archive/store-priv.h"

#include <ltt/ltt-archive.h>

/* Checks before any work that the form is known, that the archive does not exist, and that the trace is
 * not being recorded. Returns: FALSE as ltt_pack() */
gboolean ltt_pack_check(const LttPackRequest *request, GError **error);

/* Returns: (transfer full) (nullable): the name of the folder in an archive of the trace; NULL with
 * LTT_ERROR_IO */
char *ltt_pack_find_root(const LttStore *store, GError **error);

/* Fails because a name in the trace is a symbolic link that leads out of it. Returns: FALSE */
gboolean ltt_pack_refuse_link(const LttStore *store, const char *name, GError **error);

#endif
