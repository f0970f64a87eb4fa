/* fields.c - declare the layout of a payload in TSDL, the language of CTF metadata (doc/ctf.md).
 *
 * With byte alignment for all types, CTF has the same layout as a trace: members are contiguous,
 * the length of a sequence precedes its elements, and the code of a union precedes its member. So
 * the export copies payloads unchanged.
 *
 * A CTF sequence does not contain its length, and a CTF variant does not contain its tag: they
 * refer to a preceding field of the same struct. So a struct with a sequence or union gets an
 * additional field, "NAME_length" or "NAME_tag". A sequence or union that is not a member of a
 * struct becomes a struct of the two fields.
 */
#include "formats/ctf/metadata-priv.h"

#include <ltt/ltt-format.h>

/* Name of the field for a value that has no name. */
#define VALUE "value"

static void add_type(GString *out, guint depth, const LttLayout *layout);

static void start_line(GString *out, guint depth)
{
	for (guint i = 0; i < depth; i++)
		g_string_append_c(out, '\t');
}

/* ---- scalar types ---- */

static void add_integer_name(GString *out, guint width_bytes, gboolean is_signed)
{
	g_string_append_printf(out, "%sint%u_t", is_signed ? "" : "u", 8 * width_bytes);
}

/* Returns: the base of the number's format in the description; 10 if it has none */
static guint base_of(const LttLayout *layout)
{
	const char *text = ltt_type_get_format(layout->type);
	g_autoptr(LttFormat) format =
		text != NULL ? ltt_format_parse(text, layout->kind, NULL) : NULL;

	if (format == NULL)
		return 10;
	switch (format->conversion) {
	case 'x':
	case 'X':
		return 16;
	case 'o':
		return 8;
	default:
		return 10;
	}
}

static void add_integer(GString *out, const LttLayout *layout)
{
	const guint base = base_of(layout);

	if (base == 10)
		add_integer_name(out, layout->width_bytes, layout->is_signed);
	else
		g_string_append_printf(
			out, "integer { size = %u; align = 8; signed = %s; base = %u; }",
			8U * layout->width_bytes, layout->is_signed ? "true" : "false", base);
}

/* A type such as "long" can have labels that do not fit in its size in this trace. */
static gboolean label_fits(const LttLabel *label, const LttLayout *layout)
{
	const guint bits = 8U * layout->width_bytes;

	if (bits == 64)
		return TRUE;
	if (label->is_negative)
		return label->value >= -((gint64)1 << (bits - 1));
	return (guint64)label->value >> (layout->is_signed ? bits - 1 : bits) == 0;
}

static void add_label(GString *out, const LttLabel *label, gboolean is_first)
{
	g_string_append(out, is_first ? " { " : ", ");
	ltt_ctf_add_string(out, label->name);
	if (label->is_negative)
		g_string_append_printf(out, " = %" G_GINT64_FORMAT, label->value);
	else
		g_string_append_printf(out, " = %" G_GUINT64_FORMAT, (guint64)label->value);
}

/* TSDL has no enum without labels. If no label fits, the type becomes an integer. */
static void add_enum(GString *out, const LttLayout *layout)
{
	const gsize start = out->len;
	gboolean is_first = TRUE;

	g_string_append(out, "enum : ");
	add_integer_name(out, layout->width_bytes, layout->is_signed);
	for (guint i = 0; i < ltt_type_get_n_labels(layout->type); i++) {
		const LttLabel *label = ltt_type_get_label(layout->type, i);

		if (!label_fits(label, layout))
			continue;
		add_label(out, label, is_first);
		is_first = FALSE;
	}
	if (!is_first) {
		g_string_append(out, " }");
		return;
	}
	g_string_truncate(out, start);
	add_integer_name(out, layout->width_bytes, layout->is_signed);
}

/* ---- declarations: a type, a name, and array lengths ---- */

/* @counts: lengths of the enclosing arrays, such as "[2]" */
static void add_declaration(GString *out, guint depth, const LttLayout *layout, const char *name,
			    const char *counts, const char *description)
{
	g_autoptr(GString) all_counts = g_string_new(counts);

	for (; layout->kind == LTT_ARRAY; layout = layout->element)
		g_string_append_printf(all_counts, "[%" G_GUINT64_FORMAT "]", layout->n_elements);
	start_line(out, depth);
	add_type(out, depth, layout);
	g_string_append_c(out, ' ');
	ltt_ctf_add_name(out, name);
	g_string_append_printf(out, "%s;", all_counts->str);
	ltt_ctf_add_comment(out, description);
	g_string_append_c(out, '\n');
}

