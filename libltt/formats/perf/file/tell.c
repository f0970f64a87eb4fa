/* tell.c - see tell-priv.h. */
#include "formats/perf/file/tell-priv.h"

void ltt_perf_tell(const LttPerfTell *tell, guint64 byte, const char *format, ...)
{
	g_autofree char *message = NULL;
	va_list arguments;

	if (tell->func == NULL)
		return;
	va_start(arguments, format);
	message = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	tell->func(byte, message, tell->user_data);
}
