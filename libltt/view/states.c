/* states.c - reads the states of the whole trace (states-priv.h). */
#include "view/states-priv.h"

#include <ltt/ltt-hash.h>

/* Events between two points. More if points and crossing stretches need more memory than this. */
#define POINT_EVENTS (64 * 1024)
#define POINT_BYTES  (32 * 1024 * 1024)

/* Cells of all lanes. With more, the bins get twice as long. They are counted every LIMIT_EVENTS. */
#define MAX_CELLS    (256 * 1024)
#define LIMIT_EVENTS (64 * 1024)

/* Stretches of a thread that are kept until its process is known. */
#define MAX_PENDING 64

guint16 ltt_view_state_of(const LttStretch *stretch)
{
	static const LttViewThreadState states[LTT_N_THREAD_STATES] = {
		[LTT_THREAD_RUNNING] = LTT_VIEW_RUNNING,
		[LTT_THREAD_RUNNABLE] = LTT_VIEW_RUNNABLE,
		[LTT_THREAD_PREEMPTED] = LTT_VIEW_PREEMPTED,
		[LTT_THREAD_WAITING] = LTT_VIEW_SLEEPING,
	};

	if (stretch->subject == LTT_STRETCH_OF_CPU)
		return (guint16)stretch->cpu_state;
	if (stretch->state == LTT_THREAD_WAITING && stretch->wait.kind == LTT_WAIT_STOPPED)
		return LTT_VIEW_STOPPED;
	if (stretch->state == LTT_THREAD_WAITING && stretch->wait.is_uninterruptible)
		return LTT_VIEW_DISK_SLEEPING;
	return (guint16)states[stretch->state];
}

/* ---- the pass ---- */

typedef struct Pass {
	LttViewStates *states;
	GHashTable *pending;  /* by machine and tid: GArray of LttViewCrossing */
	guint64 point_events; /* between two points */
	guint64 n_since_point;
	gsize point_bytes; /* of all points */
	guint64 n_events;
	guint64 last_ns; /* time of the latest event */
} Pass;

static gboolean keep_on(const LttProgress *progress, gpointer data)
{
	const LttViewStates *states = data;

	(void)progress;
	return !g_atomic_int_get(&states->map->is_cancelled);
}

/* ---- points ---- */

static void clear_point(gpointer data)
{
	ltt_saved_states_free(((LttViewStatePoint *)data)->saved);
}

