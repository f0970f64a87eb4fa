/* event-types.c - see event-types-priv.h. */
#include "reader/event-types-priv.h"

#include "reader/trace-priv.h"

const LttType *ltt_event_type_find_field(const LttEventType *type, const char *name)
{
	const LttType *payload = type->type != NULL ? ltt_type_resolve(type->type) : NULL;

	for (guint i = 0; payload != NULL && i < ltt_type_get_n_fields(payload); i++) {
		const LttField *field = ltt_type_get_field(payload, i);

		if (g_str_equal(field->name, name))
			return ltt_type_resolve(field->type);
	}
	return NULL;
}

gboolean ltt_trace_any_event_type(const LttTrace *trace,
				  gboolean (*holds)(const LttEventType *type))
{
	g_autoptr(GPtrArray) facilities = ltt_trace_list_facilities(trace);

	for (guint i = 0; i < facilities->len; i++) {
		const LttFacility *facility = facilities->pdata[i];

		for (guint j = 0; j < ltt_facility_get_n_events(facility); j++) {
			if (holds(ltt_facility_get_event(facility, j)))
				return TRUE;
		}
	}
	return FALSE;
}
