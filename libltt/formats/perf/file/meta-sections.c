/* meta-sections.c - read the sections before and after the records: attrs, ids, event types and the
 * table of features (doc/perf.md, 1.1 to 1.3). */
#include "formats/perf/file/meta-in-priv.h"

#include "base/bytes-priv.h"

/* Finds a section in the window. It is at its offset unless the records before it were replaced.
 * Returns: FALSE if the section is not completely inside the file, or if it overlaps the records */
static gboolean find_section(const LttPerfMeta *meta, const LttWindow *window,
			     const LttPerfSection *section, guint64 *place)
{
	*place = section->offset;
	if (section->offset >= meta->data_end) {
		/* moved_bytes wraps if the records became smaller. An offset after the end of the
		 * original file must not wrap into the window. */
		if (section->offset > ltt_window_get_size(window) - meta->moved_bytes)
			return FALSE;
		*place += meta->moved_bytes;
	} else if (section->size > 0 && (section->offset >= meta->data.offset ||
					 section->size > meta->data.offset - section->offset))
		return FALSE;
	return ltt_window_has(window, *place, section->size);
}

/* Like find_section(), but reports an error. @what: name of the section, such as "ids"
 * @told_at: file offset of the section descriptor */
static gboolean find_or_tell(const LttPerfMeta *meta, const LttWindow *window,
			     const LttPerfSection *section, const char *what, guint64 told_at,
			     const LttPerfTell *tell, guint64 *place)
{
	if (find_section(meta, window, section, place))
		return TRUE;
	ltt_perf_tell(tell, told_at,
		      "%s at byte %" G_GUINT64_FORMAT " with %" G_GUINT64_FORMAT
		      " bytes; expected them inside the file, and not among the records",
		      what, section->offset, section->size);
	return FALSE;
}

static gboolean read_ids(LttPerfMeta *meta, LttWindow *window, const LttPerfSection *ids,
			 guint64 told_at, const LttPerfTell *tell, GError **error)
{
	guint64 place;

	if (ids->size == 0 || !find_or_tell(meta, window, ids, "ids", told_at, tell, &place))
		return TRUE;
	if (ids->size / sizeof(guint64) > LTT_PERF_MOST_IDS - MIN(meta->n_ids, LTT_PERF_MOST_IDS)) {
		ltt_perf_tell(tell, told_at,
			      "more than %" G_GUINT64_FORMAT
			      " ids in total; the ids of this attr are not read",
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
	if (entry < LTT_PERF_LEAST_ENTRY_BYTES || entry > LTT_PERF_MOST_ENTRY_BYTES) {
		ltt_perf_tell(tell, 16,
			      "an entry of the attrs has %" G_GUINT64_FORMAT
			      " bytes; expected %d to %d",
			      entry, LTT_PERF_LEAST_ENTRY_BYTES, LTT_PERF_MOST_ENTRY_BYTES);
		return TRUE;
	}
	if (!find_or_tell(meta, window, section, "the attrs are", 24, tell, &begin))
		return TRUE;
	n = section->size / entry;
	if (n > LTT_PERF_MOST_ATTRS) {
		ltt_perf_tell(tell, 24, "%" G_GUINT64_FORMAT " attrs; only the first %d are read",
			      n, LTT_PERF_MOST_ATTRS);
		n = LTT_PERF_MOST_ATTRS;
	}
	for (guint64 i = 0; i < n; i++) {
		const guint8 *bytes =
			ltt_window_get(window, begin + i * entry, (gsize)entry, error);
		const guint64 ids_at = section->offset + (i + 1) * entry - LTT_PERF_SECTION_BYTES;
		LttPerfSection ids;

		if (bytes == NULL)
			return FALSE;
		ids = ltt_perf_meta_get_section(meta, bytes + entry - LTT_PERF_SECTION_BYTES);
		ltt_perf_attrs_add(meta->attrs, bytes, (gsize)entry - LTT_PERF_SECTION_BYTES)
			->offset = section->offset + i * entry;
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

	if (section->size == 0 ||
	    !find_or_tell(meta, window, section, "event types", 56, tell, &begin))
		return TRUE;
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
		if (!ltt_window_has(window, at, LTT_PERF_SECTION_BYTES)) {
			ltt_perf_tell(tell, at,
				      "the table of features ends before the entry of bit %u", bit);
			return TRUE;
		}
		bytes = ltt_window_get(window, at, LTT_PERF_SECTION_BYTES, error);
		if (bytes == NULL)
			return FALSE;
		section = ltt_perf_meta_get_section(meta, bytes);
		feature.size = section.size;
		feature.is_there = find_section(meta, window, &section, &feature.place);
		if (!feature.is_there)
			ltt_perf_tell(tell, at,
				      "feature %u is at byte %" G_GUINT64_FORMAT
				      " with %" G_GUINT64_FORMAT
				      " bytes; expected it inside the file, and not among the "
				      "records",
				      bit, section.offset, section.size);
		g_array_append_val(meta->features, feature);
		at += LTT_PERF_SECTION_BYTES;
	}
	return TRUE;
}

gboolean ltt_perf_meta_read_n_cpus(LttPerfMeta *meta, LttWindow *window, GError **error)
{
	const LttPerfFeature *feature = ltt_perf_meta_find_feature(meta, LTT_PERF_HAS_NRCPUS);
	const guint8 *bytes;

	if (feature == NULL || feature->size < sizeof(guint32))
		return TRUE;
	bytes = ltt_window_get(window, feature->place, sizeof(guint32), error);
	if (bytes == NULL)
		return FALSE;
	meta->n_cpus = ltt_load_u32(bytes, meta->order);
	return TRUE;
}

gboolean ltt_perf_meta_read_sections(LttPerfMeta *meta, LttWindow *window, const LttPerfTell *tell,
				     GError **error)
{
	return read_attrs(meta, window, tell, error) &&
	       read_event_types(meta, window, tell, error) &&
	       (meta->is_unfinished || read_table(meta, window, tell, error)) &&
	       ltt_perf_meta_read_n_cpus(meta, window, error);
}
