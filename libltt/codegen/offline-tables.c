/* offline-tables.c - generate the tables by which LttOfflineReader fills structs.
 *
 * A facility has one array of nodes. The members of a struct follow each other in it, and a node
 * refers to its members or element by index, so a named type has its nodes once:
 *
 *	     [0]  unused
 *	     [1]  payload, a struct   first = 2, 2 members
 *	     [2]    name, a string
 *	     [3]    points, a sequence   first = 4
 *	     [4]      element, a struct   first = 5, 2 members
 *	     [5]        x
 *	     [6]        y
 */
#include "codegen/offline-priv.h"

#include "codegen/declare-priv.h"

/* The initializers of a node. */
typedef struct Node {
	const char *name; /* in the description; NULL: none */
	char *offset;     /* owned */
	char *size;       /* owned */
	guint64 n_elements;
	guint first;
	guint n_members;
	const char *kind;
	gboolean is_signed;
	char *code_bytes; /* owned */
} Node;

typedef struct Tables {
	GArray *nodes;       /* of Node */
	GHashTable *firsts;  /* LttCType -> index of its first member or of its element */
	GArray *event_nodes; /* of guint */
} Tables;

static void clear_node(gpointer data)
{
	Node *node = data;

	g_free(node->offset);
	g_free(node->size);
	g_free(node->code_bytes);
}

static const char *kind_constant(LttTypeKind kind)
{
	static const char *const names[LTT_N_TYPE_KINDS] = {
		[LTT_INT] = "LTT_INT",       [LTT_UINT] = "LTT_UINT",
		[LTT_FLOAT] = "LTT_FLOAT",   [LTT_STRING] = "LTT_STRING",
		[LTT_ENUM] = "LTT_ENUM",     [LTT_ARRAY] = "LTT_ARRAY",
		[LTT_STRUCT] = "LTT_STRUCT", [LTT_SEQUENCE] = "LTT_SEQUENCE",
		[LTT_UNION] = "LTT_UNION",
	};

	return names[kind];
}

static char *size_of(const LttCType *type)
{
	const LttCType *core = ltt_ctype_core(type);
	GString *size = g_string_new(NULL);
	g_autofree char *word = NULL;

	for (; type->kind == LTT_ARRAY; type = type->element)
		g_string_append_printf(size, "%" G_GUINT64_FORMAT " * ",
				       MAX(ltt_type_get_n_elements(type->type), 1));
	if (core->kind == LTT_STRING)
		word = g_strdup("const char *");
	else if (core->kind == LTT_SEQUENCE)
		word = g_strdup("LttOfflineSequence");
	else
		word = g_strchomp(ltt_c_declaration(core, "", FALSE));
	g_string_append_printf(size, "sizeof(%s)", word);
	return g_string_free(size, FALSE);
}

static guint add_blanks(Tables *tables, guint count)
{
	const guint first = tables->nodes->len;

	g_array_set_size(tables->nodes, first + count);
	return first;
}

static guint place_parts(Tables *tables, const LttCType *type);

static void set_node(Tables *tables, guint index, const LttCType *type, const char *name,
		     char *offset)
{
	const gboolean is_union = type->kind == LTT_UNION;
	const Node node = {
		.name = name,
		.offset = offset,
		.size = size_of(type),
		.n_elements = type->kind == LTT_ARRAY ? ltt_type_get_n_elements(type->type) : 0,
		.first = place_parts(tables, type),
		.n_members = ltt_ctype_n_members(type),
		.kind = kind_constant(type->kind),
		.is_signed = ltt_type_is_signed(type->type),
		.code_bytes = is_union
				      ? g_strdup_printf("sizeof(%s)", ltt_c_integer_of(type, FALSE))
				      : g_strdup("0"),
	};

	g_array_index(tables->nodes, Node, index) = node;
}

/* @described: the struct or union in the description; @in_union: the path to the member contains "
 * u" */
static guint place_members(Tables *tables, const char *tag, const GArray *members,
			   const LttType *described)
{
	const gboolean is_union = ltt_type_get_kind(described) == LTT_UNION;
	const guint first = add_blanks(tables, members->len);

	for (guint i = 0; i < members->len; i++) {
		const LttCMember *member = &g_array_index(members, LttCMember, i);

		set_node(tables, first + i, member->type, ltt_type_get_field(described, i)->name,
			 g_strdup_printf("offsetof(struct %s, %s)", tag,
					 is_union ? "u" : member->name));
	}
	return first;
}

