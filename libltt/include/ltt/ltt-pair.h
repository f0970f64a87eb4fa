/* ltt-pair.h - pair events that begin something with the events that end it.
 *
 * A pair is an event of the type @begin, the next event of the type @end with the same key, and the
 * time between them:
 *
 *	http.request   id=7 ─────────────┐
 *	http.request   id=8 ───┐         │
 *	http.response  id=8 ◄──┘ 1.2 ms  │
 *	http.response  id=7 ◄────────────┘ 3.4 ms
 *
 * The key is a field of each event, or the thread. An end is paired with the latest open begin with
 * its key, because calls nest. If both types are the same, each event ends the one before it.
 *
 *	const LttPairRequest request = {
 *		.trace = trace, .begin = "http.request", .end = "http.response", .by = "id"};
 *	g_autoptr(LttPairs) pairs = ltt_pairs_new(&request, &error);
 *	const LttPair *pair;
 *	while (ltt_pairs_next(pairs, &pair, &error) == LTT_STEP_EVENT)
 *		printf("%" G_GUINT64_FORMAT "\n", pair->end_ns - pair->begin_ns);
 *
 * Memory grows with the number of open begins, not with the number of pairs.
 */
#ifndef LTT_PAIR_H
#define LTT_PAIR_H

#include <ltt/ltt-cursor.h>
#include <ltt/ltt-job.h>
#include <ltt/ltt-select.h>
#include <ltt/ltt-symbols.h>
#include <ltt/ltt-trace.h>

G_BEGIN_DECLS

/* ---- keys ---- */

typedef enum LttKeyKind {
	LTT_KEY_NONE,      /* no value */
	LTT_KEY_UINT,      /* number: of an int, uint or enum, if not negative; a pid, tid or CPU */
	LTT_KEY_INT,       /* number: the bits of a negative gint64, of an int or enum */
	LTT_KEY_FLOAT,     /* number: the bits of a double */
	LTT_KEY_STRING,    /* text */
	LTT_KEY_THREAD,    /* number: pid << 32 | tid */
	LTT_KEY_TRACEFILE, /* number: the index of the tracefile */
} LttKeyKind;

/* The value of a field, or the thread, process or CPU of an event. Read only. */
typedef struct LttKeyValue {
	LttKeyKind kind;
	guint32 machine; /* THREAD: distinguishes machines and recordings (ltt-states.h); of "FIELD@pid":
			  * distinguishes processes; else 0 */
	guint64 number;
	const LttLayout *layout; /* of an enum or a float; else NULL */
	const char *text;        /* STRING: its bytes, not always followed by a NUL; else NULL */
	gsize length;            /* STRING */
} LttKeyValue;

/* Returns: (transfer full): the value as `ltt dump` shows it, without quotes around strings and
 *   with U+FFFD for invalid UTF-8; "PID/TID" for a thread */
char *ltt_key_value_to_text(const LttKeyValue *value, const LttTrace *trace);

/* ---- pairs ---- */

typedef struct LttPairs LttPairs;

/* Limit of open begins. Further ones are not paired (LttPairCounts.n_over_limit). */
#define LTT_MAX_OPEN_PAIRS (4 * 1024 * 1024)

typedef struct LttPairRequest {
	LttTrace *trace;
	/* (nullable): window and CPUs select events before they are paired, so that a pair has two
	 * selected events. The filter selects pairs: both events must satisfy it. It is not applied
	 * to an event without any of its fields if the other event has one. Selected names are
	 * ignored */
	LttSelect *select;
	const char *begin; /* full name of an event type: "http.request" */
	const char *end;   /* may be the same */
	/* (nullable): "FIELD" of both events, or "FIELD=FIELD" of the begin and of the end, with
	 * paths as in filters (ltt-filter.h): a number, an enum or a string. "FIELD@pid" limits
	 * pairs to events of the same process. Or "thread", "pid",
	 * "tid", "cpu" or "host" ("data.cpu" is a field of that name). NULL: as the description of @end
	 * declares (doc/format.md, 8.9), else the thread. The key is the tracefile if the thread is
	 * unknown or 0: each CPU has its own idle thread 0 */
	const char *by;
	const char *group;     /* (nullable): a field, pid, tid, cpu or host of the begin, or else
				* of the end: LttPair.group */
	LttSymbols *symbols;   /* (nullable): of the trace: a group that is an address in code
				* (doc/format.md, 8.7) has the name of its function as value */
	gboolean keeps_begins; /* LttPair.begin has its payload */
} LttPairRequest;

/* Read only; valid until the next call on the LttPairs that returned it. */
typedef struct LttPair {
	guint64 begin_ns;
	guint64 end_ns;        /* not before begin_ns */
	const LttEvent *begin; /* without a payload unless requested; block, offset_bytes and cycles
				* are kept */
	const LttEvent *end;
	LttKeyValue key;
	LttKeyValue group; /* NONE: not requested, or neither event has it */
} LttPair;

/* Counts of pairs, and of events that are not in pairs, so far. */
typedef struct LttPairCounts {
	guint64 n_pairs;
	guint64 n_open;        /* begins without an end so far */
	guint64 n_lone_ends;   /* ends without a begin */
	guint64 n_without_key; /* events that do not have the key */
	guint64 n_over_limit;  /* begins left out because of LTT_MAX_OPEN_PAIRS */
	guint64 n_filtered;    /* pairs that the filter of the selection rejects */
	guint64 n_early_ends; /* ends with an earlier time than their begin, because times fall: they are paired,
				* but the pair has no duration and is left out */
} LttPairCounts;

/**
 * ltt_pairs_new:
 * @request: copied; the trace and the selection must outlive the pairs
 *
 * Returns: (transfer full) (nullable): NULL with LTT_ERROR_INVALID if the trace has no event type of
 *   that name, an event type does not have the field, the fields cannot be equal (a number and a
 *   string), the key or the group needs threads, which the trace does not record, or a path is
 *   malformed
 */
LttPairs *ltt_pairs_new(const LttPairRequest *request, GError **error);
void ltt_pairs_free(LttPairs *pairs); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttPairs, ltt_pairs_free)

/* Finds keys and groups "pid", "tid" and "cpu" of event types that have a field of this name. The caller
 * may have meant the field, "data.pid".
 * Returns: (transfer full) (element-type LttDoubt) */
GPtrArray *ltt_pairs_check(const LttPairRequest *request);

/* As ltt_merge_set_callbacks(). */
void ltt_pairs_set_callbacks(LttPairs *pairs, const LttJobCallbacks *callbacks);

/* Moves to the next pair, in the order in which pairs end. Returns: as ltt_merge_next() */
LttStep ltt_pairs_next(LttPairs *pairs, const LttPair **pair, GError **error);

/* Skips the rest of the block in which the last step failed. */
void ltt_pairs_skip_block(LttPairs *pairs);

void ltt_pairs_get_counts(const LttPairs *pairs, LttPairCounts *counts);

/* Returns: (transfer full): the name of the key for display: "id", "id=request", "thread", "tracefile" */
char *ltt_pairs_get_key_name(const LttPairs *pairs);

G_END_DECLS

#endif /* LTT_PAIR_H */
