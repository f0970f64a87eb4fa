/* meta-records.c - read metadata from records, and complete the metadata (meta-priv.h). */
#include "formats/perf/file/meta-in-priv.h"

#include "base/bytes-priv.h"
#include "base/error-priv.h"
#include "formats/perf/file/record-scan-priv.h"

#include <ltt/ltt-hash.h>

#define MOST_TRACING_BYTES ((guint64)16 << 20)

static void add_attr(LttPerfMeta *meta, guint64 place, const LttPerfRecord *record,
		     const LttPerfTell *tell)
{
	const guint8 *body = record->bytes + LTT_PERF_RECORD_HEADER_BYTES;
	const gsize length = record->size - LTT_PERF_RECORD_HEADER_BYTES;
	gsize size = length >= 8 ? ltt_load_u32(body + 4, meta->order) : 0;
	LttPerfAttr *attr;

	if (ltt_perf_attrs_get_n(meta->attrs) == LTT_PERF_MOST_ATTRS) {
		ltt_perf_tell(tell, place, "only the first %d attrs are read", LTT_PERF_MOST_ATTRS);
		return;
	}
	if (size == 0)
		size = 64;
	if (size > length) {
		ltt_perf_tell(tell, place,
			      "an attr of %zu bytes; expected no more than the %zu of the record",
			      size, length);
		size = length;
	}
	attr = ltt_perf_attrs_add(meta->attrs, body, size);
	attr->offset = place;
	for (gsize at = size; at + sizeof(guint64) <= length && meta->n_ids < LTT_PERF_MOST_IDS;
	     at += sizeof(guint64), meta->n_ids++)
		ltt_perf_attrs_add_id(meta->attrs, ltt_load_u64(body + at, meta->order));
}

static void add_feature(LttPerfMeta *meta, guint64 place, const LttPerfRecord *record)
{
	const guint8 *body = record->bytes + LTT_PERF_RECORD_HEADER_BYTES;
	const gsize head = LTT_PERF_RECORD_HEADER_BYTES + sizeof(guint64);
	LttPerfFeature feature = {.is_there = TRUE};
	guint64 bit;

	/* A feature without a body ends the list. Its number is that of the first feature that
	 * the writer does not know. */
	if (record->size <= head)
		return;
	bit = ltt_load_u64(body, meta->order);
	if (bit >= LTT_PERF_N_FEATURES || ltt_perf_meta_has(meta, (guint)bit))
		return;
	feature.bit = (guint)bit;
	feature.place = place + head;
	feature.size = record->size - head;
	g_array_append_val(meta->features, feature);
	meta->feature_words[bit / 64] |= LTT_PERF_BIT(bit % 64);
}

static void add_tracing_data(LttPerfMeta *meta, LttWindow *window, guint64 place,
			     const LttPerfRecord *record, const LttPerfTell *tell)
{
	LttPerfFeature feature = {
		.bit = LTT_PERF_HAS_TRACING_DATA, .place = place + record->size, .is_there = TRUE};

	if (record->size < LTT_PERF_TRACING_AT || meta->tracing_record.is_there ||
	    ltt_perf_meta_has(meta, LTT_PERF_HAS_TRACING_DATA))
		return;
	feature.size = ltt_load_u32(record->bytes + LTT_PERF_RECORD_HEADER_BYTES, meta->order);
	if (record->type == LTT_PERF_SIMPLEPERF_TRACING_DATA ||
	    ltt_perf_record_has_tracing(record, meta->order))
		feature.place = place + LTT_PERF_TRACING_AT;
	if (!ltt_window_has(window, feature.place, feature.size)) {
		ltt_perf_tell(tell, place,
			      "tracing data of %" G_GUINT64_FORMAT
			      " bytes; expected it to end inside the file",
			      feature.size);
		return;
	}
	if (!meta->is_pipe) {
		meta->tracing_record = feature;
		return;
	}
	g_array_append_val(meta->features, feature);
	meta->feature_words[0] |= LTT_PERF_BIT(LTT_PERF_HAS_TRACING_DATA);
}

gboolean ltt_perf_meta_add(LttPerfMeta *meta, LttWindow *window, guint64 place,
			   const LttPerfRecord *record, const LttPerfTell *tell, GError **error)
{
	(void)error;
	if (!meta->is_pipe && record->type != LTT_PERF_TRACING_DATA &&
	    record->type != LTT_PERF_SIMPLEPERF_TRACING_DATA)
		return TRUE;
	switch (record->type) {
	case LTT_PERF_ATTR:
		add_attr(meta, place, record, tell);
		break;
	case LTT_PERF_EVENT_TYPE:
		if (record->size >= LTT_PERF_RECORD_HEADER_BYTES + LTT_PERF_EVENT_TYPE_BYTES)
			ltt_perf_meta_add_event_type(meta,
						     record->bytes + LTT_PERF_RECORD_HEADER_BYTES);
		break;
	case LTT_PERF_FEATURE:
		add_feature(meta, place, record);
		break;
	case LTT_PERF_TRACING_DATA:
	case LTT_PERF_SIMPLEPERF_TRACING_DATA:
		add_tracing_data(meta, window, place, record, tell);
		break;
	default:
		break;
	}
	return TRUE;
}

/* ---- completion ---- */

/* Indexes the formats by id. If several formats have the same id, the first one is used. */
static void index_formats(LttPerfMeta *meta)
{
	meta->formats = g_hash_table_new(ltt_hash_int64, g_int64_equal);
	for (guint i = meta->tracing.formats->len; i > 0; i--) {
		LttPerfFormat *format = &g_array_index(meta->tracing.formats, LttPerfFormat, i - 1);

		g_hash_table_replace(meta->formats, &format->id, format);
	}
}

static gboolean read_tracing(LttPerfMeta *meta, LttWindow *window, const LttPerfTell *tell,
			     GError **error)
{
	const LttPerfFeature *feature = ltt_perf_meta_find_feature(meta, LTT_PERF_HAS_TRACING_DATA);
	g_autoptr(GError) why = NULL;
	guint64 fault_at;
	gboolean ok;

	if (feature == NULL && meta->tracing_record.is_there)
		feature = &meta->tracing_record;
	if (feature == NULL)
		return TRUE;
	if (feature->size > MOST_TRACING_BYTES) {
		ltt_perf_tell(tell, feature->place,
			      "tracing data of %" G_GUINT64_FORMAT
			      " bytes; expected at most %" G_GUINT64_FORMAT
			      ": its formats are not read",
			      feature->size, MOST_TRACING_BYTES);
		return TRUE;
	}
	ok = ltt_perf_tracing_read(window, feature->place, feature->size, meta->arena,
				   &meta->tracing, &fault_at, &why);
	index_formats(meta);
	if (ok)
		return TRUE;
	if (!g_error_matches(why, LTT_ERROR, LTT_ERROR_CORRUPT)) {
		g_propagate_error(error, g_steal_pointer(&why));
		return FALSE;
	}
	ltt_perf_tell(tell, fault_at, "%s", why->message);
	return TRUE;
}

gboolean ltt_perf_meta_end(LttPerfMeta *meta, LttWindow *window, const LttPerfTell *tell,
			   GError **error)
{
	return read_tracing(meta, window, tell, error) &&
	       ltt_perf_names_find(meta, window, tell, error);
}
