/* scratch.c - see scratch-priv.h. */
#define _GNU_SOURCE /* O_TMPFILE */

#include "base/scratch-priv.h"

#include "base/error-priv.h"
#include "base/write-at-priv.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define ONLY_OURS    0600
#define BUFFER_BYTES ((gsize)256 * 1024)

struct LttScratch {
	char *directory; /* for messages */
	int fd;
	guint64 size_bytes;
	guint64 place;  /* offset in the file of the buffer */
	gsize gathered; /* bytes in the buffer */
	guint8 *buffer; /* BUFFER_BYTES */
};

static int open_unnamed(const char *directory, GError **error)
{
	int fd = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, ONLY_OURS);

	if (fd < 0) {
		/* Not every file system supports O_TMPFILE. */
		g_autofree char *path = g_build_filename(directory, ".ltt-XXXXXX", NULL);

		fd = g_mkstemp_full(path, O_RDWR | O_CLOEXEC, ONLY_OURS);
		if (fd >= 0)
			g_unlink(path);
	}
	if (fd < 0)
		ltt_fail_io(error, directory, "make a temporary file", errno);
	return fd;
}

LttScratch *ltt_scratch_new(const char *directory, GError **error)
{
	const char *place = directory != NULL ? directory : g_get_tmp_dir();
	const int fd = open_unnamed(place, error);
	LttScratch *scratch;

	if (fd < 0)
		return NULL;
	scratch = g_new0(LttScratch, 1);
	scratch->directory = g_strdup(place);
	scratch->fd = fd;
	scratch->buffer = g_malloc(BUFFER_BYTES);
	return scratch;
}

void ltt_scratch_free(LttScratch *scratch)
{
	if (scratch == NULL)
		return;
	close(scratch->fd);
	g_free(scratch->directory);
	g_free(scratch->buffer);
	g_free(scratch);
}

static gboolean write_out(const LttScratch *scratch, guint64 place, const guint8 *bytes,
			  gsize length, GError **error)
{
	const int errnum = ltt_write_at(scratch->fd, bytes, length, place);

	return errnum == 0 ||
	       ltt_fail_io(error, scratch->directory, "write to a temporary file there", errnum);
}

static gboolean flush(LttScratch *scratch, GError **error)
{
	const gsize length = scratch->gathered;

	scratch->gathered = 0;
	return write_out(scratch, scratch->place, scratch->buffer, length, error);
}

gboolean ltt_scratch_put(LttScratch *scratch, guint64 place, gconstpointer bytes, gsize length,
			 GError **error)
{
	if (length > (guint64)G_MAXINT64 - MIN(place, (guint64)G_MAXINT64))
		return ltt_fail(error, LTT_ERROR_LIMIT,
				"place %" G_GUINT64_FORMAT " is beyond any file", place);
	scratch->size_bytes = MAX(scratch->size_bytes, place + length);
	if ((place != scratch->place + scratch->gathered ||
	     length > BUFFER_BYTES - scratch->gathered) &&
	    !flush(scratch, error))
		return FALSE;
	if (length > BUFFER_BYTES)
		return write_out(scratch, place, bytes, length, error);
	if (scratch->gathered == 0)
		scratch->place = place;
	if (length > 0)
		memcpy(scratch->buffer + scratch->gathered, bytes, length);
	scratch->gathered += length;
	return TRUE;
}

guint64 ltt_scratch_get_size(const LttScratch *scratch)
{
	return scratch->size_bytes;
}

int ltt_scratch_dup(LttScratch *scratch, GError **error)
{
	int fd;

	if (!flush(scratch, error))
		return -1;
	fd = fcntl(scratch->fd, F_DUPFD_CLOEXEC, 0);
	if (fd < 0)
		ltt_fail_io(error, scratch->directory, "open a temporary file there", errno);
	return fd;
}