const LttViewStatePoint *ltt_view_states_find_point(const LttViewStates *states, guint64 time_ns)
{
	guint low = 0;
	guint high = states->points->len;

	while (low < high) {
		const guint middle = low + (high - low) / 2;

		if (g_array_index(states->points, LttViewStatePoint, middle).time_ns <= time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 ? &g_array_index(states->points, LttViewStatePoint, low - 1) : NULL;
}

/* Returns: whether a point lies between the begin of a stretch and the event that ended it */
static gboolean is_crossing(const LttViewCrossing *crossing, gpointer data)
{
	const LttViewStates *states = data;
	const LttViewStatePoint *point = ltt_view_states_find_point(states, crossing->given_ns);

	return point != NULL && crossing->stretch.begin_ns < point->time_ns;
}

/* Drops every second point, and the stretches that cross no other one. */
static void thin_points(Pass *pass)
{
	LttViewStates *states = pass->states;
	GArray *points = states->points;

	for (guint i = points->len; i > 0; i--)
		if (i % 2 == 1)
			g_array_remove_index(points, i - 1);
	pass->point_bytes = 0;
	for (guint i = 0; i < points->len; i++)
		pass->point_bytes += ltt_saved_states_get_size(
			g_array_index(points, LttViewStatePoint, i).saved);
	states->crossing = ltt_view_crossings_filter(states->crossing, is_crossing, states);
	pass->point_events *= 2;
}

static void add_point(Pass *pass, LttStates *reader, guint64 time_ns)
{
	LttViewStates *states = pass->states;
	const LttViewStatePoint point = {time_ns, ltt_states_save(reader)};

	g_mutex_lock(&states->lock);
	g_array_append_val(states->points, point);
	pass->point_bytes += ltt_saved_states_get_size(point.saved);
	while (states->points->len > 0 &&
	       pass->point_bytes + ltt_view_crossings_get_size(states->crossing) > POINT_BYTES)
		thin_points(pass);
	g_mutex_unlock(&states->lock);
	pass->n_since_point = 0;
}

static guint64 count_cells(const LttViewStates *states)
{
	guint64 n = 0;

	for (guint i = 0; i < states->shares->len; i++) {
		const LttLane *lane = states->shares->pdata[i];

		n += lane != NULL ? lane->cells->len + lane->longs->len : 0;
	}
	return n;
}

static void limit_cells(LttViewStates *states)
{
	LttViewAxis *axis = &states->axis;

	g_mutex_lock(&states->lock);
	while (count_cells(states) > MAX_CELLS && axis->bin_ns < axis->end_ns - axis->start_ns) {
		axis->bin_ns *= 2;
		for (guint i = 0; i < states->shares->len; i++)
			if (states->shares->pdata[i] != NULL)
				ltt_lane_coarsen(states->shares->pdata[i], axis);
	}
	g_mutex_unlock(&states->lock);
}

static void take_event(LttStates *reader, const LttEvent *event, gpointer data)
{
	Pass *pass = data;

	if (pass->n_since_point >= pass->point_events && event->time_ns > pass->last_ns)
		add_point(pass, reader, event->time_ns);
	pass->n_since_point++;
	if (++pass->n_events % LIMIT_EVENTS == 0)
		limit_cells(pass->states);
	pass->last_ns = event->time_ns;
}

/* ---- stretches ---- */

static void store(LttViewStates *states, guint lane, const LttStretch *stretch, guint64 given_ns)
{
	LttViewCrossing crossing = {.lane = lane, .stretch = *stretch, .given_ns = given_ns};
	LttLaneSpan share = {
		.begin_ns = stretch->begin_ns,
		.end_ns = stretch->end_ns,
		.depth = ltt_view_state_of(stretch),
	};

	g_mutex_lock(&states->lock);
	if (stretch->subject == LTT_STRETCH_OF_CPU)
		share.name = (guint32)(ltt_view_states_find_current(states, stretch) + 1);
	else if (stretch->state == LTT_THREAD_WAITING)
		share.name = ltt_view_states_number_reason(states, &stretch->wait);
	ltt_lane_add_span(states->shares->pdata[lane], &states->axis, &share);
	if (is_crossing(&crossing, states)) {
		if (stretch->wait.syscall != NULL)
			crossing.stretch.wait.syscall =
				g_string_chunk_insert_const(states->names, stretch->wait.syscall);
		ltt_view_crossings_append(states->crossing, &crossing);
	}
	g_mutex_unlock(&states->lock);
}

static void store_pending(LttViewStates *states, guint lane, const GArray *list)
{
	for (guint i = 0; i < list->len; i++) {
		const LttViewCrossing *pending = &g_array_index(list, LttViewCrossing, i);

		store(states, lane, &pending->stretch, pending->given_ns);
	}
}

/* The process of a thread is known now, or is not waited for any more. */
static void release(Pass *pass, guint lane, const LttStretch *stretch)
{
	const guint64 id = (guint64)stretch->recording << 32 | stretch->tid;
	GArray *list = g_hash_table_lookup(pass->pending, &id);

	if (list == NULL)
		return;
	ltt_view_states_set_lane(pass->states, stretch, lane);
	store_pending(pass->states, lane, list);
	g_hash_table_remove(pass->pending, &id);
}

/* Returns: whether the stretch waits for the process of its thread */
static gboolean defer(Pass *pass, const LttStretch *stretch)
{
	const guint64 id = (guint64)stretch->recording << 32 | stretch->tid;
	LttViewCrossing pending = {.stretch = *stretch, .given_ns = pass->last_ns};
	GArray *list = g_hash_table_lookup(pass->pending, &id);

	if (list == NULL) {
		list = g_array_new(FALSE, FALSE, sizeof(LttViewCrossing));
		g_hash_table_insert(pass->pending, g_memdup2(&id, sizeof(id)), list);
	}
	if (list->len == MAX_PENDING)
		return FALSE;
	g_array_append_val(list, pending);
	return TRUE;
}

static void take_stretch(Pass *pass, const LttStretch *stretch)
{
	LttViewStates *states = pass->states;
	gint lane;

	g_mutex_lock(&states->lock);
	lane = ltt_view_states_find_lane(states, stretch);
	g_mutex_unlock(&states->lock);
	if (stretch->subject == LTT_STRETCH_OF_THREAD && !stretch->has_pid && lane < 0 &&
	    defer(pass, stretch))
		return;
	if (lane < 0)
		lane = (gint)ltt_view_states_add_lane(states, stretch);
	if (stretch->subject == LTT_STRETCH_OF_THREAD)
		release(pass, (guint)lane, stretch);
	store(states, (guint)lane, stretch, pass->last_ns);
}

/* No event tells the processes of the other threads. */
static void store_rest(Pass *pass)
{
	GHashTableIter iter;
	gpointer list;

	g_hash_table_iter_init(&iter, pass->pending);
	while (g_hash_table_iter_next(&iter, NULL, &list)) {
		const LttStretch *stretch =
			&g_array_index((GArray *)list, LttViewCrossing, 0).stretch;

		store_pending(pass->states, ltt_view_states_add_lane(pass->states, stretch), list);
	}
}

static GError *read_states(LttViewStates *states)
{
	g_autoptr(LttStates) reader = ltt_states_new(states->map->trace, 0, states->map->until_ns);
	/* Its order reaches the lanes: see ltt_state_threads_init(). */
	g_autoptr(GHashTable) pending = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free,
							      (GDestroyNotify)g_array_unref);
	Pass pass = {.states = states, .pending = pending, .point_events = POINT_EVENTS};
	const LttStretch *stretch;
	LttStep step;

	ltt_states_set_event_func(reader, take_event, &pass);
	ltt_states_set_callbacks(reader,
				 &(LttJobCallbacks){.on_progress = keep_on, .user_data = states});
	do {
		g_autoptr(GError) failure = NULL;

		step = ltt_states_next(reader, &stretch, &failure);
		if (step == LTT_STEP_EVENT)
			take_stretch(&pass, stretch);
		else if (step == LTT_STEP_ERROR &&
			 !g_error_matches(failure, LTT_ERROR, LTT_ERROR_CORRUPT))
			return g_steal_pointer(&failure);
		else if (step == LTT_STEP_ERROR)
			ltt_states_skip_block(reader); /* damage is reported by the map */
	} while (step != LTT_STEP_END);
	store_rest(&pass);
	return NULL;
}

static gpointer make(gpointer data)
{
	LttViewStates *states = data;

	states->error = read_states(states);
	g_mutex_lock(&states->lock);
	states->is_complete = states->error == NULL;
	g_mutex_unlock(&states->lock);
	return NULL;
}

void ltt_view_states_start(LttViewStates *states)
{
	if (states != NULL)
		states->thread = g_thread_try_new("states", make, states, NULL);
}

gboolean ltt_view_states_finish(LttViewStates *states, GError **error)
{
	if (states == NULL)
		return TRUE;
	if (states->thread != NULL)
		g_thread_join(g_steal_pointer(&states->thread));
	else
		make(states);
	if (states->error == NULL)
		return TRUE;
	g_propagate_error(error, g_steal_pointer(&states->error));
	return FALSE;
}

/* ---- the states ---- */

LttViewStates *ltt_view_states_new(LttViewMap *map)
{
	LttViewStates *states = g_new0(LttViewStates, 1);

	states->map = map;
	states->axis = map->axis;
	g_mutex_init(&states->lock);
	states->points = g_array_new(FALSE, FALSE, sizeof(LttViewStatePoint));
	g_array_set_clear_func(states->points, clear_point);
	states->crossing = ltt_view_crossings_new();
	states->shares = g_ptr_array_new();
	states->lanes = ltt_view_state_lanes_new();
	states->cpu_lanes = g_hash_table_new(NULL, NULL);
	states->lane_names = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	states->reason_numbers = g_hash_table_new(ltt_hash_text, g_str_equal);
	states->reasons = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_add(states->reasons, g_strdup(""));
	states->names = g_string_chunk_new(256);
	return states;
}

void ltt_view_states_free(LttViewStates *states)
{
	if (states == NULL)
		return;
	ltt_view_states_finish(states, NULL);
	for (guint i = 0; i < states->shares->len; i++)
		if (states->shares->pdata[i] != NULL)
			ltt_lane_free(states->shares->pdata[i]);
	g_ptr_array_unref(states->shares);
	g_array_unref(states->points);
	g_ptr_array_unref(states->crossing);
	g_hash_table_unref(states->lanes);
	g_hash_table_unref(states->cpu_lanes);
	g_hash_table_unref(states->lane_names);
	g_hash_table_unref(states->reason_numbers);
	g_ptr_array_unref(states->reasons);
	g_string_chunk_free(states->names);
	g_mutex_clear(&states->lock);
	g_free(states);
}
