/* split.c - split a trace into parts of a given duration or size.
 *
 * Parts are adjacent time windows, so every event is in exactly one of them. Usually the time span
 * in the header and block_end of each block suffices to find the windows. A block with a longer
 * span than a part is read: a damaged time value may give it a span of years, and a part without
 * events is not written. So the number of parts is bounded by the number of events, not by the time
 * between them. A part also has the naming events from before its window, to which its events may
 * refer.
 */
#include "base/aside-priv.h"
#include "base/error-priv.h"
#include "base/job-priv.h"
#include "edit/edit-priv.h"
#include "edit/merged-priv.h"
#include "reader/ends-priv.h"

#include <ltt/ltt-hash.h>
#include <ltt/ltt-time.h>

/* The time span of a block. */
typedef struct Extent {
	guint64 from_ns;
	guint64 to_ns; /* inclusive */
} Extent;

static gint compare_extents(gconstpointer a, gconstpointer b)
{
	const Extent *left = a;
	const Extent *right = b;

	return left->from_ns < right->from_ns ? -1 : left->from_ns > right->from_ns;
}

static gint compare_times(gconstpointer a, gconstpointer b)
{
	const guint64 left = *(const guint64 *)a;
	const guint64 right = *(const guint64 *)b;

	return left < right ? -1 : left > right;
}

/* Adds the time spans of the events of a block, split at gaps longer than @most_gap_ns. */
static void add_read_extents(const LttBlock *block, guint64 most_gap_ns, GArray *extents)
{
	g_autoptr(GArray) times = g_array_sized_new(FALSE, FALSE, sizeof(guint64), block->n_events);
	Extent extent;

	if (block->n_events == 0)
		return;
	g_array_append_vals(times, block->times_ns, block->n_events);
	g_array_sort(times, compare_times);
	extent.from_ns = extent.to_ns = g_array_index(times, guint64, 0);
	for (guint i = 1; i < times->len; i++) {
		const guint64 time_ns = g_array_index(times, guint64, i);

		if (time_ns - extent.to_ns > most_gap_ns) {
			g_array_append_val(extents, extent);
			extent.from_ns = time_ns;
		}
		extent.to_ns = time_ns;
	}
	g_array_append_val(extents, extent);
}

/* @most_gap_ns: blocks with a longer span are read */
static void add_extents(LttTracefile *tracefile, guint64 most_gap_ns, GArray *extents)
{
	LttBlock block;

	ltt_block_init(&block);
	for (guint64 i = 0; i < ltt_tracefile_get_n_ordered(tracefile); i++) {
		g_autoptr(GError) error = NULL;
		LttBlockEnds ends;

		ltt_tracefile_read_ends(tracefile, ltt_tracefile_get_ordered(tracefile, i), &ends);
		if (ends.has_start && ends.is_complete &&
		    ends.last_ns - ends.first_ns <= most_gap_ns) {
			const Extent extent = {ends.first_ns, ends.last_ns};

			g_array_append_val(extents, extent);
		} else if (ltt_block_load(&block, tracefile, i, &error)) {
			add_read_extents(&block, most_gap_ns, extents);
		}
		ltt_tracefile_note_failure(tracefile, error);
	}
	ltt_block_clear(&block);
}

/* Returns: the spans of all selected files, within the window, sorted by start */
static GArray *get_extents(LttTrace *trace, const LttSelect *select, const Extent *window,
			   guint64 most_gap_ns)
{
	GArray *extents = g_array_new(FALSE, FALSE, sizeof(Extent));
	guint n_left = 0;

	for (guint i = 0; i < trace->tracefiles->len; i++) {
		LttTracefile *tracefile = trace->tracefiles->pdata[i];

		if (g_str_equal(tracefile->name, "control/facilities") ||
		    (select != NULL && !ltt_select_wants_tracefile(select, tracefile)))
			continue;
		add_extents(tracefile, most_gap_ns, extents);
	}
	for (guint i = 0; i < extents->len; i++) {
		Extent extent = g_array_index(extents, Extent, i);

		if (extent.to_ns < window->from_ns || extent.from_ns > window->to_ns)
			continue;
		extent.from_ns = MAX(extent.from_ns, window->from_ns);
		extent.to_ns = MIN(extent.to_ns, window->to_ns);
		g_array_index(extents, Extent, n_left++) = extent;
	}
	g_array_set_size(extents, n_left);
	g_array_sort(extents, compare_extents);
	return extents;
}

