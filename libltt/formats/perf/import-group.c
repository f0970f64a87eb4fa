/* import-group.c - make events for the members of a group from samples of its leader.
 *
 * `perf record -e '{a,b}:S'` samples only the leader. Each sample contains the counts of all
 * members. perf script prints a line for each member whose count has increased, with the increase
 * as period. The import writes an event after the sample for each of these lines.
 */
#include "formats/perf/import-priv.h"

#include "base/bytes-priv.h"

#define WORD_BYTES sizeof(guint64)

/* Maximum length of a name, so that the events fit in any block. */
#define MOST_NAME_BYTES 256

static gboolean reads_group(const LttPerfAttr *attr)
{
	const guint64 wanted = LTT_PERF_BIT(LTT_PERF_READ_ID) | LTT_PERF_BIT(LTT_PERF_READ_GROUP);

	return (attr->sample_type & LTT_PERF_BIT(LTT_PERF_READ)) != 0 &&
	       (attr->read_format & wanted) == wanted;
}

gboolean ltt_perf_has_groups(const LttPerfMeta *meta)
{
	for (guint i = 0; i < ltt_perf_attrs_get_n(meta->attrs); i++)
		if (reads_group(ltt_perf_attrs_get(meta->attrs, i)))
			return TRUE;
	return FALSE;
}

void ltt_perf_group_begin(LttPerfGroup *group, const LttPerfRecord *record, LttByteOrder order)
{
	const LttPerfAttr *attr = record->attr;
	const guint8 *end = record->bytes + record->size;
	gsize head_bytes;

	*group = (LttPerfGroup){.n_left = 0};
	if (record->type != LTT_PERF_SAMPLE || attr == NULL || !reads_group(attr))
		return;
	group->at = record->bytes + LTT_PERF_RECORD_HEADER_BYTES;
	head_bytes =
		(gsize)__builtin_popcountll(attr->sample_type & LTT_PERF_BEFORE_READ) * WORD_BYTES;
	if ((gsize)(end - group->at) < head_bytes + WORD_BYTES)
		return;
	group->at += head_bytes;
	group->n_left = ltt_load_u64(group->at, order);
	group->at += WORD_BYTES;
	/* The times that the group was enabled and running. */
	head_bytes = 0;
	for (guint bit = LTT_PERF_READ_ENABLED; bit <= LTT_PERF_READ_RUNNING; bit++)
		head_bytes += (attr->read_format & LTT_PERF_BIT(bit)) != 0 ? WORD_BYTES : 0;
	group->item_bytes = 2 * WORD_BYTES;
	if ((attr->read_format & LTT_PERF_BIT(LTT_PERF_READ_LOST)) != 0)
		group->item_bytes += WORD_BYTES;
	if ((gsize)(end - group->at) < head_bytes ||
	    group->n_left > ((gsize)(end - group->at) - head_bytes) / group->item_bytes)
		group->n_left = 0;
	else
		group->at += head_bytes;
}

/* Returns: the increase of the count of @id since its last value */
static guint64 take_growth(LttPerfImport *import, guint64 id, guint64 value)
{
	guint64 *last = g_hash_table_lookup(import->counts, &id);
	guint64 growth;

	if (last == NULL) {
		guint64 *key = g_new(guint64, 2);

		key[0] = id;
		key[1] = 0;
		last = &key[1];
		g_hash_table_insert(import->counts, key, last);
	}
	growth = value - *last;
	*last = value;
	return growth;
}

static void add_member(LttPerfImport *import, guint index, guint64 id, guint64 growth,
		       guint64 value)
{
	const char *name = ltt_perf_attrs_get(import->meta->attrs, index)->name;
	g_autofree char *shown = g_strndup(name != NULL ? name : "", MOST_NAME_BYTES);

	write_perf_joined_member(&import->payload, &(const struct perf_joined_member){
							   .name = shown,
							   .period = growth,
							   .value = value,
							   .id = id,
						   });
}

gboolean ltt_perf_group_next(LttPerfGroup *group, LttPerfImport *import)
{
	const LttByteOrder order = import->meta->order;

	while (group->n_left > 0) {
		const guint64 value = ltt_load_u64(group->at, order);
		const guint64 id = ltt_load_u64(group->at + WORD_BYTES, order);
		const gint index = ltt_perf_attrs_find(import->meta->attrs, id);
		guint64 growth;

		group->at += group->item_bytes;
		group->n_left--;
		/* Skip an unknown id silently, as perf does. The sample still contains the
		 * count. */
		if (index < 0)
			continue;
		growth = take_growth(import, id, value);
		if (growth == 0)
			continue;
		add_member(import, (guint)index, id, growth, value);
		return TRUE;
	}
	return FALSE;
}
