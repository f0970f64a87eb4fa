/* export-fields.c - fields of an event by name; see export-priv.h. */
#include "base/error-priv.h"
#include "formats/export-priv.h"

void ltt_fields_init(LttFields *fields, const LttEvent *event)
{
	*fields = (LttFields){.event = event};
	fields->has_value = ltt_event_get_value(event, &fields->value) &&
			    fields->value.layout->kind == LTT_STRUCT;
}

static gboolean find(LttFields *fields, const char *name, LttValue *value)
{
	return fields->has_value && ltt_value_find(&fields->value, name, value);
}

static void miss(LttFields *fields, const char *name)
{
	if (fields->missing == NULL)
		fields->missing = name;
}

guint64 ltt_fields_get_uint(LttFields *fields, const char *name)
{
	LttValue value;

	if (find(fields, name, &value) &&
	    (value.layout->kind == LTT_INT || value.layout->kind == LTT_UINT ||
	     value.layout->kind == LTT_ENUM))
		return ltt_value_get_uint(&value);
	miss(fields, name);
	return 0;
}

const guint8 *ltt_fields_get_elements(LttFields *fields, const char *name, guint width,
				      guint32 *n_elements)
{
	LttValue value;

	*n_elements = 0;
	if (find(fields, name, &value) &&
	    (value.layout->kind == LTT_ARRAY || value.layout->kind == LTT_SEQUENCE) &&
	    value.layout->element->is_fixed && value.layout->element->min_bytes == width) {
		*n_elements = (guint32)ltt_value_get_n_items(&value);
		return value.bytes + value.layout->width_bytes;
	}
	miss(fields, name);
	return (const guint8 *)"";
}

const guint8 *ltt_fields_get_string(LttFields *fields, const char *name, guint32 *length)
{
	LttValue value;
	gsize bytes;

	*length = 0;
	if (find(fields, name, &value) && value.layout->kind == LTT_STRING) {
		const char *text = ltt_value_get_string(&value, &bytes);

		*length = (guint32)bytes;
		return (const guint8 *)text;
	}
	miss(fields, name);
	return (const guint8 *)"";
}

guint ltt_fields_enter_union(LttFields *fields, const char *name)
{
	LttValue value;
	LttValue held;

	if (find(fields, name, &value) && value.layout->kind == LTT_UNION &&
	    ltt_value_get_item(&value, 0, &held) && held.layout->kind == LTT_STRUCT) {
		fields->value = held;
		return ltt_value_get_union_code(&value);
	}
	miss(fields, name);
	return 0;
}

void ltt_fields_append_text(LttFields *fields, const char *name, const char *behind,
			    GByteArray *out)
{
	guint32 length;
	const guint8 *bytes = ltt_fields_get_string(fields, name, &length);

	g_byte_array_append(out, bytes, length);
	bytes = ltt_fields_get_elements(fields, behind, 1, &length);
	g_byte_array_append(out, bytes, length);
}

gboolean ltt_fields_check(const LttFields *fields, GError **error)
{
	if (fields->missing == NULL)
		return TRUE;
	return ltt_fail_at(error, LTT_ERROR_UNSUPPORTED,
			   ltt_tracefile_get_name(fields->event->tracefile),
			   (gint64)fields->event->block, fields->event->offset_bytes,
			   "event %s has no field %s of the type that ltt import gives it",
			   fields->event->type->full_name, fields->missing);
}
