/* ltt-span.h - spans: named intervals between two events, nested in threads.
 *
 * Two event types of a facility form spans if the description of one declares that it ends the other
 * (doc/format.md, 8.9). Without a declaration they form spans if their names differ only in one word:
 *
 *	begins   entry, enter   begin       start
 *	ends     exit           end, done   end, stop, done
 *
 *	tid 7  ├─────── core.syscall ───────┤      depth 0
 *	          ├─ core.irq ─┤                   depth 1
 *	tid 8  ├──────── http.request, id 3 ────┤  asynchronous
 *	          ├─ http.request, id 4 ──┤        asynchronous
 *
 * Spans of a thread nest: an end event closes the latest open span of its types, and all spans that
 * began later, whose end events are missing. Spans with a declared key are asynchronous: they may
 * overlap and end in another thread; an end event closes the latest open span with its key. If the
 * thread of an event is unknown or 0, the spans of its tracefile nest instead: each CPU has its own
 * idle thread 0.
 *
 *	g_autoptr(LttSpans) spans = ltt_spans_new(trace, NULL);
 *	const LttSpan *span;
 *	while (ltt_spans_next(spans, &span, &error) == LTT_STEP_EVENT)
 *		printf("%s %" G_GUINT64_FORMAT "\n", span->name, span->end_ns - span->begin_ns);
 *
 * Memory grows with the number of open spans, not with the number of finished ones.
 */
#ifndef LTT_SPAN_H
#define LTT_SPAN_H

#include <ltt/ltt-cursor.h>
#include <ltt/ltt-pair.h>
#include <ltt/ltt-symbols.h>

G_BEGIN_DECLS

/* ---- which event types ---- */

typedef enum LttSpanRole {
	LTT_SPAN_NONE = 0,
	LTT_SPAN_BEGIN = 1 << 0,
	LTT_SPAN_END = 1 << 1, /* combined with BEGIN: the event ends one span and begins another */
} LttSpanRole;

/**
 * ltt_span_role_find:
 * @type: of an event
 * @begin: (out) (optional): the type whose spans @type ends; NULL: it ends none
 * @name: (out) (optional) (transfer full): the name of its spans: the facility and the common words of
 *   both names, "core.irq"; or the full name of the begin, "http.request", if the names do not follow
 *   the rule. NULL without a role. If @type ends spans and begins others, the name of the spans that it
 *   begins
 */
LttSpanRole ltt_span_role_find(const LttEventType *type, const LttEventType **begin, char **name);

/**
 * ltt_span_names_new:
 *
 * Returns: (transfer full) (nullable) (element-type utf8): the names that spans of the trace can have, in a
 *   NULL-terminated array; NULL if they can have any name, because spans are named after functions
 */
GPtrArray *ltt_span_names_new(const LttTrace *trace);

/* ---- spans ---- */

typedef struct LttSpans LttSpans;

/* Limits of the open spans of a thread, and of all open asynchronous spans. Further spans are omitted, and
 * reported as a problem (ltt_spans_set_callbacks()). */
#define LTT_MAX_SPAN_DEPTH       1000
#define LTT_MAX_OPEN_ASYNC_SPANS (1024 * 1024)

typedef enum LttSpanOutcome {
	LTT_SPAN_FINISHED,
	LTT_SPAN_CUT, /* its end event is missing: it ends with the span around it */
	LTT_SPAN_OPEN, /* it was open at the last event that was read of its trace, or of its member of a
			* joined trace (ltt-join.h) */
} LttSpanOutcome;

/* Read only; valid until the next call on the LttSpans that returned it. */
typedef struct LttSpan {
	guint64 id;                   /* from 1 on, in the order of the begin events */
	guint64 parent;               /* id of the span around it; 0: none */
	guint depth;                  /* number of spans around it */
	const struct LttSpan *around; /* that span, which may still be open: its begin and name
				       * are valid; NULL: none */
	gboolean is_async;
	LttSpanOutcome outcome;
	guint64 begin_ns;
	guint64 end_ns; /* not before begin_ns */
	const char *name;
	LttKeyValue key;       /* of an asynchronous span; else NONE */
	const LttEvent *begin; /* with its payload */
	const LttEvent *end;   /* NULL unless finished */
} LttSpan;

