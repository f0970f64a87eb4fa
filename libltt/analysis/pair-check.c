/* pair-check.c - find keys that are probably mistaken for fields: pid, tid, cpu and host. */
#include "filter/doubt-priv.h"
#include "reader/trace-priv.h"

#include <ltt/ltt-pair.h>

#include <string.h>

static const char *const attributes[] = {"pid", "tid", "cpu", "host", NULL};

static gboolean has_field(const LttEventType *event, const char *name)
{
	const LttType *type = event->type != NULL ? ltt_type_resolve(event->type) : NULL;

	if (type == NULL || ltt_type_get_kind(type) != LTT_STRUCT)
		return FALSE;
	for (guint i = 0; i < ltt_type_get_n_fields(type); i++) {
		if (g_str_equal(ltt_type_get_field(type, i)->name, name))
			return TRUE;
	}
	return FALSE;
}

/* Adds a doubt if @key is an attribute, and an event type named @event has a field of that name. */
static void check_key(GPtrArray *doubts, const LttTrace *trace, const char *event, const char *key)
{
	g_autoptr(GPtrArray) facilities = ltt_trace_list_facilities(trace);
	g_autofree char *path = g_strconcat("data.", key, NULL);

	if (!g_strv_contains(attributes, key))
		return;
	for (guint i = 0; i < facilities->len; i++) {
		for (guint j = 0; j < ltt_facility_get_n_events(facilities->pdata[i]); j++) {
			const LttEventType *type = ltt_facility_get_event(facilities->pdata[i], j);

			if (g_str_equal(type->full_name, event) && has_field(type, key))
				ltt_doubts_add(doubts, LTT_DOUBT_ATTRIBUTE, LTT_NOWHERE, key, path,
					       g_strdup_printf("%s: that of the event %s, not its "
							       "field",
							       key, event));
		}
	}
}

GPtrArray *ltt_pairs_check(const LttPairRequest *request)
{
	GPtrArray *doubts = ltt_doubts_new();
	const char *by = request->by != NULL ? request->by : "";
	const char *equals = strchr(by, '=');
	g_autofree char *first = g_strndup(by, equals != NULL ? (gsize)(equals - by) : strlen(by));

	check_key(doubts, request->trace, request->begin, first);
	check_key(doubts, request->trace, request->end, equals != NULL ? equals + 1 : by);
	if (request->group != NULL) {
		check_key(doubts, request->trace, request->begin, request->group);
		check_key(doubts, request->trace, request->end, request->group);
	}
	return doubts;
}
