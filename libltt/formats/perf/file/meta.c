/* meta.c - create, free and search the metadata of a recording (meta-priv.h). */
#include "formats/perf/file/meta-in-priv.h"

#include "base/bytes-priv.h"

#include <string.h>

#define MOST_EVENT_TYPES 65536
#define EVENT_NAME_BYTES 64

LttPerfMeta *ltt_perf_meta_new(LttByteOrder order, guint version)
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

LttPerfSection ltt_perf_meta_get_section(const LttPerfMeta *meta, const guint8 *at)
{
	return (LttPerfSection){.offset = ltt_load_u64(at, meta->order),
				.size = ltt_load_u64(at + 8, meta->order)};
}

void ltt_perf_meta_add_event_type(LttPerfMeta *meta, const guint8 *bytes)
{
	LttPerfEventType type = {.id = ltt_load_u64(bytes, meta->order)};

	if (meta->event_types->len == MOST_EVENT_TYPES)
		return;
	memcpy(type.name, bytes + sizeof(guint64), EVENT_NAME_BYTES);
	g_array_append_val(meta->event_types, type);
}

const LttPerfFeature *ltt_perf_meta_find_feature(const LttPerfMeta *meta, guint bit)
{
	for (guint i = 0; i < meta->features->len; i++) {
		const LttPerfFeature *feature = &g_array_index(meta->features, LttPerfFeature, i);

		if (feature->bit == bit && feature->is_there)
			return feature;
	}
	return NULL;
}

const LttPerfFormat *ltt_perf_meta_find_format(const LttPerfMeta *meta, guint64 id)
{
	return meta->formats != NULL ? g_hash_table_lookup(meta->formats, &id) : NULL;
}
