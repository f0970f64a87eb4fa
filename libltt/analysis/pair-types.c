/* pair-types.c - see pair-types-priv.h. */
#include "analysis/pair-types-priv.h"

#include "base/error-priv.h"
#include "filter/filter-priv.h"
#include "filter/select-priv.h"
#include "reader/trace-priv.h"

#include <ltt/ltt-nearest.h>

#include <string.h>

static const LttPairType none;

/* ---- all versions of a type ---- */

/* Called for each event type with the requested name. Returns: whether to continue */
typedef gboolean (*Visit)(const LttEventType *type, const LttLayout *layout, gpointer user_data);

/* Visits the event types named @name, which the trace loads or only describes. Their sizes may
 * differ from those of the trace. Returns: whether there are any */
static gboolean visit_named(const LttTrace *trace, const char *name, Visit visit,
			    gpointer user_data)
{
	g_autoptr(GPtrArray) facilities = ltt_trace_list_facilities(trace);
	const LttArch arch = ltt_arch_native();
	gboolean found = FALSE;
	gboolean goes_on = TRUE;

	for (guint i = 0; goes_on && i < facilities->len; i++) {
		const LttFacility *facility = facilities->pdata[i];
		const gsize length = strlen(ltt_facility_get_name(facility));
		const LttEventType *type;
		LttLayouts *layouts;

		if (strncmp(name, ltt_facility_get_name(facility), length) != 0 ||
		    name[length] != '.')
			continue;
		type = ltt_facility_find_event(facility, name + length + 1);
		if (type == NULL)
			continue;
		found = TRUE;
		layouts = ltt_layouts_new(facility, &arch);
		goes_on = visit(type, ltt_layouts_get(layouts, type->index), user_data);
		ltt_layouts_free(layouts);
	}
	return found;
}

static gboolean ignore(const LttEventType *type, const LttLayout *layout, gpointer user_data)
{
	(void)type;
	(void)layout;
	(void)user_data;
	return FALSE;
}

/* ---- keys ---- */

typedef struct Search {
	const LttKeyPath *path;
	gboolean found;
	LttKeyKind kind;
} Search;

static gboolean look_for_field(const LttEventType *type, const LttLayout *layout,
			       gpointer user_data)
{
	Search *search = user_data;
	LttKeyGetter getter;

	(void)type;
	if (!ltt_key_getter_init(&getter, search->path, layout))
		return TRUE;
	search->found = TRUE;
	search->kind = ltt_key_getter_get_kind(&getter);
	ltt_key_getter_clear(&getter);
	return FALSE;
}

/* @kind: (out) (optional): of its values. Returns: whether events of that name can have the value */
static gboolean has_value(const LttTrace *trace, const char *name, const LttKeyPath *path,
			  LttKeyKind *kind)
{
	Search search = {.path = path};

	visit_named(trace, name, look_for_field, &search);
	if (kind != NULL && search.found)
		*kind = search.kind;
	return search.found;
}

/* ---- mistakes ---- */

static gboolean add_fields(const LttEventType *type, const LttLayout *layout, gpointer names)
{
	for (guint i = 0; layout != NULL && i < layout->n_members; i++)
		g_ptr_array_add(names, (gpointer)layout->members[i].name);
	(void)type;
	return TRUE;
}

/* Adds a suggestion to a message. @names: (element-type utf8). Returns: FALSE */
static gboolean suggest(GPtrArray *names, const char *word, GError **error)
{
	const char *near;

	g_ptr_array_add(names, NULL);
	near = ltt_nearest(word, (const char *const *)names->pdata);
	if (near != NULL && error != NULL) {
		char *message = g_strdup_printf("%s; did you mean %s?", (*error)->message, near);

		g_free((*error)->message);
		(*error)->message = message;
	}
	return FALSE;
}

static gboolean fail_event(const LttTrace *trace, const char *name, GError **error)
{
	g_autoptr(GPtrArray) facilities = ltt_trace_list_facilities(trace);
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	for (guint i = 0; i < facilities->len; i++) {
		const LttFacility *facility = facilities->pdata[i];

		for (guint j = 0; j < ltt_facility_get_n_events(facility); j++)
			g_ptr_array_add(names, ltt_facility_get_event(facility, j)->full_name);
	}
	ltt_fail(error, LTT_ERROR_INVALID, "%s: the trace has no such event type", name);
	return suggest(names, name, error);
}

