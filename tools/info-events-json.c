/* info-events-json.c - `ltt info --events --json`: event types with their complete descriptions.
 * The keys are a contract (ltt-info(1)).
 *
 *	{"name": "core.schedchange", "description": null, "type": {"kind": "struct", "fields": [
 *		{"name": "out", "description": null, "type": {"kind": "uint", "bits": 32}}, ...]}}
 */
#include "info.h"
#include "json.h"

static void print_type(Json *json, const char *key, const LttType *named, const LttArch *arch);

static void print_fields(Json *json, const LttType *type, const LttArch *arch)
{
	static const char *const roles[] = {
		[LTT_FIELD_COUNTER] = "counter",
		[LTT_FIELD_ERRNO] = "errno",
		[LTT_FIELD_FUNCTION] = "function",
		[LTT_FIELD_CODE] = "code",
	};

	json_open(json, "fields", '[');
	for (guint i = 0; i < ltt_type_get_n_fields(type); i++) {
		const LttField *field = ltt_type_get_field(type, i);

		json_open(json, NULL, '{');
		json_text(json, "name", field->name);
		json_text(json, "description", field->description);
		if (field->role != LTT_FIELD_PLAIN)
			json_text(json, "role", roles[field->role]);
		print_type(json, "type", field->type, arch);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void print_labels(Json *json, const LttType *type)
{
	json_open(json, "labels", '[');
	for (guint i = 0; i < ltt_type_get_n_labels(type); i++) {
		const LttLabel *label = ltt_type_get_label(type, i);

		json_open(json, NULL, '{');
		json_text(json, "name", label->name);
		if (label->is_negative)
			json_integer(json, "value", label->value);
		else
			json_number(json, "value", (guint64)label->value);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void print_type(Json *json, const char *key, const LttType *named, const LttArch *arch)
{
	const LttType *type = ltt_type_resolve(named);
	const LttTypeKind kind = ltt_type_get_kind(type);
	const LttWidth width = ltt_type_get_width(type);

	json_open(json, key, '{');
	json_text(json, "kind", ltt_type_kind_name(kind));
	if (kind == LTT_INT || kind == LTT_UINT || kind == LTT_ENUM)
		json_number(json, "bits", 8 * ltt_arch_integer_bytes(arch, width));
	if (kind == LTT_FLOAT)
		json_number(json, "bits", 8 * ltt_arch_float_bytes(width));
	if (kind == LTT_ENUM)
		print_labels(json, type);
	if (kind == LTT_ARRAY)
		json_number(json, "length", ltt_type_get_n_elements(type));
	if (kind == LTT_ARRAY || kind == LTT_SEQUENCE)
		print_type(json, "element", ltt_type_get_element(type), arch);
	if (kind == LTT_STRUCT || kind == LTT_UNION)
		print_fields(json, type, arch);
	json_close(json, '}');
}

static void print_event(const LttEventType *event, const LttArch *arch, gpointer json)
{
	json_open(json, NULL, '{');
	json_text(json, "name", event->full_name);
	json_text(json, "description", event->description);
	if (event->ends != NULL) {
		json_text(json, "ends", event->ends);
		json_text(json, "key", event->key);
	}
	if (event->type != NULL)
		print_type(json, "type", event->type, arch);
	else
		json_null(json, "type");
	json_close(json, '}');
}

void info_print_events_json(LttTrace *trace)
{
	Json json = {0, FALSE};

	json_open(&json, NULL, '{');
	json_open(&json, "events", '[');
	info_each_event(trace, print_event, &json);
	json_close(&json, ']');
	json_close(&json, '}');
}
