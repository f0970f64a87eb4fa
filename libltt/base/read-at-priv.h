/* read-at-priv.h - read files: flags of open(2), pread() until all bytes are read, and memory for it. */
#ifndef LTT_READ_AT_PRIV_H
#define LTT_READ_AT_PRIV_H

#ifndef LTT_BUILDING
#error "read-at-priv.h is private to libltt"
#endif

#include <fcntl.h>
#include <glib.h>

/* For a file that another user may have replaced: open() does not wait for the other end of a FIFO, and
 * no terminal becomes that of the process. */
#define LTT_OPEN_FOREIGN (O_CLOEXEC | O_NONBLOCK | O_NOCTTY)

/* Reads @length bytes, with as many calls as needed. @n_read: (out) (optional): number of bytes
 * read, also after a failure. Returns: 0 or an errno; ENODATA if the file ends before */
int ltt_read_at(int fd, gpointer bytes, gsize length, guint64 offset, gsize *n_read);

/* Allocates page-aligned memory, which is fast to read into. malloc() places large buffers shortly
 * after a page boundary, where fast string instructions may copy at a third of the speed.
 * Returns: (transfer full) (nullable): to be freed with free(); NULL if out of memory */
gpointer ltt_read_buffer_new(gsize length);

#endif
