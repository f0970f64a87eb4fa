/* unnamed.c - see unnamed.h. */
#include "unnamed.h"

#include "tool.h"

static void note(const LttUnnamed *unnamed, gpointer thing)
{
	tool_note("%s: %" G_GUINT64_FORMAT " %s%s: it %s", unnamed->module->path, unnamed->n,
		  (const char *)thing, unnamed->n == 1 ? "" : "s", unnamed->reason);
}

static void note_other_version(const LttUnnamed *unnamed, gpointer user_data)
{
	(void)user_data;
	if (unnamed->is_other)
		tool_note("%s: its functions have no names: it %s", unnamed->module->path,
			  unnamed->reason);
}

void unnamed_report_all(LttSymbols *symbols, const char *thing)
{
	LttSymbolsCounts counts;

	ltt_symbols_get_counts(symbols, &counts);
	if (counts.n_unnamed == 0)
		return;
	tool_note("%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " %ss have no name of a function",
		  counts.n_unnamed, counts.n_found, thing);
	ltt_symbols_foreach_unnamed(symbols, note, (gpointer)thing);
}

void unnamed_report_other_versions(LttSymbols *symbols)
{
	ltt_symbols_foreach_unnamed(symbols, note_other_version, NULL);
}
