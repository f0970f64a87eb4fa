/* read-at.c - see read-at-priv.h. */
#include "base/read-at-priv.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#define PAGE_BYTES 4096

gpointer ltt_read_buffer_new(gsize length)
{
	gpointer bytes;

	return posix_memalign(&bytes, PAGE_BYTES, length) == 0 ? bytes : NULL;
}

int ltt_read_at(int fd, gpointer bytes, gsize length, guint64 offset, gsize *n_read)
{
	guint8 *to = bytes;
	gsize done = 0;
	int errnum = 0;

	while (errnum == 0 && done < length) {
		const ssize_t got = pread(fd, to + done, length - done, (off_t)(offset + done));

		if (got > 0)
			done += (gsize)got;
		else if (got == 0)
			errnum = ENODATA;
		else if (errno != EINTR)
			errnum = errno;
	}
	if (n_read != NULL)
		*n_read = done;
	return errnum;
}