/* Adds a part, given by its start. */
static gboolean add_part(GArray *starts, guint64 start_ns, GError **error)
{
	if (starts->len == LTT_MAX_CUT_PARTS)
		return ltt_fail(error, LTT_ERROR_LIMIT, "more than %d parts: expected larger ones",
				LTT_MAX_CUT_PARTS);
	g_array_append_val(starts, start_ns);
	return TRUE;
}

/* Computes parts of equal duration, counted from the first block. Skips empty parts in one step. */
static gboolean split_by_time(const GArray *extents, guint64 length_ns, GArray *starts,
			      GError **error)
{
	const guint64 first_ns = g_array_index(extents, Extent, 0).from_ns;
	guint64 done_ns = first_ns;

	for (guint i = 0; i < extents->len; i++) {
		const Extent *extent = &g_array_index(extents, Extent, i);

		while (extent->to_ns >= done_ns) {
			const guint64 at_ns = MAX(extent->from_ns, done_ns);
			const guint64 start_ns = at_ns - (at_ns - first_ns) % length_ns;

			if (!add_part(starts, start_ns, error))
				return FALSE;
			if (length_ns > LTT_MAX_TIME_NS - start_ns)
				return TRUE;
			done_ns = start_ns + length_ns;
		}
	}
	return TRUE;
}

static gboolean split_by_size(const GArray *extents, guint64 most_bytes, guint64 block_bytes,
			      GArray *starts, GError **error)
{
	const guint64 most_blocks = MAX(most_bytes / block_bytes, 1);
	guint64 start_ns = g_array_index(extents, Extent, 0).from_ns;
	guint64 n_blocks = 0;

	for (guint i = 0; i < extents->len; i++, n_blocks++) {
		const Extent *extent = &g_array_index(extents, Extent, i);

		if (n_blocks < most_blocks || extent->from_ns <= start_ns)
			continue;
		if (!add_part(starts, start_ns, error))
			return FALSE;
		start_ns = extent->from_ns;
		n_blocks = 0;
	}
	return add_part(starts, start_ns, error);
}

static GArray *split(LttTrace *trace, const LttSelect *select, const Extent *window,
		     const LttSplitRequest *request, GError **error)
{
	g_autoptr(GArray) starts = g_array_new(FALSE, FALSE, sizeof(guint64));
	const guint64 most_gap_ns = request->part_ns > 0 ? request->part_ns : G_MAXUINT64;
	g_autoptr(GArray) extents = get_extents(trace, select, window, most_gap_ns);
	const guint64 block_bytes = ltt_system_get_block_bytes(trace->system);
	gboolean done;

	if (extents->len == 0) {
		ltt_fail(error, LTT_ERROR_INVALID, "%s: there is nothing to split",
			 ltt_trace_get_path(trace));
		return NULL;
	}
	done = request->part_ns > 0
		       ? split_by_time(extents, request->part_ns, starts, error)
		       : split_by_size(extents, request->part_bytes, block_bytes, starts, error);
	return done ? g_steal_pointer(&starts) : NULL;
}

static void add_summary(LttCutSummary *sum, const LttCutSummary *part)
{
	sum->n_events += part->n_events;
	sum->n_bytes += part->n_bytes;
	sum->n_copied += part->n_copied;
	sum->n_unwritable += part->n_unwritable;
}

