/* ltt-latency.h - the time from one event to another: percentiles, histogram, the longest.
 *
 *	const LttLatencyRequest request = {
 *		.pairs = {.trace = trace, .begin = "http.request", .end = "http.response", .by = "id"}};
 *	g_auto(LttLatencySummary) latency = {0};
 *
 *	if (ltt_latency(&request, &latency, &error))
 *		printf("%" G_GUINT64_FORMAT " ns\n",
 *		       ltt_distribution_get_percentile(latency.durations, 99));
 *
 * ltt-pair.h defines pairs, and reads them one by one.
 */
#ifndef LTT_LATENCY_H
#define LTT_LATENCY_H

#include <ltt/ltt-distribution.h>
#include <ltt/ltt-job.h>
#include <ltt/ltt-pair.h>

G_BEGIN_DECLS

/* Maximum number of groups; pairs with further values form a group without a name. */
#define LTT_MAX_LATENCY_GROUPS 10000

typedef struct LttLatencyRequest {
	LttPairRequest pairs; /* keeps_begins is ignored */
	guint n_longest;      /* pairs to list */
	/* problems: damaged blocks; progress in events */
	LttJobCallbacks callbacks;
} LttLatencyRequest;

/* The pairs with one value of the group field. */
typedef struct LttLatencyGroup {
	char *name; /* as ltt_key_value_to_text(); NULL: pairs without the field, or above
		     * LTT_MAX_LATENCY_GROUPS */
	LttDistribution *durations;
} LttLatencyGroup;

/* One of the longest pairs. */
typedef struct LttLatencyPair {
	guint64 begin_ns;
	guint64 end_ns;
	char *key;                     /* as ltt_key_value_to_text() */
	char *group;                   /* NULL: no group */
	LttTracefile *begin_tracefile; /* this and the next: of the trace */
	LttTracefile *end_tracefile;
	gboolean has_thread; /* pid and tid, of the begin, are known */
	guint32 pid;
	guint32 tid;
} LttLatencyPair;

/* Read only. */
typedef struct LttLatencySummary {
	LttDistribution *durations; /* of all pairs */
	LttPairCounts counts;
	char *key_name; /* the key of the pairs: "id", "id=request", "thread" */
	guint n_groups; /* most pairs first, then by name; 0 unless a group was requested */
	LttLatencyGroup *groups;
	guint n_longest; /* longest first, then by time */
	LttLatencyPair *longest;
} LttLatencySummary;

/**
 * ltt_latency:
 * @summary: (out): set on success; free its contents with ltt_latency_summary_clear()
 *
 * Reads the trace once. Percentiles of all groups together are exact up to LTT_MAX_EXACT_DURATIONS
 * pairs.
 *
 * Returns: FALSE with
 *   LTT_ERROR_INVALID    as ltt_pairs_new()
 *   LTT_ERROR_IO         a file could not be read
 *   LTT_ERROR_LIMIT      out of memory for a block
 *   LTT_ERROR_CANCELLED
 */
gboolean ltt_latency(const LttLatencyRequest *request, LttLatencySummary *summary, GError **error);

/* ---- two traces ---- */

/* A difference with a p below this is significant. */
#define LTT_LATENCY_SIGNIFICANCE 0.01

typedef enum LttLatencyVerdict {
	LTT_LATENCY_SLOWER,
	LTT_LATENCY_FASTER,
	LTT_LATENCY_NOISE,   /* the difference may be chance */
	LTT_LATENCY_TOO_FEW, /* less than LTT_MIN_COMPARED pairs in a trace */
} LttLatencyVerdict;

/* The difference in one group, or in all pairs. Borrows from both summaries. */
typedef struct LttLatencyChange {
	const char *name;        /* of the group; NULL as in LttLatencyGroup, or all pairs */
	LttDistribution *before; /* NULL: the first trace does not have the group */
	LttDistribution *after;  /* NULL: the second does not */
	LttLatencyVerdict verdict;
	LttDistributionChange change; /* SLOWER, FASTER, NOISE: p is corrected for the number of
				       * groups that are compared (Bonferroni) */
} LttLatencyChange;

/**
 * ltt_latency_compare:
 * @all: (out): the change of all pairs
 *
 * Compares the latencies of two traces, all and by group, with the Mann-Whitney U test
 * (ltt_distribution_compare()).
 *
 * Returns: (transfer full) (element-type LttLatencyChange): the groups of both, slower ones first,
 *   then faster ones, each with the largest difference first; empty without groups. Free it with
 *   g_array_unref()
 */
GArray *ltt_latency_compare(const LttLatencySummary *before, const LttLatencySummary *after,
			    LttLatencyChange *all);

/* Frees the contents. A summary of zeros is allowed. */
void ltt_latency_summary_clear(LttLatencySummary *summary);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LttLatencySummary, ltt_latency_summary_clear)

G_END_DECLS

#endif /* LTT_LATENCY_H */