/* @other: (nullable): another event type that may have the field */
static gboolean fail_field(const LttTrace *trace, const char *event, const char *other,
			   const char *field, GError **error)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	visit_named(trace, event, add_fields, names);
	if (other != NULL)
		visit_named(trace, other, add_fields, names);
	ltt_fail(error, LTT_ERROR_INVALID,
		 "%s%s%s: no such field that is a number, an enum or a string: %s", event,
		 other != NULL ? " and " : "", other != NULL ? other : "", field);
	return suggest(names, field, error);
}

/* ---- checks ---- */

static gboolean needs_thread(const LttKeyPath *path)
{
	return path->is_of_process || path->source == LTT_KEY_OF_THREAD ||
	       (path->source == LTT_KEY_OF_NUMBER && path->operand.kind != LTT_OPERAND_CPU);
}

static gboolean check_thread(const LttKeyPath *path, const LttTrace *trace, GError **error)
{
	if (!needs_thread(path) || ltt_trace_has_threads(trace))
		return TRUE;
	return ltt_fail(error, LTT_ERROR_INVALID, "%s: the trace does not record threads",
			path->text);
}

static gboolean check_keys(const LttPairTypes *types, const LttTrace *trace, GError **error)
{
	LttKeyKind kinds[LTT_N_PAIR_ROLES];

	for (guint role = 0; role < LTT_N_PAIR_ROLES; role++) {
		if (!check_thread(&types->keys[role], trace, error))
			return FALSE;
		if (!has_value(trace, types->names[role], &types->keys[role], &kinds[role]))
			return fail_field(trace, types->names[role], NULL, types->keys[role].text,
					  error);
	}
	if (kinds[LTT_PAIR_BEGIN] != kinds[LTT_PAIR_END])
		return ltt_fail(error, LTT_ERROR_INVALID,
				"%s of %s and %s of %s are never equal: their types differ",
				types->keys[LTT_PAIR_BEGIN].text, types->names[LTT_PAIR_BEGIN],
				types->keys[LTT_PAIR_END].text, types->names[LTT_PAIR_END]);
	return TRUE;
}

typedef struct Declared {
	const char *begin;
	char *key; /* owned; NULL: none */
} Declared;

/* An end declares its begin and the key (doc/format.md, 8.9). */
static gboolean look_for_declaration(const LttEventType *type, const LttLayout *layout,
				     gpointer user_data)
{
	Declared *declared = user_data;
	const LttEventType *begin =
		type->ends != NULL ? ltt_facility_find_event(type->facility, type->ends) : NULL;

	(void)layout;
	if (begin == NULL || type->key == NULL || !g_str_equal(begin->full_name, declared->begin))
		return TRUE;
	declared->key = g_strdup(type->key);
	return FALSE;
}

/* Parses "FIELD" or "FIELD=FIELD". */
static gboolean parse_keys(LttPairTypes *types, const char *by, GError **error)
{
	const char *equals = by != NULL ? strchr(by, '=') : NULL;
	g_autofree char *first =
		equals != NULL ? g_strndup(by, (gsize)(equals - by)) : g_strdup(by);

	return ltt_key_path_parse(first, &types->keys[LTT_PAIR_BEGIN], error) &&
	       ltt_key_path_parse(equals != NULL ? equals + 1 : by, &types->keys[LTT_PAIR_END],
				  error);
}

static gboolean find_keys(LttPairTypes *types, const LttPairRequest *request, GError **error)
{
	Declared declared = {.begin = request->begin};
	g_autofree char *key = NULL;

	if (request->by == NULL)
		visit_named(request->trace, request->end, look_for_declaration, &declared);
	key = declared.key;
	return parse_keys(types, request->by != NULL ? request->by : key, error) &&
	       check_keys(types, request->trace, error);
}

/* ---- group and filter ---- */

static gboolean find_group(LttPairTypes *types, const LttPairRequest *request, GError **error)
{
	if (request->group == NULL)
		return TRUE;
	if (!ltt_key_path_parse(request->group, &types->group, error) ||
	    !check_thread(&types->group, request->trace, error))
		return FALSE;
	for (guint role = 0; role < LTT_N_PAIR_ROLES; role++) {
		if (!has_value(request->trace, types->names[role], &types->group, NULL))
			continue;
		types->has_group = TRUE;
		types->group_role = role;
		return TRUE;
	}
	return fail_field(request->trace, request->begin, request->end, request->group, error);
}

static gboolean filter_asks(const LttOperand *operand, const LttTrace *trace, const char *name)
{
	const LttKeyPath path = {.source = LTT_KEY_OF_FIELD, .operand = *operand};

	return operand->kind == LTT_OPERAND_PATH && has_value(trace, name, &path, NULL);
}

/* Selects the events for which the filter is evaluated: those with a field of the filter, or both
 * events if neither has one. */
