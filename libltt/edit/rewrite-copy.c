/* rewrite-copy.c - whole blocks, as they are.
 *
 * Blocks that follow one another in both files are copied in one go by the system, which on some
 * file systems shares them instead.
 */
#define _GNU_SOURCE /* copy_file_range */

#include "edit/rewriter-priv.h"

#include "base/bytes-priv.h"
#include "base/write-at-priv.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define PIECE_BYTES (1024 * 1024)

/* Returns: 0, or an errno; ENODATA if the source has become shorter */
static int copy_by_hand(int from_fd, guint64 from, int to_fd, guint64 to, guint64 length)
{
	g_autofree guint8 *buffer = g_malloc(PIECE_BYTES);
	int errnum = 0;

	while (errnum == 0 && length > 0) {
		const ssize_t got = pread(from_fd, buffer, MIN(length, PIECE_BYTES), (off_t)from);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got == 0 ? ENODATA : errno;
		errnum = ltt_write_at(to_fd, buffer, (gsize)got, to);
		from += (guint64)got;
		to += (guint64)got;
		length -= (guint64)got;
	}
	return errnum;
}

static int copy(int from_fd, guint64 from, int to_fd, guint64 to, guint64 length)
{
	while (length > 0) {
		off_t from_at = (off_t)from;
		off_t to_at = (off_t)to;
		const ssize_t copied = copy_file_range(from_fd, &from_at, to_fd, &to_at, length, 0);

		if (copied < 0 && errno == EINTR)
			continue;
		/* Not every file system can do it, nor between every two. */
		if (copied <= 0)
			return copy_by_hand(from_fd, from, to_fd, to, length);
		from += (guint64)copied;
		to += (guint64)copied;
		length -= (guint64)copied;
	}
	return 0;
}

void ltt_rewriter_flush_run(LttRewriter *rewriter)
{
	LttRun *run = &rewriter->run;
	int errnum = 0;

	if (rewriter->error == NULL && run->length > 0)
		errnum = copy(run->fd, run->from, rewriter->fd, run->to, run->length);
	if (errnum != 0)
		ltt_rewriter_fail(rewriter, "copy blocks to", errnum);
	run->length = 0;
}

static void copy_from_file(LttRewriter *rewriter, const LttStoredFile *source, guint64 from,
			   guint64 to)
{
	LttRun *run = &rewriter->run;
	const guint64 length = rewriter->block.size_bytes;

	if (run->length > 0 && run->fd == source->fd && run->from + run->length == from) {
		run->length += length;
		return;
	}
	ltt_rewriter_flush_run(rewriter);
	*run = (LttRun){source->fd, from, to, length};
}

static void copy_from_memory(LttRewriter *rewriter, const LttBlock *block, guint64 to)
{
	int errnum = 0;

	ltt_rewriter_flush_run(rewriter);
	if (rewriter->error == NULL)
		errnum = ltt_write_at(rewriter->fd, block->bytes, rewriter->block.size_bytes, to);
	if (errnum != 0)
		ltt_rewriter_fail(rewriter, "write", errnum);
}

/* Changes the id at both ends of a block that was copied to @to. */
static void change_id(LttRewriter *rewriter, const LttBlock *block, guint64 to, guint32 id)
{
	const guint32 at = (guint32)LTT_EVENT_HEADER_BYTES + rewriter->block.form.block_id_at;
	guint8 bytes[sizeof(guint32)];
	int errnum = 0;

	ltt_rewriter_flush_run(rewriter);
	ltt_store_u32(bytes, id, rewriter->block.byte_order);
	if (rewriter->error == NULL)
		errnum = ltt_write_at(rewriter->fd, bytes, sizeof(bytes), to + at);
	if (rewriter->error == NULL && errnum == 0)
		errnum = ltt_write_at(rewriter->fd, bytes, sizeof(bytes),
				      to + block->records[block->n_events - 1].offset + at);
	if (errnum != 0)
		ltt_rewriter_fail(rewriter, "write", errnum);
}

static guint32 get_block_id(const LttRewriter *rewriter, const LttBlock *block)
{
	return ltt_load_u32(block->bytes + LTT_EVENT_HEADER_BYTES +
				    rewriter->block.form.block_id_at,
			    rewriter->block.byte_order);
}

void ltt_rewriter_copy(LttRewriter *rewriter, const LttStoredFile *source, const LttBlock *block,
		       gboolean from_file)
{
	const LttTimeValue *stamps = (const LttTimeValue *)block->stamps->data;
	const guint64 from = source->offset + block->place * rewriter->block.size_bytes;
	const guint32 own_id = get_block_id(rewriter, block);
	guint64 to;
	guint32 id;

	ltt_rewriter_place(rewriter, rewriter->stretch_has_to ? &rewriter->stretch_to : NULL);
	if (rewriter->hold_ns > rewriter->most_ns && stamps[0].time_ns < rewriter->hold_ns) {
		rewriter->stretch_from = stamps[0];
		ltt_rewriter_put_hold(rewriter, rewriter->hold_ns);
	}
	ltt_rewriter_end_block(rewriter);
	to = rewriter->n_blocks * rewriter->block.size_bytes;
	id = ltt_rewriter_take_id(rewriter, own_id);
	if (from_file)
		copy_from_file(rewriter, source, from, to);
	else
		copy_from_memory(rewriter, block, to);
	if (id != own_id)
		change_id(rewriter, block, to, id);
	rewriter->n_blocks++;
	for (guint i = 0; i < block->stamps->len; i++)
		ltt_rewriter_note(rewriter, &stamps[i]);
	for (guint32 i = 0; i < block->n_events; i++)
		rewriter->most_ns = MAX(rewriter->most_ns, block->times_ns[i]);
}