/* The progress of all parts together. Each part reports the blocks of the whole trace. */
typedef struct Parts {
	const LttJobCallbacks *callbacks;
	guint n_parts; /* and the search for blocks that several need */
	guint n_done;
	GHashTable *reported; /* problems: several parts read the same blocks */
} Parts;

static gboolean show_progress(const LttProgress *progress, gpointer user_data)
{
	const Parts *parts = user_data;
	const LttProgress whole = {
		.unit = progress->unit,
		.n_done = parts->n_done * progress->n_total + progress->n_done,
		.n_total = parts->n_parts * progress->n_total,
	};

	return parts->callbacks->on_progress == NULL ||
	       parts->callbacks->on_progress(&whole, parts->callbacks->user_data);
}

static void report_problem(const LttProblem *problem, gpointer user_data)
{
	const Parts *parts = user_data;

	ltt_job_report_once(parts->callbacks, parts->reported, problem);
}

/* Cuts all parts. Each extends to the start of the next; the first and the last extend to the ends
 * of the window, to include events outside the spans that the blocks declare. */
static gboolean cut_all(const LttSplitRequest *request, const char *folder, LttSelect *select,
			const GArray *starts, const Extent *window, LttCutSummary *sum,
			GError **error)
{
	g_autoptr(GHashTable) reported =
		g_hash_table_new_full(ltt_hash_text, g_str_equal, g_free, NULL);
	Parts parts = {&request->callbacks, starts->len + 1, 0, reported};
	const LttJobCallbacks callbacks = {report_problem, show_progress, &parts};
	g_autoptr(LttNeededBlocks) needed =
		ltt_needed_blocks_new(request->trace, &callbacks, error);

	if (needed == NULL)
		return FALSE;
	parts.n_done++;
	for (guint i = 0; i < starts->len; i++) {
		const guint64 from_ns = i > 0 ? g_array_index(starts, guint64, i) : window->from_ns;
		const guint64 to_ns =
			i + 1 < starts->len ? g_array_index(starts, guint64, i + 1) : window->to_ns;
		g_autofree char *path = g_strdup_printf("%s/%04u", folder, i);
		const LttCutRequest part = {
			.trace = request->trace,
			.select = select,
			.path = path,
			.callbacks = callbacks,
		};
		LttCutSummary summary;

		ltt_select_set_window(select, from_ns, to_ns);
		if (!ltt_edit_cut(&part, part.trace, needed, &summary, error))
			return FALSE;
		add_summary(sum, &summary);
		parts.n_done++;
	}
	return TRUE;
}

static gboolean split_single(const LttSplitRequest *request, LttSplitSummary *summary,
			     GError **error)
{
	g_autoptr(LttSelect) own = request->select == NULL ? ltt_select_new() : NULL;
	LttSelect *select = own != NULL ? own : request->select;
	Extent window = {0, G_MAXUINT64};
	g_autoptr(GArray) starts = NULL;
	LttCutSummary total = {0};
	LttAside aside;
	gboolean ok;

	ltt_select_get_window(select, &window.from_ns, &window.to_ns);
	starts = split(request->trace, select, &window, request, error);
	if (starts == NULL || !ltt_aside_make_directory(&aside, request->path, error))
		return FALSE;
	ok = cut_all(request, aside.path, select, starts, &window, &total, error) &&
	     ltt_aside_settle(&aside, error);
	ltt_aside_clear(&aside);
	ltt_select_set_window(select, window.from_ns, window.to_ns);
	if (ok && summary != NULL)
		*summary = (LttSplitSummary){.n_parts = starts->len, .total = total};
	return ok;
}

gboolean ltt_split(const LttSplitRequest *request, LttSplitSummary *summary, GError **error)
{
	LttSplitRequest settled = *request;
	LttMerged merged;
	gboolean ok;

	if (!ltt_merged_begin(&merged, request->trace, request->path, &request->callbacks, error))
		return FALSE;
	settled.trace = merged.trace;
	ok = split_single(&settled, summary, error);
	ltt_merged_end(&merged);
	return ok;
}
