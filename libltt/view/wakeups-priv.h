/* wakeups-priv.h - what woke the threads of a window. */
#ifndef LTT_VIEW_WAKEUPS_PRIV_H
#define LTT_VIEW_WAKEUPS_PRIV_H

#ifndef LTT_BUILDING
#error "view/wakeups-priv.h is private to libltt; use <ltt/ltt-view.h>"
#endif

#include "view/states-priv.h"

/* Wake-ups of one answer. */
#define LTT_VIEW_MAX_WAKEUPS 10000

typedef struct LttViewWakeup {
	guint waker; /* lane */
	guint woken;
	guint64 woken_ns;
	guint64 runs_ns;  /* the end of the stretch in which it is runnable */
	gboolean has_run; /* it runs then */
} LttViewWakeup;

typedef struct LttViewWakeupsRequest {
	LttViewStates *states; /* (nullable): NULL: there are none */
	guint64 from_ns;
	guint64 to_ns;
	const GArray *lanes; /* of guint: of wakers or woken threads; empty: all */
	const LttJobCallbacks *callbacks;
} LttViewWakeupsRequest;

/* Appends LttViewWakeup to @list by time: those of the stretches in the window in which a thread is
 * runnable. Only threads are listed as wakers. Returns: as ltt_view_states_visit() */
gboolean ltt_view_find_wakeups(const LttViewWakeupsRequest *request, GArray *list,
			       gboolean *is_read, gboolean *is_exact, GError **error);

#endif
