/* ltt-compare.h - whether two traces hold the same events, and what differs.
 *
 * Events are the same if time, tracefile, name, thread and data are, as a dump shows them: how the
 * traces have their blocks, ids, byte order and sizes does not matter. They are compared in merged
 * order, those of equal times in any order.
 */
#ifndef LTT_COMPARE_H
#define LTT_COMPARE_H

#include <ltt/ltt-merge.h>

G_BEGIN_DECLS

/* What is not compared, for traces that have this from different runs. */
typedef enum LttCompareIgnore {
	LTT_COMPARE_IGNORE_TIME = 1 << 0, /* then the order counts */
	LTT_COMPARE_IGNORE_TRACEFILE = 1 << 1,
	LTT_COMPARE_IGNORE_THREAD = 1 << 2,
} LttCompareIgnore;

/* Where an event is, or a run of events that is not told. */
typedef enum LttComparePlace {
	LTT_COMPARE_BOTH,
	LTT_COMPARE_FIRST,
	LTT_COMPARE_SECOND,
	LTT_COMPARE_GAP, /* events of both stand here that are not told; there is no event */
} LttComparePlace;

/* How many events. */
typedef struct LttCompareCount {
	const char *name; /* full name of the events; NULL: of all */
	guint64 n_both;
	guint64 n_first;
	guint64 n_second;
} LttCompareCount;

/* The events that only one trace has, in order, and some that both have before and behind them.
 * @event: (nullable): valid until the function returns; of the first trace, if both have it */
typedef void (*LttCompareFunc)(LttComparePlace place, const LttEvent *event, gpointer user_data);

/* Told of each block that could not be read to its end: ltt_cursor_next() says with what. @trace: 0
 * or 1, the first or the second */
typedef void (*LttCompareErrorFunc)(guint trace, const GError *error, gpointer user_data);

typedef struct LttCompareRequest {
	LttTrace *traces[2];
	LttSelect *selects[2];        /* which events of each; NULL: all, builtin and tracer ones
					 too */
	guint ignored;                /* of LttCompareIgnore */
	guint n_context;              /* how many events that both have are told around others */
	LttCompareFunc on_event;      /* (nullable) */
	LttCompareErrorFunc on_error; /* (nullable) */
	gpointer user_data;
} LttCompareRequest;

typedef struct LttComparison {
	LttCompareCount total;
	guint n_types; /* by name */
	LttCompareCount *types;
} LttComparison;

/* Without times, a stretch of more events than this in one trace only is not recognized as such:
 * then more is told to differ than need be. */
#define LTT_COMPARE_REACH 1024

/**
 * ltt_compare:
 *
 * Compares. Memory is needed for as many events as have the same time, or without times for
 * LTT_COMPARE_REACH of each trace.
 *
 * Returns: (transfer full): free it with ltt_comparison_free(); it names events that the traces
 *   describe, so these must outlive it
 */
LttComparison *ltt_compare(const LttCompareRequest *request);
void ltt_comparison_free(LttComparison *comparison); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttComparison, ltt_comparison_free)

/* Returns: whether no event is in one trace only */
gboolean ltt_comparison_is_same(const LttComparison *comparison);

G_END_DECLS

#endif /* LTT_COMPARE_H */
