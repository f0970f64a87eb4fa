/* tree.c - see tree-priv.h. */
#include "view/png/tree-priv.h"

#include "view/names-priv.h"
#include "view/states-priv.h"

#include <ltt/ltt-hash.h>
#include <ltt/ltt-join.h>
#include <string.h>

#define MAX_DEPTHS   24
#define LEAST_HEIGHT 20

/* The lanes under one label, in the order of the page. */
typedef struct Group {
	char *key;
	char *label;
	guint rank;
	guint64 n_events;
	GPtrArray *lanes; /* of LttLane */
} Group;

typedef struct Tree {
	LttViewMap *map;
	GHashTable *names;
	const LttPngChoice *choice;
	char **words;      /* of the search, without case */
	GPtrArray *groups; /* of Group, of one member */
	GArray *rows;
} Tree;

static void free_group(gpointer data)
{
	Group *group = data;

	g_free(group->key);
	g_free(group->label);
	g_ptr_array_unref(group->lanes);
	g_free(group);
}

static void clear_row(gpointer data)
{
	g_free(((LttPngRow *)data)->label);
}

/* ---- labels ---- */

/* The name of a counter does not contain its process, so the label does. */
static char *label_counter(const LttViewMap *map, GHashTable *names, const LttLaneKey *key)
{
	const char *name = map->names->pdata[key->tid];
	const char *process = ltt_view_names_process(names, key->host, key->pid);

	if (!key->has_thread)
		return g_strdup(name);
	return g_strdup_printf("%s %s %u", name, process != NULL ? process : "process", key->pid);
}

char *ltt_png_label_lane(const LttViewMap *map, GHashTable *names, const LttLane *lane)
{
	const LttLaneKey *key = &lane->key;
	g_autofree char *name = NULL;

	switch (key->kind) {
	case LTT_LANE_CPU:
		return g_strdup_printf("CPU %u", key->tid);
	case LTT_LANE_ASYNC:
		return g_strdup(map->names->pdata[key->tid]);
	case LTT_LANE_COUNTER:
		return label_counter(map, names, key);
	case LTT_LANE_OTHERS:
		return ltt_view_map_name_others(map);
	case LTT_LANE_THREAD:
		break;
	}
	if (!key->has_thread)
		return g_strdup(
			ltt_tracefile_get_label(ltt_trace_get_tracefile(map->trace, key->tid)));
	name = ltt_view_names_lane(names, map, lane);
	return g_strdup_printf("%s %u", name != NULL ? name : "thread", key->tid);
}

/* ---- groups ---- */

/* Sets the key, the rank and the label of the group of a lane. */
static void describe(const Tree *tree, const LttLane *lane, Group *group)
{
	const LttLaneKey *key = &lane->key;
	const char *process = NULL;
	g_autofree char *name = NULL;

	if (key->kind == LTT_LANE_CPU) {
		*group = (Group){.key = g_strdup("C"), .label = g_strdup("CPUs"), .rank = 0};
	} else if (key->kind == LTT_LANE_ASYNC) {
		*group =
			(Group){.key = g_strdup("A"), .label = g_strdup("asynchronous"), .rank = 1};
	} else if (key->kind == LTT_LANE_COUNTER) {
		*group = (Group){.key = g_strdup("N"), .label = g_strdup("counters"), .rank = 1};
	} else if (key->kind == LTT_LANE_OTHERS) {
		*group = (Group){.key = g_strdup("O"), .label = g_strdup("others"), .rank = 4};
	} else if (!key->has_thread) {
		*group = (Group){.key = g_strdup("F"), .label = g_strdup("tracefiles"), .rank = 3};
	} else if (key->pid == 0) {
		*group = (Group){
			.key = g_strdup("P0"), .label = g_strdup("unknown processes"), .rank = 3};
	} else {
		process = ltt_view_names_process(tree->names, key->host, key->pid);
		name = process == NULL ? ltt_view_names_lane(tree->names, tree->map, lane) : NULL;
		if (process == NULL)
			process = name != NULL ? name : "process";
		*group = (Group){.key = g_strdup_printf("P%u", key->pid),
				 .label = g_strdup_printf("%s %u", process, key->pid),
				 .rank = 2};
	}
}

