/* several.c - see several.h. */
#include "several.h"

#include "whereabouts.h"

#include <ltt/ltt-time.h>

#include <string.h>

/* "2=-0.5": sets the offset of the second trace. */
static gboolean parse_offset(const char *text, guint n_paths, gint64 *offsets_ns)
{
	const char *equals = strchr(text, '=');
	g_autofree char *number =
		equals != NULL ? g_strndup(text, (gsize)(equals - text)) : g_strdup("");
	LttTimeBase base;
	guint64 index;
	guint64 time_ns;

	if (!g_ascii_string_to_unsigned(number, 10, 1, n_paths, &index, NULL) ||
	    !ltt_time_parse(equals + 1, &base, &time_ns, NULL)) {
		tool_fail(
			"--offset %s: expected N=S, the number of a trace from 1 to %u and seconds",
			text, n_paths);
		return FALSE;
	}
	offsets_ns[index - 1] = base == LTT_TIME_BEFORE_END ? -(gint64)time_ns : (gint64)time_ns;
	return TRUE;
}

LttTrace *several_open(char *const *paths, guint n_paths, char *const *offsets)
{
	g_autofree gint64 *offsets_ns = g_new0(gint64, n_paths);
	g_autoptr(GPtrArray) traces =
		g_ptr_array_new_with_free_func((GDestroyNotify)ltt_trace_free);
	g_autoptr(GError) error = NULL;
	LttTrace *joined;

	for (guint i = 0; offsets != NULL && offsets[i] != NULL; i++)
		if (!parse_offset(offsets[i], n_paths, offsets_ns))
			return NULL;
	for (guint i = 0; i < n_paths; i++) {
		LttTrace *trace = ltt_trace_open(paths[i], &error);

		if (trace == NULL) {
			tool_fail_to_open(paths[i], error);
			return NULL;
		}
		g_ptr_array_add(traces, trace);
	}
	g_ptr_array_set_free_func(traces, NULL);
	joined = ltt_trace_join((LttTrace *const *)traces->pdata, n_paths, offsets_ns, &error);
	if (joined == NULL)
		tool_fail_error(error);
	return joined;
}
