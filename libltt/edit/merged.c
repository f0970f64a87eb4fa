/* merged.c - see merged-priv.h. */
#include "edit/merged-priv.h"

#include "reader/trace-priv.h"

#include <ltt/ltt-join.h>

static gboolean write_and_open(LttMerged *merged, LttTrace *joined,
			       const LttJobCallbacks *callbacks, GError **error)
{
	g_autofree char *path = g_build_filename(merged->aside.path, "merged", NULL);
	const LttJoinWriteRequest request = {
		.joined = joined,
		.path = path,
		.callbacks = *callbacks,
	};

	if (ltt_join_write(&request, NULL, error))
		merged->owned = ltt_trace_open(path, error);
	return merged->owned != NULL;
}

gboolean ltt_merged_begin(LttMerged *merged, LttTrace *trace, const char *place,
			  const LttJobCallbacks *callbacks, GError **error)
{
	*merged = (LttMerged){.trace = trace};
	if (trace->members == NULL)
		return TRUE;
	if (!ltt_aside_make_directory(&merged->aside, place, error))
		return FALSE;
	if (write_and_open(merged, trace, callbacks, error)) {
		merged->trace = merged->owned;
		return TRUE;
	}
	ltt_merged_end(merged);
	return FALSE;
}

void ltt_merged_end(LttMerged *merged)
{
	g_clear_pointer(&merged->owned, ltt_trace_free);
	ltt_aside_clear(&merged->aside);
}
