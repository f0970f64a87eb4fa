/* rewrite-priv.h - a tracefile written anew out of events that were read, each at exactly its time.
 *
 * A writer of its own clock puts time values where it likes. Here events come with the two time
 * values that they lay between, a stretch, and the times that a reader gave them by these; what is
 * written gives a reader the same times to the nanosecond. Events of one stretch come one after the
 * other; those of several stretches, of one or of several files, are packed into a block, as long
 * as they fit.
 *
 *	LttRewriter *out = ltt_rewriter_new(path, 4096, LTT_LITTLE_ENDIAN, &error);
 *	ltt_rewriter_set_thread_id(out, id);
 *	ltt_rewriter_begin(out, &from, &to);
 *	ltt_rewriter_add(out, &event);
 *	...
 *	ltt_rewriter_close(out, &error);
 *
 * Whole blocks may be copied between, and the merged order of what is left out can be held.
 * Errors are kept: after the first nothing more is written, and ltt_rewriter_close() gives it.
 */
#ifndef LTT_REWRITE_PRIV_H
#define LTT_REWRITE_PRIV_H

#ifndef LTT_BUILDING
#error "edit/rewrite-priv.h is private to libltt"
#endif

#include "reader/block-priv.h"
#include "writer/block-writer-priv.h"

typedef struct LttRewriter LttRewriter;

/* An event to be written. */
typedef struct LttEditEvent {
	guint64 cycles; /* at most 2^32 - 1 above those of the stretch's first time value */
	guint64 time_ns;
	guint16 id;          /* in the trace that is written */
	gboolean has_thread; /* pid and tid are known */
	guint32 pid;
	guint32 tid;
	const guint8 *payload;
	guint32 payload_bytes;
} LttEditEvent;

/* Makes the file @path, empty. Returns: NULL with LTT_ERROR_IO, or LTT_ERROR_LIMIT if there is no
 * memory for a block */
LttRewriter *ltt_rewriter_new(const char *path, guint64 block_bytes, LttByteOrder byte_order,
			      GError **error);
void ltt_rewriter_free(LttRewriter *rewriter); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttRewriter, ltt_rewriter_free)

/* For the historical dialect: a form other than that of the builtin facility. Before anything is
 * written. */
void ltt_rewriter_set_form(LttRewriter *rewriter, const LttBlockForm *form);

/* The id of tracer.thread in what is written; -1, as at first: threads are not told. */
void ltt_rewriter_set_thread_id(LttRewriter *rewriter, gint id);

/* The id of the first block, if none was begun yet; the others count up from there. */
void ltt_rewriter_set_block_id(LttRewriter *rewriter, guint32 block_id);

/* A stretch begins. @to: NULL: nothing is known behind the events, and a time value will be found
 * that gives them their times. */
void ltt_rewriter_begin(LttRewriter *rewriter, const LttTimeValue *from, const LttTimeValue *to);

/* Adds an event to the stretch; its payload is copied. */
void ltt_rewriter_add(LttRewriter *rewriter, const LttEditEvent *event);

/* What is written from here on stands in another block. */
void ltt_rewriter_break(LttRewriter *rewriter);

/* What is written from here on is merged as if it stood behind something of @time_ns in its file
 * (doc/format.md, 7.1): as events that were left out did, where times fall. */
void ltt_rewriter_hold(LttRewriter *rewriter, guint64 time_ns);

/**
 * ltt_rewriter_copy:
 * @source: the file that @block was loaded from; open until something else is written
 * @block: finished and sound
 * @from_file: take the bytes from the file, which cannot change; else from @block
 *
 * Copies a block as it is; only its id becomes another one where the order of blocks needs it.
 */
void ltt_rewriter_copy(LttRewriter *rewriter, const LttStoredFile *source, const LttBlock *block,
		       gboolean from_file);

/* Returns: the number of events left out because no time value can represent their times */
guint64 ltt_rewriter_get_n_lost(const LttRewriter *rewriter);

/* Returns: the bytes of the whole blocks so far */
guint64 ltt_rewriter_get_bytes(const LttRewriter *rewriter);

/* The least and the greatest cycle count of any time value that was written. Returns: FALSE if
 * there was none */
gboolean ltt_rewriter_get_cycles(const LttRewriter *rewriter, guint64 *least, guint64 *most);

/* Ends the file. Returns: FALSE with LTT_ERROR_IO */
gboolean ltt_rewriter_close(LttRewriter *rewriter, GError **error);

#endif
