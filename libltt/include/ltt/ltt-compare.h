/* ltt-compare.h - compare the events of two traces (doc/compare.md).
 *
 *	const LttCompareRequest request = {.traces = {before, after}};
 *	g_auto(LttCompareSummary) summary = {0};
 *
 *	if (ltt_compare(&request, &summary, &error) && ltt_compare_summary_is_same(&summary))
 *		puts("the same");
 *
 * Two events are the same if a dump shows the same time, tracefile, name, thread and data for both.
 * Blocks, event ids, byte order and sizes do not matter. Events are compared in merged order;
 * events of equal times match in any order.
 */
#ifndef LTT_COMPARE_H
#define LTT_COMPARE_H

#include <ltt/ltt-job.h>
#include <ltt/ltt-merge.h>

G_BEGIN_DECLS

/* Properties to ignore, when the traces are of different runs. */
typedef enum LttCompareIgnore {
	LTT_COMPARE_IGNORE_TIME = 1 << 0, /* compare the order instead */
	LTT_COMPARE_IGNORE_TRACEFILE = 1 << 1,
	LTT_COMPARE_IGNORE_THREAD = 1 << 2,
} LttCompareIgnore;

/* Which traces have an event. */
typedef enum LttComparePlace {
	LTT_COMPARE_BOTH,
	LTT_COMPARE_FIRST,
	LTT_COMPARE_SECOND,
	LTT_COMPARE_GAP, /* no event: both traces have events here that are not reported */
} LttComparePlace;

/* Numbers of events. */
typedef struct LttCompareCount {
	const char *name; /* full name of the events; NULL: all events */
	guint64 n_both;
	guint64 n_first;
	guint64 n_second;
} LttCompareCount;

/* Called, in order, for each event that only one trace has, and for the common events around it.
 * @event: (nullable): valid until the function returns; from the first trace if both have it */
typedef void (*LttCompareFunc)(LttComparePlace place, const LttEvent *event, gpointer user_data);

typedef struct LttCompareRequest {
	LttTrace *traces[2];
	LttSelect *selects[2];     /* events of each trace; NULL: all, with hidden events */
	guint ignored;             /* bits of LttCompareIgnore */
	guint n_context;           /* common events to report before and after each difference */
	LttCompareFunc on_event;   /* (nullable): called with the user_data of the callbacks */
	LttJobCallbacks callbacks; /* problems: damaged blocks, with the index of the trace;
					 progress in events of both traces */
} LttCompareRequest;

/* The names of events belong to the traces. */
typedef struct LttCompareSummary {
	LttCompareCount total;
	guint n_types;
	LttCompareCount *types; /* sorted by name */
} LttCompareSummary;

/* The look-ahead in events if times are ignored. If one trace has a longer run of events that the other
 * lacks, the comparison does not recognize the run, and reports more differences than necessary. */
#define LTT_MAX_COMPARE_LOOKAHEAD 1024

/* Maximum number of events of one time that are compared regardless of their order. If there are more
 * in another order, the comparison reports more differences than necessary. */
#define LTT_MAX_COMPARE_TOGETHER 65536

/* Both apply as long as the payloads of these events have fewer bytes. */
#define LTT_MAX_COMPARE_BYTES ((guint64)128 << 20)

/**
 * ltt_compare:
 * @summary: (out) (optional): set on success; free its contents with ltt_compare_summary_clear().
 *   The traces must outlive it
 *
 * Keeps in memory, of each trace, the events of one time, at most LTT_MAX_COMPARE_TOGETHER, or, if
 * times are ignored, LTT_MAX_COMPARE_LOOKAHEAD events: their payloads and at most 1 KiB for each.
 *
 * Returns: FALSE with
 *   LTT_ERROR_IO     a file could not be read
 *   LTT_ERROR_LIMIT  out of memory for a block
 *   LTT_ERROR_CANCELLED
 */
gboolean ltt_compare(const LttCompareRequest *request, LttCompareSummary *summary, GError **error);

/* Frees the contents. A summary of zeros is allowed. */
void ltt_compare_summary_clear(LttCompareSummary *summary);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LttCompareSummary, ltt_compare_summary_clear)

/* Returns: whether both traces have all events */
gboolean ltt_compare_summary_is_same(const LttCompareSummary *summary);

G_END_DECLS

#endif /* LTT_COMPARE_H */
