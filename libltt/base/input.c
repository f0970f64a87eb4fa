/* input.c - see input-priv.h. */
#include "base/input-priv.h"

#include "base/error-priv.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WINDOW_BYTES ((gsize)256 * 1024)
#define OWNER_MAY    0600

struct LttInput {
	char *name;
	int fd; /* -1: all of it is in memory */
	guint64 size;
	guint8 *window; /* owned unless fd is -1 */
	gsize window_bytes;
	guint64 held_offset; /* of the first byte that the window holds */
	gsize held_bytes;
};

/* ---- the system ---- */

/* Returns: the number of bytes, less than @length only at the end; -1 with errno */
static gssize read_at(int fd, guint8 *bytes, gsize length, guint64 offset)
{
	gsize done = 0;

	while (done < length) {
		const gssize n = pread(fd, bytes + done, length - done, (off_t)(offset + done));

		if (n < 0 && errno != EINTR)
			return -1;
		if (n == 0)
			break;
		if (n > 0)
			done += (gsize)n;
	}
	return (gssize)done;
}

static int write_all(int fd, const guint8 *bytes, gsize length)
{
	while (length > 0) {
		const gssize n = write(fd, bytes, length);

		if (n < 0 && errno != EINTR)
			return errno;
		if (n > 0) {
			bytes += n;
			length -= (gsize)n;
		}
	}
	return 0;
}

/* ---- opening ---- */

static gboolean copy(LttInput *input, int spool, const char *spool_path, GError **error)
{
	g_autofree guint8 *piece = g_malloc(WINDOW_BYTES);

	while (TRUE) {
		const gssize n = read(input->fd, piece, WINDOW_BYTES);
		int errnum;

		if (n == 0)
			return TRUE;
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return ltt_fail_io(error, input->name, "read", errno);
		errnum = write_all(spool, piece, (gsize)n);
		if (errnum != 0)
			return ltt_fail_io(error, spool_path, "write", errnum);
		input->size += (guint64)n;
	}
}

/* What comes through a pipe is put where it can be read at any offset. */
static gboolean spool(LttInput *input, const char *spool_path, GError **error)
{
	const int fd = open(spool_path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, OWNER_MAY);

	if (fd < 0)
		return ltt_fail_io(error, spool_path, "make the file", errno);
	unlink(spool_path);
	if (!copy(input, fd, spool_path, error)) {
		close(fd);
		return FALSE;
	}
	close(input->fd);
	input->fd = fd;
	return TRUE;
}

static int open_path(const char *path)
{
	if (g_str_equal(path, "-"))
		return fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
	return open(path, O_RDONLY | O_CLOEXEC);
}

LttInput *ltt_input_open(const char *path, const char *spool_path, GError **error)
{
	g_autoptr(LttInput) input = g_new0(LttInput, 1);
	struct stat status;

	input->name = g_strdup(g_str_equal(path, "-") ? "standard input" : path);
	input->fd = open_path(path);
	if (input->fd < 0 || fstat(input->fd, &status) < 0) {
		ltt_fail_io(error, input->name, "open the file", errno);
		return NULL;
	}
	if (S_ISDIR(status.st_mode)) {
		ltt_fail(error, LTT_ERROR_UNSUPPORTED, "%s: is a directory; expected a file",
			 input->name);
		return NULL;
	}
	/* of a file given as standard input, what is in front has been read by somebody else */
	if (S_ISREG(status.st_mode) && lseek(input->fd, 0, SEEK_CUR) == 0)
		input->size = (guint64)status.st_size;
	else if (!spool(input, spool_path, error))
		return NULL;
	input->window_bytes = WINDOW_BYTES;
	input->window = g_malloc(WINDOW_BYTES);
	return g_steal_pointer(&input);
}

LttInput *ltt_input_new_memory(const char *name, gconstpointer bytes, gsize length)
{
	LttInput *input = g_new0(LttInput, 1);

	input->name = g_strdup(name);
	input->fd = -1;
	input->size = length;
	input->window = (guint8 *)bytes;
	input->window_bytes = input->held_bytes = length;
	return input;
}

void ltt_input_free(LttInput *input)
{
	if (input == NULL)
		return;
	if (input->fd >= 0) {
		close(input->fd);
		g_free(input->window);
	}
	g_free(input->name);
	g_free(input);
}

/* ---- reading ---- */

const char *ltt_input_get_name(const LttInput *input)
{
	return input->name;
}

guint64 ltt_input_get_size(const LttInput *input)
{
	return input->size;
}

guint64 ltt_input_get_rest(const LttInput *input, guint64 offset)
{
	return input->size > offset ? input->size - offset : 0;
}

/* Reads on from @offset, @length bytes at least. */
static gboolean fill(LttInput *input, guint64 offset, gsize length, GError **error)
{
	gssize n;

	input->held_bytes = 0;
	if (length > input->window_bytes) {
		guint8 *window = g_try_realloc(input->window, length);

		if (window == NULL)
			return ltt_fail(error, LTT_ERROR_LIMIT, "%s: no memory for %zu bytes",
					input->name, length);
		input->window = window;
		input->window_bytes = length;
	}
	n = read_at(input->fd, input->window, input->window_bytes, offset);
	if (n < 0)
		return ltt_fail_io(error, input->name, "read", errno);
	if ((gsize)n < length)
		return ltt_fail(error, LTT_ERROR_IO,
				"%s: has become shorter while it was being read", input->name);
	input->held_offset = offset;
	input->held_bytes = (gsize)n;
	return TRUE;
}

gboolean ltt_input_get(LttInput *input, guint64 offset, gsize length, const guint8 **bytes,
		       GError **error)
{
	const guint64 rest = ltt_input_get_rest(input, offset);

	if (length > rest)
		return ltt_fail_at(error, LTT_ERROR_CORRUPT, input->name, LTT_NOWHERE,
				   (gint64)MIN(offset, (guint64)G_MAXINT64),
				   "the file ends %" G_GUINT64_FORMAT
				   " bytes from here; expected %zu",
				   rest, length);
	if (length > 0 &&
	    (offset < input->held_offset || offset - input->held_offset > input->held_bytes ||
	     length > input->held_bytes - (gsize)(offset - input->held_offset)) &&
	    !fill(input, offset, length, error))
		return FALSE;
	*bytes = length > 0 ? input->window + (offset - input->held_offset) : input->window;
	return TRUE;
}

int ltt_input_dup(const LttInput *input, GError **error)
{
	int fd;

	if (input->fd < 0) {
		ltt_fail(error, LTT_ERROR_UNSUPPORTED, "%s: is no file", input->name);
		return -1;
	}
	fd = fcntl(input->fd, F_DUPFD_CLOEXEC, 0);
	if (fd < 0)
		ltt_fail_io(error, input->name, "open the file", errno);
	return fd;
}
