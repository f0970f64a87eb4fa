/* flame.c - see ltt-flame.h.
 *
 * Nodes are in an array, parents before children. One hash table finds the children of all nodes.
 */
#include "analysis/flame-priv.h"

#include "base/error-priv.h"
#include "base/sink-priv.h"

#include <ltt/ltt-hash.h>

#include <string.h>

/* A child by its parent and name. */
typedef struct Edge {
	guint32 parent;
	guint32 child;
	const char *name; /* interned: equal names have one address */
} Edge;

struct LttFlame {
	GStringChunk *names;
	GArray *nodes;     /* of LttFlameNode */
	GHashTable *edges; /* Edge to itself */
	guint64 n_over_limit;
	gboolean is_saturated; /* a sum had no room */
};

static guint hash_edge(gconstpointer data)
{
	const Edge *edge = data;

	return (guint)ltt_hash_pair(edge->parent, GPOINTER_TO_SIZE(edge->name));
}

static gboolean equal_edges(gconstpointer a, gconstpointer b)
{
	const Edge *first = a;
	const Edge *second = b;

	return first->parent == second->parent && first->name == second->name;
}

LttFlame *ltt_flame_new(void)
{
	const LttFlameNode root = {.name = ""};
	LttFlame *flame = g_new0(LttFlame, 1);

	flame->names = g_string_chunk_new(4096);
	flame->nodes = g_array_new(FALSE, FALSE, sizeof(LttFlameNode));
	flame->edges = g_hash_table_new_full(hash_edge, equal_edges, g_free, NULL);
	g_array_append_val(flame->nodes, root);
	return flame;
}

void ltt_flame_free(LttFlame *flame)
{
	if (flame == NULL)
		return;
	g_hash_table_unref(flame->edges);
	g_array_unref(flame->nodes);
	g_string_chunk_free(flame->names);
	g_free(flame);
}

LttFlameNode *ltt_flame_get_node(LttFlame *flame, guint32 node)
{
	return &g_array_index(flame->nodes, LttFlameNode, node);
}

guint32 ltt_flame_child(LttFlame *flame, guint32 node, const char *name)
{
	const Edge asked = {node, 0, g_string_chunk_insert_const(flame->names, name)};
	const Edge *edge = g_hash_table_lookup(flame->edges, &asked);
	Edge added = asked;
	LttFlameNode *parent = ltt_flame_get_node(flame, node);
	const LttFlameNode made = {.name = asked.name,
				   .parent = node,
				   .depth = parent->depth + 1,
				   .next = parent->first};

	if (edge != NULL)
		return edge->child;
	if (flame->nodes->len >= LTT_MAX_FLAME_FRAMES || parent->depth >= LTT_MAX_FLAME_DEPTH) {
		flame->n_over_limit++;
		return node;
	}
	added.child = parent->first = flame->nodes->len;
	g_array_append_val(flame->nodes, made);
	g_hash_table_add(flame->edges, g_memdup2(&added, sizeof(added)));
	return added.child;
}

/* Returns: the sum, at the nearest limit if it has no room. @is_saturated: set then */
static gint64 add(gint64 a, gint64 b, gboolean *is_saturated)
{
	gint64 sum;

	if (!__builtin_add_overflow(a, b, &sum))
		return sum;
	*is_saturated = TRUE;
	return b > 0 ? G_MAXINT64 : G_MININT64;
}

void ltt_flame_add_to(LttFlame *flame, guint32 node, gint64 weight)
{
	gint64 *self = &ltt_flame_get_node(flame, node)->self;

	*self = add(*self, weight, &flame->is_saturated);
}

void ltt_flame_add(LttFlame *flame, const char *const *frames, guint n_frames, gint64 weight)
{
	guint32 node = LTT_FLAME_ROOT;

	for (guint i = 0; i < n_frames; i++)
		node = ltt_flame_child(flame, node, frames[i]);
	ltt_flame_add_to(flame, node, weight);
}

