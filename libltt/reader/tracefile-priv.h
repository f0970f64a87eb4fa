/* tracefile-priv.h - internals of a tracefile: its bytes and the order of its blocks. */
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
	char *stored_name; /* in the store, if several traces are read as one */
	guint index;
	guint host;            /* index into the hosts of its trace, or of the joined trace */
	guint32 recording;     /* recordings-priv.h */
	const char *host_name; /* of that host; borrowed */
	gint cpu;              /* the number of the file; -1: a control file */
	gint kernel_cpu;       /* the CPU whose kernel events it contains; -1: another tracefile */
	gboolean is_lane;      /* of a thread and not of a CPU: one of the last cpu files; the
			   * attribute "lanes" of the system gives their number */
	LttStoredFile file;    /* if set, the file is opened for each read */
	guint64 block_bytes;
	guint64 size_bytes; /* when it was opened first */
	guint64 n_blocks;
	gint has_unread_ends; /* atomic: an end of a block could not be read, and that was reported */

	GRecMutex lock; /* protects the members below, which are set on first use */
	LttOrder order;
	gboolean has_summary;
	LttTracefileSummary summary;
	LttSlots *local_slots; /* with the local loads of this file; NULL: not searched yet */
	GArray *local_loads;   /* of LttLocalLoad, in file order */
	gboolean
		lists_loads; /* this is the control/facilities of its trace: local_loads are those of
				* the trace */
	guint64 rate_position; /* cache of block-load.c: its last result, and the block */
	LttRate rate;
};

/* A facility_load. In the file that contains it, it is valid for the events after it. */
typedef struct LttLocalLoad {
	guint64 position; /* position of its block */
	guint32 offset_bytes;
	guint32 base_code;
	guint32 n_events;
} LttLocalLoad;

/* Opens a file for reading. Returns: NULL with LTT_ERROR_IO if it cannot be opened or is not a
 * regular file */
LttTracefile *ltt_tracefile_new(LttTrace *trace, const char *name, gint cpu, gboolean keep_open,
				GError **error);
void ltt_tracefile_free(LttTracefile *tracefile);

/* Returns: whether it is a control/processes, of this trace or of one merged into it */
gboolean ltt_tracefile_lists_processes(const LttTracefile *tracefile);

/* Resets the order and the times of the blocks. */
void ltt_tracefile_forget(LttTracefile *tracefile);

/* Updates the size of the file, and resets order and times. */
void ltt_tracefile_measure(LttTracefile *tracefile);

/* Updates the size of a file of a live trace that has become shorter by whole blocks, or was removed:
 * the end of a recording trims the blocks that were allocated, but not used. Does not reset order and
 * times. Returns: whether it has become shorter */
gboolean ltt_tracefile_measure_trimmed(LttTracefile *tracefile);

/* Sets the order of the blocks for a file that is being written: consecutive from @rotation on,
 * including empty blocks. With @rotation 0, position and place are the same. */
void ltt_tracefile_set_order(LttTracefile *tracefile, guint64 n_blocks, guint64 rotation);

/* Reads @length bytes at @offset, all or nothing. Returns: FALSE with LTT_ERROR_IO */
gboolean ltt_tracefile_read(const LttTracefile *tracefile, guint64 offset, gpointer bytes,
			    gsize length, GError **error);

#endif
