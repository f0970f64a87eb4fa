/* ltt-repair.h - a clean copy of a trace that is damaged or whose writer died (doc/edit.md).
 *
 * The copy has every event that a dump of the trace shows, at the same time, of the same thread, in
 * the same order, and a check finds nothing wrong with it: all blocks are finished, all facilities
 * described. What is gone is counted in it, as tracer.events_lost at the end of each tracefile.
 */
#ifndef LTT_REPAIR_H
#define LTT_REPAIR_H

#include <ltt/ltt-cut.h>

G_BEGIN_DECLS

/* What is gone of a tracefile. How many events a damaged block held behind the damage is not known,
 * so each such place counts as one, and so does a block that the end of the file cut off. A block
 * in which nothing but its end is damaged has lost nothing. */
typedef struct LttRepairLoss {
	char *tracefile;  /* "cpu/3" */
	guint64 n_events; /* at least so many */
} LttRepairLoss;

typedef struct LttRepairSummary {
	guint64 n_events;    /* in the copy, those that dumps hide left out */
	guint64 n_gone;      /* at least, of all tracefiles together */
	GPtrArray *losses;   /* of LttRepairLoss: tracefiles of which something is gone */
	gboolean is_counted; /* the copy tells what is gone; it does not if no ids are left for the
				tracer facility, which is loaded in addition where it is missing */
} LttRepairSummary;

void ltt_repair_summary_clear(LttRepairSummary *summary);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LttRepairSummary, ltt_repair_summary_clear)

/**
 * ltt_repair:
 * @request: as for ltt_cut(), without a selection
 * @summary: (out): set on success
 *
 * The trace itself is not touched.
 *
 * Returns: as ltt_cut()
 */
gboolean ltt_repair(const LttCutRequest *request, LttRepairSummary *summary, GError **error);

G_END_DECLS

#endif /* LTT_REPAIR_H */
