/* ltt-join.h - several traces on one timeline: read as one, or written as one.
 *
 * A joined trace is read like any other (ltt-cursor.h, ltt-merge.h, ltt-select.h, ltt-print.h): its
 * tracefiles are those of all. Their names:
 *
 *   - CPUs of traces of one machine keep their numbers: where two traces have a cpu/1, so has the
 *     joined trace, one behind the other. Traces are of one machine if they have the same boot_id
 *     (doc/format.md, 9.1);
 *   - CPUs of other traces are numbered on from behind those so far: behind cpu/0 and cpu/3 of the
 *     first, cpu/1 of the second becomes cpu/5; lanes get numbers behind all CPUs;
 *   - control files have the number of their trace behind their name, "control/processes.2", or the
 *     next one that is free; those of the first trace do not, except control/facilities.
 *
 * Byte order, sizes and versions of the traces may differ.
 */
#ifndef LTT_JOIN_H
#define LTT_JOIN_H

#include <ltt/ltt-trace.h>

G_BEGIN_DECLS

/**
 * ltt_trace_join:
 * @traces: (array length=n_traces) (transfer full): opened, and without cursors or merges. Belong
 * to the joined trace, or are freed if there is none
 * @n_traces: 1 or more
 * @offsets_ns: (nullable): what is added to the times of each, for clocks that differ; NULL: 0 for
 *   all. Times stay within 0 to LTT_TIME_MAX
 *
 * Its system is that of the first trace with as many CPUs as all have, and its facilities those
 * of all. It is no file: ltt_trace_list_files() finds nothing.
 *
 * Returns: (transfer full) (nullable): NULL with LTT_ERROR_LIMIT: there are more than LTT_MAX_CPUS
 *   numbers of cpu files
 */
LttTrace *ltt_trace_join(LttTrace *const *traces, guint n_traces, const gint64 *offsets_ns,
			 GError **error);

/**
 * ltt_trace_find_clock_offset:
 * @offset_ns: (out): what ltt_trace_join() is to add to the times of @trace
 *
 * An imported recording may have times of a clock of its own, such as one that begins with the
 * machine. Finds out how far that is from the wall clock, if the recording tells: one of perf does
 * in the feature clock_data, which `perf record -k` writes.
 *
 * Returns: FALSE, and nothing set, if it does not, or the times are those of the wall clock already
 */
gboolean ltt_trace_find_clock_offset(LttTrace *trace, gint64 *offset_ns);

/**
 * ltt_trace_find_clock_offset_beside:
 * @beside: a trace whose times are those of the wall clock
 * @offset_ns: (out): what ltt_trace_join() is to add to the times of @trace, so that they can be
 *   compared with those of @beside
 *
 * As ltt_trace_find_clock_offset(), but more exact: perf has noted the wall clock in microseconds.
 * Where its times are of the monotonic clock, and @beside is of the same machine and tells how its
 * times stand to that clock (doc/format.md, 9.1, monotonic_zero), both are of one clock, to some
 * nanoseconds. It counts as the same machine if both say the same of the clocks, to a second.
 *
 * Returns: FALSE, and nothing set, if there is no such relation
 */
gboolean ltt_trace_find_clock_offset_beside(LttTrace *trace, LttTrace *beside, gint64 *offset_ns);

/**
 * ltt_trace_write_joined:
 * @joined: from ltt_trace_join()
 * @path: a directory that is not there yet
 * @on_problem: (nullable): told of damage, whose block loses what is behind it, and of events that
 *   cannot be written
 * @on_progress: (nullable): told how many of all blocks are done
 *
 * Writes a joined trace as one of its own: a dump of it is that of @joined. Its byte order is that
 * of the first trace, its sizes of types and of blocks are the largest of all. Blocks are copied as
 * they are, open ones stay open; event ids become those of the new trace, and times where there are
 * offsets. Events whose bytes would mean something else, for the byte order or the sizes of their
 * trace, as it is of the historical dialect, or as their times rest on its cycle_frequency, and
 * those of a CPU that several traces have, are put into blocks anew; what cannot is told to
 * @on_problem. A control/facilities with the loads of all
 * is added, and the bookmarks of all are kept.
 *
 * Returns: FALSE, and nothing made, with
 *   LTT_ERROR_EXISTS   something has the name @path already
 *   LTT_ERROR_LIMIT    there are not enough event ids for all facilities, or there is no memory
 *   LTT_ERROR_INVALID  a time would be one that cannot be written
 *   LTT_ERROR_IO       reading or writing failed, or @on_progress ended it
 */
gboolean ltt_trace_write_joined(LttTrace *joined, const char *path, LttProblemFunc on_problem,
				gpointer problem_data, LttProgressFunc on_progress,
				gpointer progress_data, GError **error);

G_END_DECLS

#endif /* LTT_JOIN_H */
