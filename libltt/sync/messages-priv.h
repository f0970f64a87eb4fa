/* messages-priv.h - find the messages between traces.
 *
 *	traces ──► ends of messages ──► sorted by id ──► messages ──► sorted by clocks and time
 *
 * Both sorts use temporary files above a limit, so memory does not grow with the number of messages.
 *
 * A message must limit the difference of two clocks even if an id occurs several times. So of ends
 * with the same id in one trace, the earliest send and the latest receive count. An id that several
 * machines send does not count at all.
 */
#ifndef LTT_SYNC_MESSAGES_PRIV_H
#define LTT_SYNC_MESSAGES_PRIV_H

#ifndef LTT_BUILDING
#error "sync/messages-priv.h is private to libltt; use <ltt/ltt-sync.h>"
#endif

#include "sync/points-priv.h"

#include <ltt/ltt-sync.h>

typedef struct LttSyncMessages LttSyncMessages;

/* @machines: (array): for each trace of the request, the number of its clock
 * Returns: (transfer full) (nullable): NULL as ltt_sync_new() */
LttSyncMessages *ltt_sync_messages_new(const LttSyncRequest *request, const guint *machines,
				       GError **error);
void ltt_sync_messages_free(LttSyncMessages *messages); /* NULL is allowed and ignored */

void ltt_sync_messages_get_counts(const LttSyncMessages *messages, LttSyncCounts *counts);

/* Gets the points of the next two clocks that have messages, in ascending order. @first, @second: (out):
 * their numbers, the lower first. @points: (out): set on success; clear it
 * Returns: FALSE at the end, or with @error set if reading failed */
gboolean ltt_sync_messages_next(LttSyncMessages *messages, guint *first, guint *second,
				LttSyncPoints *points, GError **error);

#endif
