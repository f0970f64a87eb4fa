/* ltt-sync.h - relate the clocks of several machines by messages between them.
 *
 * A message is received after it was sent. Each message therefore gives an upper limit for the
 * offset of the clock of the sender relative to that of the receiver. Messages in both directions
 * limit the offset from both sides, with an error of about half the shortest round trip:
 *
 *	machine 1   ───send────────────────receive───►
 *	                 ╲                ╱
 *	machine 2   ──────receive────send────────────►
 *
 * The result is, for each trace, a map from its clock to that of the first trace, and a bound, an
 * upper limit for the error of each time. For a machine that exchanges no messages with the first,
 * the map is composed of the maps between other machines, along the path with the least sum of
 * bounds. A clock has no result if messages do not limit its offset from both sides.
 *
 *	const char *rules[] = {"rpc.send:id=rpc.receive:id", NULL};
 *	const LttSyncRequest request = {.traces = traces, .n_traces = 2, .rules = rules};
 *	g_autoptr(LttSync) sync = ltt_sync_new(&request, &error);
 *	LttTrace *joined = ltt_trace_join_by_maps(traces, 2, ltt_sync_get_maps(sync), &error);
 *
 * The bound assumes that the rates of the clocks change slowly: by no more than the wander during
 * the seconds over which they are estimated. If messages contradict the assumption, limits of up to
 * 64 times the wander are tried, and reported.
 */
#ifndef LTT_SYNC_H
#define LTT_SYNC_H

#include <ltt/ltt-clock-map.h>
#include <ltt/ltt-job.h>
#include <ltt/ltt-trace.h>

G_BEGIN_DECLS

typedef struct LttSync LttSync;

/* The wander of the rate of a quartz clock, in parts per million, unless the request has another. */
#define LTT_SYNC_WANDER_PPM 1.0

#define LTT_SYNC_MAX_TRACES 4096

typedef struct LttSyncRequest {
	LttTrace *const *traces; /* open and not joined; n_traces */
	guint n_traces;          /* 2 to LTT_SYNC_MAX_TRACES */
	/* Ends with NULL. "SEND:FIELD=RECEIVE:FIELD": the full names of the event types at both ends
	 * of a message, and the fields, separated by commas, that identify it. No other machine sends
	 * the same values */
	const char *const *rules;
	double wander_ppm;         /* 0: LTT_SYNC_WANDER_PPM */
	LttJobCallbacks callbacks; /* problems: damaged blocks, which are left out; progress in
				    * events */
} LttSyncRequest;

typedef enum LttSyncState {
	LTT_SYNC_REFERENCE,  /* the first trace */
	LTT_SYNC_SAME_CLOCK, /* recorded on the machine of an earlier trace, during the same boot */
	LTT_SYNC_FOUND,
	LTT_SYNC_NO_MESSAGES,   /* no messages to a machine whose clock is known */
	LTT_SYNC_ONE_WAY,       /* only in one direction */
	LTT_SYNC_CONTRADICTION, /* messages contradict each other for every wander that was tried: a
				 * clock was set, or ids are not unique */
} LttSyncState;

/* Returns: the name of a state: "no messages" */
const char *ltt_sync_state_name(LttSyncState state);

/* The clock of a trace, relative to that of the first one. */
typedef struct LttSyncClock {
	LttSyncState state;
	guint parent; /* FOUND: the trace whose clock it was compared with; SAME_CLOCK: the trace
			    * with the same clock; else 0 */
	gint64 offset_ns; /* FOUND: to add to the time of its first event */
	double rate_ppm;  /* FOUND: how much faster the clock of the first trace runs, on average */
	guint64 bound_ns; /* FOUND: the error of any time between its first and its last event is at
			    * most this, with the errors of earlier conversions (ltt-conversions.h) */
	guint n_bends;    /* FOUND: changes of the rate */
	double wander_ppm; /* FOUND: the largest wander on the path to the first trace */
	gboolean
		has_claim; /* both traces have the attribute clock_max_error (doc/format.md, 9.1) */
	guint64 claim_ns;  /* upper limit of the difference of the two clocks according to NTP: the
			    * sum of both errors at the start of the recording */
} LttSyncClock;

/* Two clocks with messages between them; @first is before @second. */
typedef struct LttSyncPair {
	guint first;         /* the number of a trace */
	guint second;        /* the number of another, of another machine */
	LttSyncState state;  /* FOUND, ONE_WAY or CONTRADICTION */
	guint64 n_to_second; /* messages */
	guint64 n_to_first;
	guint64 bound_ns; /* FOUND: within the time of the messages */
	guint64 bad_ns;   /* CONTRADICTION: its time by the clock of the first */
} LttSyncPair;

typedef struct LttSyncCounts {
	guint64 n_sends; /* events */
	guint64 n_receives;
	guint64 n_without_id; /* events without the fields of the rule */
	guint64 n_messages;   /* between machines */
	guint64 n_repeated;   /* ids that a machine sends more than once: only the first is used */
	guint64 n_ambiguous;  /* ids that several machines send; ignored */
} LttSyncCounts;

/**
 * ltt_sync_new:
 *
 * Reads all traces. Memory does not depend on the number of messages.
 *
 * Returns: (transfer full) (nullable): NULL with
 *   LTT_ERROR_INVALID  a rule is malformed, or no trace has its event types
 *   LTT_ERROR_LIMIT    too many traces
 *   LTT_ERROR_IO       reading, or writing a temporary file, failed
 *   LTT_ERROR_CANCELLED
 */
LttSync *ltt_sync_new(const LttSyncRequest *request, GError **error);
void ltt_sync_free(LttSync *sync); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttSync, ltt_sync_free)

/* Returns: the result for trace number @index of the request */
const LttSyncClock *ltt_sync_get_clock(const LttSync *sync, guint index);

/* @traces: those of the request. Returns: (transfer full) (nullable): a message with the reason why trace
 *   number @index has no result; NULL: it has one */
char *ltt_sync_dup_reason(const LttSync *sync, LttTrace *const *traces, guint index);

/* Returns: (array) (transfer none): for each trace the map of its times to those of the first, with the
 *   bound of this conversion; NULL for the first, for those of its machine, and for those without a result */
LttClockMap *const *ltt_sync_get_maps(const LttSync *sync);

/* Returns: (element-type LttSyncPair) (transfer none): all clocks with messages between them */
const GArray *ltt_sync_get_pairs(const LttSync *sync);

void ltt_sync_get_counts(const LttSync *sync, LttSyncCounts *counts);

G_END_DECLS

#endif /* LTT_SYNC_H */
