/* trace-writer-priv.h - the structs of the writers of a trace and of its tracefiles. */
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
	guint32 most_delta; /* an event with a larger delta gets a time value in front */
	LttLoads loads;
	GPtrArray *files;    /* of LttTracefileWriter, owned, in the order of their opening */
	GHashTable *by_name; /* name -> LttTracefileWriter */

	/* The earliest time value of all files, for control/facilities. */
	gboolean has_times;
	guint64 first_cycles;
	guint64 first_ns;

	LttSystem *system;
	gboolean falls; /* a time value is earlier than an event before it in its file */
	gboolean is_closed;
};

struct LttTracefileWriter {
	LttTraceWriter *trace; /* borrowed */
	char *name;            /* "cpu/3" */
	char *path;
	LttBlockWriter block;
	LttLine line;         /* of the trace, until a time value starts another one */
	guint64 least_cycles; /* minimum for the next event: that of the last, or of the line */
	guint64 most_cycles;  /* maximum whose time on the line can be written */
	gboolean has_events;
	gboolean is_pending; /* the block has ended, but is not in the file yet */
	guint64 n_blocks;    /* in the file */
};

/* Creates an empty file. Returns: (transfer full) (nullable): NULL with LTT_ERROR_IO, or
 * LTT_ERROR_LIMIT if out of memory for a block */
LttTracefileWriter *ltt_tracefile_writer_new(LttTraceWriter *trace, const char *name,
					     GError **error);
void ltt_tracefile_writer_free(LttTracefileWriter *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttTracefileWriter, ltt_tracefile_writer_free)

/* ltt_tracefile_writer_event() for an event that is known to be valid and to fit a block. */
gboolean ltt_tracefile_writer_append(LttTracefileWriter *file, guint64 cycles, guint16 id,
				     gconstpointer payload, gsize payload_bytes, GError **error);

/* Returns: whether an event at @cycles needs a time value in front */
static inline gboolean ltt_tracefile_writer_needs_heartbeat(const LttTracefileWriter *file,
							    guint64 cycles)
{
	return cycles - file->block.base_cycles > file->trace->most_delta;
}

/* The slow path of ltt_tracefile_writer_reserve(). */
gboolean ltt_tracefile_writer_make_room(LttTracefileWriter *file, guint64 cycles, gsize bytes,
					guint64 *block, GError **error);

/* Makes room for events of @bytes in total, including headers, the first of them at @cycles: ends
 * the open block if it has less. @block: (out): the number of the block that the next event goes
 * into. Returns: FALSE with LTT_ERROR_IO */
static inline gboolean ltt_tracefile_writer_reserve(LttTracefileWriter *file, guint64 cycles,
						    gsize bytes, guint64 *block, GError **error)
{
	*block = file->n_blocks;
	return (ltt_block_writer_get_room(&file->block) >= bytes &&
		!ltt_tracefile_writer_needs_heartbeat(file, cycles)) ||
	       ltt_tracefile_writer_make_room(file, cycles, bytes, block, error);
}

/* Appends an event without its payload, after ltt_tracefile_writer_reserve().
 * Returns: where the caller writes the payload */
guint8 *ltt_tracefile_writer_add(LttTracefileWriter *file, guint64 cycles, guint16 id,
				 gsize payload_bytes);

/* Lends room for an event of at most @bytes, including headers, at @cycles, if there is room in the
 * open block and no time value is needed.
 * Returns: (nullable): where the caller writes the payload; ltt_tracefile_writer_commit() then adds
 *   the event; NULL: take the way of ltt_tracefile_writer_reserve() */
static inline guint8 *ltt_tracefile_writer_lend(LttTracefileWriter *file, guint64 cycles,
						gsize bytes)
{
	if (G_UNLIKELY(ltt_block_writer_get_room(&file->block) < bytes ||
		       ltt_tracefile_writer_needs_heartbeat(file, cycles)))
		return NULL;
	return ltt_block_writer_lend(&file->block, bytes) + LTT_EVENT_HEADER_BYTES;
}

static inline void ltt_tracefile_writer_commit(LttTracefileWriter *file, guint64 cycles, guint16 id,
					       gsize payload_bytes)
{
	file->least_cycles = cycles;
	file->has_events = TRUE;
	ltt_block_writer_add_header(&file->block, id, (guint32)(cycles - file->block.base_cycles),
				    payload_bytes);
}

/* Ends and writes the open block, if any. Returns: FALSE with LTT_ERROR_IO */
gboolean ltt_tracefile_writer_finish(LttTracefileWriter *file, GError **error);

#endif
