/* meta-header.c - read the header of a recording (meta-priv.h; doc/perf.md, 1.1 to 1.3). */
#include "formats/perf/file/meta-in-priv.h"

#include "base/bytes-priv.h"
#include "base/error-priv.h"

#include <string.h>

#define BIT_HOSTNAME LTT_PERF_BIT(LTT_PERF_HAS_HOSTNAME)

/* Determines the byte order of a file of version 1 from the size of an attr entry, because the
 * magic does not depend on the byte order. */
static LttByteOrder order_of_entries(LttWindow *window, LttByteOrder order)
{
	const guint8 *bytes;
	guint64 size;

	if (!ltt_window_has(window, 0, 24))
		return order;
	bytes = ltt_window_get(window, 16, 8, NULL);
	if (bytes == NULL)
		return order;
	size = ltt_load_u64(bytes, LTT_LITTLE_ENDIAN);
	return size >= LTT_PERF_LEAST_ENTRY_BYTES && size <= LTT_PERF_MOST_ENTRY_BYTES
		       ? LTT_LITTLE_ENDIAN
		       : LTT_BIG_ENDIAN;
}

/* ---- file form ---- */

/* Reads the bit set of the features. On 32-bit big-endian machines, it consists of 32-bit words, so
 * the halves of each 64-bit word are swapped. The bit of the host name, which is nearly always set,
 * distinguishes the two. */
static void get_feature_words(LttPerfMeta *meta, const guint8 *at)
{
	for (guint i = 0; i < G_N_ELEMENTS(meta->feature_words); i++)
		meta->feature_words[i] = ltt_load_u64(at + i * sizeof(guint64), meta->order);
	if (meta->order == LTT_LITTLE_ENDIAN || (meta->feature_words[0] & BIT_HOSTNAME) != 0)
		return;
	if (((meta->feature_words[0] << 32 | meta->feature_words[0] >> 32) & BIT_HOSTNAME) == 0)
		return;
	for (guint i = 0; i < G_N_ELEMENTS(meta->feature_words); i++)
		meta->feature_words[i] =
			meta->feature_words[i] << 32 | meta->feature_words[i] >> 32;
}

static guint count_features(const LttPerfMeta *meta)
{
	guint n = 0;

	for (guint bit = 0; bit < LTT_PERF_N_FEATURES; bit++)
		n += ltt_perf_meta_has(meta, bit) ? 1 : 0;
	return n;
}

/* Returns whether there is a plausible table of features at @place. */
static gboolean has_table(const LttPerfMeta *meta, LttWindow *window, guint64 place)
{
	const guint n = count_features(meta);

	if (n == 0 || !ltt_window_has(window, place, (guint64)n * LTT_PERF_SECTION_BYTES))
		return FALSE;
	for (guint i = 0; i < n; i++) {
		const guint8 *bytes = ltt_window_get(window, place + i * LTT_PERF_SECTION_BYTES,
						     LTT_PERF_SECTION_BYTES, NULL);
		LttPerfSection section;

		if (bytes == NULL)
			return FALSE;
		section = ltt_perf_meta_get_section(meta, bytes);
		if (!ltt_window_has(window, section.offset, section.size))
			return FALSE;
	}
	return TRUE;
}

