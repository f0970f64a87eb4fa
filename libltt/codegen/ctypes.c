/* ctypes.c - the C types of a facility, and the names of the functions of its events. */
#include "base/error-priv.h"
#include "codegen/ctype-build-priv.h"

#include <ltt/ltt-codegen.h>
#include <ltt/ltt-hash.h>

/* ---- events ---- */

/* Sets the parameters of an event's probe function: the members of the payload, or the payload
 * itself as "value". */
static GArray *build_parameters(LttCTypeBuild *build, const LttEventType *event)
{
	LttCMember value = {.name = "value"};
	LttCType *payload;
	GArray *one;

	if (event->type == NULL)
		return g_array_new(FALSE, TRUE, sizeof(LttCMember));
	g_string_printf(build->path, "%s_%s", ltt_facility_get_name(event->facility), event->name);
	if (ltt_type_get_kind(event->type) == LTT_STRUCT) {
		/* The struct itself is not declared and needs no name. */
		payload = ltt_ctype_new(build, LTT_STRUCT, event->type);
		ltt_ctype_build_members(build, payload);
	} else {
		g_string_append(build->path, "_value");
		payload = ltt_ctype_build(build, event->type);
	}
	if (payload->kind == LTT_STRUCT)
		return g_array_ref(payload->members);
	value.type = payload;
	if (payload->kind == LTT_SEQUENCE || payload->kind == LTT_STRING)
		value.length_name = "value_length";
	one = g_array_new(FALSE, TRUE, sizeof(LttCMember));
	return g_array_append_val(one, value);
}

/* Claims a name made of the facility and the event, such as "trace_F_E_n". */
static const char *claim_for_event(LttCTypeBuild *build, const LttEventType *event,
				   const char *prefix, const char *suffix)
{
	g_autofree char *base = g_strdup_printf(
		"%s%s_%s", prefix, ltt_facility_get_name(event->facility), event->name);

	return ltt_ctype_claim(build, base, suffix);
}

static LttCFunction *get_function(const LttCTypeBuild *build, guint index)
{
	return &g_array_index(build->types->functions, LttCFunction, index);
}

/* The names that a program uses most are claimed first: they stay as documented even if others
 * collide with them. */
static void claim_probe_functions(LttCTypeBuild *build)
{
	for (guint i = 0; i < build->types->functions->len; i++) {
		LttCFunction *function = get_function(build, i);

		function->name = claim_for_event(build, function->event, "trace_", "");
		function->gather_name = claim_for_event(build, function->event, "ltt_gather_", "");
	}
	for (guint i = 0; i < build->types->functions->len; i++) {
		LttCFunction *function = get_function(build, i);

		function->n_name = claim_for_event(build, function->event, "trace_", "_n");
		function->enabled_name =
			claim_for_event(build, function->event, "trace_", "_enabled");
	}
}

static void claim_offline_functions(LttCTypeBuild *build)
{
	for (guint i = 0; i < build->types->functions->len; i++) {
		LttCFunction *function = get_function(build, i);

		function->name = claim_for_event(build, function->event, "write_", "");
		function->read_name = claim_for_event(build, function->event, "read_", "");
		function->struct_tag = claim_for_event(build, function->event, "", "");
	}
	for (guint i = 0; i < build->types->functions->len; i++) {
		LttCFunction *function = get_function(build, i);

		function->index_name = claim_for_event(build, function->event, "", "_index");
	}
}

/* ---- the whole facility ---- */

/* Claims names for the codes of unions, after all other names. */
static void claim_codes(LttCTypeBuild *build)
{
	for (guint i = 0; i < build->types->all->len; i++) {
		LttCType *type = build->types->all->pdata[i];

		if (type->kind != LTT_UNION)
			continue;
		type->code_tag = ltt_ctype_claim(build, type->tag, "_code");
		type->enumerators = g_ptr_array_new();
		for (guint j = 0; j < type->members->len; j++) {
			const LttField *field = ltt_type_get_field(type->type, j);
			g_autofree char *suffix = g_strconcat("_", field->name, NULL);

			g_ptr_array_add(type->enumerators,
					(gpointer)ltt_ctype_claim(build, type->code_tag, suffix));
		}
	}
}

static void add_functions(LttCTypeBuild *build)
{
	const LttFacility *facility = build->types->facility;

	for (guint i = 0; i < ltt_facility_get_n_events(facility); i++) {
		const LttCFunction function = {.event = ltt_facility_get_event(facility, i)};

		g_array_append_val(build->types->functions, function);
	}
	if (build->types->use == LTT_FOR_PROBE)
		claim_probe_functions(build);
	else
		claim_offline_functions(build);
}

static void build_all(LttCTypeBuild *build)
{
	const LttFacility *facility = build->types->facility;
	const guint n_types = ltt_facility_get_n_types(facility);

	add_functions(build);
	for (guint i = 0; i < n_types; i++) {
		const LttNamedType *named = ltt_facility_get_type(facility, i);

		g_hash_table_insert(build->definitions, named->name, (gpointer)named);
	}
	for (guint i = 0; i < n_types; i++)
		ltt_ctype_build_named(build, ltt_facility_get_type(facility, i)->name);
	for (guint i = 0; i < build->types->functions->len; i++) {
		LttCFunction *function = get_function(build, i);

		function->parameters = build_parameters(build, function->event);
	}
	claim_codes(build);
}

static void clear_function(gpointer data)
{
	g_clear_pointer(&((LttCFunction *)data)->parameters, g_array_unref);
}

LttCTypes *ltt_ctypes_new(const LttFacility *facility, LttCodeUse use, GError **error)
{
	g_autoptr(LttCTypes) types = g_new0(LttCTypes, 1);
	g_autoptr(GHashTable) definitions = g_hash_table_new(ltt_hash_text, g_str_equal);
	g_autoptr(GString) path = g_string_new(NULL);
	LttCTypeBuild build = {.types = types, .definitions = definitions, .path = path};

	types->facility = facility;
	types->use = use;
	types->names = ltt_names_new(LTT_NAMES_OUTSIDE);
	types->all = g_ptr_array_new_with_free_func(ltt_ctype_free);
	types->named = g_hash_table_new(ltt_hash_text, g_str_equal);
	types->functions = g_array_new(FALSE, TRUE, sizeof(LttCFunction));
	g_array_set_clear_func(types->functions, clear_function);
	build_all(&build);
	if (ltt_ctype_build_is_full(&build)) {
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
