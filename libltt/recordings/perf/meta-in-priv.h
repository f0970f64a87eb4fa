/* meta-in-priv.h - inside of a meta: for meta.c and meta-records.c. */
#ifndef LTT_PERF_META_IN_PRIV_H
#define LTT_PERF_META_IN_PRIV_H

#ifndef LTT_BUILDING
#error "meta-in-priv.h is private to libltt"
#endif

#include "recordings/perf/meta-priv.h"

/* What is taken of a recording, far above what the largest machines have; what is beyond is told
 * of, and kept as bytes. */
#define LTT_PERF_MOST_ATTRS 16384
#define LTT_PERF_MOST_IDS   ((guint64)1 << 20)

#define LTT_PERF_EVENT_TYPE_BYTES 72

static inline gboolean ltt_perf_meta_has(const LttPerfMeta *meta, guint bit)
{
	return (meta->feature_words[bit / 64] & LTT_PERF_BIT(bit % 64)) != 0;
}

/* Takes a number and a name, in LTT_PERF_EVENT_TYPE_BYTES. */
void ltt_perf_meta_add_event_type(LttPerfMeta *meta, const guint8 *bytes);

#endif
