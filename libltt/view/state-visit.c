/* state-visit.c - visits the stretches of a window (states-priv.h). */
#include "view/start-priv.h"
#include "view/states-priv.h"

#include <ltt/ltt-hash.h>

/* Events that are read for one answer. States take less time than spans. */
#define WALK_EVENTS (2 * LTT_VIEW_WALK_EVENTS)

/* The events that are read for a window: from a point up to another one. */
typedef struct Range {
	const LttViewStatePoint *point; /* (nullable): NULL: from the start of the trace */
	guint64 until_ns;
} Range;

/* Called with the lock held. */
static Range find_range(const LttViewStates *states, guint64 from_ns, guint64 to_ns)
{
	const LttViewStatePoint *before = ltt_view_states_find_point(states, to_ns - 1);
	const LttViewStatePoint *points = (const LttViewStatePoint *)(gpointer)states->points->data;
	const guint next = before != NULL ? (guint)(before - points) + 1 : 0;

	return (Range){
		.point = ltt_view_states_find_point(states, from_ns),
		.until_ns = next < states->points->len ? points[next].time_ns
			    : states->is_complete      ? states->map->until_ns
						       : to_ns,
	};
}

/* Sets whether the window is read. */
static void decide(LttViewStates *states, const LttViewStatesVisit *visit,
		   LttViewStatesVisited *visited)
{
	guint64 first_ns;
	Range range;

	g_mutex_lock(&states->lock);
	range = find_range(states, visit->from_ns, visit->to_ns);
	first_ns = range.point != NULL ? range.point->time_ns : 0;
	g_mutex_unlock(&states->lock);
	ltt_view_map_lock(states->map);
	visited->is_read = ltt_view_is_short(states->map, first_ns, range.until_ns, WALK_EVENTS);
	visited->is_limited =
		visited->is_read && visit->max_events > 0 &&
		!ltt_view_is_short(states->map, first_ns, range.until_ns, visit->max_events);
	ltt_view_map_unlock(states->map);
	visited->is_read = visited->is_read && !visited->is_limited;
}

static gboolean overlaps(const LttViewStatesVisit *visit, const LttStretch *stretch)
{
	return stretch->begin_ns < visit->to_ns && stretch->end_ns > visit->from_ns;
}

static void visit_crossing(const LttViewCrossing *crossing, gpointer data)
{
	const LttViewStatesVisit *visit = data;

	visit->func((gint)crossing->lane, &crossing->stretch, visit->user_data);
}

/* ---- the threads and CPUs that are wanted ---- */

typedef struct Wanted {
	gboolean is_any;  /* all threads, and no CPU */
	GHashTable *tids; /* of the lanes of threads. Other threads may have the same ones */
	GHashTable *cpus; /* LttTracefile */
} Wanted;

/* Called with the lock held. */
static void init_wanted(Wanted *wanted, const LttViewStates *states, GHashTable *lanes)
{
	GHashTableIter iter;
	gpointer lane;
	gpointer cpu;

	*wanted = (Wanted){lanes == NULL, g_hash_table_new(ltt_hash_word, NULL),
			   g_hash_table_new(NULL, NULL)};
	if (lanes == NULL)
		return;
	g_hash_table_iter_init(&iter, lanes);
	while (g_hash_table_iter_next(&iter, &lane, NULL)) {
		const LttLane *shares = ltt_view_states_get_shares(states, GPOINTER_TO_UINT(lane));

		if (shares != NULL && shares->key.kind == LTT_LANE_THREAD)
			g_hash_table_add(wanted->tids, GUINT_TO_POINTER(shares->key.tid));
	}
	g_hash_table_iter_init(&iter, states->cpu_lanes);
	while (g_hash_table_iter_next(&iter, &cpu, &lane))
		if (g_hash_table_contains(lanes, lane))
			g_hash_table_add(wanted->cpus, cpu);
}

static void clear_wanted(Wanted *wanted)
{
	g_clear_pointer(&wanted->tids, g_hash_table_unref);
	g_clear_pointer(&wanted->cpus, g_hash_table_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Wanted, clear_wanted)

static gboolean is_wanted(const LttStretch *subject, gpointer data)
{
	const Wanted *wanted = data;

	if (subject->subject == LTT_STRETCH_OF_CPU)
		return g_hash_table_contains(wanted->cpus, subject->cpu);
	return wanted->is_any ||
	       g_hash_table_contains(wanted->tids, GUINT_TO_POINTER(subject->tid));
}

/* ---- reading ---- */

static gboolean visit_read(LttViewStates *states, LttStates *reader,
			   const LttViewStatesVisit *visit, GError **error)
{
	const LttStretch *stretch;
	LttStep step;

	do {
		g_autoptr(GError) failure = NULL;

		step = ltt_states_next(reader, &stretch, &failure);
		if (step == LTT_STEP_EVENT && overlaps(visit, stretch)) {
			g_mutex_lock(&states->lock);
			visit->func(ltt_view_states_find_lane(states, stretch), stretch,
				    visit->user_data);
			g_mutex_unlock(&states->lock);
		} else if (step == LTT_STEP_ERROR) {
			if (!g_error_matches(failure, LTT_ERROR, LTT_ERROR_CORRUPT)) {
				g_propagate_error(error, g_steal_pointer(&failure));
				return FALSE;
			}
			ltt_states_skip_block(reader);
		}
	} while (step != LTT_STEP_END);
	return TRUE;
}

static void count_event(LttStates *reader, const LttEvent *event, gpointer data)
{
	guint64 *n_read = data;

	(void)reader;
	(void)event;
	++*n_read;
}

gboolean ltt_view_states_visit(LttViewStates *states, const LttViewStatesVisit *visit,
			       LttViewStatesVisited *visited, GError **error)
{
	g_autoptr(LttStates) reader = NULL;
	g_auto(Wanted) wanted = {0};
	Range range;

	*visited = (LttViewStatesVisited){0};
	decide(states, visit, visited);
	if (!visited->is_read)
		return TRUE;
	g_mutex_lock(&states->lock);
	range = find_range(states, visit->from_ns, visit->to_ns);
	visited->is_exact = states->is_complete;
	reader = ltt_states_new_from(
		states->map->trace, range.point != NULL ? range.point->saved : NULL,
		range.point != NULL ? range.point->time_ns : 0, range.until_ns);
	/* Those that are open where reading stops: */
	ltt_view_crossings_visit(states->crossing, visit->from_ns, visit->to_ns, range.until_ns,
				 visit_crossing, (gpointer)visit);
	init_wanted(&wanted, states, visit->wanted);
	g_mutex_unlock(&states->lock);
	ltt_states_set_wanted_func(reader, is_wanted, &wanted);
	ltt_states_set_callbacks(reader, visit->callbacks);
	ltt_states_set_event_func(reader, count_event, &visited->n_read);
	return visit_read(states, reader, visit, error);
}
