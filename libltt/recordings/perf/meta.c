/* meta.c - see meta-priv.h (doc/perf.md, 1.1 to 1.3): header and sections; meta-records.c has what
 * is in records. */
#include "recordings/perf/meta-in-priv.h"

#include "base/bytes-priv.h"
#include "base/error-priv.h"

#include <string.h>

#define MAGIC_1      "PERFFILE"
#define MAGIC_LITTLE "PERFILE2"
#define MAGIC_BIG    "2ELIFREP"
#define MAGIC_BYTES  8

/* Sizes of an entry of the attrs that version 1 knew. */
#define LEAST_ENTRY_BYTES 80
#define MOST_ENTRY_BYTES  4096

#define SECTION_BYTES 16

/* Where sections are expected. */
#define OUTSIDE "inside the file, and not among the records"

#define BIT_HOSTNAME LTT_PERF_BIT(LTT_PERF_HAS_HOSTNAME)

/* ---- the header ---- */

LttPerfForm ltt_perf_detect(const guint8 *bytes, gsize length, LttByteOrder *order, guint *version)
{
	guint64 size;

	if (length < LTT_PERF_PIPE_HEADER_BYTES)
		return LTT_PERF_NOT;
	*version = 2;
	if (memcmp(bytes, MAGIC_LITTLE, MAGIC_BYTES) == 0) {
		*order = LTT_LITTLE_ENDIAN;
	} else if (memcmp(bytes, MAGIC_BIG, MAGIC_BYTES) == 0) {
		*order = LTT_BIG_ENDIAN;
	} else if (memcmp(bytes, MAGIC_1, MAGIC_BYTES) == 0) {
		*version = 1;
		*order = ltt_load_u64(bytes + MAGIC_BYTES, LTT_BIG_ENDIAN) <
					 ltt_load_u64(bytes + MAGIC_BYTES, LTT_LITTLE_ENDIAN)
				 ? LTT_BIG_ENDIAN
				 : LTT_LITTLE_ENDIAN;
	} else {
		return LTT_PERF_NOT;
	}
	size = ltt_load_u64(bytes + MAGIC_BYTES, *order);
	return size == LTT_PERF_PIPE_HEADER_BYTES ? LTT_PERF_PIPE : LTT_PERF_FILE;
}

static LttPerfSection get_section(const LttPerfMeta *meta, const guint8 *at)
{
	return (LttPerfSection){.offset = ltt_load_u64(at, meta->order),
				.size = ltt_load_u64(at + 8, meta->order)};
}

/* On a big-endian machine of 32 bits the words of the features were numbers of 32 bits. The bit of
 * the host name, which is nearly always set, tells. */
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

/* ---- sections ---- */

/* Where in the window a section is, which is at its offset unless the records in front of it were
 * replaced. Returns: FALSE if it is not all in the file, or among the records: what is said there
 * cannot be known before they are. */
static gboolean find_section(const LttPerfMeta *meta, const LttWindow *window,
			     const LttPerfSection *section, guint64 *place)
{
	*place = section->offset;
	if (section->offset >= meta->data_end)
		*place += meta->moved_bytes;
	else if (section->size > 0 && (section->offset >= meta->data.offset ||
				       section->size > meta->data.offset - section->offset))
		return FALSE;
	return ltt_window_has(window, *place, section->size);
}

static gboolean read_ids(LttPerfMeta *meta, LttWindow *window, const LttPerfSection *ids,
			 guint64 told_at, const LttPerfTell *tell, GError **error)
{
	guint64 place;

	if (ids->size > 0 && !find_section(meta, window, ids, &place)) {
		ltt_perf_tell(tell, told_at,
			      "ids at byte %" G_GUINT64_FORMAT " with %" G_GUINT64_FORMAT
			      " bytes; expected them " OUTSIDE,
			      ids->offset, ids->size);
		return TRUE;
	}
	if (ids->size / sizeof(guint64) > LTT_PERF_MOST_IDS - MIN(meta->n_ids, LTT_PERF_MOST_IDS)) {
		ltt_perf_tell(tell, told_at,
			      "more than %" G_GUINT64_FORMAT
			      " ids in all; those of this attr are not taken",
			      LTT_PERF_MOST_IDS);
		return TRUE;
	}
	meta->n_ids += ids->size / sizeof(guint64);
	for (guint64 at = 0; at + sizeof(guint64) <= ids->size; at += sizeof(guint64)) {
		const guint8 *bytes = ltt_window_get(window, place + at, sizeof(guint64), error);

		if (bytes == NULL)
			return FALSE;
		ltt_perf_attrs_add_id(meta->attrs, ltt_load_u64(bytes, meta->order));
	}
	return TRUE;
}

