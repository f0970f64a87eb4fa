/* read-at-priv.h - pread() until all bytes are read. */
#ifndef LTT_READ_AT_PRIV_H
#define LTT_READ_AT_PRIV_H

#ifndef LTT_BUILDING
#error "read-at-priv.h is private to libltt"
#endif

#include <glib.h>

/* Reads @length bytes, with as many calls as needed. @n_read: (out) (optional): number of bytes
 * read, also after a failure. Returns: 0 or an errno; ENODATA if the file ends before */
int ltt_read_at(int fd, gpointer bytes, gsize length, guint64 offset, gsize *n_read);

#endif
