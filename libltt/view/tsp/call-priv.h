/* call-priv.h - a request of the protocol while it is answered. */
#ifndef LTT_VIEW_TSP_CALL_PRIV_H
#define LTT_VIEW_TSP_CALL_PRIV_H

#ifndef LTT_BUILDING
#error "view/tsp/call-priv.h is private to libltt; use <ltt/ltt-view.h>"
#endif

#include "view/tsp/body-priv.h"
#include "view/tsp/tsp-priv.h"

struct LttTsp {
	const char *title;
	guint n_traces;
	char **uuids; /* of the traces */
	char *uuid;   /* of the experiment */

	GMutex lock;       /* of all below */
	gboolean *is_open; /* traces */
	gboolean has_experiment;
	char *name; /* of the experiment */
};

typedef struct LttTspCall {
	LttViewCall view; /* for functions of the page: map, connection, answer */
	LttTsp *tsp;
	LttTspBody *body;
	const char *uuid; /* (nullable): of the path: a trace or an experiment */
	guint status;     /* of HTTP */
} LttTspCall;

/* A table has no further line after so many bytes; a request for more bytes of series is rejected. */
#define LTT_TSP_FULL_BYTES (16 << 20)

/* Answers a request. Returns: FALSE with LTT_ERROR_INVALID for a wrong parameter, or another error */
typedef gboolean (*LttTspFunc)(LttTspCall *call, GError **error);

/* Replaces the answer by an error of the protocol. Returns: TRUE */
gboolean ltt_tsp_refuse(LttTspCall *call, guint status, const char *title);

/* What the client asks for: [from_ns, to_ns) of the trace in n bins. */
typedef struct LttTspWindow {
	guint64 from_ns;
	guint64 to_ns; /* not larger than from_ns: it lies outside of the trace */
	guint n;
} LttTspWindow;

/* Reads `requested_timerange` or `requested_times`, by default the whole trace. */
gboolean ltt_tsp_get_window(const LttTspCall *call, LttTspWindow *window, GError **error);

/* Reads a row and a time in the trace from `requested_items` and `requested_times`. Returns: FALSE with
 * LTT_ERROR_INVALID if they are something else */
gboolean ltt_tsp_get_place(const LttTspCall *call, guint *lane, guint16 *depth, guint64 *time_ns,
			   GError **error);

/* A generic response: the model is appended between the two. Its status is RUNNING until the map is
 * at @stage. */
void ltt_tsp_begin(LttTspCall *call);
void ltt_tsp_end(LttTspCall *call, LttViewStage stage);

/* Appends `"key":"value"`. */
void ltt_tsp_append_text(GString *out, const char *key, const char *value);

/* Appends `"name":...,"description":...,"type":...` of an output or a column. */
void ltt_tsp_append_description(GString *out, const char *name, const char *description,
				const char *type);

/* Appends the "Start" and the "Duration" of a tooltip. */
void ltt_tsp_append_times(GString *out, guint64 begin_ns, guint64 end_ns);

/* ---- answers, by file ---- */

/* about.c */
gboolean ltt_tsp_health(LttTspCall *call, GError **error);
gboolean ltt_tsp_identifier(LttTspCall *call, GError **error);
gboolean ltt_tsp_nothing(LttTspCall *call, GError **error); /* an empty list */

/* traces.c */
gboolean ltt_tsp_list_traces(LttTspCall *call, GError **error);
gboolean ltt_tsp_open_trace(LttTspCall *call, GError **error);
gboolean ltt_tsp_get_trace(LttTspCall *call, GError **error);
gboolean ltt_tsp_close_trace(LttTspCall *call, GError **error);
gboolean ltt_tsp_list_experiments(LttTspCall *call, GError **error);
gboolean ltt_tsp_create_experiment(LttTspCall *call, GError **error);
gboolean ltt_tsp_get_experiment(LttTspCall *call, GError **error);
gboolean ltt_tsp_delete_experiment(LttTspCall *call, GError **error);

/* outputs.c, styles.c */
gboolean ltt_tsp_list_outputs(LttTspCall *call, GError **error);
gboolean ltt_tsp_styles(LttTspCall *call, GError **error);

/* annotations.c */
gboolean ltt_tsp_marker_sets(LttTspCall *call, GError **error);
gboolean ltt_tsp_annotation_categories(LttTspCall *call, GError **error);
gboolean ltt_tsp_annotations(LttTspCall *call, GError **error);

/* tree.c, states.c, tooltip.c */
gboolean ltt_tsp_span_tree(LttTspCall *call, GError **error);
gboolean ltt_tsp_span_states(LttTspCall *call, GError **error);
gboolean ltt_tsp_span_arrows(LttTspCall *call, GError **error);
gboolean ltt_tsp_span_tooltip(LttTspCall *call, GError **error);

/* tree.c, thread-states.c */
gboolean ltt_tsp_thread_tree(LttTspCall *call, GError **error);
gboolean ltt_tsp_thread_states(LttTspCall *call, GError **error);
gboolean ltt_tsp_thread_arrows(LttTspCall *call, GError **error);
gboolean ltt_tsp_thread_tooltip(LttTspCall *call, GError **error);

/* tree.c, values.c */
gboolean ltt_tsp_counter_tree(LttTspCall *call, GError **error);
gboolean ltt_tsp_counters(LttTspCall *call, GError **error);

/* counts.c */
gboolean ltt_tsp_density_tree(LttTspCall *call, GError **error);
gboolean ltt_tsp_density(LttTspCall *call, GError **error);
gboolean ltt_tsp_type_tree(LttTspCall *call, GError **error);

/* table.c */
gboolean ltt_tsp_event_columns(LttTspCall *call, GError **error);
gboolean ltt_tsp_event_lines(LttTspCall *call, GError **error);

#endif
