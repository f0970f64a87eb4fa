/* merge-priv.h - a merge whose events stay valid longer than a step. */
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

#endif
