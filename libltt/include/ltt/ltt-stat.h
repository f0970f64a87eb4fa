/* ltt-stat.h - count events by type, tracefile, process, thread and time window (doc/stat.md).
 *
 * Several threads count at once, each some blocks at a time. Nothing is merged, because counting
 * needs no order among tracefiles.
 *
 *	const LttStatRequest request = {.trace = trace};
 *	g_auto(LttStatSummary) summary = {0};
 *
 *	if (ltt_stat(&request, &summary, &error))
 *		printf("%" G_GUINT64_FORMAT " events\n", summary.total.n_events);
 */
#ifndef LTT_STAT_H
#define LTT_STAT_H

#include <ltt/ltt-job.h>
#include <ltt/ltt-loss-reasons.h>
#include <ltt/ltt-select.h>
#include <ltt/ltt-trace.h>

G_BEGIN_DECLS

/* Numbers of a set of events. */
typedef struct LttStatCount {
	const char *name; /* of the type, "core.irq_entry", or of the tracefile; else NULL */
	guint64 n_events;
	guint64 n_bytes;  /* size of the events in their blocks, with headers */
	guint64 first_ns; /* earliest and latest time; 0 without events */
	guint64 last_ns;
} LttStatCount;

typedef struct LttStatTracefile {
	LttStatCount count;
	const char *label; /* ltt_tracefile_get_label() */
	guint host;        /* ltt_tracefile_get_host() */
	guint64 n_lost;    /* events that the tracer reports as lost */
	guint64 gap_ns;    /* longest time between consecutive events; 0: fewer than two events */
	guint64 gap_start_ns; /* time of the event before the first such gap */
} LttStatTracefile;

typedef struct LttStatProcess {
	LttStatCount
		count; /* name: that of the process at its last event, or the last one if it had none by then;
			     * NULL: unknown */
	guint host; /* its machine, for ltt_trace_get_host() */
	guint32 pid;
} LttStatProcess;

typedef struct LttStatThread {
	LttStatCount count; /* name: that of the thread at its last event; NULL: unknown */
	guint host;         /* its machine */
	guint32 pid;
	guint32 tid;
} LttStatThread;

/* A time window, [start_ns, start_ns + interval_ns). */
typedef struct LttStatWindow {
	LttStatCount count;
	guint64 start_ns;
} LttStatWindow;

/* Read only. The names of processes and threads belong to the summary, other names to the trace. */
typedef struct LttStatSummary {
	LttStatCount total;
	guint64 n_lost;         /* in all tracefiles */
	LttLossReasons *losses; /* why they were lost */

	guint n_types; /* with events; most events first, then by name */
	LttStatCount *types;
	guint n_tracefiles; /* selected, with or without events, in the order of the trace */
	LttStatTracefile *tracefiles;
	guint n_processes; /* with events; most events first, then by host and pid */
	LttStatProcess *processes;
	guint n_threads; /* with events; likewise, then by tid */
	LttStatThread *threads;
	LttStatCount no_process; /* events of an unknown process */
	guint n_windows;         /* with events, by time; 0 without an interval */
	LttStatWindow *windows;
} LttStatSummary;

/* Maximum number of windows with events; an interval that exceeds it is an error. */
#define LTT_MAX_STAT_WINDOWS 1000000

/* Maximum number of threads; no more are started. */
#define LTT_MAX_STAT_THREADS 256

typedef struct LttStatRequest {
	LttTrace *trace;         /* must outlive the summary */
	const LttSelect *select; /* events to count; NULL: all except hidden ones */
	guint n_threads;         /* 0: the number of CPUs */
	guint64 interval_ns; /* length of a window; 0: no windows. The first one starts at the start
				of the selected window, or else of the trace */
	LttJobCallbacks callbacks; /* problems: damaged blocks, in the order of tracefiles and
				      blocks; progress in blocks */
} LttStatRequest;

/**
 * ltt_stat:
 * @summary: (out) (optional): set on success; free its contents with ltt_stat_summary_clear()
 *
 * Counts the events of a trace. The summary does not depend on the number of threads. The events of
 * a damaged block up to the damage are counted.
 *
 * The numbers of lost events cover the selected time window and tracefiles; names of events and
 * filters have no effect on them. control/processes has their reasons. Events found and events lost
 * add up to the events that occurred in that time: the losses of what a flight recorder has
 * overwritten, or a window or a cut has left out, are subtracted from the running totals of the
 * tracer.
 *
 * Problems of the trace that are found now are added to it (ltt_trace_get_n_problems()).
 *
 * Returns: FALSE with
 *   LTT_ERROR_LIMIT  more than LTT_MAX_STAT_WINDOWS windows, or out of memory for a block
 *   LTT_ERROR_IO     a file could not be read
 *   LTT_ERROR_CANCELLED
 */
gboolean ltt_stat(const LttStatRequest *request, LttStatSummary *summary, GError **error);

/* Frees the contents. A summary of zeros is allowed. */
void ltt_stat_summary_clear(LttStatSummary *summary);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LttStatSummary, ltt_stat_summary_clear)

G_END_DECLS

#endif /* LTT_STAT_H */
