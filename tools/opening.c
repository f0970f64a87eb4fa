/* opening.c - see opening.h. */
#include "opening.h"

#include "progress.h"
#include "whereabouts.h"

LttTrace *opening_open(const char *path)
{
	g_autoptr(GError) error = NULL;
	LttTrace *trace;

	progress_start(g_get_prgname(), FALSE);
	progress_count_bytes();
	trace = ltt_trace_open_with_progress(path, progress_show, NULL, &error);
	progress_end();
	if (trace == NULL)
		tool_fail_to_open(path, error);
	return trace;
}
