/* about.c - the server itself. */
#include "view/tsp/call-priv.h"

#include <sys/sysinfo.h>
#include <sys/utsname.h>

gboolean ltt_tsp_health(LttTspCall *call, GError **error)
{
	(void)error;
	g_string_append(call->view.answer, "{\"status\":\"UP\"}");
	return TRUE;
}

gboolean ltt_tsp_identifier(LttTspCall *call, GError **error)
{
	GString *out = call->view.answer;
	struct utsname names = {0};

	(void)error;
	uname(&names);
	g_string_append_c(out, '{');
	ltt_tsp_append_text(out, "version", LTT_VERSION);
	g_string_append(out, ",\"buildTime\":\"\",");
	ltt_tsp_append_text(out, "os", names.sysname);
	g_string_append_c(out, ',');
	ltt_tsp_append_text(out, "osArch", names.machine);
	g_string_append_c(out, ',');
	ltt_tsp_append_text(out, "osVersion", names.release);
	g_string_append_printf(out,
			       ",\"cpuCount\":\"%d\",\"maxMemory\":\"0\","
			       "\"launcherName\":\"ltt view\",\"productId\":\"ltt\"}",
			       get_nprocs());
	return TRUE;
}

gboolean ltt_tsp_nothing(LttTspCall *call, GError **error)
{
	(void)error;
	g_string_append(call->view.answer, "[]");
	return TRUE;
}
