/* offline-plan.c - compare layouts of a trace with the structs of generated code. */
#include "reader/offline-priv.h"

static guint hash_plan(gconstpointer key)
{
	const LttPlan *plan = key;

	return g_direct_hash(plan->layout) * 31 + g_direct_hash(plan->node);
}

static gboolean is_same_pair(gconstpointer a, gconstpointer b)
{
	const LttPlan *plan = a;
	const LttPlan *other = b;

	return plan->layout == other->layout && plan->node == other->node;
}

static void free_plan(gpointer data)
{
	LttPlan *plan = data;

	g_free(plan->parts);
	g_free(plan->codes);
	g_free(plan->missing);
	g_free(plan);
}

/* Returns: whether values of the layout can be stored in the node, apart from their parts */
static gboolean is_compatible(const LttLayout *layout, const LttOfflineNode *node)
{
	if (ltt_offline_is_integer(node->kind))
		return ltt_offline_is_integer(layout->kind);
	if (node->kind != layout->kind)
		return FALSE;
	if (node->kind == LTT_FLOAT)
		return layout->width_bytes <= node->size_bytes;
	return node->kind != LTT_ARRAY || node->n_elements == layout->n_elements;
}

static void note_missing(LttPlan *plan, const char *name, const LttPlan *part)
{
	if (plan->missing != NULL || (part != NULL && part->missing == NULL))
		return;
	plan->missing = part == NULL ? g_strdup(name)
				     : g_strconcat(name, part->missing[0] == '[' ? "" : ".",
						   part->missing, NULL);
}

static guint find_member(const LttLayout *layout, const char *name)
{
	guint i = 0;

	while (i < layout->n_members && !g_str_equal(layout->members[i].name, name))
		i++;
	return i;
}

static void plan_members(LttPlans *plans, LttPlan *plan)
{
	const LttLayout *layout = plan->layout;

	plan->parts = g_new0(LttPlan *, layout->n_members);
	plan->codes = g_new0(guint32, layout->n_members);
	for (guint i = 0; i < plan->node->n_members; i++) {
		const LttOfflineNode *node = &plans->nodes[plan->node->first + i];
		const guint found = find_member(layout, node->name);
		LttPlan *part = NULL;

		if (found < layout->n_members) {
			part = ltt_plans_get(plans, layout->members[found].layout, node);
			plan->parts[found] = part;
			plan->codes[found] = i;
		}
		/* Whether a union lacks a member matters only if it holds that member. */
		if (plan->node->kind == LTT_STRUCT)
			note_missing(plan, node->name, part);
	}
}

static void plan_element(LttPlans *plans, LttPlan *plan)
{
	plan->parts = g_new0(LttPlan *, 1);
	plan->parts[0] =
		ltt_plans_get(plans, plan->layout->element, &plans->nodes[plan->node->first]);
	note_missing(plan, "[]", plan->parts[0]);
}

LttPlan *ltt_plans_get(LttPlans *plans, const LttLayout *layout, const LttOfflineNode *node)
{
	const LttPlan wanted = {.layout = layout, .node = node};
	LttPlan *plan = g_hash_table_lookup(plans->all, &wanted);

	if (plan != NULL || !is_compatible(layout, node))
		return plan;
	plan = g_new0(LttPlan, 1);
	*plan = wanted;
	plan->is_same = layout->width_bytes == node->size_bytes &&
			layout->is_signed == (node->is_signed != 0);
	if (node->kind == LTT_STRUCT || node->kind == LTT_UNION)
		plan_members(plans, plan);
	else if (node->kind == LTT_ARRAY || node->kind == LTT_SEQUENCE)
		plan_element(plans, plan);
	g_hash_table_add(plans->all, plan);
	return plan;
}

void ltt_plans_init(LttPlans *plans, const LttOfflineNode *nodes)
{
	plans->nodes = nodes;
	plans->all = g_hash_table_new_full(hash_plan, is_same_pair, free_plan, NULL);
}

void ltt_plans_clear(LttPlans *plans)
{
	g_clear_pointer(&plans->all, g_hash_table_unref);
}
