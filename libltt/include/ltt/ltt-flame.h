/* ltt-flame.h - flame graphs: add up weighted stacks, and write folded stacks or SVG.
 *
 *	server;http.request;db.query 1200        server ├──────────────────────────┤
 *	server;http.request 300                         ├─ http.request ─┤
 *	                                                ├─ db.query ─┤
 *
 * A flame is a tree of frames by name. Stacks come from spans (ltt_flame_add_spans()) or from the
 * caller, such as the samples of ltt-stack.h.
 */
#ifndef LTT_FLAME_H
#define LTT_FLAME_H

#include <ltt/ltt-job.h>
#include <ltt/ltt-print.h>
#include <ltt/ltt-select.h>
#include <ltt/ltt-span.h>
#include <ltt/ltt-trace.h>

G_BEGIN_DECLS

typedef struct LttFlame LttFlame;

/* Limits: frames of the tree, and of a stack. The weight of a frame above a limit counts for the
 * frame around it; ltt_flame_get_n_over_limit() counts such stacks. */
#define LTT_MAX_FLAME_FRAMES (1024 * 1024)
#define LTT_MAX_FLAME_DEPTH  1024

/* Returns: (transfer full): a flame without stacks */
LttFlame *ltt_flame_new(void);
void ltt_flame_free(LttFlame *flame); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttFlame, ltt_flame_free)

/* Adds a stack. @frames: (array length=n_frames): names, the outermost first; copied
 * @weight: may be negative, to move weight to another stack */
void ltt_flame_add(LttFlame *flame, const char *const *frames, guint n_frames, gint64 weight);

/* Returns: the sum of all weights */
guint64 ltt_flame_get_total(const LttFlame *flame);
guint64 ltt_flame_get_n_over_limit(const LttFlame *flame);

/* Returns: whether a sum of weights was above G_MAXINT64, 292 years of nanoseconds. It is then
 *   G_MAXINT64 in the output */
gboolean ltt_flame_is_saturated(const LttFlame *flame);

/* ---- spans ---- */

typedef struct LttFlameSpansRequest {
	LttFlame *flame; /* to add to */
	LttTrace *trace;
	LttSelect *select;   /* (nullable): as for ltt_spans_new() */
	LttSymbols *symbols; /* (nullable): as for ltt_spans_set_symbols() */
	/* problems: damaged blocks; progress in events */
	LttJobCallbacks callbacks;
} LttFlameSpansRequest;

typedef struct LttFlameSpansSummary {
	guint64 n_spans; /* nested ones */
	guint64 n_async; /* asynchronous ones */
} LttFlameSpansSummary;

/**
 * ltt_flame_add_spans:
 * @summary: (out) (optional): set on success
 *
 * Adds the spans of a trace (ltt-span.h): the stack of a span consists of the name of its thread,
 * else of its tracefile, the names of the spans around it, and its own; its weight is its duration
 * in nanoseconds without the spans inside. If the trace has several hosts, the first frame is the
 * host. Asynchronous spans can overlap, so each is a stack of a
 * single frame inside a frame "asynchronous".
 *
 * Returns: FALSE with LTT_ERROR_IO, LTT_ERROR_LIMIT or LTT_ERROR_CANCELLED
 */
gboolean ltt_flame_add_spans(const LttFlameSpansRequest *request, LttFlameSpansSummary *summary,
			     GError **error);

/* ---- output ---- */

/* Writes a line for each stack with a weight: its frames, joined by ";", a blank and the weight, in
 * the order of the names. In a name, ";" becomes "," and control characters are escaped.
 * Returns: FALSE with the error of @write */
gboolean ltt_flame_write_folded(LttFlame *flame, LttWriteFunc write, gpointer write_data,
				GError **error);

typedef struct LttFlameView {
	const char *title;
	gboolean is_time; /* weights are nanoseconds; FALSE: numbers of samples */
} LttFlameView;

/* Writes a self-contained SVG image, with a script to zoom and to search. The image loads nothing,
 * and contains names as text only. Frames narrower than 0.1 pixels are omitted.
 * Returns: FALSE with the error of @write */
gboolean ltt_flame_write_svg(LttFlame *flame, const LttFlameView *view, LttWriteFunc write,
			     gpointer write_data, GError **error);

G_END_DECLS

#endif /* LTT_FLAME_H */
