/* tree.c - the entries of the time graphs and of the chart of counters (entry-priv.h). */
#include "view/names-priv.h"
#include "view/states-priv.h"
#include "view/tsp/call-priv.h"
#include "view/tsp/entry-priv.h"

#include <ltt/ltt-hash.h>
#include <ltt/ltt-join.h>
#include <ltt/ltt-print.h>

/* A host of a member of the trace. */
typedef struct Machine {
	guint member;
	guint host;
} Machine;

typedef struct Tree {
	LttTspCall *call;
	const LttViewMap *map;
	GHashTable *names; /* of threads and processes */
	GHashTable *known; /* set of the numbers of traces and processes so far */
	GArray *machines;  /* of Machine */
	const char *separator;
} Tree;

/* @parent: 0: none */
static void append(Tree *tree, guint64 id, guint64 parent, const char *label, guint64 first_ns,
		   guint64 last_ns, gboolean has_data)
{
	GString *out = tree->call->view.answer;

	g_string_append_printf(out, "%s{\"id\":%" G_GUINT64_FORMAT ",", tree->separator, id);
	if (parent != 0)
		g_string_append_printf(out, "\"parentId\":%" G_GUINT64_FORMAT ",", parent);
	g_string_append(out, "\"labels\":[");
	ltt_json_append_string(out, label, -1);
	g_string_append_printf(out,
			       "],\"start\":%" G_GUINT64_FORMAT ",\"end\":%" G_GUINT64_FORMAT
			       ",\"hasData\":%s}",
			       first_ns, last_ns, has_data ? "true" : "false");
	tree->separator = ",";
}

/* Returns: whether the entry is new */
static gboolean is_new(Tree *tree, guint64 id)
{
	gint64 *key;

	if (g_hash_table_contains(tree->known, &id))
		return FALSE;
	key = g_new(gint64, 1);
	*key = (gint64)id;
	return g_hash_table_add(tree->known, key);
}

static void append_group(Tree *tree, guint64 id, guint64 parent, const char *label)
{
	const LttViewAxis *axis = &tree->map->axis;

	if (is_new(tree, id))
		append(tree, id, parent, label, axis->start_ns, axis->end_ns - 1, FALSE);
}

static guint64 add_trace(Tree *tree, guint member)
{
	const guint64 id = ltt_tsp_entry(LTT_TSP_TRACE, member, 0);
	g_autofree char *name = g_path_get_basename(
		ltt_trace_get_path(ltt_trace_get_member(tree->map->trace, member)));

	append_group(tree, id, 0, name);
	return id;
}

/* Returns: the number of the machine of a lane; those of all lanes are known */
static guint16 find_machine(const Tree *tree, const LttLaneKey *key)
{
	guint i = 0;

	while (i < tree->machines->len) {
		const Machine *machine = &g_array_index(tree->machines, Machine, i);

		if (machine->member == key->member && machine->host == key->host)
			break;
		i++;
	}
	return (guint16)i;
}

/* Lanes are only added, so that a machine keeps its number. */
static void list_machines(Tree *tree)
{
	for (guint i = 0; i < tree->map->lanes->len; i++) {
		const LttLaneKey *key = &((const LttLane *)tree->map->lanes->pdata[i])->key;
		const Machine machine = {key->member, key->host};

		if (find_machine(tree, key) == tree->machines->len)
			g_array_append_val(tree->machines, machine);
	}
}

/* Returns: the entry above the lanes of a machine */
static guint64 add_machine(Tree *tree, const LttLaneKey *key)
{
	const guint64 trace = add_trace(tree, key->member);
	guint64 id;

	if (ltt_trace_get_n_hosts(ltt_trace_get_member(tree->map->trace, key->member)) == 1)
		return trace;
	id = ltt_tsp_entry(LTT_TSP_TRACE, key->member, (guint16)(find_machine(tree, key) + 1));
	append_group(tree, id, trace, ltt_trace_get_host(tree->map->trace, key->host));
	return id;
}

static guint64 add_process(Tree *tree, const LttLaneKey *key, guint64 machine)
{
	const guint64 id = ltt_tsp_entry(LTT_TSP_PROCESS, key->pid, find_machine(tree, key));
	const char *name = ltt_view_names_process(tree->names, key->host, key->pid);
	g_autofree char *label = g_strdup_printf("%s%sprocess %u", name != NULL ? name : "",
						 name != NULL ? ", " : "", key->pid);

	append_group(tree, id, machine, label);
	return id;
}

