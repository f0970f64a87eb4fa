/* raw-priv.h - raw events of tracepoints as LTT events.
 *
 *	raw      common_type common_flags ... | pid  comm[16]       | loc of name | ... | name
 *	payload  common_flags ...             | pid  comm up to NUL | name up to NUL
 *
 * The type of the event and its payload (doc/format.md, 8.4) are derived from the same fields.
 */
#ifndef LTT_TRACEPOINT_RAW_PRIV_H
#define LTT_TRACEPOINT_RAW_PRIV_H

#ifndef LTT_BUILDING
#error "tracepoint/raw-priv.h is private to libltt"
#endif

#include "base/bytes-priv.h"
#include "tracepoint/format-priv.h"

#include <ltt/ltt-type.h>

/* Returns: whether payloads omit the field: the id of the tracepoint and the thread, which an LTT
 * event has in other places */
static inline gboolean ltt_tracepoint_field_is_implied(const LttTracepointField *field)
{
	return g_str_equal(field->name, "common_type") || g_str_equal(field->name, "common_pid");
}

/* Returns: (transfer full): the type of the event, a struct */
LttType *ltt_tracepoint_make_type(const LttTracepoint *tracepoint);

/* Bytes of a raw event. */
typedef struct LttRawData {
	const guint8 *bytes;
	gsize size;
} LttRawData;

/* @offset: of a location. @base: what the offset in the location is relative to.
 *
 * Returns: the located data; no bytes if a part of it, or of the location, is outside the raw event */
static inline LttRawData ltt_raw_locate(const guint8 *raw, gsize raw_bytes, guint32 offset,
					guint32 base)
{
	guint32 word;
	gsize from;

	if (offset + sizeof(word) > raw_bytes)
		return (LttRawData){raw, 0};
	word = ltt_load_u32(raw + offset, LTT_NATIVE_ENDIAN);
	from = base + (word & 0xffff);
	if (from > raw_bytes || word >> 16 > raw_bytes - from)
		return (LttRawData){raw, 0};
	return (LttRawData){raw + from, word >> 16};
}

/* How to convert raw events of one tracepoint to payloads. */
typedef struct LttRawPlan LttRawPlan;

LttRawPlan *ltt_raw_plan_new(const LttTracepoint *tracepoint);
void ltt_raw_plan_free(LttRawPlan *plan); /* NULL is allowed and ignored */

/* Returns: the size of the payload; G_MAXSIZE if the raw event is shorter than its fields */
gsize ltt_raw_plan_measure(const LttRawPlan *plan, const guint8 *raw, gsize raw_bytes);

/* Writes the payload to @out: as many bytes as ltt_raw_plan_measure() returned for the same raw
 * event. */
void ltt_raw_plan_write(const LttRawPlan *plan, const guint8 *raw, gsize raw_bytes, guint8 *out);

#endif
