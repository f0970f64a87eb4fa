/* scratch-priv.h - an anonymous temporary file, for data that may not fit into memory. */
#ifndef LTT_SCRATCH_PRIV_H
#define LTT_SCRATCH_PRIV_H

#ifndef LTT_BUILDING
#error "scratch-priv.h is private to libltt"
#endif

#include <glib.h>

typedef struct LttScratch LttScratch;

/* @directory: (nullable): on the file system to use; NULL: the default (TMPDIR)
 * Returns: (transfer full) (nullable): NULL with LTT_ERROR_IO */
LttScratch *ltt_scratch_new(const char *directory, GError **error);
void ltt_scratch_free(LttScratch *scratch); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttScratch, ltt_scratch_free)

/* Writes bytes at any offset @place; gaps read as zero. Adjacent writes are combined in a buffer.
 * Returns: FALSE with LTT_ERROR_IO */
gboolean ltt_scratch_put(LttScratch *scratch, guint64 place, gconstpointer bytes, gsize length,
			 GError **error);

/* Returns: the largest end of any write */
guint64 ltt_scratch_get_size(const LttScratch *scratch);

/* Flushes the buffer. Returns: a descriptor of the file for the caller to close; -1 with
 * LTT_ERROR_IO */
int ltt_scratch_dup(LttScratch *scratch, GError **error);

#endif
