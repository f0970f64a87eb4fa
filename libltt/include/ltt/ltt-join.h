/* ltt-join.h - join several traces on one timeline, to read them or to write one trace.
 *
 * A joined trace is read like any other (ltt-cursor.h, ltt-merge.h, ltt-select.h, ltt-print.h). It
 * has the tracefiles of all traces, named as follows:
 *
 *   - CPUs of traces of one machine keep their numbers. If two traces have a cpu/1, the joined
 *     trace has two tracefiles of that name, one after the other. Traces are of one machine if they
 *     have the same boot_id (doc/format.md, 9.1);
 *   - CPUs of other traces are renumbered after those so far: after cpu/0 and cpu/3 of the first
 *     trace, cpu/1 of the second becomes cpu/5. Lanes get numbers after all CPUs;
 *   - control files get the number of their trace as a suffix, "control/processes.2", or the next
 *     free number. Those of the first trace get none, except control/facilities.
 *
 * Byte order, sizes and versions of the traces may differ.
 */
#ifndef LTT_JOIN_H
#define LTT_JOIN_H

#include <ltt/ltt-clock-map.h>
#include <ltt/ltt-job.h>
#include <ltt/ltt-trace.h>

G_BEGIN_DECLS

/**
 * ltt_trace_join:
 * @traces: (array length=n_traces) (transfer full): open traces without cursors or merges. The
 *   joined trace owns them; on failure they are freed
 * @n_traces: 1 or more
 * @offsets_ns: (nullable): added to the times of each trace, for clocks that differ; NULL: 0 for
 *   all. If time values get out of 0 ... LTT_MAX_TIME_NS, this is a problem of the joined trace, and
 *   times out of that range are clamped to it. The others are exact
 *
 * The system is that of the first trace, with the CPUs of all; the facilities are those of all
 * traces.
 *
 * Returns: (transfer full) (nullable): NULL with LTT_ERROR_LIMIT if it would have more than
 *   LTT_MAX_CPUS numbers of cpu files
 */
LttTrace *ltt_trace_join(LttTrace *const *traces, guint n_traces, const gint64 *offsets_ns,
			 GError **error);

/**
 * ltt_trace_join_by_maps:
 * @maps: (array length=n_traces): converts the times of each trace (ltt-clock-map.h), for clocks
 *   whose rates differ; copied. NULL: the times are not converted. ltt-sync.h finds such maps
 *
 * As ltt_trace_join(). Time values are converted, and events between two time values lie on the line
 * between them. Where a map has a bend, a time value is added, so that events lie on the line of the
 * map. Times are clamped in the same way.
 */
LttTrace *ltt_trace_join_by_maps(LttTrace *const *traces, guint n_traces, LttClockMap *const *maps,
				 GError **error);

/* Returns: the number of traces that @joined was made of; 1 for a trace that is not joined */
guint ltt_trace_get_n_members(const LttTrace *joined);

/* Returns: one of these traces, in the order of ltt_trace_join(); the trace itself if it is not
 *   joined. Use it for its path and system, and read its events through @joined */
const LttTrace *ltt_trace_get_member(const LttTrace *joined, guint index);

/* Returns: @time_ns of that trace, on the timeline of @joined: moved by its offset, or converted by
 *   its map; kept within 0 ... LTT_MAX_TIME_NS */
guint64 ltt_trace_to_joined_time(const LttTrace *joined, guint index, guint64 time_ns);

/* The inverse of ltt_trace_to_joined_time().
 * Returns: the earliest time of that trace that this function converts to @time_ns or later;
 *   LTT_MAX_TIME_NS if there is none */
guint64 ltt_trace_from_joined_time(const LttTrace *joined, guint index, guint64 time_ns);

/* Returns: the index of the trace that has a tracefile of @joined */
guint ltt_trace_find_member(const LttTrace *joined, const LttTracefile *tracefile);

/* Returns: the index of the first member with tracefiles of a machine (ltt_trace_get_host()) */
guint ltt_trace_find_host_member(const LttTrace *joined, guint host);

/* Returns: whether the times of @trace are those of the wall clock: according to the attribute
 *   clock (doc/format.md, 9.1), or, without that attribute, if no time is before 1991 */
gboolean ltt_trace_has_wall_times(LttTrace *trace);

/**
 * ltt_trace_find_clock_offset:
 * @offset_ns: (out): for ltt_trace_join() to add to the times of @trace
 *
 * Returns the offset of an imported recording's clock, such as one that counts from boot, from the
 * wall clock. It is the attribute clock_zero (doc/format.md, 9.1), which the importer wrote if the
 * recording relates the two clocks.
 *
 * Returns: FALSE, and nothing set, if the trace has no such attribute or has the times of the wall
 *   clock already
 */
gboolean ltt_trace_find_clock_offset(LttTrace *trace, gint64 *offset_ns);

/**
 * ltt_trace_find_clock_offset_beside:
 * @beside: a trace with times of the wall clock
 * @offset_ns: (out): for ltt_trace_join() to add to the times of @trace, so that they can be
 *   compared with those of @beside
 *
 * Like ltt_trace_find_clock_offset(), but more precise, because recordings may have noted the wall
 * clock in microseconds.
 * If the times of @trace are of the monotonic clock, and @beside is of the same machine and has the
 * attribute monotonic_zero (doc/format.md, 9.1), the result is exact to some nanoseconds. The
 * machine is taken to be the same if both relations of the two clocks agree to one second.
 *
 * Returns: FALSE, and nothing set, if these conditions do not hold
 */
gboolean ltt_trace_find_clock_offset_beside(LttTrace *trace, LttTrace *beside, gint64 *offset_ns);

typedef struct LttJoinWriteRequest {
	LttTrace *joined;          /* from ltt_trace_join() */
	const char *path;          /* directory to create; must not exist */
	LttJobCallbacks callbacks; /* problems: damage, after which the rest of the block is lost,
				      and events that cannot be written; progress in blocks */
} LttJoinWriteRequest;

typedef struct LttJoinWriteSummary {
	guint64 n_blocks;     /* blocks read */
	guint64 n_copied;     /* of these, blocks that were copied */
	guint64 n_unwritable; /* events left out because they cannot be written */
} LttJoinWriteSummary;

/**
 * ltt_join_write:
 * @summary: (out) (optional): set on success
 *
 * Writes a joined trace as a separate trace, whose dump equals the dump of the joined trace. Its
 * byte order is that of the first trace; its sizes of types and blocks are the largest of all
 * traces. If an event needs a larger block with these sizes of types, the block size is doubled until
 * it fits. It has a control/facilities with the loads of all traces, and all bookmarks.
 *
 * Blocks are copied, with event ids of the new trace and with times that include the offsets; open
 * blocks stay open. Events are encoded into new blocks instead if a copy would change their
 * meaning: if their trace has another byte order or other sizes, has the historical dialect, or
 * computes times from its cycle_frequency; and if several traces have their CPU. Events that cannot
 * be encoded are problems.
 *
 * Returns: FALSE, with nothing left behind, and
 *   LTT_ERROR_EXISTS   @path already exists
 *   LTT_ERROR_LIMIT    too few event ids for all facilities, or out of memory
 *   LTT_ERROR_INVALID  an offset or a map gives a time that cannot be represented: below 0, or of 2^32
 *                      seconds or more
 *   LTT_ERROR_IO       reading or writing failed
 *   LTT_ERROR_CANCELLED
 */
gboolean ltt_join_write(const LttJoinWriteRequest *request, LttJoinWriteSummary *summary,
			GError **error);

G_END_DECLS

#endif /* LTT_JOIN_H */
