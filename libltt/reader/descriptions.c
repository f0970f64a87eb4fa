/* descriptions.c - read the event descriptions in eventdefs/ of a trace. During a recording, each
 * program that joins may add files.
 */
#include "reader/trace-priv.h"
#include "xml/shipped-priv.h"

#include <ltt/ltt-eventdefs.h>

static void read_description(LttTrace *trace, const char *name)
{
	g_autofree char *file = g_build_filename("eventdefs", name, NULL);
	g_autoptr(GError) error = NULL;
	g_autoptr(GString) text = ltt_store_read(trace->store, file, LTT_MAX_XML_BYTES, &error);
	g_autoptr(GPtrArray) remarks =
		g_ptr_array_new_with_free_func((GDestroyNotify)ltt_remark_free);
	g_autoptr(GPtrArray) facilities = NULL;
	const LttFacility *shipped;

	if (text == NULL) {
		if (!g_error_matches(error, LTT_ERROR, LTT_ERROR_UNSUPPORTED))
			ltt_trace_add_problem_printf(trace, file, "%s", error->message);
		return;
	}
	shipped = ltt_shipped_find(text->str, text->len);
	if (shipped != NULL) {
		g_ptr_array_add(trace->described, ltt_facility_ref((LttFacility *)shipped));
		return;
	}
	facilities = ltt_eventdefs_parse(text->str, text->len, remarks);
	for (guint i = 0; i < remarks->len; i++) {
		const LttRemark *remark = remarks->pdata[i];

		ltt_trace_add_problem_printf(trace, file, "line %u: %s", remark->line,
					     remark->message);
	}
	for (guint i = 0; i < facilities->len; i++)
		g_ptr_array_add(trace->described, ltt_facility_ref(facilities->pdata[i]));
}

void ltt_trace_find_descriptions(LttTrace *trace)
{
	g_autoptr(GPtrArray) names = ltt_trace_list_folder(trace, "eventdefs");

	for (guint i = 0; i < names->len; i++) {
		if (g_str_has_suffix(names->pdata[i], ".xml") &&
		    ltt_trace_meets(trace, "eventdefs", names->pdata[i]))
			read_description(trace, names->pdata[i]);
	}
}

static void add_facilities(const LttTrace *trace, GPtrArray *facilities)
{
	for (guint i = 0; i < trace->slots->loads->len; i++) {
		const LttLoad *load = trace->slots->loads->pdata[i];

		g_ptr_array_add(facilities, (gpointer)load->facility);
	}
	for (guint i = 0; i < trace->described->len; i++)
		g_ptr_array_add(facilities, trace->described->pdata[i]);
	for (guint i = 0; trace->members != NULL && i < trace->members->len; i++)
		add_facilities(trace->members->pdata[i], facilities);
}

GPtrArray *ltt_trace_list_facilities(const LttTrace *trace)
{
	GPtrArray *facilities = g_ptr_array_new();

	add_facilities(trace, facilities);
	return facilities;
}