static void find_data(LttPerfMeta *meta, LttWindow *window, const LttPerfTell *tell)
{
	const guint64 size = ltt_window_get_size(window);
	const LttPerfSection *data = &meta->data;

	if (data->offset < MIN(size, LTT_PERF_FILE_HEADER_BYTES)) {
		ltt_perf_tell(
			tell, 40,
			"the records begin at byte %" G_GUINT64_FORMAT
			"; expected it to be after the header of %d bytes: no records are read",
			data->offset, LTT_PERF_FILE_HEADER_BYTES);
		meta->data.offset = MIN(size, LTT_PERF_FILE_HEADER_BYTES);
		meta->data_end = meta->data.offset;
		meta->is_unfinished = TRUE;
	} else if (data->offset > size) {
		ltt_perf_tell(tell, 40,
			      "the records begin at byte %" G_GUINT64_FORMAT
			      "; expected it to be inside the file of %" G_GUINT64_FORMAT " bytes",
			      data->offset, size);
		meta->data.offset = size;
		meta->data_end = size;
		meta->is_unfinished = TRUE;
	} else if (data->size == 0 && !has_table(meta, window, data->offset)) {
		meta->is_unfinished = TRUE;
		meta->data_end = size;
		ltt_perf_tell(tell, 48,
			      "the size of the records is 0, so the recording is not complete: "
			      "the records up to the end of the file are read, and there are no "
			      "features");
	} else if (data->size > size - data->offset) {
		meta->data_end = size;
		meta->is_unfinished = TRUE;
		ltt_perf_tell(tell, 48,
			      "%" G_GUINT64_FORMAT
			      " bytes of records; the file has only %" G_GUINT64_FORMAT
			      " from there on, and so no features",
			      data->size, size - data->offset);
	} else {
		meta->data_end = data->offset + data->size;
	}
}

static gboolean read_file(LttPerfMeta *meta, LttWindow *window, const LttPerfMoved *moved,
			  const LttPerfTell *tell, GError **error)
{
	const gsize size = (gsize)MIN(ltt_window_get_size(window), LTT_PERF_FILE_HEADER_BYTES);
	guint8 header[LTT_PERF_FILE_HEADER_BYTES] = {0};
	const guint8 *bytes = ltt_window_get(window, 0, size, error);
	const LttPerfTell untold = {.func = NULL};

	if (bytes == NULL)
		return FALSE;
	memcpy(header, bytes, size);
	meta->header_size = ltt_load_u64(header + 8, meta->order);
	if (size < LTT_PERF_FILE_HEADER_BYTES)
		ltt_perf_tell(tell, size, "the file ends within its header of %d bytes",
			      LTT_PERF_FILE_HEADER_BYTES);
	meta->attr_entry_size = ltt_load_u64(header + 16, meta->order);
	meta->attrs_section = ltt_perf_meta_get_section(meta, header + 24);
	meta->data = ltt_perf_meta_get_section(meta, header + 40);
	meta->event_types_section = ltt_perf_meta_get_section(meta, header + 56);
	if (meta->header_size >= LTT_PERF_FILE_HEADER_BYTES)
		get_feature_words(meta, header + 72);
	find_data(meta, window, moved != NULL ? &untold : tell);
	if (moved != NULL) {
		meta->data_end = moved->recorded_end;
		meta->moved_bytes = moved->records_end - moved->recorded_end;
		meta->is_unfinished = moved->is_unfinished;
	}
	return ltt_perf_meta_read_sections(meta, window, tell, error);
}

LttPerfMeta *ltt_perf_meta_read(LttWindow *window, const LttPerfMoved *moved,
				const LttPerfTell *tell, GError **error)
{
	const gsize size = (gsize)MIN(ltt_window_get_size(window), LTT_PERF_PIPE_HEADER_BYTES);
	const guint8 *bytes = ltt_window_get(window, 0, size, error);
	g_autoptr(LttPerfMeta) meta = NULL;
	LttByteOrder order;
	LttPerfForm form;
	guint version;

	if (bytes == NULL)
		return NULL;
	form = ltt_perf_detect(bytes, size, &order, &version);
	if (form == LTT_PERF_NOT) {
		ltt_fail(error, LTT_ERROR_UNSUPPORTED,
			 "%s: byte 0: not a perf.data file: expected PERFILE2, 2ELIFREP or "
			 "PERFFILE",
			 ltt_window_get_name(window));
		return NULL;
	}
	if (version == 1 && form == LTT_PERF_FILE)
		order = order_of_entries(window, order);
	meta = ltt_perf_meta_new(order, version);
	meta->is_pipe = form == LTT_PERF_PIPE;
	if (meta->is_pipe) {
		meta->header_size = LTT_PERF_PIPE_HEADER_BYTES;
		meta->data.offset = LTT_PERF_PIPE_HEADER_BYTES;
		meta->data_end = ltt_window_get_size(window);
	} else if (!read_file(meta, window, moved, tell, error)) {
		return NULL;
	}
	return g_steal_pointer(&meta);
}
