/* tracefile-priv.h - a tracefile from the inside: its bytes and the order of its blocks. */
#ifndef LTT_TRACEFILE_PRIV_H
#define LTT_TRACEFILE_PRIV_H

#ifndef LTT_BUILDING
#error "tracefile-priv.h is private to libltt; use <ltt/ltt-trace.h>"
#endif

#include "archive/store-priv.h"
#include "reader/clock-priv.h"
#include "reader/order-priv.h"
#include "reader/slots-priv.h"

#include <ltt/ltt-trace.h>

struct LttTracefile {
	LttTrace *trace;   /* borrowed */
	char *name;        /* "cpu/3" */
	char *label;       /* the same; of a lane "lane/0" */
	char *stored_name; /* in the store, where several traces are read as one */
	guint index;
	gint cpu;         /* the number of the file; -1: a control file */
	gboolean is_lane; /* of a thread and not of a CPU: one of the last cpu files of the system,
			     as many as its attribute "lanes" says */
	LttStoredFile file; /* if it is not kept open: opened anew for each read */
	guint64 block_bytes;
	guint64 size_bytes; /* when it was opened first */
	guint64 n_blocks;

	GRecMutex lock; /* of what follows, made at first need */
	LttOrder order;
	gboolean has_summary;
	LttTracefileSummary summary;
	LttSlots *local_slots; /* with what this file loads for itself; NULL: not looked for yet */
	GArray *local_loads;   /* of LttLocalLoad, as they stand in the file */
	guint64 rate_position; /* what block-load.c found last, and for which block */
	LttRate rate;
};

/* A facility_load in a file other than control/facilities: it holds for what follows
 * in this file. */
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

/* Whether it is a control/processes, of this trace or of one that was merged into it. */
gboolean ltt_tracefile_lists_processes(const LttTracefile *tracefile);

/* Forgets what was found out about order and times. */
void ltt_tracefile_forget(LttTracefile *tracefile);

/* Notes how large the file has become, and forgets as above. */
void ltt_tracefile_measure(LttTracefile *tracefile);

/* Sets the order of the blocks by hand: they follow one another from @rotation on, empty ones
 * included. Without @rotation position and place are the same. For a file that is being written. */
void ltt_tracefile_set_order(LttTracefile *tracefile, guint64 n_blocks, guint64 rotation);

/* Reads @length bytes at @offset, all or nothing. Returns: FALSE with LTT_ERROR_IO */
gboolean ltt_tracefile_read(const LttTracefile *tracefile, guint64 offset, gpointer bytes,
			    gsize length, GError **error);

#endif