/* @names: names of the members of the enclosing struct */
static void add_sequence(GString *out, guint depth, const LttLayout *layout, const char *name,
			 GHashTable *names, const char *description)
{
	const char *length = ltt_ctf_names_add_unique(names, name, "_length");
	g_autoptr(GString) count = g_string_new("[");

	start_line(out, depth);
	add_integer_name(out, layout->width_bytes, FALSE);
	g_string_append_c(out, ' ');
	ltt_ctf_add_name(out, length);
	g_string_append(out, ";\n");
	ltt_ctf_add_name(count, length);
	g_string_append_c(count, ']');
	add_declaration(out, depth, layout->element, name, count->str, description);
}

static const char *get_description(const LttLayout *layout, guint member)
{
	return ltt_type_get_field(layout->type, member)->description;
}

/* The label of a tag is the name of a member of the variant, with the additional underscore. */
static void add_tag(GString *out, guint depth, const LttLayout *layout, const char *tag)
{
	start_line(out, depth);
	g_string_append(out, "enum : ");
	add_integer_name(out, layout->width_bytes, FALSE);
	for (guint i = 0; i < layout->n_members; i++) {
		g_string_append(out, i == 0 ? " { \"" : ", \"");
		ltt_ctf_add_name(out, layout->members[i].name);
		g_string_append_printf(out, "\" = %u", i);
	}
	g_string_append(out, " } ");
	ltt_ctf_add_name(out, tag);
	g_string_append(out, ";\n");
}

static void add_union(GString *out, guint depth, const LttLayout *layout, const char *name,
		      GHashTable *names, const char *description)
{
	const char *tag = ltt_ctf_names_add_unique(names, name, "_tag");

	add_tag(out, depth, layout, tag);
	start_line(out, depth);
	g_string_append(out, "variant <");
	ltt_ctf_add_name(out, tag);
	g_string_append(out, "> {\n");
	for (guint i = 0; i < layout->n_members; i++)
		add_declaration(out, depth + 1, layout->members[i].layout, layout->members[i].name,
				"", get_description(layout, i));
	start_line(out, depth);
	g_string_append(out, "} ");
	ltt_ctf_add_name(out, name);
	g_string_append_c(out, ';');
	ltt_ctf_add_comment(out, description);
	g_string_append_c(out, '\n');
}

/* Appends a member of a struct, after the length or tag that it refers to. */
static void add_field(GString *out, guint depth, const LttLayout *layout, const char *name,
		      GHashTable *names, const char *description)
{
	if (layout->kind == LTT_SEQUENCE)
		add_sequence(out, depth, layout, name, names, description);
	else if (layout->kind == LTT_UNION)
		add_union(out, depth, layout, name, names, description);
	else
		add_declaration(out, depth, layout, name, "", description);
}

/* ---- structs ---- */

static void add_members(GString *out, guint depth, const LttLayout *layout)
{
	g_autoptr(GHashTable) names = ltt_ctf_names_new();

	for (guint i = 0; i < layout->n_members; i++)
		g_hash_table_add(names, g_strdup(layout->members[i].name));
	for (guint i = 0; i < layout->n_members; i++)
		add_field(out, depth, layout->members[i].layout, layout->members[i].name, names,
			  get_description(layout, i));
}

/* Appends a struct that contains a value of another type. */
static void add_value_member(GString *out, guint depth, const LttLayout *layout)
{
	g_autoptr(GHashTable) names = ltt_ctf_names_new();

	g_hash_table_add(names, g_strdup(VALUE));
	add_field(out, depth, layout, VALUE, names, NULL);
}

void ltt_ctf_add_fields(GString *out, const LttLayout *layout, guint depth)
{
	g_string_append(out, "struct {\n");
	if (layout != NULL && layout->kind == LTT_STRUCT)
		add_members(out, depth + 1, layout);
	else if (layout != NULL)
		add_value_member(out, depth + 1, layout);
	start_line(out, depth);
	g_string_append_c(out, '}');
}

/* Appends a type. The lengths of an array follow the name, so add_declaration() appends them. */
static void add_type(GString *out, guint depth, const LttLayout *layout)
{
	switch (layout->kind) {
	case LTT_INT:
	case LTT_UINT:
		add_integer(out, layout);
		break;
	case LTT_FLOAT:
		g_string_append_printf(out, "float%u_t", 8U * layout->width_bytes);
		break;
	case LTT_STRING:
		g_string_append(out, "string");
		break;
	case LTT_ENUM:
		add_enum(out, layout);
		break;
	default:
		ltt_ctf_add_fields(out, layout, depth);
		break;
	}
}
