/* export-pipe.c - convert a recording in pipe form to a file.
 *
 * The metadata records become header, attrs and features. The layout is that of perf:
 *
 *	header | ids of each attr | attrs | records | table of features | features
 */
#include "formats/perf/export-priv.h"

#include "base/bytes-priv.h"
#include "base/error-priv.h"

#include <string.h>

#define SECTION_BYTES    16
#define MOST_ATTR_BYTES  4096
#define LEAST_ATTR_BYTES 64

/* State of writing the parts of the file other than records. */
typedef struct Maker {
	LttPerfExport *export;
	LttByteOrder order;
	GByteArray *bytes;
} Maker;

static void add_u64(Maker *maker, guint64 value)
{
	guint8 bytes[sizeof(value)];

	ltt_store_u64(bytes, value, maker->order);
	g_byte_array_append(maker->bytes, bytes, sizeof(bytes));
}

static void add_section(Maker *maker, guint64 offset, guint64 size)
{
	add_u64(maker, offset);
	add_u64(maker, size);
}

static gboolean hand_on(Maker *maker, GError **error)
{
	const LttExportRequest *request = maker->export->request;
	const gboolean ok = request->write((const char *)maker->bytes->data, maker->bytes->len,
					   request->write_data, error);

	g_byte_array_set_size(maker->bytes, 0);
	return ok;
}

/* Returns: the maximum size of an attr. All entries of the attrs have the same size. */
static guint32 most_attr_bytes(const LttPerfMeta *meta)
{
	guint32 most = LEAST_ATTR_BYTES;

	for (guint i = 0; i < ltt_perf_attrs_get_n(meta->attrs); i++)
		most = MAX(most, MIN(ltt_perf_attrs_get(meta->attrs, i)->size, MOST_ATTR_BYTES));
	return most;
}

static guint64 ids_bytes(const LttPerfAttr *attr)
{
	return attr->ids->len * (guint64)sizeof(guint64);
}

/* Returns: (nullable): the first feature with the number @bit */
static const LttPerfFeature *feature_of(const LttPerfMeta *meta, guint bit)
{
	return ltt_perf_meta_find_feature(meta, bit);
}

static void add_header(Maker *maker, guint64 attrs_at, guint32 attr_bytes)
{
	static const char magics[2][9] = {"PERFILE2", "2ELIFREP"};
	const LttPerfMeta *meta = maker->export->meta;
	const guint64 attrs_size =
		ltt_perf_attrs_get_n(meta->attrs) * (guint64)(attr_bytes + SECTION_BYTES);

	g_byte_array_append(maker->bytes,
			    (const guint8 *)magics[maker->order == LTT_BIG_ENDIAN ? 1 : 0], 8);
	add_u64(maker, LTT_PERF_FILE_HEADER_BYTES);
	add_u64(maker, attr_bytes + SECTION_BYTES);
	add_section(maker, attrs_at, attrs_size);
	add_section(maker, attrs_at + attrs_size, maker->export->records_bytes);
	add_section(maker, 0, 0);
	for (guint word = 0; word < LTT_PERF_N_FEATURES / 64; word++) {
		guint64 bits = 0;

		for (guint bit = 0; bit < 64; bit++)
			if (feature_of(meta, word * 64 + bit) != NULL)
				bits |= LTT_PERF_BIT(bit);
		add_u64(maker, bits);
	}
}

static void add_ids(Maker *maker)
{
	const LttPerfMeta *meta = maker->export->meta;

	for (guint i = 0; i < ltt_perf_attrs_get_n(meta->attrs); i++) {
		const LttPerfAttr *attr = ltt_perf_attrs_get(meta->attrs, i);

		for (guint j = 0; j < attr->ids->len; j++)
			add_u64(maker, g_array_index(attr->ids, guint64, j));
	}
}

/* Copies an attr from its record, truncated or padded with zeros to @attr_bytes. */
static gboolean add_attr(Maker *maker, const LttPerfAttr *attr, guint32 attr_bytes, GError **error)
{
	LttWindow *window = maker->export->window;
	const guint64 place = attr->offset + LTT_PERF_RECORD_HEADER_BYTES;
	const guint32 told = attr->size != 0 ? attr->size : LEAST_ATTR_BYTES;
	const guint before = maker->bytes->len;
	gsize size = MIN(told, attr_bytes);
	const guint8 *bytes;

	if (!ltt_window_has(window, place, size))
		size = 0;
	bytes = ltt_window_get(window, place, size, error);
	if (bytes == NULL)
		return FALSE;
	g_byte_array_append(maker->bytes, bytes, (guint)size);
	g_byte_array_set_size(maker->bytes, before + attr_bytes);
	memset(maker->bytes->data + before + size, 0, attr_bytes - size);
	return TRUE;
}

