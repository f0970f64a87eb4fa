/* rewrite-priv.h - write a tracefile from events that were read, preserving their exact times.
 *
 * The caller passes events in stretches. A stretch is a run of events between two time values of
 * the source, with the times that a reader computes from these. The output gives a reader the same
 * times to the nanosecond. Stretches of one or of several files are packed into a block while they
 * fit.
 *
 *	LttRewriter *out = ltt_rewriter_new(path, 4096, LTT_LITTLE_ENDIAN, &error);
 *	ltt_rewriter_set_thread_id(out, id);
 *	ltt_rewriter_begin(out, &from, &to);
 *	ltt_rewriter_add(out, &event);
 *	...
 *	ltt_rewriter_close(out, &error);
 *
 * Whole blocks may be copied in between. Errors are sticky: after the first, nothing more is
 * written, and ltt_rewriter_close() returns it.
 */
#ifndef LTT_REWRITE_PRIV_H
#define LTT_REWRITE_PRIV_H

#ifndef LTT_BUILDING
#error "edit/rewrite-priv.h is private to libltt"
#endif

#include "reader/block-priv.h"
#include "writer/block-writer-priv.h"

typedef struct LttRewriter LttRewriter;

/* An event to write. */
typedef struct LttEditEvent {
	guint64 cycles; /* at most 2^32 - 1 above those of the stretch's first time value */
	guint64 time_ns;
	guint16 id;          /* in the trace that is written */
	gboolean has_thread; /* pid and tid are known */
	gboolean is_ordinary;
	guint32 pid;
	guint32 tid;
	const guint8 *payload;
	guint32 payload_bytes;
} LttEditEvent;

/* Creates the empty file @path. Returns: (transfer full) (nullable): NULL with LTT_ERROR_IO, or
 * LTT_ERROR_LIMIT if out of memory for a block */
LttRewriter *ltt_rewriter_new(const char *path, guint64 block_bytes, LttByteOrder byte_order,
			      GError **error);
void ltt_rewriter_free(LttRewriter *rewriter); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttRewriter, ltt_rewriter_free)

/* Sets the form of blocks, for the historical dialect. Call it before anything is written. */
void ltt_rewriter_set_form(LttRewriter *rewriter, const LttBlockForm *form);

/* Sets the id of tracer.thread in the output; -1, the default: threads are not recorded. */
void ltt_rewriter_set_thread_id(LttRewriter *rewriter, gint id);

/* Sets the id of the first block, if none was begun yet; later ids count up from there. */
void ltt_rewriter_set_block_id(LttRewriter *rewriter, guint32 block_id);

/* Begins a stretch. @to: (nullable): NULL: the source has no time value after the events; the
 * rewriter computes one that reproduces their times. */
void ltt_rewriter_begin(LttRewriter *rewriter, const LttTimeValue *from, const LttTimeValue *to);

/* Adds an event to the stretch; its payload is copied. */
void ltt_rewriter_add(LttRewriter *rewriter, const LttEditEvent *event);

/* Ends the current block: what follows goes into another one. */
void ltt_rewriter_break(LttRewriter *rewriter);

/* Makes what follows merge as if an event at @time_ns preceded it in its file (doc/format.md, 7.1),
 * to replace events that were left out where times decrease. */
void ltt_rewriter_hold(LttRewriter *rewriter, guint64 time_ns);

/**
 * ltt_rewriter_copy:
 * @source: the file that @block was loaded from; must stay open until something else is written
 * @block: finished and undamaged
 * @from_file: TRUE: copy from the file, which must not change; FALSE: from @block
 *
 * Copies a block unchanged, except for its id where the order of blocks requires another one.
 */
void ltt_rewriter_copy(LttRewriter *rewriter, const LttStoredFile *source, const LttBlock *block,
		       gboolean from_file);

/* Returns: the number of events left out because no time value can represent their times, or because
 * they fit no block */
guint64 ltt_rewriter_get_n_lost(const LttRewriter *rewriter);

/* Returns: how many of those fit no block */
guint64 ltt_rewriter_get_n_large(const LttRewriter *rewriter);

/* Returns: how many of those are ordinary events */
guint64 ltt_rewriter_get_n_ordinary_lost(const LttRewriter *rewriter);

/* Returns: the size of all complete blocks so far, in bytes */
guint64 ltt_rewriter_get_bytes(const LttRewriter *rewriter);

/* Gets the minimum and maximum cycle count of all time values written. Returns: FALSE if none was
 * written */
gboolean ltt_rewriter_get_cycles(const LttRewriter *rewriter, guint64 *least, guint64 *most);

/* Finishes the file. Returns: FALSE with LTT_ERROR_IO */
gboolean ltt_rewriter_close(LttRewriter *rewriter, GError **error);

#endif
