/* state-lanes.c - the lanes of the threads and CPUs that have states, and the names of both
 * (states-priv.h).
 *
 * A thread has the lane that its events have. Stretches before the first event with the process of
 * a thread belong to the process of that event.
 */
#include "view/states-priv.h"

#include <ltt/ltt-hash.h>
#include <ltt/ltt-join.h>

/* What threads wait for. A trace with more has calls without names. */
#define MAX_REASONS 4096

typedef struct ThreadKey {
	guint32 recording;
	guint32 tid;
	guint32 pid;
	gboolean has_pid;
} ThreadKey;

static guint hash_thread(gconstpointer data)
{
	const ThreadKey *key = data;

	return (guint)ltt_hash_pair((guint64)key->recording << 1 | (guint64)key->has_pid,
				    (guint64)key->pid << 32 | key->tid);
}

static gboolean equal_threads(gconstpointer a, gconstpointer b)
{
	const ThreadKey *first = a;
	const ThreadKey *second = b;

	return first->tid == second->tid && first->pid == second->pid &&
	       first->recording == second->recording && first->has_pid == second->has_pid;
}

GHashTable *ltt_view_state_lanes_new(void)
{
	return g_hash_table_new_full(hash_thread, equal_threads, g_free, NULL);
}

gint ltt_view_states_find_thread(const LttViewStates *states, guint32 recording, gboolean has_pid,
				 guint32 pid, guint32 tid)
{
	const ThreadKey key = {recording, tid, has_pid ? pid : 0, has_pid};
	gpointer lane;

	return g_hash_table_lookup_extended(states->lanes, &key, NULL, &lane)
		       ? GPOINTER_TO_INT(lane)
		       : -1;
}

gint ltt_view_states_find_current(const LttViewStates *states, const LttStretch *stretch)
{
	if (stretch->cpu_state != LTT_CPU_THREAD)
		return -1;
	return ltt_view_states_find_thread(states, stretch->recording, stretch->has_pid,
					   stretch->pid, stretch->tid);
}

gint ltt_view_states_find_lane(const LttViewStates *states, const LttStretch *stretch)
{
	gpointer lane;

	if (stretch->subject == LTT_STRETCH_OF_THREAD)
		return ltt_view_states_find_thread(states, stretch->recording, stretch->has_pid,
						   stretch->pid, stretch->tid);
	return g_hash_table_lookup_extended(states->cpu_lanes, stretch->cpu, NULL, &lane)
		       ? GPOINTER_TO_INT(lane)
		       : -1;
}

const LttLane *ltt_view_states_get_shares(const LttViewStates *states, guint lane)
{
	return lane < states->shares->len ? states->shares->pdata[lane] : NULL;
}

gboolean ltt_view_states_show_lane(LttViewStates *states, guint lane)
{
	const LttLane *shares;
	gboolean has_states;

	g_mutex_lock(&states->lock);
	shares = ltt_view_states_get_shares(states, lane);
	has_states = shares != NULL && shares->key.kind != LTT_LANE_OTHERS;
	g_mutex_unlock(&states->lock);
	return has_states;
}

char *ltt_view_states_name_lane(LttViewStates *states, guint lane)
{
	char *name;

	g_mutex_lock(&states->lock);
	name = g_strdup(g_hash_table_lookup(states->lane_names, GUINT_TO_POINTER(lane)));
	g_mutex_unlock(&states->lock);
	return name;
}

static void remember_thread(LttViewStates *states, const LttStretch *stretch, gboolean has_pid,
			    guint lane)
{
	const ThreadKey key = {stretch->recording, stretch->tid, has_pid ? stretch->pid : 0,
			       has_pid};

	g_hash_table_insert(states->lanes, g_memdup2(&key, sizeof(key)), GUINT_TO_POINTER(lane));
}

void ltt_view_states_set_lane(LttViewStates *states, const LttStretch *stretch, guint lane)
{
	g_mutex_lock(&states->lock);
	remember_thread(states, stretch, FALSE, lane);
	g_mutex_unlock(&states->lock);
}

/* The first trace of a recording has the lanes of its threads. */
static LttLane *find_map_lane(LttViewMap *map, const LttStretch *stretch)
{
	const LttLaneKey key = {
		.kind = LTT_LANE_THREAD,
		.member = ltt_stretch_find_member(map->trace, stretch),
		.host = stretch->machine,
		.has_thread = TRUE,
		.pid = stretch->has_pid ? stretch->pid : 0,
		.tid = stretch->tid,
	};

	return stretch->subject == LTT_STRETCH_OF_CPU ? ltt_view_map_file_lane(map, stretch->cpu)
						      : ltt_view_map_add_lane(map, &key);
}

guint ltt_view_states_add_lane(LttViewStates *states, const LttStretch *stretch)
{
	char *name = stretch->subject == LTT_STRETCH_OF_THREAD
			     ? ltt_stretch_find_name(states->map->trace, stretch)
			     : NULL;
	const LttLane *lane;
	guint id;

	ltt_view_map_lock(states->map);
	lane = find_map_lane(states->map, stretch);
	id = lane->id;
	g_mutex_lock(&states->lock);
	if (states->shares->len <= id)
		g_ptr_array_set_size(states->shares, (gint)id + 1);
	if (states->shares->pdata[id] == NULL)
		states->shares->pdata[id] = ltt_lane_new(&lane->key, id);
	if (stretch->subject == LTT_STRETCH_OF_THREAD)
		remember_thread(states, stretch, stretch->has_pid, id);
	else
		g_hash_table_insert(states->cpu_lanes, (gpointer)stretch->cpu,
				    GUINT_TO_POINTER(id));
	if (name != NULL)
		g_hash_table_insert(states->lane_names, GUINT_TO_POINTER(id), name);
	g_mutex_unlock(&states->lock);
	ltt_view_map_unlock(states->map);
	return id;
}

guint32 ltt_view_states_number_reason(LttViewStates *states, const LttWait *wait)
{
	LttWait reason = *wait;
	g_autofree char *text = NULL;
	gpointer number;

	reason.has_address = FALSE;
	text = ltt_wait_to_text(&reason);
	if (g_hash_table_lookup_extended(states->reason_numbers, text, NULL, &number))
		return GPOINTER_TO_UINT(number);
	if (states->reasons->len == MAX_REASONS)
		return 0;
	g_hash_table_insert(states->reason_numbers, text, GUINT_TO_POINTER(states->reasons->len));
	g_ptr_array_add(states->reasons, g_steal_pointer(&text));
	return states->reasons->len - 1;
}
