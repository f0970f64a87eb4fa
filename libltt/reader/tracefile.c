/* tracefile.c - the bytes of a tracefile, and what its blocks tell about one another.
 *
 * Blocks are read with pread(), not through a mapping: a file that is cut short under us is then an
 * error and not a SIGBUS.
 */
#include "reader/tracefile-priv.h"

#include "base/bytes-priv.h"
#include "base/error-priv.h"
#include "model/ondisk-priv.h"
#include "reader/block-priv.h"
#include "reader/block-walk-priv.h"
#include "reader/trace-priv.h"

#include <ltt/ltt-time.h>

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static int open_file(const LttTracefile *tracefile)
{
	/* Not blocking: a FIFO that stands where a tracefile should must not hold us up. */
	return open(tracefile->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
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

/* ---- what other blocks of the file tell about one ---- */

LttRate ltt_tracefile_get_rate_before(LttTracefile *tracefile, guint64 position)
{
	LttBlock block;
	LttRate rate = {0, 0};

	ltt_block_init(&block);
	g_rec_mutex_lock(&tracefile->lock);
	for (guint64 at = position; at > 0 && rate.dc_cycles == 0; at--) {
		if (at == tracefile->rate_position) {
			rate = tracefile->rate;
			break;
		}
		if (ltt_block_load_untimed(&block, tracefile, at - 1, NULL))
			rate = ltt_block_get_rate(&block);
	}
	tracefile->rate_position = position;
	tracefile->rate = rate;
	g_rec_mutex_unlock(&tracefile->lock);
	ltt_block_clear(&block);

	if (rate.dc_cycles == 0) {
		const guint64 hz = ltt_system_get_cycle_frequency(tracefile->trace->system);

		rate = hz > 0 ? (LttRate){LTT_NS_PER_S, hz} : (LttRate){1, 1};
	}
	return rate;
}

/* A load in this file: the ids are given out, and the place kept from where on they hold. */
static void take_local_load(LttWalk *walk, const char *name, guint32 checksum, guint32 base_code,
			    guint32 offset)
{
	LttTracefile *tracefile = walk->tracefile;
	LttLocalLoad local = {
		.position = walk->block->position, .offset_bytes = offset, .base_code = base_code};
	const LttLoad *load;

	if (!ltt_trace_apply_load(tracefile->trace, walk->slots, name, checksum, base_code,
				  tracefile, walk->block->place, offset))
		return;
	load = g_ptr_array_index(walk->slots->loads, walk->slots->loads->len - 1);
	local.n_events = ltt_facility_get_n_events(load->facility);
	g_array_append_val(tracefile->local_loads, local);
}

void ltt_tracefile_find_local_loads(LttTracefile *tracefile)
{
	LttBlock block;
	gboolean met_unknown_id;

	g_rec_mutex_lock(&tracefile->lock);
	if (tracefile->local_slots == NULL) {
		ltt_block_init(&block);
		tracefile->local_slots = ltt_slots_dup(tracefile->trace->slots);
		tracefile->local_loads = g_array_new(FALSE, FALSE, sizeof(LttLocalLoad));
		for (guint64 i = 0; i < ltt_tracefile_get_n_ordered(tracefile); i++)
			ltt_block_walk(&block, tracefile, i, tracefile->local_slots, NULL,
				       take_local_load, NULL, &met_unknown_id, NULL);
		ltt_block_clear(&block);
	}
	g_rec_mutex_unlock(&tracefile->lock);
}
