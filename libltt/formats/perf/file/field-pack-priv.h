/* field-pack-priv.h - state of packing a record, for field-pack.c and field-pack-trace.c. */
#ifndef LTT_FORMATS_PERF_FILE_FIELD_PACK_PRIV_H
#define LTT_FORMATS_PERF_FILE_FIELD_PACK_PRIV_H

#ifndef LTT_BUILDING
#error "formats/perf/file/field-pack-priv.h is private to libltt"
#endif

#include "base/bytes-priv.h"
#include "formats/perf/file/field-priv.h"

#include <string.h>

#define LTT_PERF_TOO_LARGE "the fields together are too large"

typedef struct LttPerfPacker {
	const LttPerfContext *context;
	const guint8 *begin;
	const guint8 *at;
	const guint8 *end;
	guint64 last_count;
	GByteArray *out;
	LttPerfFault *fault;
} LttPerfPacker;

static inline gboolean ltt_perf_packer_fail(LttPerfPacker *packer, const LttPerfField *field,
					    const char *why)
{
	*packer->fault = (LttPerfFault){.byte = (gsize)(packer->at - packer->begin),
					.field = field->name != NULL ? field->name : "item",
					.why = why};
	return FALSE;
}

static inline gsize ltt_perf_packer_left(const LttPerfPacker *packer)
{
	return (gsize)(packer->end - packer->at);
}

static inline gboolean ltt_perf_packer_append(LttPerfPacker *packer, const LttPerfField *field,
					      gconstpointer bytes, gsize n_bytes)
{
	if (n_bytes > LTT_PERF_MAX_PACKED_BYTES ||
	    packer->out->len > LTT_PERF_MAX_PACKED_BYTES - n_bytes)
		return ltt_perf_packer_fail(packer, field, LTT_PERF_TOO_LARGE);
	/* ltt_perf_pack() has reserved the memory. */
	if (n_bytes > 0)
		memcpy(packer->out->data + packer->out->len, bytes, n_bytes);
	packer->out->len += (guint)n_bytes;
	return TRUE;
}

static inline gboolean ltt_perf_packer_append_uint(LttPerfPacker *packer, const LttPerfField *field,
						   guint width, guint64 value)
{
	guint8 bytes[sizeof(value)];

	ltt_store_uint(bytes, width, value, packer->context->order);
	return ltt_perf_packer_append(packer, field, bytes, width);
}

static inline gboolean ltt_perf_packer_copy(LttPerfPacker *packer, const LttPerfField *field,
					    gsize n_bytes)
{
	if (n_bytes > ltt_perf_packer_left(packer))
		return ltt_perf_packer_fail(packer, field, "the record ends within it");
	if (!ltt_perf_packer_append(packer, field, packer->at, n_bytes))
		return FALSE;
	packer->at += n_bytes;
	return TRUE;
}

static inline gboolean ltt_perf_packer_take_uint(LttPerfPacker *packer, const LttPerfField *field,
						 guint width, guint64 *value)
{
	if (width > ltt_perf_packer_left(packer))
		return ltt_perf_packer_fail(packer, field, "the record ends within it");
	*value = ltt_load_uint(packer->at, width, packer->context->order);
	packer->at += width;
	return TRUE;
}

/* Appends the text in @bytes, which ends at the first NUL or after @n_bytes. */
static inline gboolean ltt_perf_packer_append_text(LttPerfPacker *packer, const LttPerfField *field,
						   const guint8 *bytes, gsize n_bytes)
{
	const guint8 *nul = n_bytes > 0 ? memchr(bytes, '\0', n_bytes) : NULL;
	const gsize length = nul != NULL ? (gsize)(nul - bytes) : n_bytes;

	return ltt_perf_packer_append(packer, field, bytes, length) &&
	       ltt_perf_packer_append(packer, field, "", 1);
}

/* ---- field-pack-trace.c ---- */

/* Packs the raw bytes of a tracepoint. */
gboolean ltt_perf_pack_trace(LttPerfPacker *packer, const LttPerfField *field);

#endif