/**
 * ltt_spans_new:
 * @trace: must outlive the spans
 * @select: (transfer none) (nullable): the events to read; must outlive the spans. NULL: all
 *   except hidden ones. If only the begin of a span is selected, the span is open. If only its end
 *   is selected, there is no span
 *
 * Returns: (transfer full): spans before the first
 */
LttSpans *ltt_spans_new(LttTrace *trace, LttSelect *select);
void ltt_spans_free(LttSpans *spans); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttSpans, ltt_spans_free)

/* Names spans after functions, if their begin events have the address of a function (doc/format.md, 8.9):
 * "main", or "libc.so.6+0x2724a" if the name is unknown. @symbols: (transfer none) (nullable): of the
 * trace; must outlive the spans. NULL: the spans have the names of their types, as without this call */
void ltt_spans_set_symbols(LttSpans *spans, LttSymbols *symbols);

/**
 * ltt_spans_set_event_func:
 * @on_event: called for each event that is read, in the order of time, before it changes the spans. Called
 *   with an @event of NULL after the last one, before the open spans are returned
 *
 * The function sees events that are part of no span, and can save the open spans between two events, and at
 * the end.
 */
typedef void (*LttSpansEventFunc)(LttSpans *spans, const LttEvent *event, gpointer user_data);
void ltt_spans_set_event_func(LttSpans *spans, LttSpansEventFunc on_event, gpointer user_data);

/* Moves to the next span, in the order in which they end; open ones come last, the latest begin
 * first. Returns: as ltt_merge_next() */
LttStep ltt_spans_next(LttSpans *spans, const LttSpan **span, GError **error);

/* As ltt_merge_set_callbacks(), but on_problem is called before LTT_STEP_END if spans were left out
 * because of a limit. */
void ltt_spans_set_callbacks(LttSpans *spans, const LttJobCallbacks *callbacks);

/* Skips the rest of the block in which the last step failed. */
void ltt_spans_skip_block(LttSpans *spans);

/* ---- starting in the middle ---- */

/* The spans that are open between two events of a trace. */
typedef struct LttOpenSpans LttOpenSpans;

/* Returns: (transfer full): copies of the spans that are open now. Within ltt_spans_set_event_func(),
 *   those that are open before the event, or at the end. None after the last event, because
 *   ltt_spans_next() then returns those that are still open */
LttOpenSpans *ltt_spans_save_open(const LttSpans *spans);
void ltt_open_spans_free(LttOpenSpans *open); /* NULL is allowed and ignored */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttOpenSpans, ltt_open_spans_free)

guint ltt_open_spans_get_n(const LttOpenSpans *open);

/* Appends the spans to @bytes, to be read again by the same version of the library. */
void ltt_open_spans_pack(const LttOpenSpans *open, GByteArray *bytes);

/**
 * ltt_open_spans_unpack:
 * @trace: of the spans that were packed
 *
 * The bytes may be untrusted: the result is safe to use, whatever they contain. Bytes of another trace
 * may give wrong spans.
 *
 * Returns: (transfer full) (nullable): the spans; NULL if the bytes are damaged
 */
LttOpenSpans *ltt_open_spans_unpack(LttTrace *trace, const guint8 *bytes, gsize length);

/**
 * ltt_spans_new_from:
 * @open: saved from spans of the same trace
 * @select: the events to read, from the event before which @open was saved; otherwise as for the
 *   spans that saved it
 *
 * Returns: (transfer full): spans that continue from there. They have the same ids, parents and
 *   begins as if the trace was read from its start
 */
LttSpans *ltt_spans_new_from(LttTrace *trace, LttSelect *select, const LttOpenSpans *open);

/* ---- contents ---- */

/**
 * ltt_span_append_args:
 * @span: the current one
 *
 * Appends the fields of both events as a JSON object in the form of `ltt dump --format=json`: those
 * of the begin, then those of the end. A field of the end with the name of one of the begin has
 * "end_" before its name. A payload that is neither struct nor
 * union is "value".
 */
void ltt_span_append_args(LttSpans *spans, const LttSpan *span, GString *json);

G_END_DECLS

#endif /* LTT_SPAN_H */
