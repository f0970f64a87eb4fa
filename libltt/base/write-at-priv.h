/* write-at-priv.h - bytes to their place in a file. */
#ifndef LTT_WRITE_AT_PRIV_H
#define LTT_WRITE_AT_PRIV_H

#ifndef LTT_BUILDING
#error "write-at-priv.h is private to libltt"
#endif

#include <glib.h>

/* Writes all of them, in as many pieces as the system takes them.
 * Returns: 0, or the errno of what failed; some of them may have been written then */
int ltt_write_at(int fd, gconstpointer bytes, gsize length, guint64 offset);

#endif