static gboolean add_attrs(Maker *maker, guint32 attr_bytes, GError **error)
{
	const LttPerfMeta *meta = maker->export->meta;
	guint64 ids_at = LTT_PERF_FILE_HEADER_BYTES;

	for (guint i = 0; i < ltt_perf_attrs_get_n(meta->attrs); i++) {
		const LttPerfAttr *attr = ltt_perf_attrs_get(meta->attrs, i);

		if (!add_attr(maker, attr, attr_bytes, error))
			return FALSE;
		add_section(maker, ids_at, ids_bytes(attr));
		ids_at += ids_bytes(attr);
	}
	return TRUE;
}

static void add_table(Maker *maker, guint64 at)
{
	const LttPerfMeta *meta = maker->export->meta;

	for (guint bit = 0; bit < LTT_PERF_N_FEATURES; bit++)
		at += feature_of(meta, bit) != NULL ? SECTION_BYTES : 0;
	for (guint bit = 0; bit < LTT_PERF_N_FEATURES; bit++) {
		const LttPerfFeature *feature = feature_of(meta, bit);

		if (feature == NULL)
			continue;
		add_section(maker, at, feature->size);
		at += feature->size;
	}
}

static gboolean write_features(Maker *maker, GError **error)
{
	for (guint bit = 0; bit < LTT_PERF_N_FEATURES; bit++) {
		const LttPerfFeature *feature = feature_of(maker->export->meta, bit);

		if (feature != NULL && !ltt_perf_export_write_image(maker->export, feature->place,
								    feature->size, error))
			return FALSE;
	}
	return TRUE;
}

/* Adds a feature without a body. Such a feature indicates which records the file contains. perf
 * does not write it in pipe form, but requires it in a file with counts. */
static void add_empty_feature(LttPerfMeta *meta, guint bit)
{
	const LttPerfFeature feature = {.bit = bit, .is_there = TRUE};

	if (feature_of(meta, bit) == NULL)
		g_array_append_val(meta->features, feature);
}

static void add_empty_features(LttPerfExport *export)
{
	LttPerfMeta *meta = export->meta;

	if (export->has_counts)
		add_empty_feature(meta, LTT_PERF_HAS_STAT);
	for (guint i = 0; i < ltt_perf_attrs_get_n(meta->attrs); i++)
		if ((ltt_perf_attrs_get(meta->attrs, i)->sample_type &
		     LTT_PERF_BIT(LTT_PERF_BRANCH_STACK)) != 0)
			add_empty_feature(meta, LTT_PERF_HAS_BRANCH_STACK);
}

static gboolean write_all(Maker *maker, GError **error)
{
	const LttPerfMeta *meta = maker->export->meta;
	const guint32 attr_bytes = most_attr_bytes(meta);
	guint64 attrs_at = LTT_PERF_FILE_HEADER_BYTES;
	guint64 records_at;

	for (guint i = 0; i < ltt_perf_attrs_get_n(meta->attrs); i++)
		attrs_at += ids_bytes(ltt_perf_attrs_get(meta->attrs, i));
	add_header(maker, attrs_at, attr_bytes);
	add_ids(maker);
	if (!add_attrs(maker, attr_bytes, error))
		return FALSE;
	records_at = maker->bytes->len;
	if (!hand_on(maker, error) || !ltt_perf_export_write_kept(maker->export, error))
		return FALSE;
	add_table(maker, records_at + maker->export->records_bytes);
	return hand_on(maker, error) && write_features(maker, error);
}

/* Checks the sizes of the features. Each feature is in its own record, so their total size is
 * limited. */
static gboolean check_features(const LttPerfExport *export, GError **error)
{
	guint64 left = export->n_other_bytes;

	for (guint bit = 0; bit < LTT_PERF_N_FEATURES; bit++) {
		const LttPerfFeature *feature = feature_of(export->meta, bit);

		if (feature == NULL)
			continue;
		if (feature->size > left)
			return ltt_fail(error, LTT_ERROR_UNSUPPORTED,
					"perf_file.bytes: feature %u has %" G_GUINT64_FORMAT
					" bytes, but there are fewer",
					bit, feature->size);
		left -= feature->size;
	}
	return TRUE;
}

gboolean ltt_perf_export_pipe(LttPerfExport *export, GError **error)
{
	Maker maker = {.export = export, .order = export->meta->order, .bytes = g_byte_array_new()};
	gboolean ok;

	add_empty_features(export);
	ok = check_features(export, error) && write_all(&maker, error);

	g_byte_array_unref(maker.bytes);
	return ok;
}
