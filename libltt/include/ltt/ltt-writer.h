/* ltt-writer.h - write a trace offline: for importers, cut, repair and tests.
 *
 * A trace may have any byte order, sizes and block size. The same calls write the same bytes on
 * every machine. Instrumented programs use libltt-probe instead.
 *
 *	LttTraceWriter *w = ltt_trace_writer_new("foo", system, NULL, &error);
 *	ltt_trace_writer_load(w, facility, &base_code, &error);
 *	LttTracefileWriter *cpu0 = ltt_trace_writer_open(w, "cpu/0", &error);
 *	ltt_tracefile_writer_event(cpu0, cycles, base_code + 3, bytes, length, &error);
 *	ltt_trace_writer_close(w, &error);
 */
#ifndef LTT_WRITER_H
#define LTT_WRITER_H

#include <ltt/ltt-facility.h>
#include <ltt/ltt-system.h>

G_BEGIN_DECLS

/* The linear map from the cycle counter to wall time: at counter value cycles the time was time_ns,
 * and dc_cycles cycles take dt_ns nanoseconds. */
typedef struct LttLine {
	guint64 cycles;
	guint64 time_ns;
	guint64 dt_ns;
	guint64 dc_cycles; /* not 0 */
} LttLine;

typedef struct LttWriterOptions {
	guint64 heartbeat_ns; /* maximum time between two time values of a block while there are
				 events; 0: 1 s */
	LttLine line;         /* all 0: the cycle counter counts nanoseconds since 1970-01-01 UTC */
} LttWriterOptions;

typedef struct LttTraceWriter LttTraceWriter;
typedef struct LttTracefileWriter LttTracefileWriter;

/**
 * ltt_trace_writer_new:
 * @path: directory to create; must not exist
 * @system: (transfer none): sealed; sets byte order, sizes and block size. Written as
 *   info/system.xml
 * @options: (nullable): NULL: all defaults
 *
 * Returns: (transfer full) (nullable): a writer; NULL, with nothing left behind, and
 *   LTT_ERROR_EXISTS   @path already exists
 *   LTT_ERROR_IO       it could not be created
 *   LTT_ERROR_LIMIT    out of memory for a block
 *   LTT_ERROR_INVALID  @system has the historical dialect, dc_cycles of the line is 0, or its time
 *                      exceeds 32 bits of seconds
 */
LttTraceWriter *ltt_trace_writer_new(const char *path, const LttSystem *system,
				     const LttWriterOptions *options, GError **error);

/* Returns: the byte order and sizes of payloads, those of the system */
const LttArch *ltt_trace_writer_get_arch(const LttTraceWriter *writer);

/**
 * ltt_trace_writer_load:
 * @facility: (transfer none): sealed
 * @base_code: (out): id of its first event; the other events follow. The first facility gets 4;
 *   loading a facility again returns the same base code
 *
 * Writes the description to eventdefs/NAME.xml (further versions of a name: NAME-CHECKSUM.xml) at
 * once. Closing the trace writes the load to control/facilities, with the earliest time in the
 * trace.
 *
 * Returns: FALSE, with nothing changed, and
 *   LTT_ERROR_LIMIT    no event ids are left, or the name or description is too long
 *   LTT_ERROR_INVALID  it is the builtin facility, or has the name and checksum of another one
 *   LTT_ERROR_IO       the description could not be written
 */
gboolean ltt_trace_writer_load(LttTraceWriter *writer, const LttFacility *facility,
			       guint32 *base_code, GError **error);

/**
 * ltt_trace_writer_open:
 * @name: "cpu/3", with a number below the cpu attribute of the system, or "control/NAME", but not
 *   "control/facilities"
 *
 * Returns: (transfer none) (nullable): the tracefile of that name, created by the first call and
 *   closed with the trace. NULL with LTT_ERROR_INVALID (invalid name), LTT_ERROR_IO, or
 *   LTT_ERROR_LIMIT (out of memory for a block)
 */
LttTracefileWriter *ltt_trace_writer_open(LttTraceWriter *writer, const char *name, GError **error);

/**
 * ltt_tracefile_writer_event:
 * @cycles: the counter at the event, not below that of the previous event of this file
 * @id: event id: a base code plus the index of the event
 * @payload: (array length=payload_bytes) (nullable): built with ltt-payload.h
 *
 * Appends an event. Puts a heartbeat before it if its delta would not fit 32 bits or if the
 * heartbeat interval has passed; begins a new block if the current one is full. A block begins at
 * the time of its first event and ends at that of its last.
 *
 * Returns: FALSE, without appending the event, and
 *   LTT_ERROR_INVALID  no facility has @id, the payload does not fit the type, @cycles decreases,
 *                      or the time is before 1970 or its seconds do not fit 32 bits
 *   LTT_ERROR_LIMIT    the event does not fit into an empty block
 *   LTT_ERROR_IO       the previous block could not be written; the next call tries again
 */
gboolean ltt_tracefile_writer_event(LttTracefileWriter *file, guint64 cycles, guint16 id,
				    gconstpointer payload, gsize payload_bytes, GError **error);

/**
 * ltt_tracefile_writer_time_value:
 *
 * Appends a time value (a heartbeat) that need not lie on the line of the options. Later times
 * continue from it at the rate of the line. For recordings whose clock was adjusted while they ran.
 *
 * Returns: as ltt_tracefile_writer_event()
 */
gboolean ltt_tracefile_writer_time_value(LttTracefileWriter *file, guint64 cycles, guint64 time_ns,
					 GError **error);

/**
 * ltt_trace_writer_close:
 *
 * Finishes all blocks and writes everything, including control/facilities: a trace that was not
 * closed cannot be read. Afterwards, whatever the outcome, the writer can only be freed or
 * abandoned.
 *
 * Returns: FALSE with LTT_ERROR_IO
 */
gboolean ltt_trace_writer_close(LttTraceWriter *writer, GError **error);

/* Frees the writer. Without ltt_trace_writer_close() it leaves an incomplete trace behind: to give
 * up, call ltt_trace_writer_abandon() instead. NULL is allowed and ignored. */
void ltt_trace_writer_free(LttTraceWriter *writer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttTraceWriter, ltt_trace_writer_free)

/* Frees the writer and removes the directory that it created, with all its contents. NULL is
 * allowed and ignored. */
void ltt_trace_writer_abandon(LttTraceWriter *writer);

G_END_DECLS

#endif /* LTT_WRITER_H */
