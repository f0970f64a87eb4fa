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
	guint64 first_ns; /* time range of the events of a complete block with a start */
	guint64 last_ns;
	gboolean falls; /* its times decrease */
} LttBlockEnds;

/* Reads both ends of the block at @place. A block that cannot be read counts as used and without a start. The
 * first such block of a tracefile is added to the problems of the trace, because nothing else may report it: if a later
 * read of the block succeeds, its events are returned in the wrong order. */
void ltt_tracefile_read_ends(LttTracefile *tracefile, guint64 place, LttBlockEnds *ends);

#define LTT_JOINT_BYTES 512

/* The bytes around the border of two blocks, for a scan in file order: the end of a block and the start of the next one
 * need one read instead of two. Zeros: none yet. */
typedef struct LttJoint {
	guint64 at;
	guint64 n_bytes;
	guint8 bytes[LTT_JOINT_BYTES];
} LttJoint;

/* Like ltt_tracefile_read_ends(), with the same result. @joint is of the last block that was scanned. */
void ltt_tracefile_scan_ends(LttTracefile *tracefile, guint64 place, LttJoint *joint,
			     LttBlockEnds *ends);

#endif
