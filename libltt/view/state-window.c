/* state-window.c - see state-window-priv.h. */
#include "view/state-window-priv.h"

#include <ltt/ltt-hash.h>

typedef struct Painter {
	LttViewStates *states;
	const LttViewWindow *window;
	GHashTable *wanted; /* lanes */
	LttViewStatePicture *picture;
} Painter;

/* ---- texts ---- */

static guint number_text(LttViewStatePicture *picture, char *text)
{
	gpointer number;

	if (g_hash_table_lookup_extended(picture->numbers, text, NULL, &number)) {
		g_free(text);
		return GPOINTER_TO_UINT(number);
	}
	g_hash_table_insert(picture->numbers, text, GUINT_TO_POINTER(picture->texts->len));
	g_ptr_array_add(picture->texts, text);
	return picture->texts->len - 1;
}

static char *name_waker(const LttWaker *waker)
{
	static const char *const kinds[] = {
		[LTT_WAKER_UNKNOWN] = "",
		[LTT_WAKER_THREAD] = "thread",
		[LTT_WAKER_IRQ] = "irq",
		[LTT_WAKER_SOFTIRQ] = "softirq",
	};

	if (waker->kind == LTT_WAKER_THREAD)
		return g_strdup_printf("thread %u", waker->tid);
	return waker->has_number ? g_strdup_printf("%s %u", kinds[waker->kind], waker->number)
				 : g_strdup(kinds[waker->kind]);
}

/* ---- bins ---- */

static void add_bin(Painter *painter, guint lane, guint pixel, guint16 state, guint64 covered_ns)
{
	const LttViewStateBin bin = {lane, pixel, state, covered_ns};

	if (covered_ns > 0)
		g_array_append_val(painter->picture->bins, bin);
}

/* Adds a stretch to all pixels that it overlaps. */
static void add_to_pixels(Painter *painter, guint lane, guint16 state, guint64 begin_ns,
			  guint64 end_ns)
{
	const LttViewWindow *window = painter->window;
	const guint64 first_ns = MAX(begin_ns, window->from_ns);
	const guint64 last_ns = MIN(end_ns, window->to_ns);

	for (guint pixel = ltt_view_get_pixel(window, first_ns);
	     pixel < window->n_pixels && ltt_view_get_edge(window, pixel) < last_ns; pixel++) {
		const guint64 from_ns = MAX(first_ns, ltt_view_get_edge(window, pixel));
		const guint64 to_ns = MIN(last_ns, ltt_view_get_edge(window, pixel + 1));

		add_bin(painter, lane, pixel, state, to_ns > from_ns ? to_ns - from_ns : 0);
	}
}

static gint compare_bins(gconstpointer a, gconstpointer b)
{
	const LttViewStateBin *first = a;
	const LttViewStateBin *second = b;

	if (first->lane != second->lane)
		return first->lane < second->lane ? -1 : 1;
	if (first->pixel != second->pixel)
		return first->pixel < second->pixel ? -1 : 1;
	return (gint)first->state - (gint)second->state;
}

static void join_bins(GArray *bins)
{
	LttViewStateBin *all = (LttViewStateBin *)(gpointer)bins->data;
	guint n = 0;

	g_array_sort(bins, compare_bins);
	for (guint i = 0; i < bins->len; i++) {
		if (n > 0 && compare_bins(&all[n - 1], &all[i]) == 0)
			all[n - 1].covered_ns += all[i].covered_ns;
		else
			all[n++] = all[i];
	}
	g_array_set_size(bins, n);
}

/* ---- stretches ---- */

static gboolean is_wide(const LttViewWindow *window, guint64 length_ns)
{
	return (unsigned __int128)length_ns * window->n_pixels >=
	       2 * (unsigned __int128)(window->to_ns - window->from_ns);
}

static gint find_place(const LttViewStates *states, const LttStretch *stretch)
{
	if (stretch->subject == LTT_STRETCH_OF_THREAD)
		return stretch->cpu != NULL ? ltt_tracefile_get_cpu(stretch->cpu) : -1;
	return ltt_view_states_find_current(states, stretch);
}

static void take_stretch(gint lane, const LttStretch *stretch, gpointer data)
{
	Painter *painter = data;
	LttViewStatePicture *picture = painter->picture;
	LttViewStateRect rect = {
		.lane = (guint)lane,
		.begin_ns = stretch->begin_ns,
		.end_ns = stretch->end_ns,
		.state = ltt_view_state_of(stretch),
		.place = find_place(painter->states, stretch),
	};

	if (lane < 0 || !g_hash_table_contains(painter->wanted, GINT_TO_POINTER(lane)))
		return;
	if (!is_wide(painter->window, stretch->end_ns - stretch->begin_ns)) {
		add_to_pixels(painter, rect.lane, rect.state, rect.begin_ns, rect.end_ns);
		return;
	}
	if (stretch->state == LTT_THREAD_WAITING)
		rect.reason = number_text(picture, ltt_wait_to_text(&stretch->wait));
	rect.waker = number_text(picture, name_waker(&stretch->waker));
	g_array_append_val(picture->rects, rect);
}

/* ---- from the shares of the whole trace ---- */

