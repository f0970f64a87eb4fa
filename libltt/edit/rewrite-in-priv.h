/* rewrite-in-priv.h - the struct of a rewriter, shared by the files rewrite*.c. */
#ifndef LTT_REWRITE_IN_PRIV_H
#define LTT_REWRITE_IN_PRIV_H

#ifndef LTT_BUILDING
#error "edit/rewrite-in-priv.h is private to libltt"
#endif

#include "edit/fit-priv.h"
#include "edit/rewrite-priv.h"

/* A pending event; its payload is in payloads. */
typedef struct LttWaiting {
	LttEditEvent event;
	gsize payload_at;
} LttWaiting;

/* The current thread in a block. */
typedef struct LttThread {
	gboolean is_known;
	guint32 pid;
	guint32 tid;
} LttThread;

/* A pending copy of blocks that are consecutive in both files. */
typedef struct LttRun {
	int fd;
	guint64 from; /* bytes */
	guint64 to;
	guint64 length; /* 0: none */
} LttRun;

struct LttRewriter {
	char *path;
	int fd;
	GError *error; /* the first */
	gint thread_id;
	guint64 n_blocks; /* blocks in the file, including those of the run */
	LttRun run;

	gboolean has_ids; /* a block has begun */
	guint32 first_id;
	guint32 last_id;

	/* The current block. */
	LttBlockWriter block;
	LttTimeValue stamp; /* its last time value */
	LttThread thread;
	gboolean needs_to; /* its last events need this time value after them: */
	LttTimeValue to;
	LttTimeValue end; /* and the block, if it ends with them, ends with this one */

	/* The current stretch. */
	LttTimeValue stretch_from;
	gboolean stretch_has_to;
	LttTimeValue stretch_to;
	GArray *waiting; /* of LttWaiting */
	GByteArray *payloads;
	GArray *instants; /* of LttInstant: those of waiting, for ltt_fit() */

	guint64 hold_ns; /* later events must be merged after this time */
	guint64 most_ns; /* the latest time so far, including the waiting events */
	gboolean has_cycles;
	guint64 least_cycles;
	guint64 most_cycles;
	guint64 n_lost;
	guint64 n_large; /* of those, events that fit no block */
	guint64 n_ordinary_lost;
};

/* ---- rewrite-file.c ---- */

/* Keeps the first error. */
void ltt_rewriter_fail(LttRewriter *rewriter, const char *attempt, int errnum);

/* Writes bytes at an offset in the file, unless an error has occurred before. */
void ltt_rewriter_write(LttRewriter *rewriter, const guint8 *bytes, gsize length, guint64 to);

/* Copies a block from @fd. The copy may be deferred until the next call of any of these. */
void ltt_rewriter_write_copy(LttRewriter *rewriter, int fd, guint64 from, guint64 to);

/* Executes the pending copy. */
void ltt_rewriter_flush_run(LttRewriter *rewriter);

/* Records a time value that was written to the file. */
void ltt_rewriter_note(LttRewriter *rewriter, const LttTimeValue *value);

/* Returns: the id for the next block: @wanted, or another one if the order of blocks needs it */
guint32 ltt_rewriter_take_id(LttRewriter *rewriter, guint32 wanted);

/* ---- rewrite-place.c ---- */

/* Writes the pending events into blocks. @to: (nullable): as in ltt_rewriter_begin() */
void ltt_rewriter_place(LttRewriter *rewriter, const LttTimeValue *to);

/* The same at the end of the stretch. */
void ltt_rewriter_end_stretch(LttRewriter *rewriter);

/* Ends and writes the current block, if any. */
void ltt_rewriter_end_block(LttRewriter *rewriter);

/* Writes a time value at @time_ns, for the merged order. */
void ltt_rewriter_put_hold(LttRewriter *rewriter, guint64 time_ns);

#endif
