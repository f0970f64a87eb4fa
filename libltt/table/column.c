/* column.c - convert layouts to columns (ltt-table.h). */
#include "table/column-priv.h"

#include "table/cost-priv.h"

#include <ltt/ltt-hash.h>

/* Maximum bytes of a null in a column with arrays of fixed size. */
#define MAX_NULL_BYTES 4096

/* Inside a union an array becomes a list, so that a null does not take the space of a whole
 * array. */
static void init(LttColumn *column, const char *name, const LttLayout *layout, gboolean in_union);

void ltt_column_init_number(LttColumn *column, const char *name, LttColumnKind kind,
			    guint8 width_bytes, gboolean may_be_null)
{
	*column = (LttColumn){
		.name = g_strdup(name),
		.kind = kind,
		.width_bytes = width_bytes,
		.may_be_null = may_be_null,
	};
}

static LttColumn *add_children(LttColumn *column, guint n_children)
{
	LttColumn *children = g_new0(LttColumn, n_children);

	column->children = children;
	column->n_children = n_children;
	return children;
}

/* ---- labels ---- */

/* Adds the labels that the column does not have. */
static void add_labels(LttColumn *column, const char *const *labels, guint n_labels)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(ltt_hash_text, g_str_equal);
	GPtrArray *all = g_ptr_array_new();

	for (guint i = 0; i < column->n_labels; i++) {
		g_hash_table_add(seen, (gpointer)column->labels[i]);
		g_ptr_array_add(all, (gpointer)column->labels[i]);
	}
	for (guint i = 0; i < n_labels; i++) {
		if (g_hash_table_add(seen, (gpointer)labels[i]))
			g_ptr_array_add(all, g_strdup(labels[i]));
	}
	g_free((gpointer)column->labels);
	column->n_labels = all->len;
	column->labels = (const char *const *)g_ptr_array_free(all, FALSE);
}

static void init_labels(LttColumn *column, const LttType *type)
{
	const guint n_labels = ltt_type_get_n_labels(type);
	g_autofree const char **names = g_new(const char *, n_labels);

	for (guint i = 0; i < n_labels; i++)
		names[i] = ltt_type_get_label(type, i)->name;
	add_labels(column, names, n_labels);
}

void ltt_column_init_texts(LttColumn *column, const char *name, const char *const *texts,
			   guint n_texts, gint32 *codes)
{
	g_autoptr(GHashTable) by_label = g_hash_table_new(ltt_hash_text, g_str_equal);

	*column = (LttColumn){.name = g_strdup(name), .kind = LTT_COLUMN_ENUM};
	add_labels(column, texts, n_texts);
	for (guint i = 0; i < column->n_labels; i++)
		g_hash_table_insert(by_label, (gpointer)column->labels[i], GUINT_TO_POINTER(i));
	for (guint i = 0; i < n_texts; i++)
		codes[i] = GPOINTER_TO_INT(g_hash_table_lookup(by_label, texts[i]));
}

/* ---- columns of layouts ---- */

char *ltt_column_dup_name(GHashTable *taken, const char *name)
{
	g_autoptr(GString) free_name = g_string_new(name);

	while (g_hash_table_contains(taken, free_name->str))
		g_string_prepend(free_name, "field_");
	return g_strdup(free_name->str);
}

static void init_elements(LttColumn *column, const LttLayout *layout, gboolean in_union)
{
	const LttLayout *element = layout->element;
	const gboolean is_fixed = layout->kind == LTT_ARRAY && !in_union;

	if (is_fixed)
		column->n_elements = layout->n_elements;
	if (element->kind == LTT_UINT && element->width_bytes == 1) {
		column->kind = is_fixed ? LTT_COLUMN_FIXED_BYTES : LTT_COLUMN_BYTES;
		return;
	}
	column->kind = is_fixed ? LTT_COLUMN_FIXED_LIST : LTT_COLUMN_LIST;
	init(add_children(column, 1), "item", element, in_union);
}

static void init_union(LttColumn *column, const LttLayout *layout)
{
	LttColumn *children = add_children(column, layout->n_members + 1);
	g_autofree const char **names = g_new(const char *, layout->n_members);
	g_autoptr(GHashTable) taken = g_hash_table_new(ltt_hash_text, g_str_equal);

	column->kind = LTT_COLUMN_UNION;
	g_hash_table_add(taken, (gpointer) "tag");
	for (guint i = 0; i < layout->n_members; i++) {
		const LttMember *member = &layout->members[i];
		g_autofree char *name = ltt_column_dup_name(taken, member->name);

		init(&children[i + 1], name, member->layout, TRUE);
		g_hash_table_add(taken, (gpointer)children[i + 1].name);
		children[i + 1].may_be_null = TRUE;
		names[i] = member->name;
	}
	children[0] = (LttColumn){.name = g_strdup("tag"), .kind = LTT_COLUMN_ENUM};
	add_labels(&children[0], names, layout->n_members);
}

