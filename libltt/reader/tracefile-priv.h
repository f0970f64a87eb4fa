/* tracefile-priv.h - a tracefile from the inside: its bytes and the order of its blocks. */
#ifndef LTT_TRACEFILE_PRIV_H
#define LTT_TRACEFILE_PRIV_H

#ifndef LTT_BUILDING
#error "tracefile-priv.h is private to libltt; use <ltt/ltt-trace.h>"
#endif

#include "reader/clock-priv.h"
#include "reader/slots-priv.h"

#include <ltt/ltt-trace.h>

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
	gboolean has_order;
	GArray *order; /* of guint64: blocks that hold something, oldest first; NULL: all, as they
			  lie */
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

/* How many blocks hold something, and the place in the file of the one that comes @position-th. */
guint64 ltt_tracefile_get_n_ordered(LttTracefile *tracefile);
guint64 ltt_tracefile_get_ordered(LttTracefile *tracefile, guint64 position);

/* The rate of the nearest block before @position in the order that gives one, from block_start to
 * its last time value; else the cycle_frequency of the system; else a nanosecond a cycle. */
LttRate ltt_tracefile_get_rate_before(LttTracefile *tracefile, guint64 position);

/* Finds what the file loads for itself. */
void ltt_tracefile_find_local_loads(LttTracefile *tracefile);

#endif
