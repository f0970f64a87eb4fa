/* ends-priv.h - read the ends of messages from the traces. */
#ifndef LTT_SYNC_ENDS_PRIV_H
#define LTT_SYNC_ENDS_PRIV_H

#ifndef LTT_BUILDING
#error "sync/ends-priv.h is private to libltt; use <ltt/ltt-sync.h>"
#endif

#include "base/key-sort-priv.h"

#include <ltt/ltt-sync.h>

/* An end of a message as a key: group is the rule, time the id of the message, place the time of the
 * event, and size these two: */
#define LTT_SYNC_KEY_OF(machine, end) ((guint32)(machine) << 1 | (guint32)(end))
#define LTT_SYNC_MACHINE_OF(size)     ((size) >> 1)
#define LTT_SYNC_END_OF(size)         ((size)&1)

/* Adds the ends in all traces. @counts: (inout): events are counted
 * Returns: FALSE as ltt_sync_new() */
gboolean ltt_sync_add_ends(const LttSyncRequest *request, const guint *machines, LttKeySort *sort,
			   LttSyncCounts *counts, GError **error);

#endif
