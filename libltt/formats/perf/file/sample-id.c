/* sample-id.c - pack and unpack the sample_id of a record (sample-priv.h). */
#include "formats/perf/file/sample-priv.h"

#include "formats/perf/file/perf-priv.h"

#include <string.h>

/* Words of 8 bytes, in the order of a sample_id. */
static const guint8 words[] = {LTT_PERF_TID,       LTT_PERF_TIME, LTT_PERF_ID,
			       LTT_PERF_STREAM_ID, LTT_PERF_CPU,  LTT_PERF_IDENTIFIER};
#define WORD_BYTES 8

static gboolean has_word(guint64 sample_type, guint i)
{
	return (sample_type & LTT_PERF_BIT(words[i])) != 0;
}

gsize ltt_perf_id_packed_bytes(guint64 mask)
{
	gsize length = 0;

	for (guint i = 0; i < G_N_ELEMENTS(words); i++)
		length += has_word(mask, i) ? WORD_BYTES : 0;
	return length;
}

void ltt_perf_id_pack(guint64 mask, const LttPerfAttr *attr, const guint8 *id, GByteArray *out)
{
	static const guint8 zeros[WORD_BYTES];

	for (guint i = 0; i < G_N_ELEMENTS(words); i++) {
		if (!has_word(mask, i))
			continue;
		if (id != NULL && has_word(attr->sample_type, i)) {
			g_byte_array_append(out, id, WORD_BYTES);
			id += WORD_BYTES;
		} else {
			g_byte_array_append(out, zeros, WORD_BYTES);
		}
	}
}

void ltt_perf_id_unpack(guint64 mask, const LttPerfAttr *attr, const guint8 *packed,
			GByteArray *out)
{
	for (guint i = 0; i < G_N_ELEMENTS(words); i++) {
		if (!has_word(mask, i))
			continue;
		if (has_word(attr->sample_type, i))
			g_byte_array_append(out, packed, WORD_BYTES);
		packed += WORD_BYTES;
	}
}

const LttPerfAttr *ltt_perf_id_find_attr(guint64 mask, LttPerfAttrs *attrs, const guint8 *packed)
{
	guint8 id[G_N_ELEMENTS(words) * WORD_BYTES];
	const LttPerfAttr *first;
	gsize length = 0;

	if (ltt_perf_attrs_get_n(attrs) == 0)
		return NULL;
	first = ltt_perf_attrs_get(attrs, 0);
	for (guint i = 0; i < G_N_ELEMENTS(words); i++) {
		if (!has_word(mask, i))
			continue;
		if (has_word(first->sample_type, i)) {
			memcpy(id + length, packed, WORD_BYTES);
			length += WORD_BYTES;
		}
		packed += WORD_BYTES;
	}
	return ltt_perf_attrs_of_other(attrs, id, length);
}
