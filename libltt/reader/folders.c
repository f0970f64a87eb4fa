/* folders.c - what is in the folders of a trace, and what of it is new. */
#include "reader/trace-priv.h"

gboolean ltt_trace_meets(LttTrace *trace, const char *folder, const char *name)
{
	return g_hash_table_add(trace->seen, g_build_filename(folder, name, NULL));
}

GPtrArray *ltt_trace_list_folder(LttTrace *trace, const char *folder)
{
	g_autoptr(GError) error = NULL;
	GPtrArray *names = ltt_store_list(trace->store, folder, &error);

	if (error != NULL && ltt_trace_meets(trace, folder, ""))
		ltt_trace_add_problem_printf(trace, folder, "%s", error->message);
	return names;
}
