/* follow-priv.h - one tracefile that is followed: which of its blocks comes next, and when. */
#ifndef LTT_FOLLOW_PRIV_H
#define LTT_FOLLOW_PRIV_H

#ifndef LTT_BUILDING
#error "follow-priv.h is private to libltt; use <ltt/ltt-follow.h>"
#endif

#include "reader/cursor-priv.h"
#include "reader/live-priv.h"

typedef struct LttFollowed {
	LttTracefile *tracefile;
	LttCursor *cursor; /* what was read of the current block, as far as it goes */
	guint32 n_ring;    /* blocks that are written round and round; 0: the file grows */
	gboolean is_last;  /* nothing more will come */
	gboolean has_block;
	guint64 place; /* of the current block; without one, where it is expected */
	guint32 id;
	guint32 word;         /* the final word, as it was read */
	gboolean is_complete; /* the current block is */
	guint64 n_missed;     /* blocks that were written over before they were read wholly */
	guint64 risen_ns;     /* the greatest time that an event of the file had so far */
	gboolean is_idle;     /* nothing more is known of in this round, */
	guint32 n_begun;      /* in which so many blocks were begun */
} LttFollowed;

/* @first_place: where reading begins in a file that is no ring */
LttFollowed *ltt_followed_new(LttTracefile *tracefile, const LttLive *live, guint64 first_place);
void ltt_followed_free(LttFollowed *followed);

/* Makes sure that the cursor stands in front of an event, looking into the file at need. Outcomes
 * as for ltt_follow_next(), but never LTT_STEP_END. */
LttStep ltt_followed_need_event(LttFollowed *followed, GError **error);

/* Gives up the block in which a step failed. */
void ltt_followed_skip_block(LttFollowed *followed);

/* Whether tracefile @a comes before @b where times are equal: negative, 0 or positive. */
gint ltt_tracefile_compare(const LttTracefile *a, const LttTracefile *b);

#endif
