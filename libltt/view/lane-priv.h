/* lane-priv.h - lanes: the rows of the picture, each with what happened in it by bins of the time.
 *
 * A lane belongs to a thread, to a CPU, or to the asynchronous spans of one name. The axis divides the
 * time of the trace into bins; a lane keeps, for each bin in which something happened, how much:
 *
 *	bins    |  100  |  101  |  102  |  103  | ...
 *	depth 0 [==========]    [=]  [=]            cells (100,0) (101,0) (102,0)
 *	depth 1   [=] [=]                           cell  (100,1)
 *	events   .   .                              cell  (100,EVENTS)
 *
 * A span that is longer than some bins is kept as it is. Memory is thus bounded by the number of bins,
 * not by that of events. With many lanes, ltt_view_map_limit_cells() makes the bins longer.
 */
#ifndef LTT_VIEW_LANE_PRIV_H
#define LTT_VIEW_LANE_PRIV_H

#ifndef LTT_BUILDING
#error "view/lane-priv.h is private to libltt; use <ltt/ltt-view.h>"
#endif

#include <ltt/ltt-span.h>

/* ---- the axis ---- */

typedef struct LttViewAxis {
	guint64 start_ns; /* of bin 0 */
	guint64 end_ns;   /* after the last event */
	guint64 bin_ns;
} LttViewAxis;

/* Bins of a trace. A window of 1,000 pixels that is drawn from events lies in less than 2,000 of them:
 * of 100 million events in 800,000. */
#define LTT_VIEW_BINS (256 * 1024)

/* Spans of more bins are kept as they are. */
#define LTT_VIEW_LONG_BINS 8

/* The depth of events that are part of no span. */
#define LTT_VIEW_EVENTS_DEPTH G_MAXUINT16

void ltt_view_axis_init(LttViewAxis *axis, guint64 start_ns, guint64 end_ns);

/* Returns: the bin of a time; times outside count as the nearest bin */
guint32 ltt_view_axis_bin(const LttViewAxis *axis, guint64 time_ns);

/* Returns: whether the end of the axis needs longer bins */
gboolean ltt_view_axis_is_full(const LttViewAxis *axis);

/* ---- lanes ---- */

typedef enum LttLaneKind {
	LTT_LANE_CPU,     /* the events of a CPU */
	LTT_LANE_THREAD,  /* the spans and events of a thread, or of a tracefile without threads */
	LTT_LANE_ASYNC,   /* asynchronous spans of one name */
	LTT_LANE_COUNTER, /* the values of a counter of a process */
	LTT_LANE_OTHERS,  /* all lanes for which there is no room (map-priv.h) */
} LttLaneKind;

/* What identifies a lane. */
typedef struct LttLaneKey {
	LttLaneKind kind;
	guint member; /* of a joined trace */
	guint host;   /* ltt_tracefile_get_host() */
	guint32 pid;  /* THREAD: 0 and the tracefile in `tid` if the thread is unknown */
	guint32 tid;  /* THREAD: thread; CPU: number; ASYNC, COUNTER: name */
	gboolean has_thread;
} LttLaneKey;

typedef struct LttLaneCell {
	guint32 bin;
	guint32 name;    /* of the span that covers most, or of the last event */
	guint64 longest; /* time that this span covers, in ns */
	guint64 covered; /* time that spans cover, in ns */
	guint32 n;       /* spans that begin here, or events */
	guint16 depth;
} LttLaneCell;

typedef struct LttLaneSpan {
	guint64 begin_ns;
	guint64 end_ns;
	guint32 name;
	guint16 depth;
	guint8 outcome; /* LttSpanOutcome */
} LttLaneSpan;

/* The rows of asynchronous spans, which may overlap (async-priv.h). */
#define LTT_ASYNC_ROWS 12

typedef struct LttAsyncRows {
	guint n; /* rows in use so far */
	guint64 free_from_ns[LTT_ASYNC_ROWS];
} LttAsyncRows;

/* Returns: the row of a span. For the spans in the order of begins or of ends */
guint16 ltt_async_rows_take(LttAsyncRows *rows, guint64 begin_ns, guint64 end_ns);

/* What a lane is without its open spans. */
typedef struct LttLaneClosed {
	guint64 n_events;
	guint64 first_ns;
	guint64 last_ns;
	guint n_depths;
	LttAsyncRows rows;
} LttLaneClosed;

typedef struct LttLane {
	LttLaneKey key;
	guint id;
	guint64 n_events;
	guint64 first_ns;
	guint64 last_ns;
	guint n_depths;    /* rows of spans */
	GArray *cells;     /* of LttLaneCell, by bin, then by depth */
	LttAsyncRows rows; /* ASYNC: to know how many are needed */
	GArray *longs;     /* of LttLaneSpan, in the order of their ends */
	GArray *opens;     /* of LttLaneSpan; NULL: none (ltt_lane_add_open()) */
	LttLaneClosed closed;
} LttLane;

LttLane *ltt_lane_new(const LttLaneKey *key, guint id);
void ltt_lane_free(gpointer data); /* LttLane */

/* Returns: (transfer full): a copy without the open spans */
LttLane *ltt_lane_copy_closed(const LttLane *lane);

guint ltt_lane_key_hash(gconstpointer data); /* LttLaneKey */
gboolean ltt_lane_key_equal(gconstpointer a, gconstpointer b);

/* Adds a span, in the order of ends. */
void ltt_lane_add_span(LttLane *lane, const LttViewAxis *axis, const LttLaneSpan *span);

/* Adds a span that is open at the end of a recording that is running, after all other spans. It is kept apart,
 * because ltt_lane_copy_closed() leaves it out. */
void ltt_lane_add_open(LttLane *lane, const LttLaneSpan *span);

/* Adds an event that is part of no span. */
void ltt_lane_add_event(LttLane *lane, const LttViewAxis *axis, guint64 time_ns, guint32 name);

/* Joins cells after the bins of the axis became twice as long, and turns spans that are no longer long
 * into cells. */
void ltt_lane_coarsen(LttLane *lane, const LttViewAxis *axis);

/* Returns: the index of the first cell of @bin or of a later one */
guint ltt_lane_find_cell(const LttLane *lane, guint32 bin);

/* Returns: the index of the first long span that ends after @time_ns */
guint ltt_lane_find_long(const LttLane *lane, guint64 time_ns);

#endif
