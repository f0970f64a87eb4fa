/* write-at.c - see write-at-priv.h. */
#include "base/write-at-priv.h"

#include <errno.h>
#include <unistd.h>

int ltt_write_at(int fd, gconstpointer bytes, gsize length, guint64 offset)
{
	const guint8 *at = bytes;

	while (length > 0) {
		const ssize_t written = pwrite(fd, at, length, (off_t)offset);

		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return written < 0 ? errno : ENOSPC;
		at += written;
		length -= (gsize)written;
		offset += (guint64)written;
	}
	return 0;
}
