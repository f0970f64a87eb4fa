/* map-priv.h - the summary of the whole trace for the viewer: counts, lanes, and places to start
 * from.
 *
 * It describes the trace at one moment: what a running recording writes later belongs to the next map
 * (live-priv.h). A thread makes it in the background, in two passes, unless the cache has it
 * (cache-priv.h):
 *
 *	counting   ltt_stat(): events by bin, type and thread, with several threads
 *	drawing    ltt_spans: the lanes, and every so often the spans that are open
 *
 *	trace  ──┬──────────┬──────────┬──────────┬────► time
 *	         │          │          │          │
 *	       point      point      point      point    open spans: a window is drawn from the point
 *	                                                 before it, however long the trace is
 */
#ifndef LTT_VIEW_MAP_PRIV_H
#define LTT_VIEW_MAP_PRIV_H

#ifndef LTT_BUILDING
#error "view/map-priv.h is private to libltt; use <ltt/ltt-view.h>"
#endif

#include "view/blocks-priv.h"
#include "view/lane-priv.h"

#include <ltt/ltt-stat.h>
#include <ltt/ltt-view.h>

/* Events between two points; doubled when the points hold too many open spans. */
#define LTT_VIEW_POINT_EVENTS (64 * 1024)
#define LTT_VIEW_POINT_SPANS  (256 * 1024)

/* Cells of all lanes. With more, the bins of lanes get twice as long. */
#define LTT_VIEW_CELLS (1024 * 1024)

/* Lanes of a map. What belongs to any further one is in one more lane, LTT_LANE_OTHERS. The lanes that are
 * in it are counted up to LTT_VIEW_OMITTED. */
#define LTT_VIEW_LANES   65536
#define LTT_VIEW_OMITTED (1024 * 1024)

typedef enum LttViewStage {
	LTT_VIEW_COUNTING,
	LTT_VIEW_DRAWING,
	LTT_VIEW_READY,
	LTT_VIEW_FAILED,
} LttViewStage;

typedef struct LttViewStates LttViewStates;     /* states-priv.h */
typedef struct LttViewCounters LttViewCounters; /* counters-priv.h */

typedef struct LttViewPoint {
	guint64 time_ns; /* the first event after the point is not earlier, the last before it is */
	GBytes *open;    /* owned: of ltt_open_spans_pack(). Maps of a recording share it */
	guint n_open;
} LttViewPoint;

/* The end of a map of a recording that is running, at `until_ns`: the next map goes on from there. */
typedef struct LttViewEnd {
	GBytes *open;         /* owned: as in LttViewPoint; NULL: none */
	guint64 point_events; /* between two points */
	guint64 n_since_point;
} LttViewEnd;

/* The lanes of the last event of a tracefile. */
typedef struct LttViewFileLanes {
	LttLane *cpu;    /* NULL: not known so far, or it is not of a CPU */
	LttLane *thread; /* NULL: none so far */
	guint member;    /* of a joined trace */
	guint host;
} LttViewFileLanes;

typedef struct LttViewMap {
	LttTrace *trace;
	gboolean owns_trace;
	guint64 number;     /* of the maps of a recording; from 1 on */
	guint n_references; /* protected by the lock of LttViewLive */
	gint is_running;    /* atomic: the recording was running, and later maps will follow */
	LttSymbols *symbols;
	LttViewAxis axis; /* of the counts */
	gboolean has_events;
	guint64 last_ns;  /* of the last event, which the axis may not reach */
	guint64 until_ns; /* later events are ignored; G_MAXUINT64: none */
	LttViewEnd
		begin; /* the end of the map that this one continues, which is at `drawn_ns` first */
	const LttViewCache *cache; /* NULL: none */
	gboolean is_cached;        /* it was taken from there; protected by `lock` */
	GThread *thread;
	gint is_cancelled;     /* atomic */
	LttViewStates *states; /* NULL: no events tell states of threads */
	gint n_queries;        /* atomic: SQL queries that run */

	GMutex blocks_lock;
	LttViewBlocks *blocks; /* protected by blocks_lock; ltt_view_map_read_blocks() */

	GMutex turn; /* ltt_view_map_lock() */
	GMutex lock; /* of all below */
	LttViewStage stage;
	char *failure;       /* FAILED: the message */
	LttProgress done;    /* of the stage */
	guint64 n_drawn;     /* events that were read for the lanes */
	LttStatSummary stat; /* from DRAWING on */
	GPtrArray *problems; /* of char */
	guint64 n_problems;
	GHashTable *lanes_by_key;     /* of LttLane */
	GPtrArray *lanes;             /* of LttLane, by id; owned */
	GHashTable *omitted;          /* hashes of the lanes in LTT_LANE_OTHERS, until READY */
	guint n_omitted;              /* when READY */
	LttViewFileLanes *file_lanes; /* by index of the tracefile */
	LttViewAxis lane_axis;        /* as `axis`, with longer bins if there are many lanes */
	guint64 drawn_ns;             /* what is earlier is in the lanes */
	guint64 *member_last_ns;      /* of the last event drawn, by member of a joined trace */
	GHashTable *names_by_text;
	GPtrArray *names; /* of char, by number; owned */
	GArray *points;   /* of LttViewPoint, by time */
	LttViewEnd end;
	GArray *damages; /* of LttViewDamage (damage-priv.h) */
	LttViewCounters *counters;
} LttViewMap;

/* @is_running: the trace is being recorded: the map ends a moment before the present, where all events
 * are in the files. @cache: (nullable): must outlive the map.
 * Returns: (transfer full): an empty map, to start */
LttViewMap *ltt_view_map_new(LttTrace *trace, gboolean is_running, const LttViewCache *cache);