/* Returns: (transfer full): the label of a lane; sets @parent to its parent */
static char *name_lane(Tree *tree, const LttLane *lane, guint64 *parent)
{
	const LttLaneKey *key = &lane->key;
	const guint64 machine = add_machine(tree, key);
	g_autofree char *name = NULL;

	*parent = machine;
	switch (key->kind) {
	case LTT_LANE_CPU:
		return g_strdup_printf("CPU %u", key->tid);
	case LTT_LANE_ASYNC:
		return g_strdup(tree->map->names->pdata[key->tid]);
	case LTT_LANE_THREAD:
		if (!key->has_thread)
			return g_strdup(ltt_tracefile_get_label(
				ltt_trace_get_tracefile(tree->map->trace, key->tid)));
		*parent = add_process(tree, key, machine);
		name = ltt_view_names_lane(tree->names, tree->map, lane);
		return g_strdup_printf("%s%sthread %u", name != NULL ? name : "",
				       name != NULL ? ", " : "", key->tid);
	case LTT_LANE_COUNTER:
		if (key->has_thread)
			*parent = add_process(tree, key, machine);
		return g_strdup(tree->map->names->pdata[key->tid]);
	case LTT_LANE_OTHERS:
		return ltt_view_map_name_others(tree->map);
	default:
		return NULL;
	}
}

static void add_span_lane(Tree *tree, const LttLane *lane)
{
	const guint64 id = ltt_tsp_entry(LTT_TSP_LANE, lane->id, 0);
	g_autofree char *label = NULL;
	guint64 parent;

	if (lane->n_events == 0 || lane->key.kind == LTT_LANE_COUNTER)
		return;
	label = name_lane(tree, lane, &parent);
	append(tree, id, parent, label, lane->first_ns, lane->last_ns, FALSE);
	for (guint depth = 0; depth < lane->n_depths; depth++) {
		g_autofree char *number = g_strdup_printf("depth %u", depth);

		append(tree, ltt_tsp_entry(LTT_TSP_ROW, lane->id, (guint16)depth), id, number,
		       lane->first_ns, lane->last_ns, TRUE);
	}
	if (lane->key.kind != LTT_LANE_ASYNC)
		append(tree, ltt_tsp_entry(LTT_TSP_ROW, lane->id, LTT_VIEW_EVENTS_DEPTH), id,
		       "events", lane->first_ns, lane->last_ns, TRUE);
}

/* Adds the lane as one row. */
static void add_row(Tree *tree, const LttLane *lane)
{
	const LttViewAxis *axis = &tree->map->axis;
	guint64 parent;
	g_autofree char *label = name_lane(tree, lane, &parent);

	append(tree, ltt_tsp_entry(LTT_TSP_ROW, lane->id, 0), parent, label, axis->start_ns,
	       axis->end_ns - 1, TRUE);
}

static void add_state_lane(Tree *tree, const LttLane *lane)
{
	if (tree->map->states != NULL && ltt_view_states_show_lane(tree->map->states, lane->id))
		add_row(tree, lane);
}

static void add_counter_lane(Tree *tree, const LttLane *lane)
{
	if (lane->key.kind == LTT_LANE_COUNTER)
		add_row(tree, lane);
}

static gboolean append_tree(LttTspCall *call, void (*add)(Tree *tree, const LttLane *lane))
{
	LttViewMap *map = call->view.map;
	g_autoptr(GHashTable) known =
		g_hash_table_new_full(ltt_hash_int64, g_int64_equal, g_free, NULL);
	g_autoptr(GHashTable) names = NULL;
	g_autoptr(GArray) machines = g_array_new(FALSE, FALSE, sizeof(Machine));
	Tree tree = {
		.call = call, .map = map, .known = known, .machines = machines, .separator = ""};

	ltt_tsp_begin(call);
	g_string_append(call->view.answer,
			"{\"headers\":[{\"name\":\"Name\",\"tooltip\":\"\"}],\"entries\":[");
	ltt_view_map_lock(map);
	names = ltt_view_names_new(&map->stat);
	tree.names = names;
	list_machines(&tree);
	for (guint i = 0; i < map->lanes->len; i++)
		add(&tree, map->lanes->pdata[i]);
	ltt_view_map_unlock(map);
	g_string_append(call->view.answer, "]}");
	ltt_tsp_end(call, LTT_VIEW_READY);
	return TRUE;
}

gboolean ltt_tsp_span_tree(LttTspCall *call, GError **error)
{
	(void)error;
	return append_tree(call, add_span_lane);
}

gboolean ltt_tsp_thread_tree(LttTspCall *call, GError **error)
{
	(void)error;
	return append_tree(call, add_state_lane);
}

gboolean ltt_tsp_counter_tree(LttTspCall *call, GError **error)
{
	(void)error;
	return append_tree(call, add_counter_lane);
}
