/* export-layout.c - adjust the header and the sections of a perf.data file to its new records.
 *
 * If the size of the records changes, the data after them moves. So the offsets that refer to it
 * change: in the header, in the attrs, in the table of features, and in the list of AUX records.
 */
#include "formats/perf/export-priv.h"

#include "base/bytes-priv.h"
#include "formats/perf/file/features-priv.h"

#define SECTION_BYTES 16

/* Offsets in the header. */
enum {
	AT_ATTRS = 24,
	AT_DATA_SIZE = 48,
	AT_EVENT_TYPES = 56,
	AT_FEATURES = 72,
};

static gboolean put_u64(LttPerfExport *export, guint64 place, guint64 value, GError **error)
{
	guint8 bytes[sizeof(value)];

	ltt_store_u64(bytes, value, export->meta->order);
	return ltt_perf_export_put(export, place, bytes, sizeof(bytes), error);
}

static guint64 end_of_records(const LttPerfExport *export)
{
	return export->container.records.begin + export->records_bytes;
}

/* Returns: the new offset of the data at @offset of the imported file */
static guint64 move(const LttPerfExport *export, guint64 offset)
{
	const guint64 recorded_end = export->container.recorded_end;

	return offset < recorded_end ? offset : offset - recorded_end + end_of_records(export);
}

/* Returns: the offset in the image of the data at @offset of the imported file */
static guint64 in_image(const LttPerfExport *export, guint64 offset)
{
	const guint64 recorded_end = export->container.recorded_end;

	return offset < recorded_end ? offset
				     : offset - recorded_end + export->container.records.end;
}

static gboolean move_offset(LttPerfExport *export, guint64 place, GError **error)
{
	const guint8 *bytes;
	guint64 offset;

	if (!ltt_window_has(export->window, place, sizeof(offset)))
		return TRUE;
	bytes = ltt_window_get(export->window, place, sizeof(offset), error);
	if (bytes == NULL)
		return FALSE;
	offset = ltt_load_u64(bytes, export->meta->order);
	return put_u64(export, place, move(export, offset), error);
}

static gboolean move_attrs(LttPerfExport *export, GError **error)
{
	const LttPerfMeta *meta = export->meta;
	const guint64 entry = meta->attr_entry_size;

	for (guint i = 0; i < ltt_perf_attrs_get_n(meta->attrs); i++) {
		const guint64 place = in_image(export, ltt_perf_attrs_get(meta->attrs, i)->offset);

		if (!move_offset(export, place + entry - SECTION_BYTES, error))
			return FALSE;
	}
	return move_offset(export, AT_ATTRS, error) && move_offset(export, AT_EVENT_TYPES, error);
}

/* Updates the list of AUX records in the feature AUXTRACE. @size: (out): its new size */
static gboolean list_aux(LttPerfExport *export, const LttPerfFeature *feature, guint64 *size,
			 GError **error)
{
	const gboolean has_count = ltt_perf_feature_aux_has_count(feature->size);
	const guint64 count_bytes = has_count ? sizeof(guint64) : 0;
	const guint64 n_room = (feature->size - count_bytes) / LTT_PERF_AUX_PLACE_BYTES;
	const guint n = (guint)MIN(n_room, export->aux->len);

	if (has_count && !put_u64(export, feature->place, n, error))
		return FALSE;
	for (guint i = 0; i < n; i++) {
		const LttPerfAux *aux = &g_array_index(export->aux, LttPerfAux, i);
		const guint64 place = feature->place + count_bytes + i * LTT_PERF_AUX_PLACE_BYTES;

		if (!put_u64(export, place, aux->place, error) ||
		    !put_u64(export, place + sizeof(guint64), aux->size, error))
			return FALSE;
	}
	*size = count_bytes + n * (guint64)LTT_PERF_AUX_PLACE_BYTES;
	return TRUE;
}

/* Clears the bit of the feature DIR_FORMAT. If a plain file has it, perf ignores the features after
 * it. */
static gboolean clear_directory(LttPerfExport *export, GError **error)
{
	const guint64 bit = LTT_PERF_BIT(LTT_PERF_HAS_DIR_FORMAT);
	const guint8 *bytes = ltt_window_get(export->window, AT_FEATURES, sizeof(guint64), error);
	guint64 word;

	if (bytes == NULL)
		return FALSE;
	word = ltt_load_u64(bytes, export->meta->order);
	/* A 32-bit big-endian machine writes the halves in the other order. */
	word &= word == export->meta->feature_words[0] ? ~bit : ~(bit << 32);
	return put_u64(export, AT_FEATURES, word, error);
}

static gboolean move_feature(LttPerfExport *export, const LttPerfFeature *feature, guint64 from,
			     guint64 to, GError **error)
{
	const guint8 *bytes = ltt_window_get(export->window, from, sizeof(guint64), error);
	guint64 size = feature->size;

	if (bytes == NULL)
		return FALSE;
	if (feature->bit == LTT_PERF_HAS_AUXTRACE && feature->is_there && size >= sizeof(guint64) &&
	    !list_aux(export, feature, &size, error))
		return FALSE;
	return put_u64(export, to, move(export, ltt_load_u64(bytes, export->meta->order)), error) &&
	       put_u64(export, to + sizeof(guint64), size, error);
}

static gboolean move_features(LttPerfExport *export, GError **error)
{
	const GArray *features = export->meta->features;
	guint64 from = export->container.records.end;
	guint64 to = from;

	for (guint i = 0; i < features->len; i++, from += SECTION_BYTES) {
		const LttPerfFeature *feature = &g_array_index(features, LttPerfFeature, i);

		if (feature->bit == LTT_PERF_HAS_DIR_FORMAT &&
		    export->container.form == LTT_PERF_CONTAINER_DIRECTORY) {
			if (!clear_directory(export, error))
				return FALSE;
			continue;
		}
		if (!move_feature(export, feature, from, to, error))
			return FALSE;
		to += SECTION_BYTES;
	}
	for (; to < from; to += SECTION_BYTES)
		if (!put_u64(export, to, 0, error) ||
		    !put_u64(export, to + sizeof(guint64), 0, error))
			return FALSE;
	return TRUE;
}

/* Completes the header of an unfinished recording, so that perf can read it. Such a recording has
 * no features, because perf writes them at the end. */
static gboolean finish(LttPerfExport *export, GError **error)
{
	if (export->container.records.begin < LTT_PERF_FILE_HEADER_BYTES)
		return TRUE;
	for (guint at = AT_FEATURES; at < LTT_PERF_FILE_HEADER_BYTES; at += sizeof(guint64))
		if (!put_u64(export, at, 0, error))
			return FALSE;
	return put_u64(export, AT_DATA_SIZE, export->records_bytes, error);
}

gboolean ltt_perf_export_move(LttPerfExport *export, GError **error)
{
	const gboolean is_same = end_of_records(export) == export->container.recorded_end;

	if (is_same && export->container.form != LTT_PERF_CONTAINER_DIRECTORY)
		return TRUE;
	if (export->container.is_unfinished)
		return finish(export, error);
	return move_attrs(export, error) && move_features(export, error) &&
	       put_u64(export, AT_DATA_SIZE, export->records_bytes, error);
}
