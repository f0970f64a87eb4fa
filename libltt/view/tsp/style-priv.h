/* style-priv.h - the keys of the styles of states. */
#ifndef LTT_VIEW_TSP_STYLE_PRIV_H
#define LTT_VIEW_TSP_STYLE_PRIV_H

#ifndef LTT_BUILDING
#error "view/tsp/style-priv.h is private to libltt; use <ltt/ltt-view.h>"
#endif

#include <glib.h>

/* The keys are "0", "1", ... */
#define LTT_TSP_COLOURS 8

/* The key of several spans or events in one state. */
#define LTT_TSP_MANY "many"

/* The key of arrows. */
#define LTT_TSP_WAKEUP "wakeup"

/* Of the states of threads and CPUs (LttViewThreadState, LttCpuState): */

/* Returns: its name: "running" */
const char *ltt_tsp_state_name(gboolean is_cpu, guint16 state);

/* Returns: (transfer full): its key */
char *ltt_tsp_state_style(gboolean is_cpu, guint16 state);

/* Returns: the colour of a name */
guint ltt_tsp_colour(const char *name);

#endif
