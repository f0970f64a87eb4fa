/* ctype.c - the tree of C types: see ctype-priv.h.
 *
 * The path to a type is kept in one string that grows and shrinks with the walk, and copied only
 * where a name is claimed; names are added up and the walk ends when they pass the limit. So
 * long names in deep nests cost no more than a header may.
 */
#include "base/error-priv.h"
#include "codegen/ctype-priv.h"

#include <ltt/ltt-codegen.h>

typedef struct Build {
	LttCTypes *types;
	GHashTable *definitions; /* name of a type -> LttNamedType */
	GString *path;
} Build;

static void free_ctype(gpointer data)
{
	LttCType *type = data;

	g_clear_pointer(&type->members, g_array_unref);
	g_clear_pointer(&type->enumerators, g_ptr_array_unref);
	ltt_names_free(type->member_names);
	g_free(type);
}

static LttCType *new_ctype(Build *build, LttTypeKind kind, const LttType *type)
{
	LttCType *made = g_new0(LttCType, 1);

	made->kind = kind;
	made->type = type;
	g_ptr_array_add(build->types->all, made);
	return made;
}

/* ---- names ---- */

static gboolean is_full(const Build *build)
{
	return ltt_names_size(build->types->names) > LTT_MAX_HEADER_BYTES;
}

