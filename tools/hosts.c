/* hosts.c - see hosts.h. */
#include "hosts.h"

const char *hosts_get_title(const LttTrace *trace)
{
	return ltt_trace_has_hosts(trace) ? "host" : NULL;
}

char *hosts_dup_cell(const LttTrace *trace, guint host)
{
	return ltt_trace_has_hosts(trace) ? g_strdup(ltt_trace_get_host(trace, host)) : NULL;
}

void hosts_print_json(Json *json, const LttTrace *trace, guint host)
{
	if (ltt_trace_has_hosts(trace))
		json_text(json, "host", ltt_trace_get_host(trace, host));
}
