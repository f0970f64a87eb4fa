/* ctype.c - build the C type of a type description.
 *
 * The path that names a type is one string, which grows and shrinks with the walk and is copied
 * only where a name is claimed. Claiming stops at the size limit of a header, so long names in deep
 * nests cannot exhaust the memory.
 */
#include "codegen/ctype-build-priv.h"

#include <ltt/ltt-codegen.h>

void ltt_ctype_free(gpointer data)
{
	LttCType *type = data;

	g_clear_pointer(&type->members, g_array_unref);
	g_clear_pointer(&type->enumerators, g_ptr_array_unref);
	ltt_names_free(type->member_names);
	g_free(type);
}

LttCType *ltt_ctype_new(LttCTypeBuild *build, LttTypeKind kind, const LttType *type)
{
	LttCType *made = g_new0(LttCType, 1);

	made->use = build->types->use;
	made->kind = kind;
	made->type = type;
	g_ptr_array_add(build->types->all, made);
	return made;
}

/* ---- names ---- */

gboolean ltt_ctype_build_is_full(const LttCTypeBuild *build)
{
	return ltt_names_size(build->types->names) > LTT_MAX_HEADER_BYTES;
}

const char *ltt_ctype_claim(LttCTypeBuild *build, const char *base, const char *suffix)
{
	g_autofree char *wanted = NULL;

	if (ltt_ctype_build_is_full(build))
		return "";
	wanted = g_strconcat(base, suffix, NULL);
	return ltt_names_claim(build->types->names, wanted);
}

static void name_lengths(LttCType *type, LttTypeKind kind)
{
	for (guint i = 0; i < type->members->len; i++) {
		LttCMember *member = &g_array_index(type->members, LttCMember, i);

		if (member->type->kind == kind) {
			g_autofree char *wanted = g_strconcat(member->name, "_length", NULL);

			member->length_name = ltt_names_claim(type->member_names, wanted);
		}
	}
}

/* Names that need no change are claimed first: a field "class_" keeps its name even if a field
 * "class", which must be renamed, precedes it. The length parameters of sequences follow, then
 * those of strings, which only some functions have. */
static void name_members(LttCType *type)
{
	LttNames *names = type->member_names = ltt_names_new(
		type->use == LTT_FOR_PROBE ? LTT_NAMES_INSIDE : LTT_NAMES_INSIDE_OFFLINE);

	for (guint pass = 0; pass < 2; pass++) {
		for (guint i = 0; i < type->members->len; i++) {
			LttCMember *member = &g_array_index(type->members, LttCMember, i);
			const char *wanted = ltt_type_get_field(type->type, i)->name;

			if (member->name == NULL &&
			    (pass == 1 || ltt_names_has_room_for(names, wanted)))
				member->name = ltt_names_claim(names, wanted);
		}
	}
	name_lengths(type, LTT_SEQUENCE);
	name_lengths(type, LTT_STRING);
}

/* ---- kinds of type ---- */

static guint widest_bytes(LttWidth width)
{
	const LttArch widest = {LTT_LITTLE_ENDIAN, LTT_ILP64};

	return ltt_arch_integer_bytes(&widest, width);
}

void ltt_ctype_build_members(LttCTypeBuild *build, LttCType *made)
{
	const gsize path_length = build->path->len;

	made->members = g_array_new(FALSE, TRUE, sizeof(LttCMember));
	for (guint i = 0; i < ltt_type_get_n_fields(made->type); i++) {
		const LttField *field = ltt_type_get_field(made->type, i);
		LttCMember member = {.description = field->description};

		g_string_append_c(build->path, '_');
		g_string_append(build->path, field->name);
		member.type = ltt_ctype_build(build, field->type);
		g_string_truncate(build->path, path_length);
		g_array_append_val(made->members, member);
	}
	name_members(made);
}

/* A struct's size is that of its members. A union's varies with its code. */
static void measure_struct(LttCType *made)
{
	guint64 n_empty_values = 1;

	for (guint i = 0; i < made->members->len; i++) {
		const LttCType *part = ltt_ctype_member(made, i)->type;

		if (part->wire_bytes == LTT_WIRE_VARIES) {
			made->wire_bytes = LTT_WIRE_VARIES;
			return;
		}
		made->wire_bytes += part->wire_bytes;
		n_empty_values += part->n_empty_values;
	}
	if (made->wire_bytes == 0)
		made->n_empty_values = n_empty_values;
}