static void find_filtered(LttPairTypes *types, const LttPairRequest *request)
{
	const LttFilter *filter =
		request->select != NULL ? ltt_select_get_filter(request->select) : NULL;
	g_autoptr(GArray) tests =
		filter != NULL ? ltt_filter_parse(ltt_filter_get_expression(filter), NULL) : NULL;

	if (tests == NULL)
		return;
	for (guint role = 0; role < LTT_N_PAIR_ROLES; role++) {
		for (guint i = 0; i < tests->len; i++) {
			const LttTest *test = &g_array_index(tests, LttTest, i);

			if (filter_asks(&test->left, request->trace, types->names[role]) ||
			    filter_asks(&test->right, request->trace, types->names[role]))
				types->is_filtered[role] = TRUE;
		}
	}
	if (!types->is_filtered[LTT_PAIR_BEGIN] && !types->is_filtered[LTT_PAIR_END])
		types->is_filtered[LTT_PAIR_BEGIN] = types->is_filtered[LTT_PAIR_END] = TRUE;
}

/* ---- types ---- */

static void free_type(gpointer data)
{
	LttPairType *type = data;

	if (type == NULL)
		return;
	for (guint role = 0; role < LTT_N_PAIR_ROLES; role++) {
		if (type->sides[role].has_key)
			ltt_key_getter_clear(&type->sides[role].key);
	}
	if (type->has_group)
		ltt_key_getter_clear(&type->group);
	g_free(type);
}

gboolean ltt_pair_types_init(LttPairTypes *types, const LttPairRequest *request, GError **error)
{
	*types = (LttPairTypes){.names = {g_strdup(request->begin), g_strdup(request->end)},
				.last = {&none, &none}};
	types->by_type = g_hash_table_new_full(NULL, NULL, NULL, free_type);
	for (guint role = 0; role < LTT_N_PAIR_ROLES; role++) {
		if (!visit_named(request->trace, types->names[role], ignore, NULL))
			return fail_event(request->trace, types->names[role], error);
	}
	if (!find_keys(types, request, error) || !find_group(types, request, error))
		return FALSE;
	find_filtered(types, request);
	return TRUE;
}

void ltt_pair_types_clear(LttPairTypes *types)
{
	for (guint role = 0; role < LTT_N_PAIR_ROLES; role++) {
		g_free(types->names[role]);
		ltt_key_path_clear(&types->keys[role]);
	}
	ltt_key_path_clear(&types->group);
	g_clear_pointer(&types->by_type, g_hash_table_unref);
}

/* Returns: whether a field of the payload has addresses in code. @path: of a group */
static gboolean is_code(const LttEventType *type, const char *path)
{
	const LttType *payload = type->type != NULL ? ltt_type_resolve(type->type) : NULL;
	const char *name = g_str_has_prefix(path, "data.") ? path + strlen("data.") : path;

	for (guint i = 0; payload != NULL && i < ltt_type_get_n_fields(payload); i++) {
		const LttField *field = ltt_type_get_field(payload, i);

		if (g_str_equal(field->name, name))
			return field->role == LTT_FIELD_FUNCTION || field->role == LTT_FIELD_CODE;
	}
	return FALSE;
}

static LttPairType *new_type(const LttPairTypes *types, const LttEvent *event)
{
	LttPairType *type = g_new0(LttPairType, 1);
	gboolean has_role = FALSE;

	type->type = event->type;
	type->layout = event->layout;
	for (guint role = 0; role < LTT_N_PAIR_ROLES; role++) {
		LttPairSide *side = &type->sides[role];

		side->is_it = g_str_equal(event->type->full_name, types->names[role]);
		has_role = has_role || side->is_it;
		side->has_key = side->is_it &&
				ltt_key_getter_init(&side->key, &types->keys[role], event->layout);
		if (side->is_it && types->has_group && types->group_role == role)
			type->has_group =
				ltt_key_getter_init(&type->group, &types->group, event->layout);
		type->group_is_code = type->has_group && is_code(event->type, types->group.text);
	}
	if (!has_role)
		g_clear_pointer(&type, g_free);
	return type;
}

const LttPairType *ltt_pair_types_resolve(LttPairTypes *types, const LttEvent *event)
{
	gpointer found;

	if (!g_hash_table_lookup_extended(types->by_type, event->type, NULL, &found)) {
		found = new_type(types, event);
		g_hash_table_insert(types->by_type, (gpointer)event->type, found);
	}
	if (found == NULL) {
		types->last_other = event->type;
		return NULL;
	}
	types->last[1] = types->last[0];
	types->last[0] = found;
	return found;
}
