/* scratch-priv.h - a file without a name, gone when it is closed: for what must be kept and is too
 * much for memory.
 */
#ifndef LTT_SCRATCH_PRIV_H
#define LTT_SCRATCH_PRIV_H

#ifndef LTT_BUILDING
#error "scratch-priv.h is private to libltt"
#endif

#include <glib.h>

typedef struct LttScratch LttScratch;

/* @directory: (nullable): on whose file system; NULL: where temporary files go
 * Returns: (transfer full) (nullable): NULL with LTT_ERROR_IO */
LttScratch *ltt_scratch_new(const char *directory, GError **error);
void ltt_scratch_free(LttScratch *scratch); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttScratch, ltt_scratch_free)

/* Puts bytes at @place, which may be anywhere; what was never put is zero. Adjoining pieces are
 * written together. Returns: FALSE with LTT_ERROR_IO */
gboolean ltt_scratch_put(LttScratch *scratch, guint64 place, gconstpointer bytes, gsize length,
			 GError **error);

/* Returns: the end of what was put furthest */
guint64 ltt_scratch_get_size(const LttScratch *scratch);

/* Writes out what was put. Returns: a descriptor on the file for the caller to close, or -1 with
 * LTT_ERROR_IO */
int ltt_scratch_dup(LttScratch *scratch, GError **error);

#endif
