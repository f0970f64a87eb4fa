/* several.c - see several.h. */
#include "several.h"

#include "opening.h"
#include "syncing.h"
#include "tool.h"

#include <ltt/ltt-time.h>

#include <string.h>

typedef struct Offset {
	gboolean is_given; /* set with --offset */
	gint64 ns;
} Offset;

/* Parses "2=-0.5", which sets the offset of the second trace. */
static gboolean parse_offset(const char *text, guint n_paths, Offset *offsets)
{
	const char *equals = strchr(text, '=');
	g_autofree char *number =
		equals != NULL ? g_strndup(text, (gsize)(equals - text)) : g_strdup("");
	const char *seconds = equals != NULL ? equals + 1 : "";
	const gboolean has_sign = *seconds == '+' || *seconds == '-';
	guint64 index;
	guint64 time_ns;

	if (!g_ascii_string_to_unsigned(number, 10, 1, n_paths, &index, NULL) ||
	    !ltt_duration_parse(seconds + has_sign, LTT_NS_PER_S, &time_ns, NULL)) {
		tool_fail(
			"--offset %s: expected N=S, the number of a trace from 1 to %u and seconds",
			text, n_paths);
		return FALSE;
	}
	if (offsets[index - 1].is_given) {
		tool_fail("--offset %s: the offset of trace %s was given before", text, number);
		return FALSE;
	}
	offsets[index - 1].is_given = TRUE;
	offsets[index - 1].ns = *seconds == '-' ? -(gint64)time_ns : (gint64)time_ns;
	return TRUE;
}

static gboolean is_wall_time(LttTrace *trace, const Offset *offset)
{
	return offset->is_given || ltt_trace_has_wall_times(trace);
}

/* Finds the offset of a recording's clock to the wall clock. A trace of the same machine that
 * recorded both clocks is the best source, unless the user has moved its times. */
static gboolean find_beside(LttTrace *trace, const GPtrArray *traces, const Offset *offsets,
			    gint64 *offset_ns, const char **source)
{
	for (guint i = 0; i < traces->len; i++) {
		if (offsets[i].is_given || traces->pdata[i] == trace ||
		    !ltt_trace_find_clock_offset_beside(trace, traces->pdata[i], offset_ns))
			continue;
		*source = ltt_trace_get_path(traces->pdata[i]);
		return TRUE;
	}
	*source = "the recording";
	return ltt_trace_find_clock_offset(trace, offset_ns);
}

/* Moves a recording with another clock to the timeline of the others, and reports the offset. */
static void settle_clock(const GPtrArray *traces, guint number, Offset *offsets)
{
	LttTrace *trace = traces->pdata[number - 1];
	Offset *offset = &offsets[number - 1];
	const char *source;
	gint64 offset_ns;

	if (is_wall_time(trace, offset))
		return;
	if (find_beside(trace, traces, offsets, &offset_ns, &source)) {
		offset->ns = offset_ns;
		tool_note("%s: times moved by %s%" G_GINT64_FORMAT ".%09" G_GINT64_FORMAT
			  " s to the wall clock, according to %s",
			  ltt_trace_get_path(trace), offset_ns < 0 ? "-" : "+",
			  ABS(offset_ns) / (gint64)LTT_NS_PER_S,
			  ABS(offset_ns) % (gint64)LTT_NS_PER_S, source);
	} else {
		tool_note("%s: times are not wall-clock times, and the recording does not contain "
			  "their offset; set it with --offset %u=S",
			  ltt_trace_get_path(trace), number);
	}
}

/* If no trace has the wall clock, the traces may share another clock: their times stay. */
static void settle_clocks(const GPtrArray *traces, Offset *offsets)
{
	gboolean has_wall = FALSE;

	for (guint i = 0; i < traces->len; i++)
		has_wall = has_wall || is_wall_time(traces->pdata[i], &offsets[i]);
	for (guint i = 0; has_wall && i < traces->len; i++)
		settle_clock(traces, i + 1, offsets);
}

static LttTrace *join_by_offsets(const GPtrArray *traces, char *const *offsets, GError **error)
{
	g_autofree Offset *settled = g_new0(Offset, traces->len);
	g_autofree gint64 *offsets_ns = g_new0(gint64, traces->len);

	for (guint i = 0; offsets != NULL && offsets[i] != NULL; i++)
		if (!parse_offset(offsets[i], traces->len, settled))
			return NULL;
	settle_clocks(traces, settled);
	for (guint i = 0; i < traces->len; i++)
		offsets_ns[i] = settled[i].ns;
	return ltt_trace_join((LttTrace *const *)traces->pdata, traces->len, offsets_ns, error);
}

static LttTrace *join_by_messages(const GPtrArray *traces, char *const *rules, GError **error)
{
	LttTrace *const *all = (LttTrace *const *)traces->pdata;
	g_autoptr(LttSync) sync = syncing_find(all, traces->len, rules, 0);

	if (sync == NULL || !syncing_accept(sync, all, traces->len))
		return NULL;
	return ltt_trace_join_by_maps(all, traces->len, ltt_sync_get_maps(sync), error);
}

gboolean several_is_plain(const SeveralClocks *clocks)
{
	return clocks->offsets == NULL && clocks->rules == NULL;
}

static gboolean check(guint n_paths, const SeveralClocks *clocks)
{
	if (clocks->rules != NULL && clocks->offsets != NULL)
		tool_fail("--sync and --offset cannot be combined");
	else if (clocks->rules != NULL && n_paths < 2)
		tool_fail("--sync requires two traces or more");
	else
		return TRUE;
	return FALSE;
}

LttTrace *several_open(char *const *paths, guint n_paths, const SeveralClocks *clocks)
{
	g_autoptr(GPtrArray) traces =
		g_ptr_array_new_with_free_func((GDestroyNotify)ltt_trace_free);
	g_autoptr(GError) error = NULL;
	LttTrace *joined;

	if (!check(n_paths, clocks))
		return NULL;
	for (guint i = 0; i < n_paths; i++) {
		LttTrace *trace = opening_open(paths[i]);

		if (trace == NULL)
			return NULL;
		g_ptr_array_add(traces, trace);
	}
	joined = clocks->rules != NULL ? join_by_messages(traces, clocks->rules, &error)
				       : join_by_offsets(traces, clocks->offsets, &error);
	if (joined != NULL || error != NULL)
		g_ptr_array_set_free_func(traces, NULL); /* the joined trace owns them */
	if (error != NULL)
		tool_fail_error(error);
	return joined;
}

gboolean several_read(char *const *paths, guint n_paths, const SeveralClocks *clocks,
		      Reading *reading)
{
	if (n_paths == 1 && several_is_plain(clocks))
		return reading_open(paths[0], reading);
	return reading_take(several_open(paths, n_paths, clocks), reading);
}
