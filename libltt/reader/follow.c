/* follow.c - read a trace while it is being recorded. See ltt-follow.h.
 *
 * The reader works in rounds. A round first checks whether the recording has ended, and sets the
 * horizon: the current time minus the delay. It then returns all available events up to the
 * horizon, merged by time. An event written after the round has reached the end of its file is
 * later than the horizon, or took longer than the delay to be written.
 *
 * Events after the horizon stay in the files, so memory use does not depend on the delay or the
 * backlog. Each round looks for new files.
 */
#include "reader/follow-priv.h"
#include "reader/selection-priv.h"
#include "reader/trace-priv.h"

#include "base/error-priv.h"
#include "base/job-priv.h"

#include <ltt/ltt-follow.h>
#include <ltt/ltt-time.h>

/* An abandoned recording counts as ended after this time. */
#define PATIENCE_MS 1000

/* Minimum number of rounds per delay. The horizon is two rounds later than now minus the delay: one
 * round for an event that just missed a round, and one for the round that returns it. */
#define ROUNDS      4
#define MAX_WAIT_MS 100

struct LttFollow {
	LttTrace *trace;   /* borrowed */
	LttSelect *select; /* borrowed; NULL: all events */
	LttSelectDepth depth;
	guint wait_ms;
	guint64 hold_ns;
	LttMerge *merge; /* set for a complete trace; the members below are then unused */
	LttLive *live;
	GPtrArray *files;     /* of LttFollowed, in the order of ltt_tracefile_compare() */
	guint n_known;        /* number of tracefiles seen so far */
	gboolean in_round;    /* in which, */
	gboolean is_last;     /* the last one, */
	guint64 horizon_ns;   /* events after it are held back */
	LttFollowed *current; /* the file to read from while its time is below take_until */
	guint64 limit_ns;     /* when another file has the next event; NULL: unknown */
	LttFollowed *failed;  /* file in which a step failed */
	LttFollowed *last;    /* file of the last event returned */
	guint64 last_ns;      /* the latest time returned */
	guint64 n_late;
};

/* ---- start ---- */

/* Returns: the place in a file where reading must begin to see all events of the window */
static guint64 find_first_place(const LttFollow *follow, LttTracefile *tracefile)
{
	const LttSelection *window = ltt_selection_with_window(follow->select);
	guint64 first;
	guint64 end;

	if (window == NULL || (tracefile->cpu >= 0 && ltt_live_get_flight_blocks(follow->live) > 0))
		return 0;
	ltt_tracefile_find_window(tracefile, window->from_ns, G_MAXUINT64, &first, &end);
	return tracefile->order.places == NULL && tracefile->order.rotation == 0 ? first : 0;
}

static gint compare_followed(gconstpointer a, gconstpointer b)
{
	const LttFollowed *left = *(const LttFollowed *const *)a;
	const LttFollowed *right = *(const LttFollowed *const *)b;

	return ltt_tracefile_compare(left->tracefile, right->tracefile);
}

/* Adds the new tracefiles of the trace. */
static void join_tracefiles(LttFollow *follow)
{
	const guint n_tracefiles = follow->trace->tracefiles->len;

	for (; follow->n_known < n_tracefiles; follow->n_known++) {
		LttTracefile *tracefile = follow->trace->tracefiles->pdata[follow->n_known];

		if (ltt_selection_wants_tracefile(follow->select, tracefile))
			g_ptr_array_add(follow->files,
					ltt_followed_new(tracefile, follow->live,
							 find_first_place(follow, tracefile)));
	}
	g_ptr_array_sort(follow->files, compare_followed);
}

static gint compare_tracefiles(gconstpointer a, gconstpointer b)
{
	return ltt_tracefile_compare(*(LttTracefile *const *)a, *(LttTracefile *const *)b);
}

static void measure_tracefiles(LttTrace *trace)
{
	for (guint i = 0; i < trace->tracefiles->len; i++)
		ltt_tracefile_measure(trace->tracefiles->pdata[i]);
}

/* Updates a trace that was opened during its recording to its final state, after the recording has
 * ended. */
static void catch_up(LttTrace *trace)
{
	ltt_trace_find_tracefiles(trace);
	ltt_trace_read_new_loads(trace);
	g_ptr_array_sort(trace->tracefiles, compare_tracefiles);
	for (guint i = 0; i < trace->tracefiles->len; i++)
		((LttTracefile *)trace->tracefiles->pdata[i])->index = i;
	measure_tracefiles(trace);
	ltt_trace_complete_thread_names(trace);
}

