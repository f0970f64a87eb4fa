/* damage-priv.h - the times in which a tracefile is damaged, for the lanes.
 *
 * A block is read up to the damage in it, and reading goes on with the next block. Nothing is known of
 * the events in between, and the times of a damaged block cannot be trusted, so that a stretch has the
 * times of good events:
 *
 *	block        |----- 7 -----|----- 8 --x...|----- 9 -----|
 *	events        . . . . . . . . . .          . . . . . .
 *	stretch                      [============)
 *	                             first of 8    first of 9
 *
 * Without a good event in the damaged block, the stretch begins at the last one before it; without a
 * good event after it, it ends with the trace.
 */
#ifndef LTT_VIEW_DAMAGE_PRIV_H
#define LTT_VIEW_DAMAGE_PRIV_H

#ifndef LTT_BUILDING
#error "view/damage-priv.h is private to libltt; use <ltt/ltt-view.h>"
#endif

#include "view/map-priv.h"

/* Stretches that are kept. */
#define LTT_VIEW_MAX_DAMAGES 1000

#define LTT_VIEW_NO_LANE G_MAXUINT32

typedef struct LttViewDamage {
	guint file;   /* index of the tracefile */
	guint32 lane; /* of its CPU or thread; LTT_VIEW_NO_LANE: none */
	guint64 from_ns;
	guint64 to_ns;
	char *text; /* "cpu/3: block 17: byte 512: what is wrong"; owned */
} LttViewDamage;

/* Returns: (transfer full) (element-type LttViewDamage): an empty list */
GArray *ltt_view_damages_new(void);

/* Finds the stretches while the trace is read, and adds them to the map. Its functions are called with
 * the lock of the map held. */
typedef struct LttViewDamageWalk LttViewDamageWalk;

LttViewDamageWalk *ltt_view_damage_walk_new(LttViewMap *map);
void ltt_view_damage_walk_free(LttViewDamageWalk *walk); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttViewDamageWalk, ltt_view_damage_walk_free)

/* Takes an event, in the order of time. */
void ltt_view_damage_walk_take_event(LttViewDamageWalk *walk, const LttEvent *event);

/* Takes the failure of a step. */
void ltt_view_damage_walk_take_error(LttViewDamageWalk *walk, const GError *error);

#endif