static Group *need_group(Tree *tree, GHashTable *by_key, const LttLane *lane)
{
	Group made;
	Group *group;

	describe(tree, lane, &made);
	group = g_hash_table_lookup(by_key, made.key);
	if (group != NULL) {
		g_free(made.key);
		g_free(made.label);
		return group;
	}
	group = g_memdup2(&made, sizeof(made));
	group->lanes = g_ptr_array_new();
	g_ptr_array_add(tree->groups, group);
	g_hash_table_insert(by_key, group->key, group);
	return group;
}

static guint get_order(const LttLane *lane)
{
	return lane->key.kind == LTT_LANE_CPU || lane->key.kind == LTT_LANE_THREAD ? lane->key.tid
										   : lane->id;
}

static gint compare_lanes(gconstpointer left, gconstpointer right)
{
	const guint a = get_order(*(const LttLane *const *)left);
	const guint b = get_order(*(const LttLane *const *)right);

	return a < b ? -1 : a > b;
}

/* By rank; the busiest process first. */
static gint compare_groups(gconstpointer left, gconstpointer right)
{
	const Group *a = *(const Group *const *)left;
	const Group *b = *(const Group *const *)right;

	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return a->n_events > b->n_events ? -1 : a->n_events < b->n_events;
}

/* ---- rows ---- */

static void add_row(Tree *tree, LttPngRow row)
{
	const LttPngRow *last = tree->rows->len > 0
					? &g_array_index(tree->rows, LttPngRow, tree->rows->len - 1)
					: NULL;

	row.top = last != NULL ? last->top + last->height : 0;
	g_array_append_val(tree->rows, row);
}

static void add_lane(Tree *tree, const LttLane *lane, guint level)
{
	LttPngRow row = {.lane = lane,
			 .label = ltt_png_label_lane(tree->map, tree->names, lane),
			 .level = level};
	guint height;

	row.has_states =
		tree->map->states != NULL && ltt_view_states_show_lane(tree->map->states, lane->id);
	row.n_depths = MIN(lane->n_depths, MAX_DEPTHS);
	if (lane->key.kind == LTT_LANE_ASYNC)
		row.n_depths = MAX(row.n_depths, 1);
	height = ltt_png_get_spans_top(&row) + row.n_depths * LTT_PNG_DEPTH_HEIGHT +
		 LTT_PNG_EVENTS_HEIGHT + 4;
	row.height = lane->key.kind == LTT_LANE_COUNTER ? LTT_PNG_COUNTER_HEIGHT
							: MAX(height, LEAST_HEIGHT);
	add_row(tree, row);
}

static void add_group(Tree *tree, const char *label, guint level)
{
	add_row(tree, (LttPngRow){.label = g_strdup(label),
				  .level = level,
				  .height = LTT_PNG_GROUP_HEIGHT});
}

/* A lane of states has a state at each time; the others have something from their first event to their
 * last one. A counter keeps its value. */
static gboolean is_in_window(const LttViewMap *map, const LttLane *lane, guint64 from_ns,
			     guint64 to_ns)
{
	if (map->states != NULL && ltt_view_states_show_lane(map->states, lane->id))
		return TRUE;
	if (lane->n_events == 0 || lane->first_ns >= to_ns)
		return FALSE;
	return lane->last_ns >= from_ns || lane->key.kind == LTT_LANE_COUNTER;
}

/* Returns: whether the label of a lane, its process or its id has all words of the search */
static gboolean is_found(const Tree *tree, const LttLane *lane)
{
	const char *process = NULL;
	g_autofree char *label = NULL;
	g_autofree char *text = NULL;
	g_autofree char *folded = NULL;

	if (tree->words == NULL)
		return TRUE;
	if (lane->key.has_thread)
		process = ltt_view_names_process(tree->names, lane->key.host, lane->key.pid);
	label = ltt_png_label_lane(tree->map, tree->names, lane);
	text = g_strdup_printf("%s %s %u", label, process != NULL ? process : "", lane->key.pid);
	folded = g_utf8_casefold(text, -1);
	for (guint i = 0; tree->words[i] != NULL; i++) {
		if (strstr(folded, tree->words[i]) == NULL)
			return FALSE;
	}
	return TRUE;
}