static gboolean fits_trace(const LttTrace *trace, const LttLive *live, GError **error)
{
	const guint64 block_bytes = ltt_system_get_block_bytes(trace->system);

	if (ltt_live_get_block_bytes(live) == block_bytes &&
	    !ltt_system_is_dialect_22(trace->system))
		return TRUE;
	return ltt_fail_at(error, LTT_ERROR_CORRUPT, LTT_LIVE_FILE, LTT_NOWHERE, LTT_NOWHERE,
			   "is for blocks of %u bytes and version 2.0, which info/system.xml "
			   "contradicts",
			   ltt_live_get_block_bytes(live));
}

LttFollow *ltt_follow_new(LttTrace *trace, LttSelect *select, guint delay_ms, GError **error)
{
	g_autoptr(LttLive) live = NULL;
	LttFollow *follow;

	if (!ltt_live_open(ltt_trace_get_path(trace), &live, error) ||
	    (live != NULL && !fits_trace(trace, live, error)))
		return NULL;
	follow = g_new0(LttFollow, 1);
	delay_ms = CLAMP(delay_ms, LTT_MIN_FOLLOW_DELAY_MS, LTT_MAX_FOLLOW_DELAY_MS);
	follow->trace = trace;
	follow->select = select;
	follow->depth = ltt_selection_get_depth(select);
	follow->wait_ms = MIN(delay_ms / ROUNDS, MAX_WAIT_MS);
	follow->hold_ns = (guint64)(delay_ms - 2 * follow->wait_ms) * (LTT_NS_PER_S / 1000);
	follow->files = g_ptr_array_new_with_free_func((GDestroyNotify)ltt_followed_free);
	follow->live = g_steal_pointer(&live);
	trace->is_followed = follow->live != NULL;
	if (follow->live == NULL) {
		if (trace->is_live)
			catch_up(trace);
		follow->merge = ltt_merge_new(trace, select);
	}
	return follow;
}

void ltt_follow_free(LttFollow *follow)
{
	if (follow == NULL)
		return;
	follow->trace->is_followed = FALSE;
	if (follow->live != NULL) {
		/* The follow orders all blocks, also those that the end of the recording trims. */
		measure_tracefiles(follow->trace);
		ltt_trace_complete_thread_names(follow->trace);
	}
	ltt_merge_free(follow->merge);
	g_ptr_array_unref(follow->files);
	ltt_live_free(follow->live);
	g_free(follow);
}

guint ltt_follow_get_wait_ms(const LttFollow *follow)
{
	return follow->wait_ms;
}

/* ---- rounds ---- */

static void begin_round(LttFollow *follow)
{
	const guint64 now_ns = ltt_live_get_now_ns(follow->live);

	follow->is_last = follow->is_last || ltt_live_is_over(follow->live, PATIENCE_MS);
	follow->horizon_ns = follow->is_last ? G_MAXUINT64 : now_ns - MIN(follow->hold_ns, now_ns);
	ltt_trace_find_tracefiles(follow->trace);
	join_tracefiles(follow);
	ltt_trace_update_thread_names(follow->trace, follow->horizon_ns);
	for (guint i = 0; i < follow->files->len; i++) {
		LttFollowed *followed = follow->files->pdata[i];

		followed->is_last = follow->is_last;
		followed->is_idle = FALSE;
		followed->n_begun = 0;
	}
	follow->current = NULL;
	follow->in_round = TRUE;
}

/* Returns: whether the window has an end and all events before that end have been returned */
static gboolean has_passed_window(const LttFollow *follow)
{
	const LttSelection *window = ltt_selection_with_window(follow->select);

	return window != NULL && window->to_ns != G_MAXUINT64 &&
	       follow->horizon_ns >= window->to_ns;
}

static LttStep end_round(LttFollow *follow)
{
	follow->in_round = FALSE;
	return follow->is_last || has_passed_window(follow) ? LTT_STEP_END : LTT_STEP_WAIT;
}

/* ---- the next event ---- */

/* Returns: the time for the merge; it keeps the order of the events in a file, also where their
 * times decrease */
static guint64 get_key(const LttFollowed *followed)
{
	const LttCursor *cursor = followed->cursor;

	return MAX(followed->risen_ns, cursor->block.times_ns[cursor->next_event]);
}

/* Finds the file with the next event, and the time up to which its events come first. Returns the
 * same values as ltt_follow_next(). */
