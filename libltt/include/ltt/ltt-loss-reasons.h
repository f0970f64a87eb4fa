/* ltt-loss-reasons.h - why a recording lost events.
 *
 * A recorder counts the lost events of each tracefile, and separately the reasons (doc/format.md,
 * 11.7). LttStatSummary has both.
 */
#ifndef LTT_LOSS_REASONS_H
#define LTT_LOSS_REASONS_H

#include <ltt/ltt-select.h>
#include <ltt/ltt-trace.h>

G_BEGIN_DECLS

/* The events that were lost for one reason. */
typedef struct LttLossReason {
	const char *name; /* "disk_full" */
	guint64 n_events;
} LttLossReason;

/* The events of one type that were lost because they did not fit into a block; the reason
 * "too_large" includes them. */
typedef struct LttLossType {
	const char *name;
	guint64 n_events;
	guint64 n_bytes; /* payload of the largest one */
} LttLossType;

/* Read only. */
typedef struct LttLossReasons {
	guint n_reasons; /* most events first, then by name */
	LttLossReason *reasons;
	guint n_types; /* most events first, then by name */
	LttLossType *types;
	guint64 n_process_events; /* tracer.process_start and process_exit that were lost; not among
				     the reasons */
	guint64 n_unfiled;        /* lost events of a recording that was killed before any tracefile
			      counted them; LttStatSummary.n_lost includes them */
} LttLossReasons;

/**
 * ltt_loss_reasons_new:
 * @trace: the trace
 * @select: (nullable): only the losses in its window, if it selects control/processes; NULL: all
 *
 * Reads control/processes. If the recording was killed before it reported its last losses, their
 * reasons are still in its session state in the trace directory; without a window these count, too.
 * Together the reasons may have fewer events than LttStatSummary.n_lost, and in a flight recorder more:
 * n_lost counts only the time that the trace still covers.
 *
 * Returns: (transfer full): free it with ltt_loss_reasons_free()
 */
LttLossReasons *ltt_loss_reasons_new(LttTrace *trace, const LttSelect *select);
void ltt_loss_reasons_free(LttLossReasons *reasons); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttLossReasons, ltt_loss_reasons_free)

G_END_DECLS

#endif /* LTT_LOSS_REASONS_H */
