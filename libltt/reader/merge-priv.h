/* merge-priv.h - a merge whose events stay valid longer than a step, and many events at a time. */
#ifndef LTT_MERGE_PRIV_H
#define LTT_MERGE_PRIV_H

#ifndef LTT_BUILDING
#error "merge-priv.h is private to libltt; use <ltt/ltt-merge.h>"
#endif

#include "reader/shelf-priv.h"

#include <ltt/ltt-merge.h>

/* Keeps copies of events and their payloads valid until the shelf releases the mark that is current
 * when the merge steps on. @shelf: must outlive the merge; NULL: disables this */
void ltt_merge_set_shelf(LttMerge *merge, LttShelf *shelf);

/**
 * ltt_merge_copy:
 * @max_payload_bytes: of all events together
 * @payload_bytes: (inout): the bytes of the payloads are added
 *
 * Takes the next events as ltt_merge_next() does, and copies them. Stops at the end of the decoded
 * events, at an event that is not an ordinary one, and at an event whose payload exceeds the limit.
 * So it may copy fewer than @max_events, or none; ltt_merge_next() then makes the next step.
 *
 * Returns: the number of events
 */
guint ltt_merge_copy(LttMerge *merge, LttEvent *events, guint max_events, guint64 max_payload_bytes,
		     guint64 *payload_bytes);

#endif
