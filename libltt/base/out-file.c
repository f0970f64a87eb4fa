/* out-file.c - see out-file-priv.h. */
#include "base/out-file-priv.h"

#include "base/error-priv.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define ALL_MAY 0666 /* restricted by the umask */

gboolean ltt_out_file_make(LttOutFile *file, const char *path, GError **error)
{
	const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, ALL_MAY);

	if (fd < 0 && errno == EEXIST)
		return ltt_fail(error, LTT_ERROR_EXISTS, "%s: already exists", path);
	if (fd < 0)
		return ltt_fail_io(error, path, "make the file", errno);
	*file = (LttOutFile){.fd = fd, .path = g_strdup(path)};
	return TRUE;
}

gboolean ltt_out_file_extend(LttOutFile *file, const char *path, GError **error)
{
	const int fd = open(path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return ltt_fail_io(error, path, "open", errno);
	*file = (LttOutFile){.fd = fd, .path = g_strdup(path)};
	return TRUE;
}

gboolean ltt_out_file_write(LttOutFile *file, gconstpointer bytes, gsize length, GError **error)
{
	const char *at = bytes;

	while (length > 0) {
		const ssize_t written = write(file->fd, at, length);

		if (written < 0 && errno != EINTR)
			return ltt_fail_io(error, file->path, "write", errno);
		if (written > 0) {
			at += written;
			length -= (gsize)written;
		}
	}
	return TRUE;
}

gboolean ltt_out_file_close(LttOutFile *file, GError **error)
{
	const int status = close(file->fd);
	const int errnum = errno;
	g_autofree char *path = g_steal_pointer(&file->path);

	file->fd = -1;
	return status == 0 || ltt_fail_io(error, path, "write", errnum);
}

void ltt_out_file_drop(LttOutFile *file)
{
	if (file->fd >= 0)
		close(file->fd);
	file->fd = -1;
	g_clear_pointer(&file->path, g_free);
}
