/* damage.c - see damage-priv.h. */
#include "view/damage-priv.h"

#include <ltt/ltt-error.h>

/* Where a tracefile is. */
typedef struct Place {
	gboolean has_event;
	guint64 block;    /* of the last event */
	guint64 first_ns; /* of the first event of that block */
	guint64 last_ns;
	guint n_pending; /* stretches without an end so far */
} Place;

struct LttViewDamageWalk {
	LttViewMap *map;
	Place *places; /* by index of the tracefile */
};

static void clear_damage(gpointer data)
{
	g_free(((LttViewDamage *)data)->text);
}

GArray *ltt_view_damages_new(void)
{
	GArray *list = g_array_new(FALSE, FALSE, sizeof(LttViewDamage));

	g_array_set_clear_func(list, clear_damage);
	return list;
}

LttViewDamageWalk *ltt_view_damage_walk_new(LttViewMap *map)
{
	LttViewDamageWalk *walk = g_new(LttViewDamageWalk, 1);

	walk->map = map;
	walk->places = g_new0(Place, ltt_trace_get_n_tracefiles(map->trace));
	return walk;
}

void ltt_view_damage_walk_free(LttViewDamageWalk *walk)
{
	if (walk == NULL)
		return;
	g_free(walk->places);
	g_free(walk);
}

/* Ends the stretches of a tracefile that have no end, the latest in the list. */
static void end_pending(LttViewDamageWalk *walk, guint file, guint64 to_ns)
{
	GArray *list = walk->map->damages;
	Place *place = &walk->places[file];

	for (guint i = list->len; i > 0 && place->n_pending > 0; i--) {
		LttViewDamage *damage = &g_array_index(list, LttViewDamage, i - 1);

		if (damage->file != file)
			continue;
		damage->to_ns = MAX(to_ns, damage->from_ns);
		place->n_pending--;
	}
}

void ltt_view_damage_walk_take_event(LttViewDamageWalk *walk, const LttEvent *event)
{
	const guint file = ltt_tracefile_get_index(event->tracefile);
	Place *place = &walk->places[file];

	if (place->n_pending > 0)
		end_pending(walk, file, event->time_ns);
	if (!place->has_event || place->block != event->block)
		place->first_ns = event->time_ns;
	place->has_event = TRUE;
	place->block = event->block;
	place->last_ns = event->time_ns;
}

/* Joined traces can have two tracefiles of one name: the one that is in the block is meant.
 * Returns: FALSE if none has the name */
static gboolean find_file(const LttViewDamageWalk *walk, const LttProblem *problem, guint *index)
{
	const LttTrace *trace = walk->map->trace;
	gboolean is_found = FALSE;

	for (guint i = 0; i < ltt_trace_get_n_tracefiles(trace); i++) {
		const LttTracefile *file = ltt_trace_get_tracefile(trace, i);
		const Place *place = &walk->places[i];

		if (g_strcmp0(problem->tracefile, ltt_tracefile_get_name(file)) != 0)
			continue;
		if (!is_found || (place->has_event && place->block == (guint64)problem->block))
			*index = i;
		is_found = TRUE;
	}
	return is_found;
}

static guint32 find_lane(LttViewMap *map, guint file)
{
	const LttLane *lane =
		ltt_view_map_file_lane(map, ltt_trace_get_tracefile(map->trace, file));

	if (lane == NULL)
		lane = map->file_lanes[file].thread;
	return lane != NULL ? lane->id : LTT_VIEW_NO_LANE;
}

void ltt_view_damage_walk_take_error(LttViewDamageWalk *walk, const GError *error)
{
	LttViewMap *map = walk->map;
	LttViewDamage damage = {.from_ns = map->axis.start_ns, .to_ns = map->axis.end_ns};
	Place *place;
	LttProblem problem;

	ltt_problem_from_error(error, &problem);
	if (map->damages->len >= LTT_VIEW_MAX_DAMAGES || !find_file(walk, &problem, &damage.file))
		return;
	place = &walk->places[damage.file];
	damage.lane = find_lane(map, damage.file);
	if (place->has_event)
		damage.from_ns =
			place->block == (guint64)problem.block ? place->first_ns : place->last_ns;
	damage.text = ltt_problem_to_string(&problem);
	g_array_append_val(map->damages, damage);
	place->n_pending++;
}
