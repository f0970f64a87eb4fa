/* compare-stream-priv.h - the events of one of the two compared traces, with look-ahead. */
#ifndef LTT_ANALYSIS_COMPARE_STREAM_PRIV_H
#define LTT_ANALYSIS_COMPARE_STREAM_PRIV_H

#ifndef LTT_BUILDING
#error "analysis/compare-stream-priv.h is private to libltt; use <ltt/ltt-compare.h>"
#endif

#include <ltt/ltt-compare.h>
#include <ltt/ltt-print.h>

/* A copy of an event, valid as long as its trace. */
typedef struct LttKeptEvent {
	LttEvent event;
	char *key; /* stands for the compared properties; NULL: not made yet */
	gboolean is_matched;
} LttKeptEvent;

LttKeptEvent *ltt_kept_event_new(const LttEvent *event);
void ltt_kept_event_free(LttKeptEvent *kept);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttKeptEvent, ltt_kept_event_free)

typedef struct LttCompareStream {
	guint index; /* of the trace in the request */
	const LttCompareRequest *request;
	LttMerge *merge;
	const LttEvent *lent; /* from the merge; NULL: not read yet */
	gboolean has_ended;
	GError **error;      /* borrowed */
	GQueue kept;         /* of LttKeptEvent: the look-ahead */
	guint64 kept_bytes;  /* size of their payloads */
	LttPrinter *printer; /* of keys */
	GString *text;       /* its output, if it is short */
	GChecksum *hash;     /* of its output otherwise */
	gboolean is_hashed;
} LttCompareStream;

/* @error: (out): set if a block can be neither read nor skipped; the stream then ends */
void ltt_compare_stream_init(LttCompareStream *stream, const LttCompareRequest *request,
			     guint index, GError **error);
void ltt_compare_stream_clear(LttCompareStream *stream);

/* Returns: (nullable): the next event; NULL at the end. It remains the next one until
 * ltt_compare_stream_drop() */
const LttEvent *ltt_compare_stream_peek(LttCompareStream *stream);
void ltt_compare_stream_drop(LttCompareStream *stream);

/* Extends the look-ahead to @n events, if the stream has that many and their payloads are not larger
 * than LTT_MAX_COMPARE_BYTES. @time_ns: (nullable): only events at this time. Returns: the number of
 * events kept, at least 1 if there is one */
guint ltt_compare_stream_keep(LttCompareStream *stream, guint n, const guint64 *time_ns);

/* Returns: the key of a kept event */
const char *ltt_compare_stream_get_key(LttCompareStream *stream, LttKeptEvent *kept);

/* Returns: (transfer full): the key of any event */
char *ltt_compare_stream_make_key(LttCompareStream *stream, const LttEvent *event);

#endif
