/* ltt-repair.h - write a clean copy of a trace that is damaged or whose writer died (doc/edit.md).
 *
 * The copy has every event that a dump of the trace shows, with the same time and thread and in the
 * same order, and ltt_check() finds no problem in it: all blocks are finished, all facilities
 * described. Lost events are counted by tracer.events_lost at the end of each tracefile.
 */
#ifndef LTT_REPAIR_H
#define LTT_REPAIR_H

#include <ltt/ltt-cut.h>

G_BEGIN_DECLS

/* The losses of a tracefile. The number of events after the damage in a block is unknown, so each
 * damaged place counts as one event; so does a block truncated by the end of the file. A block of
 * which only the end is damaged has lost nothing. */
typedef struct LttRepairLoss {
	char *tracefile;  /* "cpu/3" */
	guint64 n_events; /* lower bound */
} LttRepairLoss;

typedef struct LttRepairRequest {
	LttTrace *trace;           /* not changed */
	const char *path;          /* directory to create; must not exist */
	LttJobCallbacks callbacks; /* as LttCutRequest */
} LttRepairRequest;

typedef struct LttRepairSummary {
	guint64 n_events;    /* events in the copy, without hidden events */
	guint64 n_gone;      /* lost events of all tracefiles; lower bound */
	GPtrArray *losses;   /* of LttRepairLoss: tracefiles with losses */
	gboolean is_counted; /* the copy records the losses; FALSE if the tracer facility was not
				loaded and no event ids are left to load it */
} LttRepairSummary;

/* Frees the contents. A summary of zeros is allowed. */
void ltt_repair_summary_clear(LttRepairSummary *summary);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LttRepairSummary, ltt_repair_summary_clear)

/**
 * ltt_repair:
 * @summary: (out) (optional): set on success; free its contents with ltt_repair_summary_clear()
 *
 * Returns: as ltt_cut()
 */
gboolean ltt_repair(const LttRepairRequest *request, LttRepairSummary *summary, GError **error);

G_END_DECLS

#endif /* LTT_REPAIR_H */
