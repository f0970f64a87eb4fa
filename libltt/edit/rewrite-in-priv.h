/* rewrite-in-priv.h - the inside of a rewriter, shared by the files that make it up. */
#ifndef LTT_REWRITE_IN_PRIV_H
#define LTT_REWRITE_IN_PRIV_H

#ifndef LTT_BUILDING
#error "edit/rewrite-in-priv.h is private to libltt"
#endif

#include "edit/fit-priv.h"
#include "edit/rewrite-priv.h"

/* An event that waits; its payload lies in payloads. */
typedef struct LttWaiting {
	LttEditEvent event;
	gsize payload_at;
} LttWaiting;

/* The thread that events in a block belong to. */
typedef struct LttThread {
	gboolean is_known;
	guint32 pid;
	guint32 tid;
} LttThread;

/* Blocks of a file that follow one another, and are to do so in another file. */
typedef struct LttRun {
	int fd;
	guint64 from; /* bytes */
	guint64 to;
	guint64 length; /* 0: there is none */
} LttRun;

struct LttRewriter {
	char *path;
	int fd;
	GError *error; /* the first */
	gint thread_id;
	guint64 n_blocks; /* in the file, those of the run included */
	LttRun run;

	gboolean has_ids; /* a block was begun */
	guint32 first_id;
	guint32 last_id;

	/* The block under way. */
	LttBlockWriter block;
	LttTimeValue stamp; /* its last time value */
	LttThread thread;
	gboolean needs_to; /* its last events need this time value behind them: */
	LttTimeValue to;
	LttTimeValue end; /* and the block, if it ends with them, ends with this one */

	/* The stretch under way. */
	LttTimeValue stretch_from;
	gboolean stretch_has_to;
	LttTimeValue stretch_to;
	GArray *waiting; /* of LttWaiting */
	GByteArray *payloads;
	GArray *instants; /* of LttInstant: those of waiting, for ltt_fit() */

	guint64 hold_ns; /* what comes must be merged behind this */
	guint64 most_ns; /* the greatest time so far, that of waiting events included */
	gboolean has_cycles;
	guint64 least_cycles;
	guint64 most_cycles;
	guint64 n_lost;
};

/* ---- rewrite-file.c ---- */

/* Keeps the first error. */
void ltt_rewriter_fail(LttRewriter *rewriter, const char *attempt, int errnum);

/* Writes bytes to a place in the file, unless something has failed before. */
void ltt_rewriter_write(LttRewriter *rewriter, const guint8 *bytes, gsize length, guint64 to);

/* Copies a block from @fd; it may be written later, by the next call of any of these. */
void ltt_rewriter_write_copy(LttRewriter *rewriter, int fd, guint64 from, guint64 to);

/* Writes the blocks that are still to be copied. */
void ltt_rewriter_flush_run(LttRewriter *rewriter);

/* Notes a time value that is in the file. */
void ltt_rewriter_note(LttRewriter *rewriter, const LttTimeValue *value);

/* The number of the next block, if @wanted would not do. */
guint32 ltt_rewriter_take_id(LttRewriter *rewriter, guint32 wanted);

/* ---- rewrite-place.c ---- */

/* Puts the events that wait into blocks. @to: NULL as in ltt_rewriter_begin() */
void ltt_rewriter_place(LttRewriter *rewriter, const LttTimeValue *to);

/* The same at the end of the stretch. */
void ltt_rewriter_end_stretch(LttRewriter *rewriter);

/* Ends the block under way, if there is one, and writes it. */
void ltt_rewriter_end_block(LttRewriter *rewriter);

/* Puts a time value at @time_ns into the file, for the order of merging. */
void ltt_rewriter_put_hold(LttRewriter *rewriter, guint64 time_ns);

#endif
