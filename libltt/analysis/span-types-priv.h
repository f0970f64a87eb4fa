/* span-types-priv.h - what each event type of a trace means for spans, resolved at its first event. */
#ifndef LTT_ANALYSIS_SPAN_TYPES_PRIV_H
#define LTT_ANALYSIS_SPAN_TYPES_PRIV_H

#ifndef LTT_BUILDING
#error "analysis/span-types-priv.h is private to libltt; use <ltt/ltt-span.h>"
#endif

#include "analysis/function-names-priv.h"
#include "analysis/key-priv.h"

#include <ltt/ltt-span.h>

/* The spans that begin with an event of one full name, in any trace and version. */
typedef struct LttSpanKind {
	guint32 index;
	char *name; /* of the spans; owned */
} LttSpanKind;

/* An event type as the begin or the end of spans. */
typedef struct LttSpanSide {
	const LttSpanKind *kind; /* NULL: it is not */
	gboolean is_async;       /* it has a key */
	LttKeyGetter key;
} LttSpanSide;

typedef struct LttSpanType {
	LttSpanSide begin;
	LttSpanSide end;
	const char *function; /* field of a begin with the address of a function; NULL: none */
} LttSpanType;

typedef struct LttSpanTypes {
	GHashTable *kinds;   /* full name of a begin to LttSpanKind */
	GHashTable *by_type; /* LttEventType to LttSpanType */
	LttFunctionNames *names;
} LttSpanTypes;

void ltt_span_types_init(LttSpanTypes *types);
void ltt_span_types_clear(LttSpanTypes *types);

const LttSpanType *ltt_span_types_find(LttSpanTypes *types, const LttEvent *event);

/* Returns: the name of the spans that @begin begins: that of its function, if it has the address of a
 *   function and types->names know it; else that of their kind. Valid as long as @types */
const char *ltt_span_types_find_name(LttSpanTypes *types, const LttEvent *begin);

#endif
