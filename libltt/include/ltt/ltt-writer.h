/* ltt-writer.h - make a trace, offline: importers, cut, repair, tests.
 *
 * Any byte order, sizes and block size. The bytes do not depend on the machine, and the same calls
 * make the same bytes. Instrumented programs do not use this but libltt-probe.
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

/* The map from the cycle counter to wall time, a straight line: counter value cycles was time_ns,
 * and dt_ns nanoseconds pass in each dc_cycles cycles. */
typedef struct LttLine {
	guint64 cycles;
	guint64 time_ns;
	guint64 dt_ns;
	guint64 dc_cycles; /* not 0 */
} LttLine;

typedef struct LttWriterOptions {
	guint64 heartbeat_ns; /* most time between two time values of a block while events come; 0:
				 1 s */
	LttLine line;         /* all 0: the cycle counter counts nanoseconds since 1970-01-01 UTC */
} LttWriterOptions;

typedef struct LttTraceWriter LttTraceWriter;
typedef struct LttTracefileWriter LttTracefileWriter;

/**
 * ltt_trace_writer_new:
 * @path: a directory that is not there yet
 * @system: (transfer none): sealed; gives byte order, sizes and block size. Written as
 * info/system.xml
 * @options: (nullable): NULL: all defaults
 *
 * Returns: (transfer full) (nullable): a writer; NULL, with nothing left behind, and
 *   LTT_ERROR_EXISTS   @path is there
 *   LTT_ERROR_IO       it could not be made
 *   LTT_ERROR_LIMIT    there is no memory for a block
 *   LTT_ERROR_INVALID  @system is of the historical dialect, or the line has no cycles or lies
 *                      beyond seconds of 32 bits
 */
LttTraceWriter *ltt_trace_writer_new(const char *path, const LttSystem *system,
				     const LttWriterOptions *options, GError **error);

/* Returns: the byte order and sizes that payloads must have, those of the system */
const LttArch *ltt_trace_writer_get_arch(const LttTraceWriter *writer);

/**
 * ltt_trace_writer_load:
 * @facility: (transfer none): sealed; described in eventdefs/NAME.xml (further versions of a name:
 *   NAME-CHECKSUM.xml) at once, and loaded in control/facilities when the trace is closed, with the
 *   least time that is in the trace
 * @base_code: (out): its events have the ids from here on. The first one gets 4; the same facility
 *   again gets what it got before
 *
 * Returns: FALSE, with nothing changed, and
 *   LTT_ERROR_LIMIT    the ids are used up, or its name or description is too long
 *   LTT_ERROR_INVALID  it is the builtin facility, or has the name and checksum of another one
 *   LTT_ERROR_IO       the description could not be written
 */
gboolean ltt_trace_writer_load(LttTraceWriter *writer, const LttFacility *facility,
			       guint32 *base_code, GError **error);

/**
 * ltt_trace_writer_open:
 * @name: "cpu/3" with a number below the system's cpus, or "control/NAME" but not
 *   control/facilities
 *
 * Returns: (transfer none) (nullable): the tracefile of that name, made at the first call; closed
 *   with the trace. NULL with LTT_ERROR_INVALID (no such name), LTT_ERROR_IO, or LTT_ERROR_LIMIT
 *   (no memory for a block)
 */
LttTracefileWriter *ltt_trace_writer_open(LttTraceWriter *writer, const char *name, GError **error);

/**
 * ltt_tracefile_writer_event:
 * @cycles: the counter at the event, not below that of the event before in this file
 * @id: event id: a base code plus the event's index
 * @payload: (array length=payload_bytes) (nullable): its payload, as ltt-payload.h makes it
 *
 * Appends an event. A heartbeat is put in front of it where its delta would not fit 32 bits and
 * where the heartbeat interval has passed; a new block begins where this one is full. A block
 * begins at its first event and ends at its last one.
 *
 * Returns: FALSE, with the events of the file as they were, and
 *   LTT_ERROR_INVALID  no facility has @id, the payload is not one of that type, @cycles goes back,
 *                      or the time is before 1970 or its seconds do not fit 32 bits
 *   LTT_ERROR_LIMIT    the event does not fit even an empty block
 *   LTT_ERROR_IO       the block before could not be written; the next call tries it again
 */
gboolean ltt_tracefile_writer_event(LttTracefileWriter *file, guint64 cycles, guint16 id,
				    gconstpointer payload, gsize payload_bytes, GError **error);

/**
 * ltt_tracefile_writer_time_value:
 * Puts a time value (a heartbeat) that need not lie on the line of the options; from here on times
 * go on from it at the rate of the line. For recordings whose own clock was corrected while they
 * ran.
 *
 * Returns: as ltt_tracefile_writer_event()
 */
gboolean ltt_tracefile_writer_time_value(LttTracefileWriter *file, guint64 cycles, guint64 time_ns,
					 GError **error);

/**
 * ltt_trace_writer_close:
 * Ends all blocks and writes everything out, control/facilities too: a trace that was not closed
 * cannot be read. Afterwards, whatever the outcome, the writer is only good to be freed or
 * abandoned.
 *
 * Returns: FALSE with LTT_ERROR_IO
 */
gboolean ltt_trace_writer_close(LttTraceWriter *writer, GError **error);

/* Frees the writer. One that was not closed leaves half a trace behind: a caller that gives up uses
 * ltt_trace_writer_abandon() instead. NULL is allowed and ignored. */
void ltt_trace_writer_free(LttTraceWriter *writer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttTraceWriter, ltt_trace_writer_free)

/* Frees the writer and removes the directory that it has made, with all that is in it by now. NULL
 * is allowed and ignored. */
void ltt_trace_writer_abandon(LttTraceWriter *writer);

G_END_DECLS

#endif /* LTT_WRITER_H */
