/* states-priv.h - the summary of the states of threads and CPUs in the whole trace.
 *
 * A separate thread reads them once, in the background, and keeps
 *
 *	shares     for each lane, the time in each state by bins of the time (lane-priv.h: the depth of a
 *	           cell is the state, its name a reason, or of a CPU the lane of its thread + 1)
 *	points     every so often the states between two events, to read on from there
 *	crossing   the stretches that began before a point and were known only after it
 *
 *	             point 1                       point 2
 *	thread 7  ────RUNNING───┊──┬──WAITING──┬─RUNNING─┊──────┬─── ...
 *	                        ┊              ├─ window ┤      ┊
 *
 * A window is read from the last point before it up to the first point after it. The stretches that
 * are open there are among the crossing ones: whatever a later event says about them, they are as
 * in the whole trace.
 */
#ifndef LTT_VIEW_STATES_PRIV_H
#define LTT_VIEW_STATES_PRIV_H

#ifndef LTT_BUILDING
#error "view/states-priv.h is private to libltt; use <ltt/ltt-view.h>"
#endif

#include "view/crossing-priv.h"
#include "view/map-priv.h"

#include <ltt/ltt-states.h>

/* States of the lanes of threads, as the table thread_state tells them apart. */
typedef enum LttViewThreadState {
	LTT_VIEW_UNKNOWN,
	LTT_VIEW_RUNNING,
	LTT_VIEW_RUNNABLE,
	LTT_VIEW_PREEMPTED,
	LTT_VIEW_SLEEPING,
	LTT_VIEW_DISK_SLEEPING,
	LTT_VIEW_STOPPED,
} LttViewThreadState;
#define LTT_VIEW_N_STATES 7

/* Returns: an LttViewThreadState, or the LttCpuState of a CPU; both begin with UNKNOWN */
guint16 ltt_view_state_of(const LttStretch *stretch);

typedef struct LttViewStatePoint {
	guint64 time_ns; /* of the event before which they were saved */
	LttSavedStates *saved;
} LttViewStatePoint;

struct LttViewStates {
	LttViewMap *map; /* borrowed */
	GThread *thread;
	GError *error; /* of the thread, when it has ended */

	GMutex lock; /* of all below; taken after that of the map, if both are */
	gboolean is_complete;
	GArray *points;      /* of LttViewStatePoint, by time */
	GPtrArray *crossing; /* crossing-priv.h */
	LttViewAxis axis;
	GPtrArray *shares; /* (element-type LttLane): by lane of the map; NULL: it has no states */
	GHashTable *lanes; /* lane by thread (state-lanes.c) */
	GHashTable *cpu_lanes; /* lane by LttTracefile */
	GHashTable *lane_names;
	GHashTable *reason_numbers; /* by text */
	GPtrArray *reasons;         /* what threads wait for, without addresses; by number */
	GStringChunk *names;        /* of system calls */
};

/* ---- the whole trace ---- */

LttViewStates *ltt_view_states_new(LttViewMap *map);
void ltt_view_states_free(LttViewStates *states); /* NULL is allowed and ignored */

/* Starts the thread, and waits for it; each once. Where no thread can be started, the caller of the second
 * function does the work. NULL is allowed and ignored. */
void ltt_view_states_start(LttViewStates *states);
gboolean ltt_view_states_finish(LttViewStates *states, GError **error);

/* Called with the lock held. Returns: (nullable): the latest point that is not after a time */
const LttViewStatePoint *ltt_view_states_find_point(const LttViewStates *states, guint64 time_ns);

/* ---- lanes ---- */

/* The functions below are called with the lock of the states held. */

/* Returns: the lane of a thread or CPU; -1: it is not known yet */
gint ltt_view_states_find_lane(const LttViewStates *states, const LttStretch *stretch);

/* Returns: the lane of a thread; -1: it is not known yet. @has_pid: FALSE: the process is unknown */
gint ltt_view_states_find_thread(const LttViewStates *states, guint32 recording, gboolean has_pid,
				 guint32 pid, guint32 tid);

/* Returns: the lane of the thread that a CPU runs in @stretch; -1: none, or unknown */
gint ltt_view_states_find_current(const LttViewStates *states, const LttStretch *stretch);

/* Returns: (nullable): the shares of a lane; NULL: it has no states */
const LttLane *ltt_view_states_get_shares(const LttViewStates *states, guint lane);

/* Returns: the number of the cause of a wait, without an address; 0: it does not wait */
guint32 ltt_view_states_number_reason(LttViewStates *states, const LttWait *wait);

/* The functions below take the lock.
 *
 * Returns: whether a lane has states */
gboolean ltt_view_states_show_lane(LttViewStates *states, guint lane);

/* Returns: (transfer full) (nullable): the name of the thread of a lane; NULL: unknown */
char *ltt_view_states_name_lane(LttViewStates *states, guint lane);

/* Adds the lane of a thread or CPU. Takes the lock of the map, too. */
guint ltt_view_states_add_lane(LttViewStates *states, const LttStretch *stretch);

/* From now on, @lane is that of a thread whose process is not known. */
void ltt_view_states_set_lane(LttViewStates *states, const LttStretch *stretch, guint lane);

/* Returns: (transfer full): an empty table for `lanes` */
GHashTable *ltt_view_state_lanes_new(void);

/* ---- windows ---- */

/* @lane: -1: unknown so far */
typedef void (*LttViewStretchFunc)(gint lane, const LttStretch *stretch, gpointer user_data);

typedef struct LttViewStatesVisit {
	guint64 from_ns;
	guint64 to_ns;
	GHashTable *wanted;      /* (nullable): lanes; NULL: all threads, and no CPU */
	LttViewStretchFunc func; /* called with the lock held */
	gpointer user_data;
	const LttJobCallbacks *callbacks;
	guint64 max_events; /* to read; 0: as many as an answer within a fifth of a second allows */
} LttViewStatesVisit;

typedef struct LttViewStatesVisited {
	gboolean is_read;    /* FALSE: the window has too many events */
	gboolean is_limited; /* because of `max_events` */
	gboolean is_exact;   /* FALSE: stretches are missing that end after what is read so far */
	guint64 n_read;      /* events that were read */
} LttViewStatesVisited;

/**
 * ltt_view_states_visit:
 * @visited: (out)
 *
 * Visits the stretches that overlap a window, each once, in no order. They are not cut. Stretches of
 * lanes that are not wanted may be visited, too.
 *
 * Returns: FALSE with LTT_ERROR_CANCELLED or LTT_ERROR_IO
 */
gboolean ltt_view_states_visit(LttViewStates *states, const LttViewStatesVisit *visit,
			       LttViewStatesVisited *visited, GError **error);

#endif
