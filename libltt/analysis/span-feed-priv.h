/* span-feed-priv.h - make spans from events that the caller reads.
 *
 *	event ──► ltt_span_feed_take() ──► stacks of threads, asynchronous spans ──► ready
 *	                                                                              │
 *	span  ◄── ltt_span_feed_next() ◄──────────────────────────────────────────────┘
 */
#ifndef LTT_ANALYSIS_SPAN_FEED_PRIV_H
#define LTT_ANALYSIS_SPAN_FEED_PRIV_H

#ifndef LTT_BUILDING
#error "analysis/span-feed-priv.h is private to libltt; use <ltt/ltt-span.h>"
#endif

#include <ltt/ltt-span.h>

typedef struct LttSpanFeed LttSpanFeed;

LttSpanFeed *ltt_span_feed_new(void);
void ltt_span_feed_free(LttSpanFeed *feed); /* NULL is allowed and ignored */

/* As ltt_spans_set_symbols(), for spans that begin from now on. */
void ltt_span_feed_set_symbols(LttSpanFeed *feed, LttSymbols *symbols);

/* Takes an event, in the order of time. Spans that it ends become ready. All spans that are ready
 * must be taken by ltt_span_feed_next() before the next event.
 * Returns: whether the event begins or ends a span */
gboolean ltt_span_feed_take(LttSpanFeed *feed, const LttEvent *event);

/* Returns: (nullable): the span that the last event began; NULL: it began none */
const LttSpan *ltt_span_feed_get_begun(const LttSpanFeed *feed);

/* Makes all open spans ready, the latest begin first. None is open after it. */
void ltt_span_feed_end(LttSpanFeed *feed);

/* Returns: (nullable): a span that is ready, valid until the next call; NULL if no span is ready */
const LttSpan *ltt_span_feed_next(LttSpanFeed *feed);

/* Returns: the name of the spans that an event begins */
const char *ltt_span_feed_find_name(LttSpanFeed *feed, const LttEvent *begin);

/* Adds each open span to @list (element-type LttSpan), in any order. */
void ltt_span_feed_list_open(const LttSpanFeed *feed, GPtrArray *list);

/* Opens the span @id again that @begin began in another feed. Called in the order of ids, before any
 * event is taken. */
void ltt_span_feed_reopen(LttSpanFeed *feed, const LttEvent *begin, guint64 id);

/* The id of the latest span that began. */
guint64 ltt_span_feed_get_last_id(const LttSpanFeed *feed);
void ltt_span_feed_set_last_id(LttSpanFeed *feed, guint64 id);

guint64 ltt_span_feed_get_n_over_limit(const LttSpanFeed *feed);

#endif
