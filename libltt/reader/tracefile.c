/* tracefile.c - the bytes of a tracefile and the order of its blocks (doc/format.md, 3).
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
	g_clear_pointer(&tracefile->order, g_array_unref);
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

/* ---- order of the blocks ---- */

typedef struct BlockKey {
	gint64 key; /* the block's id, counted from that of the first one, modulo 2^32 and signed */
	guint64 place;
} BlockKey;

static gint compare_keys(gconstpointer left, gconstpointer right)
{
	const BlockKey *a = left;
	const BlockKey *b = right;

	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	return a->place < b->place ? -1 : a->place > b->place;
}

/* Reads the first bytes of the block at @place, and the final word of the one before it, which lies
 * next to them. */
static gboolean read_joint(const LttTracefile *tracefile, guint64 place, guint8 *bytes,
			   gsize head_bytes)
{
	const gsize before = place > 0 ? LTT_FINAL_WORD_BYTES : 0;
	const gsize after = place < tracefile->n_blocks ? head_bytes : 0;

	return ltt_tracefile_read(tracefile, place * tracefile->block_bytes - before,
				  bytes + LTT_FINAL_WORD_BYTES - before, before + after, NULL);
}

typedef struct OrderScan {
	const LttSlots *slots;
	LttByteOrder byte_order;
	gboolean is_dialect_22;
	GArray *keys; /* of BlockKey */
	gboolean has_reference;
	guint32 reference; /* id of the first block that has one */
	gint64 last_key;
	gboolean is_sorted;
} OrderScan;

/* Notes a block by its first bytes and its final word. One that is damaged at the very start has no
 * id; it is read behind the block that it lies behind. */
static void note_block(OrderScan *scan, guint64 place, const guint8 *head, const guint8 *final_word)
{
	const gboolean starts = ltt_load_u16(head, scan->byte_order) == scan->slots->block_start_id;
	const guint32 word = ltt_load_u32(final_word, scan->byte_order);
	BlockKey block = {.key = scan->last_key, .place = place};

	if (word == 0 && (scan->is_dialect_22 || !starts))
		return;
	if (starts) {
		const guint32 id =
			ltt_load_u32(head + LTT_EVENT_HEADER_BYTES + scan->slots->block.block_id_at,
				     scan->byte_order);

		if (!scan->has_reference) {
			scan->has_reference = TRUE;
			scan->reference = id;
		}
		block.key = (gint32)(id - scan->reference);
	}
	scan->is_sorted = scan->is_sorted && block.key >= scan->last_key;
	scan->last_key = block.key;
	g_array_append_val(scan->keys, block);
}

static void scan_order(LttTracefile *tracefile)
{
	const LttTrace *trace = tracefile->trace;
	const gsize head_bytes = MIN(trace->slots->block_start_bytes, tracefile->block_bytes);
	OrderScan scan = {
		.slots = trace->slots,
		.byte_order = ltt_system_get_arch(trace->system)->byte_order,
		.is_dialect_22 = ltt_system_is_dialect_22(trace->system),
		.keys = g_array_new(FALSE, FALSE, sizeof(BlockKey)),
		.last_key = G_MININT32,
		.is_sorted = TRUE,
	};
	g_autofree guint8 *head = g_malloc(head_bytes);
	g_autofree guint8 *joint = g_malloc0(LTT_FINAL_WORD_BYTES + head_bytes);

	for (guint64 place = 0; place <= tracefile->n_blocks; place++) {
		/* What cannot be read looks damaged, and says so when its turn comes. */
		if (!read_joint(tracefile, place, joint, head_bytes))
			memset(joint, 0xff, LTT_FINAL_WORD_BYTES + head_bytes);
		if (place > 0)
			note_block(&scan, place - 1, head, joint);
		memcpy(head, joint + LTT_FINAL_WORD_BYTES, head_bytes);
	}
	if (!scan.is_sorted)
		g_array_sort(scan.keys, compare_keys);
	if (!scan.is_sorted || scan.keys->len < tracefile->n_blocks) {
		tracefile->order = g_array_new(FALSE, FALSE, sizeof(guint64));
		for (guint i = 0; i < scan.keys->len; i++)
			g_array_append_val(tracefile->order,
					   g_array_index(scan.keys, BlockKey, i).place);
	}
	g_array_unref(scan.keys);
}

static void need_order(LttTracefile *tracefile)
{
	g_rec_mutex_lock(&tracefile->lock);
	if (!tracefile->has_order) {
		if (tracefile->n_blocks > 0)
			scan_order(tracefile);
		tracefile->has_order = TRUE;
	}
	g_rec_mutex_unlock(&tracefile->lock);
}

guint64 ltt_tracefile_get_n_ordered(LttTracefile *tracefile)
{
	need_order(tracefile);
	return tracefile->order != NULL ? tracefile->order->len : tracefile->n_blocks;
}

guint64 ltt_tracefile_get_ordered(LttTracefile *tracefile, guint64 position)
{
	need_order(tracefile);
	return tracefile->order != NULL ? g_array_index(tracefile->order, guint64, position)
					: position;
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
