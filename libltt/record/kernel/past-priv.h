/* past-priv.h - the clock map of a session since its start, for events that are read late.
 *
 * The session keeps the latest bends of its map (session/clock.h). Events of the kernel are read
 * after they occur, so this copy keeps all bends since the start.
 */
#ifndef LTT_RECORD_KERNEL_PAST_PRIV_H
#define LTT_RECORD_KERNEL_PAST_PRIV_H

#ifndef LTT_BUILDING
#error "record/kernel/past-priv.h is private to libltt; use <ltt/ltt-kernel.h>"
#endif

#include "session/clock.h"

#include <glib.h>

typedef struct LttPast {
	struct lttp_head *head; /* borrowed */
	GArray *points; /* of struct lttp_instant, ascending; the last one is in the future */
} LttPast;

/* Returns: FALSE if the map of the session is damaged */
gboolean ltt_past_init(LttPast *past, struct lttp_head *head);
void ltt_past_clear(LttPast *past);

/* Returns: the time of ltt_past_init() in cycles */
guint64 ltt_past_get_start(const LttPast *past);

/* Adds the bends up to the one after the present time. If it is called less often than once in
 * LTTP_BENDS bends, a straight line replaces those that the session has dropped. Returns: FALSE if the map of the session is damaged */
gboolean ltt_past_update(LttPast *past);

/* Finds the line for @cycles. @now: (out): the instant there. @end: (out): the end of the line, after
 * @cycles */
void ltt_past_map(const LttPast *past, guint64 cycles, struct lttp_instant *now,
		  struct lttp_instant *end);

#endif
