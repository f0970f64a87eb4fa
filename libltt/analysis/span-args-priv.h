/* span-args-priv.h - the fields of the events of a span as one JSON object. */
#ifndef LTT_ANALYSIS_SPAN_ARGS_PRIV_H
#define LTT_ANALYSIS_SPAN_ARGS_PRIV_H

#ifndef LTT_BUILDING
#error "analysis/span-args-priv.h is private to libltt; use <ltt/ltt-span.h>"
#endif

#include "base/sink-priv.h"

#include <ltt/ltt-span.h>

/* Prepared output, by event type. */
typedef struct LttSpanArgs LttSpanArgs;

LttSpanArgs *ltt_span_args_new(void);
void ltt_span_args_free(LttSpanArgs *args); /* NULL is allowed and ignored */

/* Writes the object that ltt_span_append_args() describes.
 * @end: (nullable): NULL: only the fields of @begin */
void ltt_span_args_write(LttSpanArgs *args, LttSink *sink, const LttEvent *begin,
			 const LttEvent *end);

#endif