/* Returns: the index of the first member or the element; 0: none */
static guint place_parts(Tables *tables, const LttCType *type)
{
	guint first = GPOINTER_TO_UINT(g_hash_table_lookup(tables->firsts, type));

	if (first != 0)
		return first;
	if (ltt_ctype_n_members(type) > 0) {
		first = place_members(tables, type->tag, type->members, type->type);
	} else if (type->element != NULL) {
		first = add_blanks(tables, 1);
		set_node(tables, first, type->element, NULL, g_strdup("0"));
	}
	g_hash_table_insert(tables->firsts, (gpointer)type, GUINT_TO_POINTER(first));
	return first;
}

/* Returns: the index of an event's payload; 0: it has none */
static guint place_payload(Tables *tables, const LttCFunction *function)
{
	const LttType *payload =
		function->event->type != NULL ? ltt_type_resolve(function->event->type) : NULL;
	guint index;
	guint first;

	if (payload == NULL)
		return 0;
	index = add_blanks(tables, 1);
	if (ltt_type_get_kind(payload) != LTT_STRUCT) {
		set_node(tables, index, g_array_index(function->parameters, LttCMember, 0).type,
			 NULL, g_strdup("0"));
		return index;
	}
	first = place_members(tables, function->struct_tag, function->parameters, payload);
	g_array_index(tables->nodes, Node, index) = (Node){
		.offset = g_strdup("0"),
		.size = g_strdup_printf("sizeof(struct %s)", function->struct_tag),
		.first = first,
		.n_members = function->parameters->len,
		.kind = kind_constant(LTT_STRUCT),
		.code_bytes = g_strdup("0"),
	};
	return index;
}

static void write_node(LttText *text, const Node *node)
{
	g_autoptr(GPtrArray) list = g_ptr_array_new_with_free_func(g_free);

	g_ptr_array_add(list, node->name != NULL ? g_strdup_printf("\"%s\"", node->name)
						 : g_strdup("NULL"));
	g_ptr_array_add(list, g_strdup(node->offset));
	g_ptr_array_add(list, g_strdup(node->size));
	g_ptr_array_add(list, g_strdup_printf("%" G_GUINT64_FORMAT, node->n_elements));
	g_ptr_array_add(list, g_strdup_printf("%u", node->first));
	g_ptr_array_add(list, g_strdup_printf("%u", node->n_members));
	g_ptr_array_add(list, g_strdup(node->kind));
	g_ptr_array_add(list, g_strdup_printf("%d", node->is_signed));
	g_ptr_array_add(list, g_strdup(node->code_bytes));
	ltt_text_list(text, "{", list, "},");
}

static void write_tables(LttText *text, const LttCTypes *types, const Tables *tables)
{
	const char *name = ltt_facility_get_name(types->facility);

	ltt_text_open(text, "static const LttOfflineNode ltt_offline_nodes_%s[] = {", name);
	ltt_text_line(text, "{NULL, 0, 0, 0, 0, 0, 0, 0, 0},");
	for (guint i = 1; i < tables->nodes->len && !text->is_full; i++)
		write_node(text, &g_array_index(tables->nodes, Node, i));
	ltt_text_close(text, "};");
	ltt_text_gap(text);
	ltt_text_open(text, "static const LttOfflineEvent ltt_offline_events_%s[] = {", name);
	for (guint i = 0; i < types->functions->len && !text->is_full; i++)
		ltt_text_line(text, "{\"%s\", %u},",
			      g_array_index(types->functions, LttCFunction, i).event->name,
			      g_array_index(tables->event_nodes, guint, i));
	ltt_text_line(text, "{NULL, 0},");
	ltt_text_close(text, "};");
	ltt_text_gap(text);
	ltt_text_open(text,
		      "static const LttOfflineFacility __attribute__((unused)) ltt_offline_%s = {",
		      name);
	ltt_text_line(text, "\"%s\", 0x%08x, %u, ltt_offline_events_%s, ltt_offline_nodes_%s,",
		      name, ltt_facility_get_checksum(types->facility), types->functions->len, name,
		      name);
	ltt_text_close(text, "};");
	ltt_text_gap(text);
}

void ltt_write_offline_tables(LttText *text, const LttCTypes *types)
{
	Tables tables = {
		.nodes = g_array_new(FALSE, TRUE, sizeof(Node)),
		.firsts = g_hash_table_new(NULL, NULL),
		.event_nodes = g_array_new(FALSE, FALSE, sizeof(guint)),
	};

	g_array_set_clear_func(tables.nodes, clear_node);
	add_blanks(&tables, 1);
	for (guint i = 0; i < types->functions->len; i++) {
		const guint node =
			place_payload(&tables, &g_array_index(types->functions, LttCFunction, i));

		g_array_append_val(tables.event_nodes, node);
	}
	write_tables(text, types, &tables);
	g_array_unref(tables.nodes);
	g_hash_table_unref(tables.firsts);
	g_array_unref(tables.event_nodes);
}