static gboolean read_attrs(LttPerfMeta *meta, LttWindow *window, const LttPerfTell *tell,
			   GError **error)
{
	const LttPerfSection *section = &meta->attrs_section;
	const guint64 entry = meta->attr_entry_size;
	guint64 begin;
	guint64 n;

	if (section->size == 0)
		return TRUE;
	if (entry < LEAST_ENTRY_BYTES || entry > MOST_ENTRY_BYTES) {
		ltt_perf_tell(tell, 16,
			      "an entry of the attrs has %" G_GUINT64_FORMAT
			      " bytes; expected %d to %d",
			      entry, LEAST_ENTRY_BYTES, MOST_ENTRY_BYTES);
		return TRUE;
	}
	if (!find_section(meta, window, section, &begin)) {
		ltt_perf_tell(tell, 24,
			      "the attrs are at byte %" G_GUINT64_FORMAT " with %" G_GUINT64_FORMAT
			      " bytes; expected them " OUTSIDE,
			      section->offset, section->size);
		return TRUE;
	}
	n = section->size / entry;
	if (n > LTT_PERF_MOST_ATTRS) {
		ltt_perf_tell(tell, 24, "%" G_GUINT64_FORMAT " attrs; the first %d are taken", n,
			      LTT_PERF_MOST_ATTRS);
		n = LTT_PERF_MOST_ATTRS;
	}
	for (guint64 i = 0; i < n; i++) {
		const guint8 *bytes =
			ltt_window_get(window, begin + i * entry, (gsize)entry, error);
		const guint64 ids_at = section->offset + (i + 1) * entry - SECTION_BYTES;
		LttPerfSection ids;

		if (bytes == NULL)
			return FALSE;
		ids = get_section(meta, bytes + entry - SECTION_BYTES);
		ltt_perf_attrs_add(meta->attrs, bytes, (gsize)entry - SECTION_BYTES)->offset =
			section->offset + i * entry;
		if (!read_ids(meta, window, &ids, ids_at, tell, error))
			return FALSE;
	}
	return TRUE;
}

static gboolean read_event_types(LttPerfMeta *meta, LttWindow *window, const LttPerfTell *tell,
				 GError **error)
{
	const LttPerfSection *section = &meta->event_types_section;
	guint64 begin;

	if (section->size == 0)
		return TRUE;
	if (!find_section(meta, window, section, &begin)) {
		ltt_perf_tell(tell, 56,
			      "event types at byte %" G_GUINT64_FORMAT " with %" G_GUINT64_FORMAT
			      " bytes; expected them " OUTSIDE,
			      section->offset, section->size);
		return TRUE;
	}
	for (guint64 at = 0; at + LTT_PERF_EVENT_TYPE_BYTES <= section->size;
	     at += LTT_PERF_EVENT_TYPE_BYTES) {
		const guint8 *bytes =
			ltt_window_get(window, begin + at, LTT_PERF_EVENT_TYPE_BYTES, error);

		if (bytes == NULL)
			return FALSE;
		ltt_perf_meta_add_event_type(meta, bytes);
	}
	return TRUE;
}