static gint64 add_up(const LttFlame *flame, gboolean *is_saturated)
{
	gint64 total = 0;

	for (guint i = 0; i < flame->nodes->len; i++)
		total = add(total, g_array_index(flame->nodes, LttFlameNode, i).self, is_saturated);
	return total;
}

guint64 ltt_flame_get_total(const LttFlame *flame)
{
	gboolean is_saturated = FALSE;

	return (guint64)MAX(add_up(flame, &is_saturated), 0);
}

gboolean ltt_flame_is_saturated(const LttFlame *flame)
{
	gboolean is_saturated = flame->is_saturated;

	add_up(flame, &is_saturated);
	return is_saturated;
}

guint64 ltt_flame_get_n_over_limit(const LttFlame *flame)
{
	return flame->n_over_limit;
}

/* ---- the settled tree ---- */

static gint compare_children(gconstpointer a, gconstpointer b, gpointer flame)
{
	return strcmp(ltt_flame_get_node(flame, *(const guint32 *)a)->name,
		      ltt_flame_get_node(flame, *(const guint32 *)b)->name);
}

static void sort_children(LttFlame *flame, LttFlameNode *node, GArray *children)
{
	g_array_set_size(children, 0);
	for (guint32 at = node->first; at != 0; at = ltt_flame_get_node(flame, at)->next)
		g_array_append_val(children, at);
	if (children->len < 2)
		return;
	g_array_sort_with_data(children, compare_children, flame);
	node->first = g_array_index(children, guint32, 0);
	for (guint i = 0; i < children->len; i++) {
		const guint32 next =
			i + 1 < children->len ? g_array_index(children, guint32, i + 1) : 0;

		ltt_flame_get_node(flame, g_array_index(children, guint32, i))->next = next;
	}
}

void ltt_flame_settle(LttFlame *flame)
{
	g_autoptr(GArray) children = g_array_new(FALSE, FALSE, sizeof(guint32));

	for (guint i = 0; i < flame->nodes->len; i++) {
		LttFlameNode *node = ltt_flame_get_node(flame, i);

		node->total = MAX(node->self, 0);
		sort_children(flame, node, children);
	}
	for (guint i = flame->nodes->len - 1; i > 0; i--) {
		const LttFlameNode *node = ltt_flame_get_node(flame, i);
		LttFlameNode *parent = ltt_flame_get_node(flame, node->parent);

		parent->total = add(parent->total, node->total, &flame->is_saturated);
	}
}

/* ---- folded stacks ---- */

/* Appends a name. Replaces the characters that separate frames and lines. */
static void append_frame(GString *line, const char *name)
{
	g_autofree char *safe = ltt_escape_controls(name);

	g_string_append(line, g_strdelimit(safe, ";", ','));
}

static void fold(LttFlame *flame, guint32 index, GString *line, LttSink *sink)
{
	const LttFlameNode *node = ltt_flame_get_node(flame, index);
	const gsize length = line->len;

	if (length > 0)
		g_string_append_c(line, ';');
	append_frame(line, node->name);
	if (node->self > 0) {
		g_autofree char *weight = g_strdup_printf(" %" G_GINT64_FORMAT "\n", node->self);

		ltt_sink_add(sink, line->str, line->len);
		ltt_sink_add(sink, weight, strlen(weight));
	}
	for (guint32 at = node->first; at != 0; at = ltt_flame_get_node(flame, at)->next)
		fold(flame, at, line, sink);
	g_string_truncate(line, length);
}

gboolean ltt_flame_write_folded(LttFlame *flame, LttWriteFunc write, gpointer write_data,
				GError **error)
{
	g_autoptr(GString) line = g_string_new(NULL);
	LttSink sink;
	gboolean ok;

	ltt_flame_settle(flame);
	ltt_sink_init(&sink, write, write_data);
	for (guint32 at = ltt_flame_get_node(flame, LTT_FLAME_ROOT)->first; at != 0;
	     at = ltt_flame_get_node(flame, at)->next)
		fold(flame, at, line, &sink);
	ltt_sink_hand_on(&sink);
	ok = ltt_sink_check(&sink, error);
	ltt_sink_clear(&sink);
	return ok;
}
