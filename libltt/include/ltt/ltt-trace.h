/* ltt-trace.h - open a trace for reading (doc/format.md, 1).
 *
 * A trace has a system, loaded facilities and tracefiles. A cursor (ltt-cursor.h) reads the events
 * of one tracefile; a merge (ltt-merge.h) reads those of all tracefiles in time order.
 *
 *	LttTrace *trace = ltt_trace_open("foo", &error);
 *	LttMerge *merge = ltt_merge_new(trace, NULL);
 *	const LttEvent *event;
 *	while (ltt_merge_next(merge, &event, &error) == LTT_STEP_EVENT)
 *		puts(event->type->full_name);
 *
 * Threads: open and close a trace in one thread. An open trace has internal locks, so cursors on it
 * may run in several threads.
 */
#ifndef LTT_TRACE_H
#define LTT_TRACE_H

#include <ltt/ltt-error.h>
#include <ltt/ltt-event.h>
#include <ltt/ltt-job.h>
#include <ltt/ltt-system.h>

G_BEGIN_DECLS

typedef struct LttTrace LttTrace;

/* A loaded facility: its events have consecutive ids from base_code on. */
typedef struct LttLoad {
	const LttFacility *facility;
	const LttLayouts *layouts; /* on the architecture of the trace */
	guint32 checksum; /* in the trace; if it differs from the facility's, there is a warning */
	guint32 base_code;
} LttLoad;

/**
 * ltt_trace_open:
 * @path: the directory, or an archive of it (ltt-archive.h)
 *
 * Reads info/system.xml, eventdefs/ and control/facilities, and lists the tracefiles. A fault that
 * does not prevent reading becomes a problem (ltt_trace_get_n_problems()), not an error.
 *
 * The limits of ltt-archive.h apply to archives. A compressed archive is unpacked into an anonymous
 * temporary file (in TMPDIR), released when the trace is freed; a plain tar file is read in place.
 *
 * Returns: (transfer full) (nullable): free it with ltt_trace_free(); NULL with
 *   LTT_ERROR_IO           no such directory, or a file in it cannot be read
 *   LTT_ERROR_DESCRIPTION  system.xml is missing or invalid
 *   LTT_ERROR_UNSUPPORTED  its major version is not 2
 *   or an error of ltt_unpack()
 */
LttTrace *ltt_trace_open(const char *path, GError **error);

/* Arguments of ltt_trace_open_job(). */
typedef struct LttTraceRequest {
	const char *path; /* as for ltt_trace_open() */
	/* no problems: ltt_trace_get_problem() returns them; progress in bytes of a compressed
	 * archive, none for a directory or a plain tar file */
	LttJobCallbacks callbacks;
} LttTraceRequest;

/* Like ltt_trace_open(), as a job (ltt-job.h) whose result is the trace.
 * Returns: NULL with LTT_ERROR_CANCELLED also */
LttTrace *ltt_trace_open_job(const LttTraceRequest *request, GError **error);
void ltt_trace_free(LttTrace *trace); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttTrace, ltt_trace_free)

/* Returns: the path passed to ltt_trace_open(), for messages. It may be that of an archive */
const char *ltt_trace_get_path(const LttTrace *trace);

/* Returns: the contents of info/system.xml, sealed */
const LttSystem *ltt_trace_get_system(const LttTrace *trace);

/**
 * ltt_trace_read_bookmarks:
 *
 * The first call parses info/bookmarks.xml; mistakes in it become problems of the trace.
 *
 * Returns: (transfer none) (element-type LttBookmark): the bookmarks of the trace
 *   (ltt-bookmarks.h), the same list each time; empty if there are none
 */
const GPtrArray *ltt_trace_read_bookmarks(LttTrace *trace);

/* Problems found so far: partial blocks, unknown attributes, a facility whose checksum differs ...
 * Opening a trace finds most of them; reading may add more. Any problem makes the exit status of a
 * command 1. A problem lives as long as the trace. */
guint ltt_trace_get_n_problems(LttTrace *trace);
const LttProblem *ltt_trace_get_problem(LttTrace *trace, guint index);

