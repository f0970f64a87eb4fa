/* follow-priv.h - follow one tracefile: find its next block. */
#ifndef LTT_FOLLOW_PRIV_H
#define LTT_FOLLOW_PRIV_H

#ifndef LTT_BUILDING
#error "follow-priv.h is private to libltt; use <ltt/ltt-follow.h>"
#endif

#include "reader/cursor-priv.h"
#include "reader/live-priv.h"
#include "reader/trace-priv.h"

typedef struct LttFollowed {
	LttTracefile *tracefile;
	LttCursor *cursor; /* the part of the current block that has been read */
	guint32 n_ring;    /* blocks in the ring; 0: the file grows */
	gboolean is_last;  /* the end was reached */
	gboolean has_block;
	guint64 place; /* place of the current block, or of the expected one */
	guint32 id;
	guint32 word;         /* the final word at the last read */
	gboolean is_complete; /* the current block is complete */
	guint64 n_missed;     /* blocks overwritten before they were read completely */
	guint64 risen_ns;     /* the latest time of an event so far */
	gboolean is_idle;     /* no unread data is left in this round, */
	guint32 n_begun;      /* number of blocks begun in the round */
} LttFollowed;

/* @live: (nullable): NULL for a control file, which always grows
 * @first_place: where reading begins in a growing file */
LttFollowed *ltt_followed_new(LttTracefile *tracefile, const LttLive *live, guint64 first_place);
void ltt_followed_free(LttFollowed *followed);

/* Positions the cursor before an event; reads the file if necessary. Returns the same values as
 * ltt_follow_next(), except LTT_STEP_END. */
LttStep ltt_followed_need_event(LttFollowed *followed, GError **error);

/* Steps to the next event; only after ltt_followed_need_event() has returned LTT_STEP_EVENT. */
static inline const LttEvent *ltt_followed_take(LttFollowed *followed, const LttTrace *trace)
{
	/* Facilities loaded in the meantime may have reallocated the slots. */
	followed->cursor->block.slots = (const LttSlot *)(gpointer)trace->slots->slots->data;
	return ltt_cursor_take(followed->cursor);
}

/* Skips the block in which a step failed. */
void ltt_followed_skip_block(LttFollowed *followed);

/* Compares tracefiles for equal times. Returns: negative if @a comes before @b, 0 or positive */
gint ltt_tracefile_compare(const LttTracefile *a, const LttTracefile *b);

#endif
