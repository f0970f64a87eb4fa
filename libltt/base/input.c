/* input.c - see input-priv.h. */
#include "base/input-priv.h"

#include "base/error-priv.h"
#include "base/scratch-priv.h"
#include "base/window-priv.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIECE_BYTES ((gsize)256 * 1024)

struct LttInput {
	char *name;
	LttWindow *window;    /* NULL: the input is in memory */
	const guint8 *memory; /* borrowed */
	guint64 size;
};

/* ---- opening ---- */

static gboolean copy(int from, const char *name, LttScratch *to, GError **error)
{
	g_autofree guint8 *piece = g_malloc(PIECE_BYTES);

	while (TRUE) {
		const gssize n = read(from, piece, PIECE_BYTES);

		if (n == 0)
			return TRUE;
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return ltt_fail_io(error, name, "read", errno);
		if (!ltt_scratch_put(to, ltt_scratch_get_size(to), piece, (gsize)n, error))
			return FALSE;
	}
}

/* Copies a pipe into an anonymous temporary file. @fd: (transfer full).
 * Returns: a descriptor of that file; -1 with @error set */
static int spool(int fd, const char *name, const char *directory, GError **error)
{
	g_autoptr(LttScratch) scratch = ltt_scratch_new(directory, error);
	int spooled = -1;

	if (scratch != NULL && copy(fd, name, scratch, error))
		spooled = ltt_scratch_dup(scratch, error);
	close(fd);
	return spooled;
}

static int open_path(const char *path)
{
	if (g_str_equal(path, "-"))
		return fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
	return open(path, O_RDONLY | O_CLOEXEC);
}

/* Returns: a descriptor of a regular file with the whole input; -1 with @error set */
static int open_regular(const char *path, const char *name, const char *directory, GError **error)
{
	const int fd = open_path(path);
	struct stat status;

	if (fd < 0 || fstat(fd, &status) < 0) {
		ltt_fail_io(error, name, "open the file", errno);
	} else if (S_ISDIR(status.st_mode)) {
		ltt_fail(error, LTT_ERROR_UNSUPPORTED, "%s: is a directory; expected a file", name);
	} else if (S_ISREG(status.st_mode) && lseek(fd, 0, SEEK_CUR) == 0) {
		return fd;
	} else {
		/* Standard input may be a file that another process has read in part. */
		return spool(fd, name, directory, error);
	}
	if (fd >= 0)
		close(fd);
	return -1;
}

LttInput *ltt_input_open(const char *path, const char *directory, GError **error)
{
	g_autoptr(LttInput) input = g_new0(LttInput, 1);
	int fd;

	input->name = g_strdup(g_str_equal(path, "-") ? "standard input" : path);
	fd = open_regular(path, input->name, directory, error);
	if (fd < 0)
		return NULL;
	input->window = ltt_window_new(fd, input->name, error);
	if (input->window == NULL)
		return NULL;
	input->size = ltt_window_get_size(input->window);
	return g_steal_pointer(&input);
}

LttInput *ltt_input_new_memory(const char *name, gconstpointer bytes, gsize length)
{
	LttInput *input = g_new0(LttInput, 1);

	input->name = g_strdup(name);
	input->memory = bytes;
	input->size = length;
	return input;
}

void ltt_input_free(LttInput *input)
{
	if (input == NULL)
		return;
	ltt_window_free(input->window);
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

gboolean ltt_input_get(LttInput *input, guint64 offset, gsize length, const guint8 **bytes,
		       GError **error)
{
	const guint64 rest = ltt_input_get_rest(input, offset);
	const guint8 *found;

	if (length > rest)
		return ltt_fail_at(error, LTT_ERROR_CORRUPT, input->name, LTT_NOWHERE,
				   (gint64)MIN(offset, (guint64)G_MAXINT64),
				   "the file ends %" G_GUINT64_FORMAT
				   " bytes from here; expected %zu",
				   rest, length);
	if (length == 0)
		found = (const guint8 *)"";
	else if (input->window == NULL)
		found = input->memory + offset;
	else
		found = ltt_window_get(input->window, offset, length, error);
	if (found != NULL)
		*bytes = found;
	return found != NULL;
}

int ltt_input_dup(const LttInput *input, GError **error)
{
	int fd;

	if (input->window == NULL) {
		ltt_fail(error, LTT_ERROR_UNSUPPORTED, "%s: is not a file", input->name);
		return -1;
	}
	fd = fcntl(ltt_window_get_fd(input->window), F_DUPFD_CLOEXEC, 0);
	if (fd < 0)
		ltt_fail_io(error, input->name, "open the file", errno);
	return fd;
}