/* Whether at the end of the data is a table of sections that could be. */
static gboolean has_table(const LttPerfMeta *meta, LttWindow *window, guint64 place)
{
	const guint n = count_features(meta);

	if (n == 0 || !ltt_window_has(window, place, (guint64)n * SECTION_BYTES))
		return FALSE;
	for (guint i = 0; i < n; i++) {
		const guint8 *bytes =
			ltt_window_get(window, place + i * SECTION_BYTES, SECTION_BYTES, NULL);
		LttPerfSection section;

		if (bytes == NULL)
			return FALSE;
		section = get_section(meta, bytes);
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
		ltt_perf_tell(tell, 40,
			      "the records begin at byte %" G_GUINT64_FORMAT
			      "; expected that behind the header of %d bytes: none are taken",
			      data->offset, LTT_PERF_FILE_HEADER_BYTES);
		meta->data.offset = MIN(size, LTT_PERF_FILE_HEADER_BYTES);
		meta->data_end = meta->data.offset;
		meta->is_unfinished = TRUE;
	} else if (data->offset > size) {
		ltt_perf_tell(tell, 40,
			      "the records begin at byte %" G_GUINT64_FORMAT
			      "; expected that inside the file of %" G_GUINT64_FORMAT " bytes",
			      data->offset, size);
		meta->data.offset = size;
		meta->data_end = size;
		meta->is_unfinished = TRUE;
	} else if (data->size == 0 && !has_table(meta, window, data->offset)) {
		meta->is_unfinished = TRUE;
		meta->data_end = size;
		ltt_perf_tell(tell, 48,
			      "the size of the records is 0, so the recording was not finished: "
			      "all up to the end of the file are taken, and there are no features");
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

static gboolean read_table(LttPerfMeta *meta, LttWindow *window, const LttPerfTell *tell,
			   GError **error)
{
	guint64 at = meta->data_end + meta->moved_bytes;

	for (guint bit = 0; bit < LTT_PERF_N_FEATURES; bit++) {
		LttPerfFeature feature = {.bit = bit};
		const guint8 *bytes;
		LttPerfSection section;

		if (!ltt_perf_meta_has(meta, bit))
			continue;
		if (!ltt_window_has(window, at, SECTION_BYTES)) {
			ltt_perf_tell(tell, at, "the table of features ends before that of bit %u",
				      bit);
			return TRUE;
		}
		bytes = ltt_window_get(window, at, SECTION_BYTES, error);
		if (bytes == NULL)
			return FALSE;
		section = get_section(meta, bytes);
		feature.size = section.size;
		feature.is_there = find_section(meta, window, &section, &feature.place);
		if (!feature.is_there)
			ltt_perf_tell(tell, at,
				      "feature %u is at byte %" G_GUINT64_FORMAT
				      " with %" G_GUINT64_FORMAT " bytes; expected it " OUTSIDE,
				      bit, section.offset, section.size);
		g_array_append_val(meta->features, feature);
		at += SECTION_BYTES;
	}
	return TRUE;
}

static gboolean read_sections(LttPerfMeta *meta, LttWindow *window, const LttPerfMoved *moved,
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
		ltt_perf_tell(tell, size, "the file ends inside its header of %d bytes",
			      LTT_PERF_FILE_HEADER_BYTES);
	meta->attr_entry_size = ltt_load_u64(header + 16, meta->order);
	meta->attrs_section = get_section(meta, header + 24);
	meta->data = get_section(meta, header + 40);
	meta->event_types_section = get_section(meta, header + 56);
	if (meta->header_size >= LTT_PERF_FILE_HEADER_BYTES)
		get_feature_words(meta, header + 72);
	find_data(meta, window, moved != NULL ? &untold : tell);
	if (moved != NULL) {
		meta->data_end = moved->recorded_end;
		meta->moved_bytes = moved->records_end - moved->recorded_end;
		meta->is_unfinished = moved->is_unfinished;
	}
	return read_attrs(meta, window, tell, error) &&
	       read_event_types(meta, window, tell, error) &&
	       (meta->is_unfinished || read_table(meta, window, tell, error));
}

/* In a file of version 1, the magic does not tell the order, but the size of an entry does. */
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
	return size >= LEAST_ENTRY_BYTES && size <= MOST_ENTRY_BYTES ? LTT_LITTLE_ENDIAN
								     : LTT_BIG_ENDIAN;
}

static LttPerfMeta *meta_new(LttByteOrder order, guint version)
{
	LttPerfMeta *meta = g_new0(LttPerfMeta, 1);

	meta->order = order;
	meta->version = version;
	meta->attrs = ltt_perf_attrs_new(order);
	meta->event_types = g_array_new(FALSE, FALSE, sizeof(LttPerfEventType));
	meta->features = g_array_new(FALSE, FALSE, sizeof(LttPerfFeature));
	meta->arena = ltt_perf_arena_new();
	return meta;
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
			 "%s: byte 0: no magic of perf.data: expected PERFILE2, 2ELIFREP or "
			 "PERFFILE",
			 ltt_window_get_name(window));
		return NULL;
	}
	if (version == 1 && form == LTT_PERF_FILE)
		order = order_of_entries(window, order);
	meta = meta_new(order, version);
	meta->is_pipe = form == LTT_PERF_PIPE;
	if (meta->is_pipe) {
		meta->header_size = LTT_PERF_PIPE_HEADER_BYTES;
		meta->data.offset = LTT_PERF_PIPE_HEADER_BYTES;
		meta->data_end = ltt_window_get_size(window);
	} else if (!read_sections(meta, window, moved, tell, error)) {
		return NULL;
	}
	return g_steal_pointer(&meta);
}

void ltt_perf_meta_free(LttPerfMeta *meta)
{
	if (meta == NULL)
		return;
	ltt_perf_attrs_free(meta->attrs);
	g_array_unref(meta->event_types);
	g_array_unref(meta->features);
	g_clear_pointer(&meta->formats, g_hash_table_unref);
	g_clear_pointer(&meta->tracing.formats, g_array_unref);
	g_ptr_array_unref(meta->arena);
	g_free(meta->hostname);
	g_free(meta->osrelease);
	g_free(meta->perf_version);
	g_free(meta->machine);
	g_free(meta);
}
