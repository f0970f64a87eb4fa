/* merge-priv.h - a merge whose events are lent for longer than a step. */
#ifndef LTT_MERGE_PRIV_H
#define LTT_MERGE_PRIV_H

#ifndef LTT_BUILDING
#error "merge-priv.h is private to libltt; use <ltt/ltt-merge.h>"
#endif

#include "reader/shelf-priv.h"

#include <ltt/ltt-merge.h>

/* From now on copies of the events stay good, and their payloads too, until the shelf releases the
 * mark that is set when the merge steps on. @shelf: must outlive the merge; NULL: no longer */
void ltt_merge_set_shelf(LttMerge *merge, LttShelf *shelf);

#endif
