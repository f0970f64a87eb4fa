/* ltt-trace.h - a trace, opened for reading (doc/format.md, 1).
 *
 * A trace gives its system, the facilities that were loaded, and its tracefiles. Events come out
 * of a tracefile through a cursor (ltt-cursor.h), of all of them in time order through a merge
 * (ltt-merge.h).
 *
 *	LttTrace *trace = ltt_trace_open("foo", &error);
 *	LttMerge *merge = ltt_merge_new(trace, NULL);
 *	const LttEvent *event;
 *	while (ltt_merge_next(merge, &event, &error) == LTT_STEP_EVENT)
 *		puts(event->type->full_name);
 *
 * Threads: opening and closing are for one thread. An open trace changes only under locks of its
 * own, so cursors on it may run in several threads.
 */
#ifndef LTT_TRACE_H
#define LTT_TRACE_H

#include <ltt/ltt-error.h>
#include <ltt/ltt-event.h>
#include <ltt/ltt-system.h>

G_BEGIN_DECLS

typedef struct LttTrace LttTrace;

/* A facility as it was loaded: the events of @facility have the ids from base_code on. */
typedef struct LttLoad {
	const LttFacility *facility;
	const LttLayouts *layouts; /* under the byte order and sizes of the trace */
	guint32 checksum; /* in the trace; if it differs from the facility's, there is a warning */
	guint32 base_code;
} LttLoad;

/**
 * ltt_trace_open:
 * @path: the directory, or an archive of it (ltt-archive.h)
 *
 * Of an archive the limits of ltt-archive.h hold. One that is packed goes into a file without a
 * name in the folder of temporary files (TMPDIR), gone when the trace is freed; a plain tar file is
 * read where it stands.
 *
 * Reads info/system.xml, eventdefs/ and control/facilities, and lists the tracefiles. What is wrong
 * but can be lived with becomes a problem (ltt_trace_get_n_problems()), not an error.
 *
 * Returns: (transfer full) (nullable): free it with ltt_trace_free(); NULL with
 *   LTT_ERROR_IO           no such directory, or a file in it cannot be read
 *   LTT_ERROR_DESCRIPTION  system.xml is missing or wrong
 *   LTT_ERROR_UNSUPPORTED  of a version other than 2
 *   or an error of ltt_archive_unpack()
 */
LttTrace *ltt_trace_open(const char *path, GError **error);

/**
 * ltt_trace_open_with_progress:
 * @on_progress: (nullable): told how many bytes of a packed archive were read, of how many; of 0 if
 *   it is no plain file. Of a directory, and of a plain tar file, there is nothing to tell
 *
 * As ltt_trace_open().
 *
 * Returns: NULL with LTT_ERROR_IO also if @on_progress ended it
 */
LttTrace *ltt_trace_open_with_progress(const char *path, LttProgressFunc on_progress,
				       gpointer progress_data, GError **error);
void ltt_trace_free(LttTrace *trace); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttTrace, ltt_trace_free)

/* Returns: the directory, or the archive, as it was named when the trace was opened. For messages:
 * files are read through the functions below, which know where they are. */
const char *ltt_trace_get_path(const LttTrace *trace);

/**
 * ltt_trace_list_files:
 * @folder: "info"; "" is the trace itself
 *
 * Returns: (transfer full) (element-type utf8): the names of what is in a folder, sorted by their
 *   bytes, those that begin with a point left out; empty if there is no such folder. Frees its
 *   elements
 */
GPtrArray *ltt_trace_list_files(const LttTrace *trace, const char *folder);

/**
 * ltt_trace_read_file:
 * @name: "info/bookmarks.xml"
 *
 * Returns: (transfer full) (nullable): the bytes of a file of the trace; NULL with
 *   LTT_ERROR_IO           it is not there, or cannot be read
 *   LTT_ERROR_UNSUPPORTED  it is no plain file
 *   LTT_ERROR_LIMIT        there are more than @max_bytes
 */
GString *ltt_trace_read_file(const LttTrace *trace, const char *name, gsize max_bytes,
			     GError **error);

/* Returns: what info/system.xml says, sealed */
const LttSystem *ltt_trace_get_system(const LttTrace *trace);

/**
 * ltt_trace_read_bookmarks:
 *
 * What is wrong with info/bookmarks.xml becomes problems of the trace, at the first call.
 *
 * Returns: (transfer none) (element-type LttBookmark): the bookmarks of a trace (ltt-bookmarks.h),
 *   the same list each time; empty if it has none
 */
const GPtrArray *ltt_trace_read_bookmarks(LttTrace *trace);

/* What was wrong when the trace was opened: partial blocks, unknown attributes, a facility whose
 * checksum differs. Reading may add to them. Each makes the exit status of a command 1. A problem
 * lives as long as the trace. */
guint ltt_trace_get_n_problems(LttTrace *trace);
const LttProblem *ltt_trace_get_problem(LttTrace *trace, guint index);

/* Facilities loaded for the whole trace, in order of base code; the builtin one first. They live as
 * long as the trace. */
guint ltt_trace_get_n_loads(const LttTrace *trace);
const LttLoad *ltt_trace_get_load(const LttTrace *trace, guint index);

/* Tracefiles in the order in which events of equal time are merged: control files by name, then
 * cpu files by number (doc/format.md, 7). */
guint ltt_trace_get_n_tracefiles(const LttTrace *trace);
LttTracefile *ltt_trace_get_tracefile(const LttTrace *trace, guint index);

/* Returns: whether the tracer facility is loaded, so that events may have a pid and tid */
gboolean ltt_trace_has_threads(const LttTrace *trace);

/**
 * ltt_trace_get_span:
 * @start_ns: (out): the least time of any event of a cpu file; of a control file if there is no cpu
 * file with events
 * @end_ns: (out): the greatest
 *
 * Reads what is needed of each file, at most once. Damage is passed over in silence here; reading
 * the events tells of it.
 *
 * Returns: FALSE, and nothing set, if the trace has no events
 */
gboolean ltt_trace_get_span(LttTrace *trace, guint64 *start_ns, guint64 *end_ns);

/* Returns: "cpu/3", "control/processes" */
const char *ltt_tracefile_get_name(const LttTracefile *tracefile);

/* Returns: its place among the trace's tracefiles */
guint ltt_tracefile_get_index(const LttTracefile *tracefile);

/* Returns: the number of the CPU; -1 for a control file or a lane */
gint ltt_tracefile_get_cpu(const LttTracefile *tracefile);

/* Returns: whether it is a lane: a cpu file of a thread that could not write to those of CPUs
 * (doc/format.md, 9.1, lanes) */
gboolean ltt_tracefile_is_lane(const LttTracefile *tracefile);

/* Returns: its name for people: "lane/0" for the first lane, else ltt_tracefile_get_name() */
const char *ltt_tracefile_get_label(const LttTracefile *tracefile);

/* Returns: whole blocks in the file, those that hold nothing included */
guint64 ltt_tracefile_get_n_blocks(const LttTracefile *tracefile);

/* What the blocks of a tracefile say of it as a whole. */
typedef struct LttTracefileSummary {
	guint64 n_used_blocks; /* those that hold events */
	guint64 n_open_blocks; /* last event is not a block_end */
	gboolean has_events;
	guint64 first_ns; /* least and greatest time of its events */
	guint64 last_ns;
} LttTracefileSummary;

/* Reads block headers and, where these do not tell, blocks. The first call does the work. */
const LttTracefileSummary *ltt_tracefile_get_summary(LttTracefile *tracefile);

G_END_DECLS

#endif /* LTT_TRACE_H */
