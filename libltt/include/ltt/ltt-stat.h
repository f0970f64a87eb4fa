/* ltt-stat.h - what is in a trace, counted: by event type, tracefile, process and time.
 *
 * Counting needs no order among tracefiles, so nothing is merged, and several threads count at
 * once, each some blocks at a time. The result does not depend on their number.
 */
#ifndef LTT_STAT_H
#define LTT_STAT_H

#include <ltt/ltt-loss-reasons.h>
#include <ltt/ltt-select.h>
#include <ltt/ltt-trace.h>

G_BEGIN_DECLS

/* Some events. */
typedef struct LttStatCount {
	const char *name; /* of the type: "core.irq_entry", or of the tracefile; else NULL */
	guint64 n_events;
	guint64 n_bytes;  /* that they take in their blocks, headers included */
	guint64 first_ns; /* the least and greatest of their times, if there are any events */
	guint64 last_ns;
} LttStatCount;

typedef struct LttStatTracefile {
	LttStatCount count;
	const char *label; /* ltt_tracefile_get_label() */
	guint64 n_lost;    /* events that the tracer says it could not write */
	guint64 gap_ns; /* the longest time between an event and the next one; 0: there is none */
	guint64 gap_start_ns; /* time of the event in front of the first such gap */
} LttStatTracefile;

typedef struct LttStatProcess {
	LttStatCount count; /* its name is that of the process, if control/processes tells it */
	guint32 pid;
} LttStatProcess;

typedef struct LttStatThread {
	LttStatCount count; /* its name is that of the thread at its last event, if it is known */
	guint32 pid;
	guint32 tid;
} LttStatThread;

/* A window of time, [start, start + interval). */
typedef struct LttStatWindow {
	LttStatCount count;
	guint64 start_ns;
} LttStatWindow;

/* Read only. Names live as long as the trace; those of processes and threads as long as
 * this. */
typedef struct LttStat {
	LttStatCount total;
	guint64 n_lost;         /* in all tracefiles */
	LttLossReasons *losses; /* why they were lost */

	guint n_types; /* those with events; most events first, then by name */
	LttStatCount *types;
	guint n_tracefiles; /* those selected, with events or without, in the order of the trace */
	LttStatTracefile *tracefiles;
	guint n_processes; /* those with events; most events first, then by pid */
	LttStatProcess *processes;
	guint n_threads; /* those with events; most events first, then by pid and tid */
	LttStatThread *threads;
	LttStatCount no_process; /* events whose process is not known */
	guint n_windows;         /* those with events, by time; none without an interval */
	LttStatWindow *windows;
} LttStat;

/* Ceiling on windows with events: a shorter interval than that is an error. */
#define LTT_MAX_STAT_WINDOWS 1000000

/* Ceiling on threads; more are not started. */
#define LTT_MAX_STAT_THREADS 256

/* Told of each block that could not be read to its end, in the order of tracefiles and blocks. As
 * from ltt_cursor_next(), @error is LTT_ERROR_CORRUPT if it is damaged; what stands before the
 * damage is counted. Called in the thread that counts, or waits for those that do. */
typedef void (*LttStatErrorFunc)(const GError *error, gpointer user_data);

typedef struct LttStatOptions {
	guint n_threads;             /* 0: as many as there are CPUs */
	guint64 interval_ns;         /* 0: no windows. The first one starts where the window of the
					selection does, or else with the trace */
	LttStatErrorFunc on_error;   /* (nullable) */
	gpointer user_data;          /* for on_error */
	LttProgressFunc on_progress; /* (nullable): told of parts of all parts */
	gpointer progress_data;
} LttStatOptions;

/**
 * ltt_stat_new:
 * @trace: must outlive the result
 * @select: (nullable): which events are counted; NULL: all but builtin and tracer ones
 * @options: (nullable): NULL: all 0
 *
 * Counts. Problems of the trace that show only now are added to it (ltt_trace_get_n_problems()), in
 * an order that does not depend on the number of threads.
 *
 * Losses are those within the window of the selection and of the tracefiles selected; names of
 * events and filters do not matter to them. Their reasons are in control/processes. The tracer's
 * running totals are from the beginning of the recording; what a flight recorder, a window or a cut
 * has left out is taken off, so that events found and events lost make up the events that there
 * were in the time that is left.
 *
 * Returns: (transfer full) (nullable): free it with ltt_stat_free(); NULL with
 *   LTT_ERROR_LIMIT  there are more than LTT_MAX_STAT_WINDOWS windows
 *   LTT_ERROR_IO     @on_progress ended it
 */
LttStat *ltt_stat_new(LttTrace *trace, const LttSelect *select, const LttStatOptions *options,
		      GError **error);
void ltt_stat_free(LttStat *stat); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttStat, ltt_stat_free)

G_END_DECLS

#endif /* LTT_STAT_H */
