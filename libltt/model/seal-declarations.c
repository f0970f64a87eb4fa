/* seal-declarations.c - check the declarations of ends, keys, roles of fields, and states.
 *
 * These declarations do not affect the layout (doc/format.md, 8.9 and 8.10), so one that is wrong is removed
 * and the facility stays usable.
 */
#include "model/facility-priv.h"
#include "model/mistakes-priv.h"
#include "model/type-priv.h"

#include <string.h>

/* @length: of the name, which need not end there
 * Returns: (nullable): the type of a field of the payload of @event */
static const LttType *find_field(const LttEventType *event, const char *name, gsize length)
{
	const LttType *payload = event->type != NULL ? ltt_type_resolve(event->type) : NULL;

	if (payload == NULL || payload->kind != LTT_STRUCT)
		return NULL;
	for (guint i = 0; i < ltt_type_get_n_fields(payload); i++) {
		const LttField *field = ltt_type_get_field(payload, i);

		if (strlen(field->name) == length && memcmp(field->name, name, length) == 0)
			return ltt_type_resolve(field->type);
	}
	return NULL;
}

static gboolean is_number(const LttType *type)
{
	return type->kind == LTT_INT || type->kind == LTT_UINT || type->kind == LTT_FLOAT;
}

/* Returns: the length of a key's field without the suffix that limits it to one process */
static gsize strip_process(const char *key, gsize length)
{
	const gsize suffix = strlen(LTT_KEY_OF_PROCESS);

	if (length > suffix && memcmp(key + length - suffix, LTT_KEY_OF_PROCESS, suffix) == 0)
		return length - suffix;
	return length;
}

static gboolean check_key_side(const LttEventType *event, const LttEventType *side,
			       const char *name, gsize length, GPtrArray *mistakes)
{
	const LttType *type = find_field(side, name, strip_process(name, length));

	if (type != NULL && (is_number(type) || type->kind == LTT_STRING || type->kind == LTT_ENUM))
		return TRUE;
	ltt_mistakes_add_harmless(mistakes, event->line,
				  "key \"%s\" of event \"%s\": expected a field of event \"%s\" "
				  "that is a number, an enum or a string",
				  event->key, event->name, side->name);
	return FALSE;
}

static gboolean check_ends(const LttFacility *facility, const LttEventType *event,
			   GPtrArray *mistakes)
{
	const LttEventType *begin = g_hash_table_lookup(facility->by_name, event->ends);
	const char *equals = event->key != NULL ? strchr(event->key, '=') : NULL;
	const char *own;

	if (begin == NULL || begin == event) {
		ltt_mistakes_add_harmless(mistakes, event->line,
					  "event \"%s\" ends \"%s\": expected another event of the "
					  "facility",
					  event->name, event->ends);
		return FALSE;
	}
	if (event->key == NULL)
		return TRUE;
	own = equals != NULL ? equals + 1 : event->key;
	return check_key_side(event, begin, event->key,
			      equals != NULL ? (gsize)(equals - event->key) : strlen(event->key),
			      mistakes) &&
	       check_key_side(event, event, own, strlen(own), mistakes);
}

static gboolean is_list_of_uint(const LttType *type)
{
	return (type->kind == LTT_ARRAY || type->kind == LTT_SEQUENCE) &&
	       ltt_type_resolve(type->element)->kind == LTT_UINT;
}

static gboolean fits_role(const LttField *field)
{
	const LttType *type = ltt_type_resolve(field->type);

	switch (field->role) {
	case LTT_FIELD_COUNTER:
		return is_number(type);
	case LTT_FIELD_ERRNO:
		return type->kind == LTT_INT;
	case LTT_FIELD_FUNCTION:
		return type->kind == LTT_UINT;
	case LTT_FIELD_CODE:
		return type->kind == LTT_UINT || is_list_of_uint(type);
	default:
		return TRUE;
	}
}

/* What a field has to be, by its role. */
static const struct {
	const char *role;
	const char *expected;
} role_words[] = {
	[LTT_FIELD_COUNTER] = {"counter", "a number"},
	[LTT_FIELD_ERRNO] = {"result", "an int"},
	[LTT_FIELD_FUNCTION] = {"address of a function", "a uint"},
	[LTT_FIELD_CODE] = {"address in code", "a uint, or an array or sequence of it"},
};

static void check_roles(const LttEventType *event, GPtrArray *mistakes)
{
	const LttType *payload = event->type != NULL ? ltt_type_resolve(event->type) : NULL;

	for (guint i = 0; payload != NULL && i < ltt_type_get_n_fields(payload); i++) {
		LttField *field = &g_array_index(payload->fields, LttField, i);

		if (fits_role(field))
			continue;
		ltt_mistakes_add_harmless(mistakes, event->line,
					  "%s \"%s\" of event \"%s\": expected %s",
					  role_words[field->role].role, field->name, event->name,
					  role_words[field->role].expected);
		field->role = LTT_FIELD_PLAIN;
	}
}

static gboolean check_state(const LttEventType *event, GPtrArray *mistakes)
{
	g_auto(GStrv) words = g_strsplit(event->state, " ", -1);

	for (guint i = 1; words[0] != NULL && words[i] != NULL; i++) {
		const char *equals = strchr(words[i], '=');
		const LttType *type =
			equals != NULL ? find_field(event, equals + 1, strlen(equals + 1)) : NULL;

		if (g_str_has_prefix(words[i], "name=") ||
		    (type != NULL &&
		     (type->kind == LTT_INT || type->kind == LTT_UINT || type->kind == LTT_ENUM)))
			continue;
		ltt_mistakes_add_harmless(
			mistakes, event->line,
			"state \"%s\" of event \"%s\": \"%s\": expected NAME=FIELD with a field "
			"of the event that is an int, a uint or an enum",
			event->state, event->name, words[i]);
		return FALSE;
	}
	return TRUE;
}

void ltt_seal_declarations(LttFacility *facility, GPtrArray *mistakes)
{
	for (guint i = 0; i < facility->events->len; i++) {
		LttEventType *event = facility->events->pdata[i];

		if (event->ends == NULL && event->key != NULL)
			ltt_mistakes_add_harmless(mistakes, event->line,
						  "key of event \"%s\": expected the name of the "
						  "event that it ends, too",
						  event->name);
		if (event->ends == NULL || !check_ends(facility, event, mistakes)) {
			g_clear_pointer(&event->ends, g_free);
			g_clear_pointer(&event->key, g_free);
		}
		if (event->state != NULL && !check_state(event, mistakes))
			g_clear_pointer(&event->state, g_free);
		check_roles(event, mistakes);
	}
}