/* The path, or @base in its place, with @suffix. */
static const char *claim(Build *build, const char *base, const char *suffix)
{
	g_autofree char *wanted = NULL;

	if (is_full(build))
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

/* Names that can stay as they are come first: "class_" of a description keeps its name, whatever
 * becomes of a "class" beside it. Parameters that count sequences go round all others, and those
 * that count strings, which only some functions have, round these. */
static void name_members(LttCType *type)
{
	LttNames *names = type->member_names = ltt_names_new(LTT_NAMES_INSIDE);

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

static LttCType *build_type(Build *build, const LttType *type);

static guint widest_bytes(LttWidth width)
{
	const LttArch widest = {LTT_LITTLE_ENDIAN, LTT_ILP64};

	return ltt_arch_integer_bytes(&widest, width);
}

static void build_members(Build *build, LttCType *made)
{
	const gsize path_length = build->path->len;

	made->members = g_array_new(FALSE, TRUE, sizeof(LttCMember));
	for (guint i = 0; i < ltt_type_get_n_fields(made->type); i++) {
		const LttField *field = ltt_type_get_field(made->type, i);
		LttCMember member = {.description = field->description};

		g_string_append_c(build->path, '_');
		g_string_append(build->path, field->name);
		member.type = build_type(build, field->type);
		g_string_truncate(build->path, path_length);
		g_array_append_val(made->members, member);
	}
	name_members(made);
}

/* A struct's size is that of its members. A union's varies: its code has to be looked at. */
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

static void build_enum(Build *build, LttCType *made)
{
	const guint n_labels = ltt_type_get_n_labels(made->type);

	made->tag = claim(build, build->path->str, "");
	made->wire_bytes = widest_bytes(ltt_type_get_width(made->type));
	made->enumerators = g_ptr_array_new();
	for (guint i = 0; i < n_labels; i++) {
		g_autofree char *word =
			ltt_name_from_label(ltt_type_get_label(made->type, i)->name);
		g_autofree char *suffix = g_strconcat("_", word, NULL);

		g_ptr_array_add(made->enumerators, (gpointer)claim(build, made->tag, suffix));
	}
}

static void build_element(Build *build, LttCType *made)
{
	LttCType *element = build_type(build, ltt_type_get_element(made->type));

	made->element = element;
	if (element->kind == LTT_SEQUENCE && element->tag == NULL)
		element->tag = claim(build, build->path->str, "_sequence");
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

static LttCType *build_named(Build *build, const char *name)
{
	const LttNamedType *named = g_hash_table_lookup(build->definitions, name);
	LttCType *made = g_hash_table_lookup(build->types->named, name);
	GString *path = build->path;

	if (made != NULL)
		return made;
	build->path = g_string_new(ltt_facility_get_name(build->types->facility));
	g_string_append_printf(build->path, "_%s", name);
	made = build_type(build, named->type);
	if (made->kind == LTT_SEQUENCE && made->tag == NULL)
		made->tag = claim(build, build->path->str, "_sequence");
	g_string_free(build->path, TRUE);
	build->path = path;
	if (made->description == NULL)
		made->description = named->description;
	g_hash_table_insert(build->types->named, (gpointer)name, made);
	return made;
}

static LttCType *build_type(Build *build, const LttType *type)
{
	const LttTypeKind kind = ltt_type_get_kind(type);
	LttCType *made;

	if (kind == LTT_TYPEREF)
		return build_named(build, ltt_type_get_ref_name(type));
	made = new_ctype(build, kind, type);
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
		made->tag = claim(build, build->path->str, "");
		build_members(build, made);
		measure_struct(made);
		break;
	default:
		made->tag = claim(build, build->path->str, "");
		build_members(build, made);
		made->wire_bytes = LTT_WIRE_VARIES;
		break;
	}
	return made;
}

/* Returns: (transfer full): the parameters of the event's function */
static GArray *build_parameters(Build *build, const LttEventType *event)
{
	LttCMember value = {.name = "value"};
	LttCType *payload;
	GArray *one;

	if (event->type == NULL)
		return g_array_new(FALSE, TRUE, sizeof(LttCMember));
	g_string_printf(build->path, "%s_%s", ltt_facility_get_name(event->facility), event->name);
	if (ltt_type_get_kind(event->type) == LTT_STRUCT) {
		/* Its members are the parameters: no name is spent on the struct. */
		payload = new_ctype(build, LTT_STRUCT, event->type);
		build_members(build, payload);
	} else {
		g_string_append(build->path, "_value");
		payload = build_type(build, event->type);
	}
	if (payload->kind == LTT_STRUCT)
		return g_array_ref(payload->members);
	value.type = payload;
	if (payload->kind == LTT_SEQUENCE || payload->kind == LTT_STRING)
		value.length_name = "value_length";
	one = g_array_new(FALSE, TRUE, sizeof(LttCMember));
	return g_array_append_val(one, value);
}

/* Functions have their names before any type: those are what a program calls. What comes with each
 * event goes round the functions named after the events themselves ("e" and "e_n"). */
static void claim_functions(Build *build)
{
	const LttFacility *facility = build->types->facility;

	for (guint i = 0; i < ltt_facility_get_n_events(facility); i++) {
		const LttEventType *event = ltt_facility_get_event(facility, i);
		g_autofree char *suffix =
			g_strdup_printf("_%s_%s", ltt_facility_get_name(facility), event->name);
		const LttCFunction function = {
			.event = event,
			.name = claim(build, "trace", suffix),
			.gather_name = claim(build, "ltt_gather", suffix),
		};

		g_array_append_val(build->types->functions, function);
	}
	for (guint i = 0; i < build->types->functions->len; i++) {
		LttCFunction *function = &g_array_index(build->types->functions, LttCFunction, i);
		g_autofree char *suffix = g_strdup_printf("_%s_%s", ltt_facility_get_name(facility),
							  function->event->name);
		g_autofree char *base = g_strconcat("trace", suffix, NULL);

		function->n_name = claim(build, base, "_n");
		function->enabled_name = claim(build, base, "_enabled");
	}
}

/* Names for the codes of unions, when all else has its name. */
static void claim_codes(Build *build)
{
	for (guint i = 0; i < build->types->all->len; i++) {
		LttCType *type = build->types->all->pdata[i];

		if (type->kind != LTT_UNION)
			continue;
		type->code_tag = claim(build, type->tag, "_code");
		type->enumerators = g_ptr_array_new();
		for (guint j = 0; j < type->members->len; j++) {
			const LttField *field = ltt_type_get_field(type->type, j);
			g_autofree char *suffix = g_strconcat("_", field->name, NULL);

			g_ptr_array_add(type->enumerators,
					(gpointer)claim(build, type->code_tag, suffix));
		}
	}
}

static void build_all(Build *build)
{
	const LttFacility *facility = build->types->facility;
	const guint n_types = ltt_facility_get_n_types(facility);

	claim_functions(build);
	for (guint i = 0; i < n_types; i++) {
		const LttNamedType *named = ltt_facility_get_type(facility, i);

		g_hash_table_insert(build->definitions, named->name, (gpointer)named);
	}
	for (guint i = 0; i < n_types; i++)
		build_named(build, ltt_facility_get_type(facility, i)->name);
	for (guint i = 0; i < build->types->functions->len; i++) {
		LttCFunction *function = &g_array_index(build->types->functions, LttCFunction, i);

		function->parameters = build_parameters(build, function->event);
	}
	claim_codes(build);
}

static void clear_function(gpointer data)
{
	g_clear_pointer(&((LttCFunction *)data)->parameters, g_array_unref);
}

LttCTypes *ltt_ctypes_new(const LttFacility *facility, GError **error)
{
	g_autoptr(LttCTypes) types = g_new0(LttCTypes, 1);
	g_autoptr(GHashTable) definitions = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GString) path = g_string_new(NULL);
	Build build = {.types = types, .definitions = definitions, .path = path};

	types->facility = facility;
	types->names = ltt_names_new(LTT_NAMES_OUTSIDE);
	types->all = g_ptr_array_new_with_free_func(free_ctype);
	types->named = g_hash_table_new(g_str_hash, g_str_equal);
	types->functions = g_array_new(FALSE, TRUE, sizeof(LttCFunction));
	g_array_set_clear_func(types->functions, clear_function);
	build_all(&build);
	if (is_full(&build)) {
		ltt_fail_long_header(facility, error);
		return NULL;
	}
	return g_steal_pointer(&types);
}

void ltt_ctypes_free(LttCTypes *types)
{
	if (types == NULL)
		return;
	g_array_unref(types->functions);
	g_hash_table_unref(types->named);
	g_ptr_array_unref(types->all);
	ltt_names_free(types->names);
	g_free(types);
}

gboolean ltt_fail_long_header(const LttFacility *facility, GError **error)
{
	return ltt_fail(error, LTT_ERROR_LIMIT,
			"facility \"%s\": its header would be longer than %d bytes",
			ltt_facility_get_name(facility), LTT_MAX_HEADER_BYTES);
}
