/* time-form.c - see time-form.h. */
#include "time-form.h"

#include "tool.h"

#include <ltt/ltt-nearest.h>

gboolean time_form_parse(const char *text, LttPrintTime *form)
{
	static const char *const forms[] = {
		[LTT_PRINT_TIME_SECONDS] = "seconds",
		[LTT_PRINT_TIME_DATE] = "date",
		[LTT_PRINT_TIME_START] = "start",
		[LTT_PRINT_TIME_DELTA] = "delta",
		NULL,
	};
	const char *near;

	for (guint i = 0; forms[i] != NULL; i++) {
		if (!g_str_equal(forms[i], text))
			continue;
		*form = (LttPrintTime)i;
		return TRUE;
	}
	near = ltt_nearest(text, forms);
	tool_fail("--time: %s: expected seconds, date, start or delta%s%s%s", text,
		  near != NULL ? "; did you mean " : "", near != NULL ? near : "",
		  near != NULL ? "?" : "");
	return FALSE;
}
