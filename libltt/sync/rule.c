/* rule.c - see rule-priv.h. */
#include "sync/rule-priv.h"

#include "base/error-priv.h"

#include <string.h>

static gboolean fail_form(const char *text, GError **error)
{
	return ltt_fail(error, LTT_ERROR_INVALID,
			"\"%s\": expected SEND:FIELD=RECEIVE:FIELD, such as "
			"rpc.send:id=rpc.receive:id, with the names of two event types and of the "
			"fields that identify a message, separated by commas",
			text);
}

/* Parses the fields of one end. @n_fields: (out) */
static gboolean parse_fields(LttSyncRule *rule, LttSyncEnd end, const char *list, guint *n_fields,
			     GError **error)
{
	g_auto(GStrv) fields = g_strsplit(list, ",", LTT_SYNC_MAX_FIELDS + 1);

	*n_fields = g_strv_length(fields);
	if (*n_fields == 0 || *n_fields > LTT_SYNC_MAX_FIELDS)
		return ltt_fail(error, LTT_ERROR_INVALID, "\"%s\": expected 1 to %d fields", list,
				LTT_SYNC_MAX_FIELDS);
	for (guint i = 0; i < *n_fields; i++) {
		LttKeyPath *path = &rule->fields[end][i];

		if (!ltt_key_path_parse(fields[i], path, error))
			return FALSE;
		if (path->source != LTT_KEY_OF_FIELD || path->is_of_process)
			return ltt_fail(error, LTT_ERROR_INVALID,
					"\"%s\": expected a field that both ends of a message have",
					fields[i]);
	}
	return TRUE;
}

/* Parses "NAME:FIELD,FIELD". */
static gboolean parse_end(LttSyncRule *rule, LttSyncEnd end, const char *text, const char *whole,
			  guint *n_fields, GError **error)
{
	const char *colon = strchr(text, ':');

	if (colon == NULL || colon == text || colon[1] == '\0')
		return fail_form(whole, error);
	rule->names[end] = g_strndup(text, (gsize)(colon - text));
	return parse_fields(rule, end, colon + 1, n_fields, error);
}

static gboolean parse(LttSyncRule *rule, const char *text, GError **error)
{
	const char *equals = strchr(text, '=');
	g_autofree char *send = NULL;
	guint n_receive_fields = 0;

	if (equals == NULL)
		return fail_form(text, error);
	send = g_strndup(text, (gsize)(equals - text));
	if (!parse_end(rule, LTT_SYNC_SEND, send, text, &rule->n_fields, error) ||
	    !parse_end(rule, LTT_SYNC_RECEIVE, equals + 1, text, &n_receive_fields, error))
		return FALSE;
	if (n_receive_fields != rule->n_fields)
		return ltt_fail(error, LTT_ERROR_INVALID,
				"\"%s\": %u fields are compared with %u: expected the same number",
				text, rule->n_fields, n_receive_fields);
	return TRUE;
}

LttSyncRule *ltt_sync_rule_parse(const char *text, GError **error)
{
	LttSyncRule *rule = g_new0(LttSyncRule, 1);

	if (parse(rule, text, error))
		return rule;
	ltt_sync_rule_free(rule);
	return NULL;
}

void ltt_sync_rule_free(LttSyncRule *rule)
{
	if (rule == NULL)
		return;
	for (guint end = 0; end < LTT_N_SYNC_ENDS; end++) {
		g_free(rule->names[end]);
		for (guint i = 0; i < LTT_SYNC_MAX_FIELDS; i++)
			ltt_key_path_clear(&rule->fields[end][i]);
	}
	g_free(rule);
}

gboolean ltt_sync_reader_init(LttSyncReader *reader, const LttSyncRule *rule, LttSyncEnd end,
			      const LttLayout *layout)
{
	*reader = (LttSyncReader){.rule = rule, .end = end};
	for (guint i = 0; i < rule->n_fields; i++) {
		if (!ltt_key_getter_init(&reader->getters[i], &rule->fields[end][i], layout)) {
			ltt_sync_reader_clear(reader);
			return FALSE;
		}
	}
	return TRUE;
}

void ltt_sync_reader_clear(LttSyncReader *reader)
{
	for (guint i = 0; i < LTT_SYNC_MAX_FIELDS; i++)
		ltt_key_getter_clear(&reader->getters[i]);
}

/* Mixes a number into a hash: each bit of both affects all bits of the result. */
static guint64 mix(guint64 hash, guint64 number)
{
	hash = (hash ^ number) * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
	return hash ^ (hash >> 32);
}

static guint64 mix_value(guint64 hash, const LttKeyValue *value)
{
	hash = mix(mix(hash, value->kind), value->number);
	for (gsize i = 0; i < value->length; i++)
		hash = mix(hash, (guchar)value->text[i]);
	return hash;
}

gboolean ltt_sync_reader_get(const LttSyncReader *reader, const LttEvent *event, guint64 *id)
{
	*id = 0;
	for (guint i = 0; i < reader->rule->n_fields; i++) {
		LttKeyValue value;

		if (!ltt_key_get(&reader->getters[i], event, &value))
			return FALSE;
		*id = mix_value(*id, &value);
	}
	return TRUE;
}
