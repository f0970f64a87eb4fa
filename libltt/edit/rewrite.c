/* rewrite.c - write a tracefile from events that were read.
 *
 * The events of a stretch are held back until its end, so that all of them can go into one block,
 * followed by the time value of the source. If the source has none, or the stretch does not fit a
 * block, fit.c computes one.
 */
#include "edit/rewrite-in-priv.h"

#include "base/error-priv.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define ALL_MAY 0666 /* subject to the umask */

LttRewriter *ltt_rewriter_new(const char *path, guint64 block_bytes, LttByteOrder byte_order,
			      GError **error)
{
	g_autoptr(LttRewriter) rewriter = g_new0(LttRewriter, 1);

	rewriter->path = g_strdup(path);
	rewriter->thread_id = -1;
	rewriter->waiting = g_array_new(FALSE, FALSE, sizeof(LttWaiting));
	rewriter->instants = g_array_new(FALSE, FALSE, sizeof(LttInstant));
	rewriter->payloads = g_byte_array_new();
	rewriter->fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, ALL_MAY);
	if (rewriter->fd < 0) {
		ltt_fail_io(error, path, "make the file", errno);
		return NULL;
	}
	if (!ltt_block_writer_init(&rewriter->block, block_bytes, byte_order)) {
		ltt_fail(error, LTT_ERROR_LIMIT,
			 "%s: no memory for a block of %" G_GUINT64_FORMAT " bytes", path,
			 block_bytes);
		return NULL;
	}
	return g_steal_pointer(&rewriter);
}

void ltt_rewriter_free(LttRewriter *rewriter)
{
	if (rewriter == NULL)
		return;
	if (rewriter->fd >= 0)
		close(rewriter->fd);
	ltt_block_writer_clear(&rewriter->block);
	g_array_unref(rewriter->waiting);
	g_array_unref(rewriter->instants);
	g_byte_array_unref(rewriter->payloads);
	g_clear_error(&rewriter->error);
	g_free(rewriter->path);
	g_free(rewriter);
}

void ltt_rewriter_set_form(LttRewriter *rewriter, const LttBlockForm *form)
{
	rewriter->block.form = *form;
}

void ltt_rewriter_set_thread_id(LttRewriter *rewriter, gint id)
{
	rewriter->thread_id = id;
}

void ltt_rewriter_set_block_id(LttRewriter *rewriter, guint32 block_id)
{
	if (!rewriter->has_ids)
		rewriter->first_id = block_id;
}

gboolean ltt_rewriter_get_cycles(const LttRewriter *rewriter, guint64 *least, guint64 *most)
{
	*least = rewriter->least_cycles;
	*most = rewriter->most_cycles;
	return rewriter->has_cycles;
}

guint64 ltt_rewriter_get_n_lost(const LttRewriter *rewriter)
{
	return rewriter->n_lost;
}

guint64 ltt_rewriter_get_n_large(const LttRewriter *rewriter)
{
	return rewriter->n_large;
}

guint64 ltt_rewriter_get_n_ordinary_lost(const LttRewriter *rewriter)
{
	return rewriter->n_ordinary_lost;
}

guint64 ltt_rewriter_get_bytes(const LttRewriter *rewriter)
{
	return rewriter->n_blocks * rewriter->block.size_bytes;
}

/* ---- a stretch ---- */

void ltt_rewriter_begin(LttRewriter *rewriter, const LttTimeValue *from, const LttTimeValue *to)
{
	ltt_rewriter_end_stretch(rewriter);
	rewriter->stretch_from = *from;
	rewriter->stretch_has_to = to != NULL;
	if (to != NULL)
		rewriter->stretch_to = *to;
}

void ltt_rewriter_break(LttRewriter *rewriter)
{
	ltt_rewriter_end_stretch(rewriter);
	ltt_rewriter_end_block(rewriter);
}

void ltt_rewriter_hold(LttRewriter *rewriter, guint64 time_ns)
{
	rewriter->hold_ns = MAX(rewriter->hold_ns, MIN(time_ns, LTT_MAX_FOUND_NS));
}

void ltt_rewriter_add(LttRewriter *rewriter, const LttEditEvent *event)
{
	const LttInstant instant = {event->cycles, event->time_ns};
	LttWaiting waiting = {.event = *event, .payload_at = rewriter->payloads->len};

	if (rewriter->waiting->len == 0)
		rewriter->most_ns = MAX(rewriter->most_ns, rewriter->stretch_from.time_ns);
	if (rewriter->hold_ns > rewriter->most_ns && event->time_ns < rewriter->hold_ns) {
		/* Pending events come before the hold, but the end of the stretch does not. */
		ltt_rewriter_place(rewriter, NULL);
		ltt_rewriter_put_hold(rewriter, rewriter->hold_ns);
		waiting.payload_at = 0;
	}
	g_byte_array_append(rewriter->payloads, event->payload, event->payload_bytes);
	g_array_append_val(rewriter->waiting, waiting);
	g_array_append_val(rewriter->instants, instant);
	rewriter->most_ns = MAX(rewriter->most_ns, event->time_ns);
}

gboolean ltt_rewriter_close(LttRewriter *rewriter, GError **error)
{
	ltt_rewriter_end_stretch(rewriter);
	ltt_rewriter_end_block(rewriter);
	ltt_rewriter_flush_run(rewriter);
	if (close(rewriter->fd) < 0)
		ltt_rewriter_fail(rewriter, "write", errno);
	rewriter->fd = -1;
	if (rewriter->error == NULL)
		return TRUE;
	g_propagate_error(error, g_steal_pointer(&rewriter->error));
	return FALSE;
}
