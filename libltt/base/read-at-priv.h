/* read-at-priv.h - bytes from their place in a file. */
#ifndef LTT_READ_AT_PRIV_H
#define LTT_READ_AT_PRIV_H

#ifndef LTT_BUILDING
#error "read-at-priv.h is private to libltt"
#endif

#include <glib.h>

/* Reads all of them, in as many pieces as the system gives them. @n_read: (out) (optional): how
 * many there were, whatever is returned. Returns: 0, or the errno of what failed; ENODATA if the
 * file ends before */
int ltt_read_at(int fd, gpointer bytes, gsize length, guint64 offset, gsize *n_read);

#endif