static void take_long(Painter *painter, const LttLane *lane, const LttLaneSpan *span)
{
	const gboolean is_cpu = lane->key.kind == LTT_LANE_CPU;
	const char *reason = painter->states->reasons->pdata[is_cpu ? 0 : span->name];
	const LttViewStateRect rect = {
		.lane = lane->id,
		.begin_ns = span->begin_ns,
		.end_ns = span->end_ns,
		.state = span->depth,
		.reason = number_text(painter->picture, g_strdup(reason)),
		.place = is_cpu ? (gint)span->name - 1 : -1,
	};

	if (span->begin_ns >= painter->window->to_ns)
		return;
	if (is_wide(painter->window, span->end_ns - span->begin_ns))
		g_array_append_val(painter->picture->rects, rect);
	else
		add_to_pixels(painter, lane->id, span->depth, span->begin_ns, span->end_ns);
}

/* The time of a cell is spread over the pixels that overlap the cell. */
static void take_cell(Painter *painter, const LttViewAxis *axis, const LttLane *lane,
		      const LttLaneCell *cell)
{
	const guint64 time_ns = axis->start_ns + cell->bin * axis->bin_ns;
	const guint first = ltt_view_get_pixel(painter->window, time_ns);
	const guint last = ltt_view_get_pixel(painter->window, time_ns + axis->bin_ns - 1);
	const guint n = last - first + 1;

	for (guint i = 0; i < n; i++)
		add_bin(painter, lane->id, first + i, cell->depth,
			cell->covered / n + (i < cell->covered % n));
}

static void take_shares(Painter *painter, const LttLane *lane)
{
	const LttViewWindow *window = painter->window;
	const LttViewAxis *axis = &painter->states->axis;
	const guint32 last = ltt_view_axis_bin(axis, window->to_ns - 1);

	for (guint i = ltt_lane_find_long(lane, window->from_ns); i < lane->longs->len; i++)
		take_long(painter, lane, &g_array_index(lane->longs, LttLaneSpan, i));
	for (guint i = ltt_lane_find_cell(lane, ltt_view_axis_bin(axis, window->from_ns));
	     i < lane->cells->len; i++) {
		const LttLaneCell *cell = &g_array_index(lane->cells, LttLaneCell, i);

		if (cell->bin > last)
			break;
		take_cell(painter, axis, lane, cell);
	}
}

/* Called with the lock held. */
static void draw_from_shares(Painter *painter)
{
	GHashTableIter iter;
	gpointer lane;

	g_hash_table_iter_init(&iter, painter->wanted);
	while (g_hash_table_iter_next(&iter, &lane, NULL)) {
		const LttLane *shares =
			ltt_view_states_get_shares(painter->states, GPOINTER_TO_UINT(lane));

		if (shares != NULL)
			take_shares(painter, shares);
	}
}

/* ---- the picture ---- */

/* Two bins of the shares in a pixel are exact enough. */
static gboolean is_coarse(LttViewStates *states, const LttViewWindow *window)
{
	gboolean is_coarse;

	g_mutex_lock(&states->lock);
	is_coarse = (window->to_ns - window->from_ns) / window->n_pixels >= 2 * states->axis.bin_ns;
	g_mutex_unlock(&states->lock);
	return is_coarse;
}

gboolean ltt_view_draw_states(LttViewStates *states, const LttViewWindow *window,
			      const guint *lanes, guint n_lanes, const LttJobCallbacks *callbacks,
			      LttViewStatePicture *picture, GError **error)
{
	g_autoptr(GHashTable) wanted = g_hash_table_new(NULL, NULL);
	Painter painter = {states, window, wanted, picture};
	const LttViewStatesVisit visit = {
		.from_ns = window->from_ns,
		.to_ns = window->to_ns,
		.wanted = wanted,
		.func = take_stretch,
		.user_data = &painter,
		.callbacks = callbacks,
		.max_events = window->max_events,
	};
	LttViewStatesVisited visited = {0};

	*picture = (LttViewStatePicture){
		.rects = g_array_new(FALSE, FALSE, sizeof(LttViewStateRect)),
		.bins = g_array_new(FALSE, FALSE, sizeof(LttViewStateBin)),
		.texts = g_ptr_array_new_with_free_func(g_free),
		.numbers = g_hash_table_new(ltt_hash_text, g_str_equal),
	};
	number_text(picture, g_strdup(""));
	for (guint i = 0; i < n_lanes; i++)
		g_hash_table_add(wanted, GUINT_TO_POINTER(lanes[i]));
	if (!is_coarse(states, window) && !ltt_view_states_visit(states, &visit, &visited, error)) {
		ltt_view_state_picture_clear(picture);
		return FALSE;
	}
	picture->is_exact = visited.is_exact;
	picture->is_limited = visited.is_limited;
	picture->n_read = visited.n_read;
	if (!visited.is_read) {
		g_mutex_lock(&states->lock);
		draw_from_shares(&painter);
		g_mutex_unlock(&states->lock);
	}
	join_bins(picture->bins);
	return TRUE;
}

void ltt_view_state_picture_clear(LttViewStatePicture *picture)
{
	g_clear_pointer(&picture->rects, g_array_unref);
	g_clear_pointer(&picture->bins, g_array_unref);
	g_clear_pointer(&picture->numbers, g_hash_table_unref);
	g_clear_pointer(&picture->texts, g_ptr_array_unref);
}
