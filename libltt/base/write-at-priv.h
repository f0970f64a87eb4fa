/* write-at-priv.h - pwrite() until all bytes are written. */
#ifndef LTT_WRITE_AT_PRIV_H
#define LTT_WRITE_AT_PRIV_H

#ifndef LTT_BUILDING
#error "write-at-priv.h is private to libltt"
#endif

#include <glib.h>

/* Writes @length bytes, with as many calls as needed.
 * Returns: 0 or an errno; after a failure some bytes may have been written */
int ltt_write_at(int fd, gconstpointer bytes, gsize length, guint64 offset);

#endif