static void init(LttColumn *column, const char *name, const LttLayout *layout, gboolean in_union)
{
	*column = (LttColumn){.name = g_strdup(name)};
	switch (layout->kind) {
	case LTT_INT:
	case LTT_UINT:
	case LTT_FLOAT:
		column->kind = layout->kind == LTT_INT    ? LTT_COLUMN_INT
			       : layout->kind == LTT_UINT ? LTT_COLUMN_UINT
							  : LTT_COLUMN_FLOAT;
		column->width_bytes = layout->width_bytes;
		break;
	case LTT_STRING:
		column->kind = LTT_COLUMN_STRING;
		break;
	case LTT_ENUM:
		column->kind = LTT_COLUMN_ENUM;
		init_labels(column, layout->type);
		break;
	case LTT_ARRAY:
	case LTT_SEQUENCE:
		init_elements(column, layout, in_union);
		break;
	case LTT_STRUCT: {
		LttColumn *children = add_children(column, layout->n_members);

		column->kind = LTT_COLUMN_STRUCT;
		for (guint i = 0; i < layout->n_members; i++)
			init(&children[i], layout->members[i].name, layout->members[i].layout,
			     in_union);
		break;
	}
	case LTT_UNION:
		init_union(column, layout);
		break;
	case LTT_TYPEREF:
		g_assert_not_reached(); /* a layout has none */
	}
}

void ltt_column_init(LttColumn *column, const char *name, const LttLayout *layout)
{
	init(column, name, layout, FALSE);
}

void ltt_column_clear(LttColumn *column)
{
	for (guint i = 0; i < column->n_children; i++)
		ltt_column_clear((LttColumn *)&column->children[i]);
	for (guint i = 0; i < column->n_labels; i++)
		g_free((char *)column->labels[i]);
	g_free((gpointer)column->labels);
	g_free((gpointer)column->children);
	g_free((char *)column->name);
}

/* ---- two versions ---- */

/* Makes arrays lists, as in a union. Keeps n_elements, for is_same_array(). A union has none already. */
static void free_size(LttColumn *column)
{
	if (column->kind == LTT_COLUMN_FIXED_BYTES && column->n_elements > 0)
		column->kind = LTT_COLUMN_BYTES;
	else if (column->kind == LTT_COLUMN_FIXED_LIST && column->n_elements > 0)
		column->kind = LTT_COLUMN_LIST;
	for (guint i = 0; column->kind == LTT_COLUMN_STRUCT && i < column->n_children; i++)
		free_size((LttColumn *)&column->children[i]);
}

void ltt_column_let_be_null(LttColumn *column)
{
	column->may_be_null = TRUE;
	if (ltt_cost_of_null(column) > MAX_NULL_BYTES)
		free_size(column);
}

/* Returns: whether the arrays of two columns have the same size, but only one of them is a list. A sequence
 * has n_elements 0. */
static gboolean is_same_array(const LttColumn *a, const LttColumn *b)
{
	if (a->n_elements == 0)
		return FALSE;
	if (a->kind == LTT_COLUMN_FIXED_BYTES || a->kind == LTT_COLUMN_BYTES)
		return b->kind == LTT_COLUMN_FIXED_BYTES || b->kind == LTT_COLUMN_BYTES;
	return b->kind == LTT_COLUMN_FIXED_LIST || b->kind == LTT_COLUMN_LIST;
}

gboolean ltt_columns_agree(const LttColumn *a, const LttColumn *b)
{
	if (a->n_elements != b->n_elements || a->n_children != b->n_children ||
	    (a->kind != b->kind && !is_same_array(a, b)))
		return FALSE;
	for (guint i = 0; i < a->n_children; i++) {
		if (!g_str_equal(a->children[i].name, b->children[i].name) ||
		    !ltt_columns_agree(&a->children[i], &b->children[i]))
			return FALSE;
	}
	return TRUE;
}

void ltt_column_widen(LttColumn *column, const LttColumn *other)
{
	column->width_bytes = MAX(column->width_bytes, other->width_bytes);
	add_labels(column, other->labels, other->n_labels);
	for (guint i = 0; i < column->n_children; i++)
		ltt_column_widen((LttColumn *)&column->children[i], &other->children[i]);
}
