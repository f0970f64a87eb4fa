/* ends-priv.h - the first and the last event of a block, without the events between them. */
#ifndef LTT_READER_ENDS_PRIV_H
#define LTT_READER_ENDS_PRIV_H

#ifndef LTT_BUILDING
#error "reader/ends-priv.h is private to libltt; use <ltt/ltt-trace.h>"
#endif

#include "reader/clock-priv.h"

#include <ltt/ltt-trace.h>

/* The header and trailer fields of a block. */
typedef struct LttBlockEnds {
	gboolean is_used;   /* the block is in use */
	gboolean has_start; /* the block begins with a block_start: */
	guint32 block_id;
	LttTimeValue start;
	gboolean is_complete; /* the final word names a block_end: */
	LttTimeValue end;
} LttBlockEnds;

/* Reads both ends of the block at @place. An unreadable block counts as used and without a start:
 * the code that decodes it gets the error. */
void ltt_tracefile_read_ends(const LttTracefile *tracefile, guint64 place, LttBlockEnds *ends);

#endif
