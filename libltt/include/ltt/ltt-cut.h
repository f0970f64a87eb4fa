/* ltt-cut.h - write a part of a trace as a new, complete trace (doc/edit.md).
 *
 *	const LttCutRequest request = {.trace = trace, .select = select, .path = "small"};
 *	if (!ltt_cut(&request, NULL, &error))
 *		puts(error->message);
 *
 * The new trace has exactly the events that a dump of the old trace with the same selection shows,
 * with the same times and threads and in the same order. It also has the system, the loaded
 * facilities and the bookmarks within the selection. Of the hidden events it keeps those that
 * record losses and processes. Damaged and open blocks become finished blocks with the events that
 * can be read.
 *
 * A joined trace (ltt-join.h) is first written to a temporary trace next to the new one, as by
 * ltt_join_write(), and removed afterwards.
 */
#ifndef LTT_CUT_H
#define LTT_CUT_H

#include <ltt/ltt-job.h>
#include <ltt/ltt-select.h>

G_BEGIN_DECLS

/* What to cut, and where to. The call borrows everything. */
typedef struct LttCutRequest {
	LttTrace *trace;
	LttSelect *select;     /* events to keep; NULL: all. ltt_select_set_all() has no effect */
	const char *path;      /* directory to create; must not exist */
	gboolean drops_needed; /* TRUE: drop unselected events of an imported recording even if
				  selected events refer to them; FALSE: keep those */
	LttJobCallbacks callbacks; /* problems: damage in the trace; progress in blocks */
} LttCutRequest;

typedef struct LttCutSummary {
	guint64 n_events;     /* events in the new trace, without hidden events */
	guint64 n_bytes;      /* size of its blocks */
	guint64 n_copied;     /* blocks that were copied unchanged */
	guint64 n_unwritable; /* events left out because no time value can represent their times;
				 only damage causes such times */
} LttCutSummary;

/**
 * ltt_cut:
 * @summary: (out) (optional): set on success
 *
 * Problems of the trace as a whole are not reported to the callbacks: ltt_trace_get_problem() returns
 * them.
 *
 * Returns: FALSE, with nothing left behind, and
 *   LTT_ERROR_EXISTS  @path already exists
 *   LTT_ERROR_IO      reading or writing failed
 *   LTT_ERROR_LIMIT   out of memory for a block
 *   LTT_ERROR_CANCELLED
 */
gboolean ltt_cut(const LttCutRequest *request, LttCutSummary *summary, GError **error);

/* How to split, and where to. Exactly one of @part_ns and @part_bytes is set. */
typedef struct LttSplitRequest {
	LttTrace *trace;
	LttSelect *select;  /* events to keep; NULL: all. Its window changes during the call */
	const char *path;   /* directory to create for the parts, 0000, 0001 ...; must not exist */
	guint64 part_ns;    /* duration of a part, counted from the start of the selection */
	guint64 part_bytes; /* approximate size of the blocks of a part, at least one block */
	LttJobCallbacks callbacks; /* as LttCutRequest */
} LttSplitRequest;

typedef struct LttSplitSummary {
	guint n_parts;
	LttCutSummary total; /* of all parts */
} LttSplitSummary;

/* Maximum number of parts. */
#define LTT_MAX_CUT_PARTS 10000

/**
 * ltt_split:
 * @summary: (out) (optional): set on success
 *
 * Splits a trace by time. Every event is in exactly one part, and an event to which later ones refer, such
 * as the name of a thread or the mapping of a file (doc/format.md, 9.1), also in all later parts. An
 * interval without blocks makes no part.
 *
 * Returns: as ltt_cut(), and FALSE also with LTT_ERROR_INVALID if there is nothing to split, or
 *   LTT_ERROR_LIMIT if there would be more than LTT_MAX_CUT_PARTS
 */
gboolean ltt_split(const LttSplitRequest *request, LttSplitSummary *summary, GError **error);

G_END_DECLS

#endif /* LTT_CUT_H */
