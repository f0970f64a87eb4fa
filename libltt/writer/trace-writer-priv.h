/* trace-writer-priv.h - what a trace being made and its tracefiles know of each other. */
#ifndef LTT_TRACE_WRITER_PRIV_H
#define LTT_TRACE_WRITER_PRIV_H

#ifndef LTT_BUILDING
#error "trace-writer-priv.h is private to libltt; use <ltt/ltt-writer.h>"
#endif

#include "writer/block-writer-priv.h"
#include "writer/facilities-priv.h"

#include <ltt/ltt-writer.h>

struct LttTraceWriter {
	char *path;
	LttArch arch;
	guint n_cpus;
	gsize block_bytes;
	LttLine line;
	guint32 most_delta; /* a delta above it needs a time value in front of the event */
	LttLoads loads;
	GPtrArray *files;    /* of LttTracefileWriter, owned, in the order of their opening */
	GHashTable *by_name; /* name -> LttTracefileWriter */

	/* The least time value of all files, for control/facilities. */
	gboolean has_times;
	guint64 first_cycles;
	guint64 first_ns;

	gboolean is_closed;
};

struct LttTracefileWriter {
	LttTraceWriter *trace; /* borrowed */
	char *name;            /* "cpu/3" */
	char *path;
	LttBlockWriter block;
	LttLine line;         /* that of the trace, until a time value starts another */
	guint64 least_cycles; /* of the next event: those of the last one; at first, of the line */
	guint64 most_cycles;  /* whose time on the line can be written */
	gboolean has_events;
	gboolean is_pending; /* the block is ended, but not in the file yet */
	guint64 n_blocks;    /* in the file */
};

/* Makes the file, empty. Returns: (transfer full) (nullable): NULL with LTT_ERROR_IO, or
 * LTT_ERROR_LIMIT if there is no memory for a block */
LttTracefileWriter *ltt_tracefile_writer_new(LttTraceWriter *trace, const char *name,
					     GError **error);
void ltt_tracefile_writer_free(LttTracefileWriter *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttTracefileWriter, ltt_tracefile_writer_free)

/* ltt_tracefile_writer_event() for one that is known to be right and to fit a block. */
gboolean ltt_tracefile_writer_append(LttTracefileWriter *file, guint64 cycles, guint16 id,
				     gconstpointer payload, gsize payload_bytes, GError **error);

/* Whether a time value is due in front of an event. */
static inline gboolean ltt_tracefile_writer_needs_heartbeat(const LttTracefileWriter *file,
							    guint64 cycles)
{
	return cycles - file->block.base_cycles > file->trace->most_delta;
}

/* ltt_tracefile_writer_reserve() where that is not only a look. */
gboolean ltt_tracefile_writer_make_room(LttTracefileWriter *file, guint64 cycles, gsize bytes,
					guint64 *block, GError **error);

/* Makes room for events of so many bytes in all, headers included, the first one at @cycles: where
 * the block that is open has not so much, it is ended. @block: (out): the number of the block that
 * the next event goes into. Returns: FALSE with LTT_ERROR_IO */
static inline gboolean ltt_tracefile_writer_reserve(LttTracefileWriter *file, guint64 cycles,
						    gsize bytes, guint64 *block, GError **error)
{
	*block = file->n_blocks;
	return (ltt_block_writer_get_room(&file->block) >= bytes &&
		!ltt_tracefile_writer_needs_heartbeat(file, cycles)) ||
	       ltt_tracefile_writer_make_room(file, cycles, bytes, block, error);
}

/* ltt_tracefile_writer_append() for which room was made, and whose payload is yet to be written.
 * Returns: where it goes */
guint8 *ltt_tracefile_writer_add(LttTracefileWriter *file, guint64 cycles, guint16 id,
				 gsize payload_bytes);

/* Ends the block that is open, if one is, and writes it. Returns: FALSE with LTT_ERROR_IO */
gboolean ltt_tracefile_writer_finish(LttTracefileWriter *file, GError **error);

#endif
