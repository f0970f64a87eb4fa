/* tracefile-priv.h - a tracefile from the inside: its bytes and the order of its blocks. */
#ifndef LTT_TRACEFILE_PRIV_H
#define LTT_TRACEFILE_PRIV_H

#ifndef LTT_BUILDING
#error "tracefile-priv.h is private to libltt; use <ltt/ltt-trace.h>"
#endif

#include "reader/clock-priv.h"
#include "reader/slots-priv.h"

#include <ltt/ltt-trace.h>

/* How far the order of a file's blocks is known. */
typedef enum LttOrderDepth {
	LTT_ORDER_UNKNOWN,
	LTT_ORDER_SAMPLED,  /* from places of a large file, all of which fit */
	LTT_ORDER_THOROUGH, /* from every block */
} LttOrderDepth;

/* The blocks that hold something, oldest first: they lie as they should, or turned round by some
 * blocks as a flight recorder leaves them, or in any order at all. */
typedef struct LttOrder {
	LttOrderDepth depth;
	guint64 n_blocks; /* that hold something */
	guint64 rotation; /* place of the first; the others follow it and go on at 0 */
	GArray *places;   /* of guint64; NULL: rotation says it all */
	gboolean rises;   /* no block begins or ends before the one in front of it does */
} LttOrder;

/* What stands at the known places of a block. */
typedef struct LttBlockEnds {
	gboolean is_used;   /* it holds something */
	gboolean has_start; /* it begins with a block_start: */
	guint32 block_id;
	LttTimeValue start;
	gboolean is_complete; /* the final word names a block_end: */
	LttTimeValue end;
} LttBlockEnds;

struct LttTracefile {
	LttTrace *trace; /* borrowed */
	char *name;      /* "cpu/3" */
	char *path;
	guint index;
	gint cpu; /* -1: a control file */
	int fd;   /* -1: opened anew for each read */
	guint64 block_bytes;
	guint64 size_bytes; /* when it was opened */
	guint64 n_blocks;

	GRecMutex lock; /* of what follows, made at first need */
	LttOrder order;
	gboolean has_summary;
	LttTracefileSummary summary;
	LttSlots *local_slots; /* with what this file loads for itself; NULL: not looked for yet */
	GArray *local_loads;   /* of LttLocalLoad, as they stand in the file */
	guint64 rate_position; /* what get_rate_before() said last, and of which block */
	LttRate rate;
};

/* A facility_load in a file other than control/facilities: it holds for what follows in this file.
 */
typedef struct LttLocalLoad {
	guint64 position; /* of its block in the order */
	guint32 offset_bytes;
	guint32 base_code;
	guint32 n_events;
} LttLocalLoad;

/* Opens a file for reading. Returns: NULL with LTT_ERROR_IO if it cannot be opened or is no plain
 * file */
LttTracefile *ltt_tracefile_new(LttTrace *trace, const char *name, gint cpu, gboolean keep_open,
				GError **error);
void ltt_tracefile_free(LttTracefile *tracefile);

/* Reads @length bytes at @offset, all or nothing. Returns: FALSE with LTT_ERROR_IO */
gboolean ltt_tracefile_read(const LttTracefile *tracefile, guint64 offset, gpointer bytes,
			    gsize length, GError **error);

/* Reads what stands at the ends of the block at @place. A block that cannot be read counts as used
 * and without a start: whoever reads it gets the error. */
void ltt_tracefile_read_ends(const LttTracefile *tracefile, guint64 place, LttBlockEnds *ends);

/* Finds out the order, at least to @depth. Done at need with LTT_ORDER_THOROUGH by the two below.
 */
void ltt_tracefile_need_order(LttTracefile *tracefile, LttOrderDepth depth);

/* How many blocks hold something, and the place in the file of the one that comes @position-th. */
guint64 ltt_tracefile_get_n_ordered(LttTracefile *tracefile);
guint64 ltt_tracefile_get_ordered(LttTracefile *tracefile, guint64 position);

/* The positions, from @first up to and without @end, of the blocks that may hold events of
 * [@from_ns, @to_ns). All of them where the times of the blocks do not rise. Reads the ends of some
 * blocks only. */
void ltt_tracefile_find_window(LttTracefile *tracefile, guint64 from_ns, guint64 to_ns,
			       guint64 *first, guint64 *end);

/* The rate of the nearest block before @position in the order that gives one, from block_start to
 * its last time value; else the cycle_frequency of the system; else a nanosecond a cycle. */
LttRate ltt_tracefile_get_rate_before(LttTracefile *tracefile, guint64 position);

/* Finds what the file loads for itself. */
void ltt_tracefile_find_local_loads(LttTracefile *tracefile);

#endif
