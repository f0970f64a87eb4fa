/* span-args.c - see span-args-priv.h.
 *
 * Each field has its name, as JSON, and a template for its value, made once for each pair of event
 * types.
 */
#include "analysis/span-args-priv.h"

#include "print/template-priv.h"

#include <ltt/ltt-value.h>

/* The fields of an event type, optionally after those of another one. */
typedef struct Fields {
	const LttEventType *type;
	const LttEventType *before; /* whose names are taken; NULL: none */
	gboolean has_members;       /* it is a struct or a union */
	guint n;
	char **names; /* "\"fd\":" */
	LttTemplate **values;
} Fields;

struct LttSpanArgs {
	GHashTable *fields; /* Fields to itself */
};

static guint hash_fields(gconstpointer data)
{
	const Fields *fields = data;

	return g_direct_hash(fields->type) * 31 + g_direct_hash(fields->before);
}

static gboolean equal_fields(gconstpointer a, gconstpointer b)
{
	const Fields *first = a;
	const Fields *second = b;

	return first->type == second->type && first->before == second->before;
}

static void free_fields(gpointer data)
{
	Fields *fields = data;

	for (guint i = 0; i < fields->n; i++) {
		g_free(fields->names[i]);
		ltt_template_free(fields->values[i]);
	}
	g_free(fields->names);
	g_free(fields->values);
	g_free(fields);
}

LttSpanArgs *ltt_span_args_new(void)
{
	LttSpanArgs *args = g_new(LttSpanArgs, 1);

	args->fields = g_hash_table_new_full(hash_fields, equal_fields, free_fields, NULL);
	return args;
}

void ltt_span_args_free(LttSpanArgs *args)
{
	if (args == NULL)
		return;
	g_hash_table_unref(args->fields);
	g_free(args);
}

static gboolean has_members(const LttLayout *layout)
{
	return layout->kind == LTT_STRUCT || layout->kind == LTT_UNION;
}

/* Returns: whether the fields of an event include @name */
static gboolean has_name(const LttEvent *event, const char *name)
{
	if (event == NULL || event->layout == NULL)
		return FALSE;
	if (!has_members(event->layout))
		return g_str_equal(name, "value");
	for (guint i = 0; i < event->layout->n_members; i++) {
		if (g_str_equal(event->layout->members[i].name, name))
			return TRUE;
	}
	return FALSE;
}

/* Prefixes a name with "end_" until it is unique. */
static char *describe_name(const LttEvent *event, const LttEvent *before, const char *own)
{
	g_autoptr(GString) name = g_string_new(own);
	GString *json = g_string_new("\"");

	while (has_name(before, name->str) ||
	       (name->len > strlen(own) && has_name(event, name->str)))
		g_string_prepend(name, "end_");
	g_string_append(json, name->str);
	g_string_append(json, "\":");
	return g_string_free(json, FALSE);
}

static Fields *new_fields(const LttEvent *event, const LttEvent *before)
{
	const LttLayout *layout = event->layout;
	Fields *fields = g_new0(Fields, 1);

	fields->type = event->type;
	fields->before = before != NULL ? before->type : NULL;
	fields->has_members = layout != NULL && has_members(layout);
	if (layout != NULL)
		fields->n = fields->has_members ? layout->n_members : 1;
	fields->names = g_new(char *, fields->n);
	fields->values = g_new(LttTemplate *, fields->n);
	for (guint i = 0; i < fields->n; i++) {
		const char *name = fields->has_members ? layout->members[i].name : "value";
		const LttLayout *value = fields->has_members ? layout->members[i].layout : layout;

		fields->names[i] = describe_name(event, before, name);
		fields->values[i] = ltt_template_new(value, &ltt_style_json, FALSE, NULL);
	}
	return fields;
}

static const Fields *find_fields(LttSpanArgs *args, const LttEvent *event, const LttEvent *before)
{
	const Fields asked = {.type = event->type, .before = before != NULL ? before->type : NULL};
	Fields *fields = g_hash_table_lookup(args->fields, &asked);

	if (fields == NULL) {
		fields = new_fields(event, before);
		g_hash_table_add(args->fields, fields);
	}
	return fields;
}

static void write_field(const Fields *fields, guint index, LttSink *sink, const LttValue *value,
			gboolean has_before)
{
	if (has_before)
		ltt_sink_add_char(sink, ',');
	ltt_sink_add(sink, fields->names[index], strlen(fields->names[index]));
	ltt_template_fill(fields->values[index], sink, value->bytes, value->byte_order);
}

/* Returns: whether fields were written, now or before */
static gboolean write_fields(LttSpanArgs *args, LttSink *sink, const LttEvent *event,
			     const LttEvent *before, gboolean has_before)
{
	const Fields *fields = find_fields(args, event, before);
	LttValueIter iter;
	LttValue payload;
	LttValue value;

	if (!ltt_event_get_value(event, &payload) || fields->n == 0)
		return has_before;
	if (!fields->has_members) {
		write_field(fields, 0, sink, &payload, has_before);
		return TRUE;
	}
	if (payload.layout->kind == LTT_UNION) {
		if (ltt_value_get_item(&payload, 0, &value))
			write_field(fields, ltt_value_get_union_code(&payload), sink, &value,
				    has_before);
		return TRUE;
	}
	ltt_value_iter_init(&iter, &payload);
	for (guint i = 0; i < fields->n && ltt_value_iter_next(&iter, &value, NULL); i++)
		write_field(fields, i, sink, &value, has_before || i > 0);
	return TRUE;
}

void ltt_span_args_write(LttSpanArgs *args, LttSink *sink, const LttEvent *begin,
			 const LttEvent *end)
{
	gboolean has_before;

	ltt_sink_add_char(sink, '{');
	has_before = write_fields(args, sink, begin, NULL, FALSE);
	if (end != NULL)
		write_fields(args, sink, end, begin, has_before);
	ltt_sink_add_char(sink, '}');
}
