/* stat-priv.h - counting, one range of blocks at a time. */
#ifndef LTT_ANALYSIS_STAT_PRIV_H
#define LTT_ANALYSIS_STAT_PRIV_H

#ifndef LTT_BUILDING
#error "analysis/stat-priv.h is private to libltt; use <ltt/ltt-stat.h>"
#endif

#include "analysis/losses-priv.h"

#include <ltt/ltt-stat.h>

/* The parameters that all workers share. */
typedef struct LttStatTask {
	LttTrace *trace;
	const LttSelect *select; /* (nullable) */
	guint64 from_ns;         /* only events of [from, from + span) */
	guint64 span_ns;
	guint64 interval_ns; /* 0: no windows */
	guint64 origin_ns;   /* start of a window */
} LttStatTask;

/* ---- sums ---- */

#define LTT_STAT_NO_COUNT ((LttStatCount){.first_ns = G_MAXUINT64})

/* Adds up numbers and times; the name stays. */
static inline void ltt_stat_add(LttStatCount *to, const LttStatCount *from)
{
	to->n_events += from->n_events;
	to->n_bytes += from->n_bytes;
	to->first_ns = MIN(to->first_ns, from->first_ns);
	to->last_ns = MAX(to->last_ns, from->last_ns);
}

/* Counts that can be added in any order. */
typedef struct LttStatSums {
	GHashTable *types;   /* of LttStatCount, by name */
	GHashTable *threads; /* of LttStatThread, by host, pid and tid */
	LttStatCount no_process;
	GHashTable *windows;   /* of LttStatWindow, by start */
	LttStatWindow *window; /* the last one used; NULL: none yet */
	guint64 window_end_ns;
} LttStatSums;

void ltt_stat_sums_init(LttStatSums *sums);
void ltt_stat_sums_clear(LttStatSums *sums);
void ltt_stat_sums_add(LttStatSums *to, const LttStatSums *from);

/* Returns: the count for a name, created if necessary. @name must outlive the sums */
LttStatCount *ltt_stat_need_type(LttStatSums *sums, const char *name);
LttStatCount *ltt_stat_need_thread(LttStatSums *sums, guint host, guint32 pid, guint32 tid);

/* Makes the window of @time_ns the last one. Returns: FALSE if it would be more than
 * LTT_MAX_STAT_WINDOWS */
gboolean ltt_stat_change_window(LttStatSums *sums, const LttStatTask *task, guint64 time_ns);

/* Moves the elements into the arrays of @stat, in their documented order. */
void ltt_stat_sums_give(LttStatSums *sums, LttStatSummary *stat);

/* ---- counting ---- */

/* Later than all times. */
#define LTT_STAT_NO_TIME G_MAXUINT64

/* A range of consecutive blocks of a tracefile, and their counts. */
typedef struct LttStatPart {
	LttTracefile *tracefile;
	guint file;       /* its index among the counted files */
	guint64 position; /* of the first, in the order of the file */
	guint64 end;
	GPtrArray *errors; /* of GError; NULL: none */

	LttStatCount count;
	guint64 head_ns; /* time of the first event and of the last one; LTT_STAT_NO_TIME: none */
	guint64 tail_ns;
	guint64 gap_ns; /* as in LttStatTracefile */
	guint64 gap_start_ns;
	LttLosses losses; /* before the window, and in it */
} LttStatPart;

/* The state of one thread, with its own sums. */
typedef struct LttStatWorker LttStatWorker;

LttStatWorker *ltt_stat_worker_new(const LttStatTask *task);
void ltt_stat_worker_free(LttStatWorker *worker);

/* Counts the events of @part, in @part and in the sums of the worker. */
void ltt_stat_worker_run(LttStatWorker *worker, LttStatPart *part);

/* Returns: whether there are more than LTT_MAX_STAT_WINDOWS; then counting has stopped */
gboolean ltt_stat_worker_has_too_many(const LttStatWorker *worker);

/* Adds the counts of the worker to @sums. */
void ltt_stat_worker_give(LttStatWorker *worker, LttStatSums *sums);

/* ---- names ---- */

/* @names: (inout): requested process ids of a host -> names. Sets the last name by time of each; the table
 * owns them. */
void ltt_stat_find_names(LttTrace *trace, guint host, GHashTable *names);

/* Returns: (transfer full) (nullable): the name of a thread at a time; NULL: unknown */
char *ltt_stat_find_thread_name(LttTrace *trace, guint host, guint32 pid, guint32 tid,
				guint64 time_ns);

/* Sets the names of processes and threads from control/processes. ltt_stat_summary_clear() frees
 * them. */
void ltt_stat_name_processes(LttTrace *trace, LttStatSummary *stat);

#endif