/* The same for a later moment, without the cache. @trace: (transfer full). The lanes of @before keep
 * their numbers, and the axis begins as before if a CPU had events. The map continues @before, if
 * possible (ltt_view_map_continue()) */
LttViewMap *ltt_view_map_new_next(LttTrace *trace, LttViewMap *before, gboolean is_running);

/* Makes the map in a thread, once. Where no thread can be started, makes it before it returns. */
void ltt_view_map_start(LttViewMap *map);
void ltt_view_map_free(LttViewMap *map);

/* Returns: whether a map of @trace would show something else */
gboolean ltt_view_map_is_outdated(const LttViewMap *map, LttTrace *trace);

/* Returns: (transfer full): a selection of the events of the map */
LttSelect *ltt_view_map_select(const LttViewMap *map);

/* Waits until the map is made. Returns: FALSE with @error if that failed */
gboolean ltt_view_map_wait(LttViewMap *map, GError **error);

/* Reports the problems of a map that is made. @on_problem: (nullable) */
void ltt_view_map_tell_problems(const LttViewMap *map, LttViewProblemFunc on_problem,
				gpointer user_data);

/* Returns: (transfer none): the headers of the blocks; the first call reads them */
const LttViewBlocks *ltt_view_map_read_blocks(LttViewMap *map);

/* The second pass of the thread of the map. Damage, which was reported as a problem while counting, gets a
 * time here. Returns: FALSE with LTT_ERROR_CANCELLED or LTT_ERROR_IO */
gboolean ltt_view_map_draw(LttViewMap *map, GError **error);

/* For the members of the map that `lock` protects. A request gets the lock between two events, while the
 * thread draws. */
void ltt_view_map_lock(LttViewMap *map);
void ltt_view_map_unlock(LttViewMap *map);

/* Releases the lock and takes it again, so that waiting requests run. A loop over events that holds the
 * lock calls this every LTT_VIEW_YIELD_EVENTS events. */
#define LTT_VIEW_YIELD_EVENTS 1024
void ltt_view_map_yield(LttViewMap *map);

/* The functions below are called with the lock held. */

/* Returns: the number of a name */
guint32 ltt_view_map_name(LttViewMap *map, const char *name);

/* Returns: the lane of an event's thread, or of an asynchronous span. @async_name: (nullable): name of
 *   the span that the event begins */
LttLane *ltt_view_map_lane(LttViewMap *map, const LttEvent *event, const char *async_name);

/* Returns: (nullable): the lane of an event's CPU; NULL: it is not in the file of a CPU */
LttLane *ltt_view_map_cpu_lane(LttViewMap *map, const LttEvent *event);

/* Returns: (transfer full): `file_lanes` of a map */
LttViewFileLanes *ltt_view_file_lanes_new(const LttTrace *trace);

/* Returns: the lane with a key; LTT_LANE_OTHERS if there is no room for it */
LttLane *ltt_view_map_add_lane(LttViewMap *map, const LttLaneKey *key);

/* Returns: (nullable): the lane of the CPU that a file is of; NULL: of none */
LttLane *ltt_view_map_file_lane(LttViewMap *map, const LttTracefile *tracefile);

/* Returns: the number of lanes in LTT_LANE_OTHERS; LTT_VIEW_OMITTED: or more */
guint ltt_view_map_count_omitted(const LttViewMap *map);

/* Returns: (transfer full): the label of LTT_LANE_OTHERS */
char *ltt_view_map_name_others(const LttViewMap *map);

/* Notes the time of an event that was drawn. */
void ltt_view_map_note_time(LttViewMap *map, const LttEvent *event);

/* Returns: the time of the last event that was drawn of the member of @event */
guint64 ltt_view_map_find_last(const LttViewMap *map, const LttEvent *event);

/* Returns: where an open span with this begin ends: at the last event of its member, which is known when
 * all is drawn; at @to_ns if that is earlier, or the last event is not known */
guint64 ltt_view_map_find_open_end(const LttViewMap *map, const LttEvent *begin, guint64 to_ns);

/* Adds the lanes of the CPUs that have blocks. Takes the lock. */
void ltt_view_map_add_cpu_lanes(LttViewMap *map);

/* Adds the lanes of an earlier map in the same order. Takes both locks. */
void ltt_view_map_add_lanes_of(LttViewMap *map, LttViewMap *before);

/* Copies what @before has drawn, so that only later events are drawn. Takes both locks. Returns: FALSE, with
 * the map unchanged, if the map can have other events in the time of @before: in a flight recorder, for
 * example */
gboolean ltt_view_map_continue(LttViewMap *map, LttViewMap *before);

/* @open: (nullable): of a point or of an end. Without it, or if a tracefile cannot be read, no span is open at the
 * begin. @select: must outlive the spans
 *
 * Returns: (transfer full): the spans of @select */
LttSpans *ltt_view_spans_new(const LttViewMap *map, LttSelect *select, GBytes *open);

/* Clears an LttViewPoint. */
void ltt_view_point_clear(gpointer data);

/* Doubles the bins of all lanes while these have more than LTT_VIEW_CELLS cells. */
void ltt_view_map_limit_cells(LttViewMap *map);

/* What the map needs of an event type, for a table of types: */
typedef struct LttViewType {
	gboolean is_of_span; /* it begins or ends spans */
	guint32 name;
} LttViewType;

/* Returns: (transfer full): a table of LttViewType by LttEventType */
GHashTable *ltt_view_types_new(void);
const LttViewType *ltt_view_types_find(GHashTable *types, LttViewMap *map,
				       const LttEventType *type);

/* Skips a damaged block after ltt_spans_next() failed with @failure. Returns: FALSE with @error if it
 * failed for another reason */
gboolean ltt_view_skip(LttSpans *spans, GError **failure, GError **error);

#endif
