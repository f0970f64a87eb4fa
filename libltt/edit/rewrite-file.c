/* rewrite-file.c - the output file of a rewriter, and the ids of its blocks.
 *
 * Blocks that are consecutive in both files are copied with one copy_file_range(), which shares
 * them on some file systems.
 */
#define _GNU_SOURCE /* copy_file_range */

#include "edit/rewrite-in-priv.h"

#include "base/error-priv.h"
#include "base/read-at-priv.h"
#include "base/write-at-priv.h"

#include <errno.h>
#include <unistd.h>

#define PIECE_BYTES (1024 * 1024)

/* Returns: 0, or an errno; ENODATA if the source has become shorter */
static int copy_by_hand(int from_fd, guint64 from, int to_fd, guint64 to, guint64 length)
{
	g_autofree guint8 *buffer = g_malloc(PIECE_BYTES);
	int errnum = 0;

	while (errnum == 0 && length > 0) {
		const gsize piece = (gsize)MIN(length, PIECE_BYTES);

		errnum = ltt_read_at(from_fd, buffer, piece, from, NULL);
		if (errnum == 0)
			errnum = ltt_write_at(to_fd, buffer, piece, to);
		from += piece;
		to += piece;
		length -= piece;
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
		/* Not all file systems, or pairs of them, support this. */
		if (copied <= 0)
			return copy_by_hand(from_fd, from, to_fd, to, length);
		from += (guint64)copied;
		to += (guint64)copied;
		length -= (guint64)copied;
	}
	return 0;
}

/* ---- bytes ---- */

void ltt_rewriter_fail(LttRewriter *rewriter, const char *attempt, int errnum)
{
	if (rewriter->error == NULL)
		ltt_fail_io(&rewriter->error, rewriter->path, attempt, errnum);
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

void ltt_rewriter_write(LttRewriter *rewriter, const guint8 *bytes, gsize length, guint64 to)
{
	int errnum = 0;

	ltt_rewriter_flush_run(rewriter);
	if (rewriter->error == NULL)
		errnum = ltt_write_at(rewriter->fd, bytes, length, to);
	if (errnum != 0)
		ltt_rewriter_fail(rewriter, "write", errnum);
}

void ltt_rewriter_write_copy(LttRewriter *rewriter, int fd, guint64 from, guint64 to)
{
	LttRun *run = &rewriter->run;
	const guint64 length = rewriter->block.size_bytes;

	if (run->length > 0 && run->fd == fd && run->from + run->length == from) {
		run->length += length;
		return;
	}
	ltt_rewriter_flush_run(rewriter);
	*run = (LttRun){fd, from, to, length};
}

/* ---- ids of blocks ---- */

/* Returns: the position of an id in the order of the file (doc/format.md, 3.5) */
static gint32 get_key(const LttRewriter *rewriter, guint32 id)
{
	return (gint32)(id - rewriter->first_id);
}

guint32 ltt_rewriter_take_id(LttRewriter *rewriter, guint32 wanted)
{
	if (!rewriter->has_ids) {
		rewriter->first_id = wanted;
		rewriter->last_id = wanted;
		rewriter->has_ids = TRUE;
	} else if (get_key(rewriter, wanted) > get_key(rewriter, rewriter->last_id)) {
		rewriter->last_id = wanted;
	} else if (get_key(rewriter, rewriter->last_id) < G_MAXINT32) {
		rewriter->last_id++;
	}
	/* Else repeat the last id: blocks with equal ids stay in the order of the file. */
	return rewriter->last_id;
}

void ltt_rewriter_note(LttRewriter *rewriter, const LttTimeValue *value)
{
	rewriter->most_ns = MAX(rewriter->most_ns, value->time_ns);
	rewriter->least_cycles =
		rewriter->has_cycles ? MIN(rewriter->least_cycles, value->cycles) : value->cycles;
	rewriter->most_cycles =
		rewriter->has_cycles ? MAX(rewriter->most_cycles, value->cycles) : value->cycles;
	rewriter->has_cycles = TRUE;
}
