/* tracefile.c - a tracefile as bytes.
 *
 * Blocks are read with pread(), not through a mapping: a file that is cut short under us is then an
 * error and not a SIGBUS.
 */
#include "reader/tracefile-priv.h"

#include "base/error-priv.h"
#include "reader/trace-priv.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static int open_file(const LttTracefile *tracefile)
{
	/* Not blocking: a FIFO that stands where a tracefile should must not hold us up. */
	return open(tracefile->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

/* A live trace gives each thread that cannot write to the file of its CPU a lane, behind those of the
 * CPUs. */
static gboolean is_lane(const LttSystem *system, gint cpu)
{
	const char *text = ltt_system_get(system, "lanes");
	const guint n_cpus = ltt_system_get_n_cpus(system);
	guint64 n_lanes;

	return cpu >= 0 && text != NULL &&
	       g_ascii_string_to_unsigned(text, 10, 0, n_cpus, &n_lanes, NULL) &&
	       (guint)cpu >= n_cpus - (guint)n_lanes;
}

LttTracefile *ltt_tracefile_new(LttTrace *trace, const char *name, gint cpu, gboolean keep_open,
				GError **error)
{
	LttTracefile *tracefile = g_new0(LttTracefile, 1);
	struct stat status;

	tracefile->trace = trace;
	tracefile->name = g_strdup(name);
	tracefile->path = g_build_filename(trace->path, name, NULL);
	tracefile->cpu = cpu;
	tracefile->is_lane = is_lane(trace->system, cpu);
	tracefile->block_bytes = ltt_system_get_block_bytes(trace->system);
	g_rec_mutex_init(&tracefile->lock);
	tracefile->fd = open_file(tracefile);
	if (tracefile->fd < 0 || fstat(tracefile->fd, &status) < 0) {
		ltt_fail_at(error, LTT_ERROR_IO, name, LTT_NOWHERE, LTT_NOWHERE,
			    "could not open it: %s", g_strerror(errno));
		ltt_tracefile_free(tracefile);
		return NULL;
	}
	if (!S_ISREG(status.st_mode)) {
		ltt_fail_at(error, LTT_ERROR_IO, name, LTT_NOWHERE, LTT_NOWHERE,
			    "it is no plain file, as a tracefile is");
		ltt_tracefile_free(tracefile);
		return NULL;
	}
	tracefile->size_bytes = (guint64)status.st_size;
	tracefile->n_blocks = tracefile->size_bytes / tracefile->block_bytes;
	if (!keep_open) {
		close(tracefile->fd);
		tracefile->fd = -1;
	}
	return tracefile;
}

void ltt_tracefile_free(LttTracefile *tracefile)
{
	if (tracefile == NULL)
		return;
	if (tracefile->fd >= 0)
		close(tracefile->fd);
	g_clear_pointer(&tracefile->order.places, g_array_unref);
	g_clear_pointer(&tracefile->local_loads, g_array_unref);
	ltt_slots_free(tracefile->local_slots);
	g_rec_mutex_clear(&tracefile->lock);
	g_free(tracefile->name);
	g_free(tracefile->path);
	g_free(tracefile);
}

const char *ltt_tracefile_get_name(const LttTracefile *tracefile)
{
	return tracefile->name;
}

guint ltt_tracefile_get_index(const LttTracefile *tracefile)
{
	return tracefile->index;
}

gint ltt_tracefile_get_cpu(const LttTracefile *tracefile)
{
	return tracefile->cpu;
}

guint64 ltt_tracefile_get_n_blocks(const LttTracefile *tracefile)
{
	return tracefile->n_blocks;
}

static gboolean read_fully(int fd, guint8 *bytes, gsize length, guint64 offset)
{
	while (length > 0) {
		const ssize_t got = pread(fd, bytes, length, (off_t)offset);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0) {
			errno = got == 0 ? ENODATA : errno;
			return FALSE;
		}
		bytes += got;
		length -= (gsize)got;
		offset += (guint64)got;
	}
	return TRUE;
}

gboolean ltt_tracefile_read(const LttTracefile *tracefile, guint64 offset, gpointer bytes,
			    gsize length, GError **error)
{
	const int fd = tracefile->fd >= 0 ? tracefile->fd : open_file(tracefile);
	const gboolean ok = fd >= 0 && read_fully(fd, bytes, length, offset);
	const int errnum = errno;

	if (fd >= 0 && fd != tracefile->fd)
		close(fd);
	if (ok)
		return TRUE;
	return ltt_fail_at(error, LTT_ERROR_IO, tracefile->name,
			   (gint64)(offset / tracefile->block_bytes),
			   (gint64)(offset % tracefile->block_bytes), "could not read: %s",
			   errnum == ENODATA ? "the file has become shorter since it was opened"
					     : g_strerror(errnum));
}
