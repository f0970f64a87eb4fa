/* span-types.c - see span-types-priv.h. */
#include "analysis/span-types-priv.h"

#include "reader/trace-priv.h"

#include <ltt/ltt-hash.h>
#include <ltt/ltt-value.h>

#include <string.h>

static void free_kind(gpointer data)
{
	LttSpanKind *kind = data;

	g_free(kind->name);
	g_free(kind);
}

static void clear_side(LttSpanSide *side)
{
	if (side->is_async)
		ltt_key_getter_clear(&side->key);
}

static void free_type(gpointer data)
{
	LttSpanType *type = data;

	clear_side(&type->begin);
	clear_side(&type->end);
	g_free(type);
}

void ltt_span_types_init(LttSpanTypes *types)
{
	types->kinds = g_hash_table_new_full(ltt_hash_text, g_str_equal, NULL, free_kind);
	types->names = ltt_function_names_new(LTT_SYMBOL_FUNCTION);
	types->by_type = g_hash_table_new_full(NULL, NULL, NULL, free_type);
}

void ltt_span_types_clear(LttSpanTypes *types)
{
	g_clear_pointer(&types->by_type, g_hash_table_unref);
	g_clear_pointer(&types->kinds, g_hash_table_unref);
	g_clear_pointer(&types->names, ltt_function_names_free);
}

/* @name: (transfer full): of the spans. The full name of @begin lives as long as the trace. */
static const LttSpanKind *find_kind(LttSpanTypes *types, const LttEventType *begin, char *name)
{
	LttSpanKind *kind = g_hash_table_lookup(types->kinds, begin->full_name);

	if (kind != NULL) {
		g_free(name);
		return kind;
	}
	kind = g_new(LttSpanKind, 1);
	*kind = (LttSpanKind){.index = g_hash_table_size(types->kinds), .name = name};
	g_hash_table_insert(types->kinds, begin->full_name, kind);
	return kind;
}

/* Returns: (nullable): the first event type that declares that it ends @begin */
static const LttEventType *find_declared_end(const LttEventType *begin)
{
	for (guint i = 0; i < ltt_facility_get_n_events(begin->facility); i++) {
		const LttEventType *type = ltt_facility_get_event(begin->facility, i);

		if (type->ends != NULL && g_str_equal(type->ends, begin->name))
			return type;
	}
	return NULL;
}

/* @declared: FIELD or FIELD=FIELD, or NULL */
static void set_key(LttSpanSide *side, const char *declared, gboolean is_end,
		    const LttLayout *layout)
{
	const char *equals = declared != NULL ? strchr(declared, '=') : NULL;
	g_autofree char *field = NULL;
	LttKeyPath path;

	if (declared == NULL)
		return;
	if (equals != NULL && !is_end)
		field = g_strndup(declared, (gsize)(equals - declared));
	else
		field = g_strdup(equals != NULL ? equals + 1 : declared);
	side->is_async = ltt_key_path_parse(field, &path, NULL) &&
			 ltt_key_getter_init(&side->key, &path, layout);
	ltt_key_path_clear(&path);
}

/* Returns: (nullable): the name of the field with the address of a function; NULL: there is none */
static const char *find_function(const LttEventType *type)
{
	const LttType *payload = type->type != NULL ? ltt_type_resolve(type->type) : NULL;

	for (guint i = 0; payload != NULL && i < ltt_type_get_n_fields(payload); i++) {
		const LttField *field = ltt_type_get_field(payload, i);

		if (field->role == LTT_FIELD_FUNCTION)
			return field->name;
	}
	return NULL;
}

static LttSpanType *new_type(LttSpanTypes *types, const LttEventType *type, const LttLayout *layout)
{
	LttSpanType *made = g_new0(LttSpanType, 1);
	const LttEventType *ended;
	char *name;
	const LttSpanRole role = ltt_span_role_find(type, &ended, &name);

	if ((role & LTT_SPAN_BEGIN) != 0) {
		const LttEventType *end = find_declared_end(type);

		made->begin.kind = find_kind(types, type, g_steal_pointer(&name));
		set_key(&made->begin, end != NULL ? end->key : NULL, FALSE, layout);
		made->function = find_function(type);
	}
	g_clear_pointer(&name, g_free);
	if ((role & LTT_SPAN_END) != 0) {
		ltt_span_role_find(ended, NULL, &name);
		made->end.kind = find_kind(types, ended, name);
		set_key(&made->end, type->key, TRUE, layout);
	}
	return made;
}

const LttSpanType *ltt_span_types_find(LttSpanTypes *types, const LttEvent *event)
{
	LttSpanType *type = g_hash_table_lookup(types->by_type, event->type);

	if (type == NULL) {
		type = new_type(types, event->type, event->layout);
		g_hash_table_insert(types->by_type, (gpointer)event->type, type);
	}
	return type;
}

const char *ltt_span_types_find_name(LttSpanTypes *types, const LttEvent *begin)
{
	const LttSpanType *type = ltt_span_types_find(types, begin);
	const char *name = NULL;
	LttValue payload;
	LttValue value;

	if (type->function != NULL && ltt_event_get_value(begin, &payload) &&
	    ltt_value_find(&payload, type->function, &value))
		name = ltt_function_names_find(types->names, begin, ltt_value_get_uint(&value));
	return name != NULL ? name : type->begin.kind->name;
}

static gboolean add_name(GPtrArray *names, const LttEventType *type)
{
	char *name;

	if ((ltt_span_role_find(type, NULL, &name) & LTT_SPAN_BEGIN) == 0) {
		g_free(name);
		return TRUE;
	}
	g_ptr_array_add(names, name);
	return find_function(type) == NULL;
}

GPtrArray *ltt_span_names_new(const LttTrace *trace)
{
	g_autoptr(GPtrArray) facilities = ltt_trace_list_facilities(trace);
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < facilities->len; i++) {
		const LttFacility *facility = facilities->pdata[i];

		for (guint j = 0; j < ltt_facility_get_n_events(facility); j++) {
			if (!add_name(names, ltt_facility_get_event(facility, j)))
				return NULL;
		}
	}
	g_ptr_array_add(names, NULL);
	return g_steal_pointer(&names);
}