/* The host of a member, or the name of its folder if another one has the same host. */
static char *name_machine(const LttTrace *trace, guint index)
{
	const LttTrace *member = ltt_trace_get_member(trace, index);
	const char *host = ltt_system_get(ltt_trace_get_system(member), "node_name");
	gboolean is_alone = host != NULL && host[0] != '\0';

	for (guint i = 0; i < ltt_trace_get_n_members(trace) && is_alone; i++) {
		const LttSystem *other = ltt_trace_get_system(ltt_trace_get_member(trace, i));

		is_alone = i == index || g_strcmp0(ltt_system_get(other, "node_name"), host) != 0;
	}
	return is_alone ? g_strdup(host) : g_path_get_basename(ltt_trace_get_path(member));
}

/* Adds the lanes of a member. @host: (nullable): only those of this machine, under a row with its name */
static void add_lanes(Tree *tree, guint member, const guint *host, guint level)
{
	const LttViewMap *map = tree->map;
	g_autoptr(GHashTable) by_key = g_hash_table_new(ltt_hash_text, g_str_equal);

	g_ptr_array_set_size(tree->groups, 0);
	for (guint i = 0; i < map->lanes->len; i++) {
		LttLane *lane = map->lanes->pdata[i];
		Group *group;

		if (lane->key.member != member || (host != NULL && lane->key.host != *host) ||
		    !is_in_window(map, lane, tree->choice->from_ns, tree->choice->to_ns) ||
		    !is_found(tree, lane))
			continue;
		group = need_group(tree, by_key, lane);
		group->n_events += lane->n_events;
		g_ptr_array_add(group->lanes, lane);
	}
	g_ptr_array_sort(tree->groups, compare_groups);
	if (host != NULL)
		add_group(tree, ltt_trace_get_host(map->trace, *host), level++);
	for (guint i = 0; i < tree->groups->len; i++) {
		const Group *group = tree->groups->pdata[i];

		add_group(tree, group->label, level);
		g_ptr_array_sort(group->lanes, compare_lanes);
		for (guint j = 0; j < group->lanes->len; j++)
			add_lane(tree, group->lanes->pdata[j], level + 1);
	}
}

static gboolean has_lanes(const LttViewMap *map, guint member, guint host)
{
	for (guint i = 0; i < map->lanes->len; i++) {
		const LttLaneKey *key = &((const LttLane *)map->lanes->pdata[i])->key;

		if (key->member == member && key->host == host)
			return TRUE;
	}
	return FALSE;
}

static void add_member(Tree *tree, guint member)
{
	const LttTrace *trace = tree->map->trace;
	guint level = 0;

	if (ltt_trace_get_n_members(trace) > 1) {
		g_autofree char *machine = name_machine(trace, member);

		add_group(tree, machine, level++);
	}
	if (ltt_trace_get_n_hosts(ltt_trace_get_member(trace, member)) == 1) {
		add_lanes(tree, member, NULL, level);
		return;
	}
	for (guint host = 0; host < ltt_trace_get_n_hosts(trace); host++) {
		if (has_lanes(tree->map, member, host))
			add_lanes(tree, member, &host, level);
	}
}

GArray *ltt_png_tree_new(LttViewMap *map, GHashTable *names, const LttPngChoice *choice)
{
	g_autoptr(GPtrArray) groups = g_ptr_array_new_with_free_func(free_group);
	g_autofree char *folded =
		choice->search != NULL ? g_utf8_casefold(choice->search, -1) : NULL;
	g_auto(GStrv) words = folded != NULL ? g_strsplit_set(folded, " \t", 0) : NULL;
	Tree tree = {
		.map = map, .names = names, .choice = choice, .words = words, .groups = groups};

	tree.rows = g_array_new(FALSE, FALSE, sizeof(LttPngRow));
	g_array_set_clear_func(tree.rows, clear_row);
	for (guint i = 0; i < ltt_trace_get_n_members(map->trace); i++)
		add_member(&tree, i);
	return tree.rows;
}