/* Facilities loaded for the whole trace, in order of base code; the builtin facility comes first.
 * They live as long as the trace. */
guint ltt_trace_get_n_loads(const LttTrace *trace);
const LttLoad *ltt_trace_get_load(const LttTrace *trace, guint index);

/* Tracefiles in the order in which events of equal time are merged: control files by name, then
 * cpu files by number (doc/format.md, 7). */
guint ltt_trace_get_n_tracefiles(const LttTrace *trace);
LttTracefile *ltt_trace_get_tracefile(const LttTrace *trace, guint index);

/* Returns: whether the tracer facility is loaded, so that events may have a pid and tid */
gboolean ltt_trace_has_threads(const LttTrace *trace);

/* The machines whose events the trace contains: one, or those of the traces that were joined (ltt-join.h)
 * or merged into it. Two traces of one boot of a machine have the same host; a trace without a boot id has
 * a host of its own. Machines can have processes with the same id. */
guint ltt_trace_get_n_hosts(const LttTrace *trace);

/* Returns: whether the machines have different names, so that the output names the machine of each event */
gboolean ltt_trace_has_hosts(const LttTrace *trace);

/* Returns: the node_name of a machine; "unknown" without a name. Several machines, or boots of a machine, can
 * have the same name */
const char *ltt_trace_get_host(const LttTrace *trace, guint host);

/**
 * ltt_trace_get_span:
 * @start_ns: (out): the earliest time of any event in a cpu file; if no cpu file has events, in a
 *   control file
 * @end_ns: (out): the latest, likewise
 *
 * Reads the necessary parts of each file, at most once. Ignores damage: reading the events reports
 * it.
 *
 * Returns: FALSE, and nothing set, if the trace has no events
 */
gboolean ltt_trace_get_span(LttTrace *trace, guint64 *start_ns, guint64 *end_ns);

/* Returns: whether the times of each file rise, as far as the ends of its blocks show (doc/format.md, 6.5). Where they
 * fall, a merge does not return the events in order of time (7.1). Reads the ends of some blocks. */
gboolean ltt_trace_is_sorted(LttTrace *trace);

/* Returns: "cpu/3", "control/processes" */
const char *ltt_tracefile_get_name(const LttTracefile *tracefile);

/* Returns: its index among the tracefiles of the trace */
guint ltt_tracefile_get_index(const LttTracefile *tracefile);

/* Returns: the machine whose events it contains, for ltt_trace_get_host(); of a member of a joined trace, for
 * the joined one */
guint ltt_tracefile_get_host(const LttTracefile *tracefile);

/* Returns: the number of the CPU; -1 for a control file or a lane */
gint ltt_tracefile_get_cpu(const LttTracefile *tracefile);

/* Returns: whether it is a lane: the cpu file of a thread that could not write to the files of CPUs
 *   (doc/format.md, 9.1, lanes) */
gboolean ltt_tracefile_is_lane(const LttTracefile *tracefile);

/* Returns: whether it contains events of the kernel on the CPU ltt_tracefile_get_cpu() */
gboolean ltt_tracefile_is_kernel(const LttTracefile *tracefile);

/* Returns: its name for display: "lane/0" for the first lane, else ltt_tracefile_get_name() */
const char *ltt_tracefile_get_label(const LttTracefile *tracefile);

/* Returns: the number of complete blocks in the file, including empty ones */
guint64 ltt_tracefile_get_n_blocks(const LttTracefile *tracefile);

/* Totals over the blocks of a tracefile. */
typedef struct LttTracefileSummary {
	guint64 n_used_blocks; /* blocks with events */
	guint64 n_open_blocks; /* blocks whose last event is not a block_end */
	gboolean has_events;
	guint64 first_ns; /* earliest and latest time of its events */
	guint64 last_ns;
} LttTracefileSummary;

/* The first call reads the block headers, and whole blocks where these do not suffice. */
const LttTracefileSummary *ltt_tracefile_get_summary(LttTracefile *tracefile);

G_END_DECLS

#endif /* LTT_TRACE_H */
