/* ltt-cut.h - a smaller trace out of a trace, itself complete (doc/edit.md).
 *
 *	const LttCutRequest request = {.trace = trace, .select = select, .path = "small"};
 *	if (!ltt_cut(&request, NULL, &error))
 *		puts(error->message);
 *
 * The new trace has exactly the events that a dump of the old one with the same selection shows, at
 * the same times, of the same threads, in the same order. It has the system, the facilities that
 * are loaded, and the bookmarks that lie in what is left. Of what a dump hides, the new trace has
 * what says how many events were lost, and which processes there are. Blocks that are damaged or
 * open become finished ones, with the events that can be read.
 */
#ifndef LTT_CUT_H
#define LTT_CUT_H

#include <ltt/ltt-select.h>

G_BEGIN_DECLS

/* What is to be cut, and to where. All is borrowed for the time of the call. */
typedef struct LttCutRequest {
	LttTrace *trace;
	LttSelect *select;     /* which events; NULL: all. That builtin events are wanted too makes
				  no difference */
	const char *path;      /* a directory that is not there yet */
	gboolean drops_needed; /* of an imported recording, also events that others in the part
				  refer to; else they are kept */
	LttProblemFunc on_problem; /* told of damage that is met; NULL: nobody is told */
	gpointer problem_data;
	LttProgressFunc on_progress; /* in blocks; NULL: nobody is told */
	gpointer progress_data;
} LttCutRequest;

/* What became of it. */
typedef struct LttCutSummary {
	guint64 n_events;     /* that are in the new trace, those that dumps hide left out */
	guint64 n_bytes;      /* of its blocks */
	guint64 n_copied;     /* blocks that were copied as they are */
	guint64 n_unwritable; /* events that had to be left out because no time value can say their
				 times: only damage makes such */
} LttCutSummary;

/**
 * ltt_cut:
 * @summary: (out) (optional): set on success
 *
 * Problems of the trace as a whole are not told here, but kept by the trace.
 *
 * Returns: FALSE, with nothing left behind, and
 *   LTT_ERROR_EXISTS  there is something at @path
 *   LTT_ERROR_IO      reading or writing failed, or @on_progress ended it
 *   LTT_ERROR_LIMIT   there is no memory for a block
 */
gboolean ltt_cut(const LttCutRequest *request, LttCutSummary *summary, GError **error);

/* How long or large the parts of a trace are to be. One of the two is 0. */
typedef struct LttCutEvery {
	guint64 time_ns; /* each spans so much, counted from the start of the selection on */
	guint64 bytes;   /* each has blocks of about so much in all, but one block at least */
} LttCutEvery;

/* The most parts that a trace can be split into. */
#define LTT_MAX_CUT_PARTS 10000

/**
 * ltt_cut_parts:
 * @request: as for ltt_cut(), but @path becomes a directory of traces called 0000, 0001 and so on
 * @summary: (out) (optional): of all parts together, set on success
 *
 * Splits a trace by time. Every event is in exactly one part; a stretch of time without any block
 * makes no part.
 *
 * Returns: as ltt_cut(), also FALSE with LTT_ERROR_INVALID if there is nothing to split, or
 *   LTT_ERROR_LIMIT if there would be more than LTT_MAX_CUT_PARTS
 */
gboolean ltt_cut_parts(const LttCutRequest *request, const LttCutEvery *every,
		       LttCutSummary *summary, GError **error);

G_END_DECLS

#endif /* LTT_CUT_H */