static LttStep choose(LttFollow *follow, GError **error)
{
	guint64 least_ns = G_MAXUINT64;
	guint64 second_ns = G_MAXUINT64;

	follow->current = NULL;
	for (guint i = 0; i < follow->files->len; i++) {
		LttFollowed *followed = follow->files->pdata[i];
		LttStep step = LTT_STEP_WAIT;
		guint64 key_ns;

		if (!followed->is_idle)
			step = ltt_followed_need_event(followed, error);
		if (step == LTT_STEP_ERROR) {
			follow->failed = followed;
			return step;
		}
		followed->is_idle = step == LTT_STEP_WAIT;
		if (followed->is_idle)
			continue;
		key_ns = get_key(followed);
		if (follow->current == NULL || key_ns < least_ns) {
			second_ns = least_ns;
			least_ns = key_ns;
			follow->current = followed;
		} else {
			second_ns = MIN(second_ns, key_ns);
		}
	}
	if (follow->current == NULL || least_ns > follow->horizon_ns)
		return end_round(follow);
	/* Inclusive for the horizon, exclusive for the time of another file, which may come
	 * first. */
	follow->limit_ns = MIN(second_ns, follow->horizon_ns);
	return LTT_STEP_EVENT;
}

/* Returns: whether the next event comes from the same file as the last one */
static gboolean stays(const LttFollow *follow)
{
	const LttFollowed *followed = follow->current;

	return followed != NULL &&
	       followed->cursor->next_event < followed->cursor->block.n_events &&
	       get_key(followed) < follow->limit_ns;
}

static const LttEvent *take(LttFollow *follow)
{
	LttFollowed *followed = follow->current;

	followed->risen_ns = get_key(followed);
	return ltt_followed_take(followed, follow->trace);
}

/* Compares with the last event returned. */
static void count_late(LttFollow *follow)
{
	LttFollowed *followed = follow->current;

	if (followed->risen_ns < follow->last_ns ||
	    (follow->last != NULL && followed->risen_ns == follow->last_ns &&
	     ltt_tracefile_compare(followed->tracefile, follow->last->tracefile) < 0)) {
		follow->n_late++;
	} else {
		follow->last = followed;
		follow->last_ns = followed->risen_ns;
	}
}

static LttStep next_live(LttFollow *follow, const LttEvent **event, GError **error)
{
	if (!follow->in_round) {
		if (follow->is_last)
			return LTT_STEP_END;
		begin_round(follow);
	}
	for (;;) {
		if (!stays(follow)) {
			const LttStep step = choose(follow, error);

			if (step != LTT_STEP_EVENT)
				return step;
		}
		*event = take(follow);
		if (ltt_selection_matches(follow->select, follow->depth, *event)) {
			count_late(follow);
			return LTT_STEP_EVENT;
		}
	}
}

LttStep ltt_follow_next(LttFollow *follow, const LttEvent **event, GError **error)
{
	g_return_val_if_fail(follow != NULL && event != NULL, LTT_STEP_ERROR);
	return follow->merge != NULL ? ltt_merge_next(follow->merge, event, error)
				     : next_live(follow, event, error);
}

void ltt_follow_skip_block(LttFollow *follow)
{
	if (follow->merge != NULL)
		ltt_merge_skip_block(follow->merge);
	else if (follow->failed != NULL)
		ltt_followed_skip_block(follow->failed);
	follow->failed = NULL;
}

void ltt_follow_tell_losses(const LttFollow *follow, const LttJobCallbacks *callbacks)
{
	for (guint i = 0; i < follow->files->len; i++) {
		const LttFollowed *followed = follow->files->pdata[i];
		g_autofree char *message = NULL;

		if (followed->n_missed == 0)
			continue;
		message = g_strdup_printf("%" G_GUINT64_FORMAT
					  " %s overwritten before all of %s events could be read",
					  followed->n_missed,
					  followed->n_missed == 1 ? "block was" : "blocks were",
					  followed->n_missed == 1 ? "its" : "their");
		ltt_job_report(callbacks, &(LttProblem){.tracefile = followed->tracefile->name,
							.block = LTT_NOWHERE,
							.byte = LTT_NOWHERE,
							.message = message});
	}
	if (follow->n_late > 0) {
		g_autofree char *message = g_strdup_printf(
			"%" G_GUINT64_FORMAT " %s returned after later ones: not in the file after "
			"%" G_GUINT64_FORMAT " ms",
			follow->n_late, follow->n_late == 1 ? "event was" : "events were",
			follow->hold_ns / (LTT_NS_PER_S / 1000));

		ltt_job_report(callbacks, &(LttProblem){.block = LTT_NOWHERE,
							.byte = LTT_NOWHERE,
							.message = message});
	}
}