static void build_enum(LttCTypeBuild *build, LttCType *made)
{
	const guint n_labels = ltt_type_get_n_labels(made->type);

	made->tag = ltt_ctype_claim(build, build->path->str, "");
	made->wire_bytes = widest_bytes(ltt_type_get_width(made->type));
	made->enumerators = g_ptr_array_new();
	for (guint i = 0; i < n_labels; i++) {
		g_autofree char *word =
			ltt_name_from_label(ltt_type_get_label(made->type, i)->name);
		g_autofree char *suffix = g_strconcat("_", word, NULL);

		g_ptr_array_add(made->enumerators,
				(gpointer)ltt_ctype_claim(build, made->tag, suffix));
	}
}

static void build_element(LttCTypeBuild *build, LttCType *made)
{
	LttCType *element = ltt_ctype_build(build, ltt_type_get_element(made->type));

	made->element = element;
	if (element->kind == LTT_SEQUENCE && element->tag == NULL)
		element->tag = ltt_ctype_claim(build, build->path->str, "_sequence");
}

static void measure_array(LttCType *made)
{
	const LttCType *element = made->element;
	const guint64 n_elements = ltt_type_get_n_elements(made->type);

	if (n_elements == 0)
		made->wire_bytes = 0;
	else if (element->wire_bytes == LTT_WIRE_VARIES)
		made->wire_bytes = LTT_WIRE_VARIES;
	else
		made->wire_bytes = n_elements * element->wire_bytes;
	if (made->wire_bytes == 0)
		made->n_empty_values = 1 + n_elements * element->n_empty_values;
	made->is_plain = element->is_plain && n_elements > 0;
}

/* ---- the walk ---- */

LttCType *ltt_ctype_build_named(LttCTypeBuild *build, const char *name)
{
	const LttNamedType *named = g_hash_table_lookup(build->definitions, name);
	LttCType *made = g_hash_table_lookup(build->types->named, name);
	GString *path = build->path;

	if (made != NULL)
		return made;
	build->path = g_string_new(ltt_facility_get_name(build->types->facility));
	g_string_append_printf(build->path, "_%s", name);
	made = ltt_ctype_build(build, named->type);
	if (made->kind == LTT_SEQUENCE && made->tag == NULL)
		made->tag = ltt_ctype_claim(build, build->path->str, "_sequence");
	g_string_free(build->path, TRUE);
	build->path = path;
	if (made->description == NULL)
		made->description = named->description;
	g_hash_table_insert(build->types->named, (gpointer)name, made);
	return made;
}

LttCType *ltt_ctype_build(LttCTypeBuild *build, const LttType *type)
{
	const LttTypeKind kind = ltt_type_get_kind(type);
	LttCType *made;

	if (kind == LTT_TYPEREF)
		return ltt_ctype_build_named(build, ltt_type_get_ref_name(type));
	made = ltt_ctype_new(build, kind, type);
	switch (kind) {
	case LTT_INT:
	case LTT_UINT:
		made->wire_bytes = widest_bytes(ltt_type_get_width(type));
		made->is_plain = TRUE;
		break;
	case LTT_FLOAT:
		made->wire_bytes = ltt_arch_float_bytes(ltt_type_get_width(type));
		made->is_plain = TRUE;
		break;
	case LTT_STRING:
		made->wire_bytes = LTT_WIRE_VARIES;
		break;
	case LTT_ENUM:
		build_enum(build, made);
		break;
	case LTT_ARRAY:
		build_element(build, made);
		measure_array(made);
		break;
	case LTT_SEQUENCE:
		build_element(build, made);
		made->wire_bytes = LTT_WIRE_VARIES;
		break;
	case LTT_STRUCT:
		made->tag = ltt_ctype_claim(build, build->path->str, "");
		ltt_ctype_build_members(build, made);
		measure_struct(made);
		break;
	default:
		made->tag = ltt_ctype_claim(build, build->path->str, "");
		ltt_ctype_build_members(build, made);
		made->wire_bytes = LTT_WIRE_VARIES;
		break;
	}
	return made;
}
