/* attr.c - decode attrs, and find the attr of a record (attr-priv.h; doc/perf.md, 1.3). */
#include "formats/perf/file/attr-priv.h"

#include "formats/perf/file/perf-priv.h"

#include <ltt/ltt-hash.h>

#define NOWHERE    (-1)
#define WORD_BYTES 8

static void free_attr(gpointer data)
{
	LttPerfAttr *attr = data;

	g_free(attr->name);
	g_array_unref(attr->ids);
	g_free(attr);
}

LttPerfAttrs *ltt_perf_attrs_new(LttByteOrder order)
{
	LttPerfAttrs *attrs = g_new0(LttPerfAttrs, 1);

	attrs->order = order;
	attrs->attrs = g_ptr_array_new_with_free_func(free_attr);
	attrs->by_id = g_hash_table_new_full(ltt_hash_int64, g_int64_equal, g_free, NULL);
	return attrs;
}

void ltt_perf_attrs_free(LttPerfAttrs *attrs)
{
	if (attrs == NULL)
		return;
	g_hash_table_unref(attrs->by_id);
	g_ptr_array_unref(attrs->attrs);
	g_free(attrs);
}

typedef struct Reader {
	const guint8 *bytes;
	gsize length;
	LttByteOrder order;
} Reader;

static guint64 get(const Reader *reader, gsize at, guint width)
{
	if (at + width > reader->length)
		return 0;
	return ltt_load_uint(reader->bytes + at, width, reader->order);
}

/* The flags are C bit-fields. On big-endian machines, these begin at the most significant bit of
 * each byte. */
static guint64 get_flags(const Reader *reader, gsize at)
{
	guint64 flags = 0;

	for (guint bit = 0; bit < 64; bit++) {
		const guint in_byte = reader->order == LTT_LITTLE_ENDIAN ? bit % 8 : 7 - bit % 8;

		if ((get(reader, at + bit / 8, 1) >> in_byte & 1) != 0)
			flags |= (guint64)1 << bit;
	}
	return flags;
}

static gboolean samples(const LttPerfAttr *attr, guint bit)
{
	return (attr->sample_type & LTT_PERF_BIT(bit)) != 0;
}

/* Returns: the offset of a word in samples. Samples begin with these words of 8 bytes in this
 * order. */
static gint place_in_sample(const LttPerfAttr *attr, guint wanted)
{
	static const guint8 words[] = {LTT_PERF_IDENTIFIER, LTT_PERF_IP,   LTT_PERF_TID,
				       LTT_PERF_TIME,       LTT_PERF_ADDR, LTT_PERF_ID,
				       LTT_PERF_STREAM_ID,  LTT_PERF_CPU};
	gint place = 0;

	if (!samples(attr, wanted))
		return NOWHERE;
	for (guint i = 0; words[i] != wanted; i++)
		if (samples(attr, words[i]))
			place += 8;
	return place;
}

/* Returns: the position of a word in the sample_id, in bytes before its end. */
static guint place_in_id(const LttPerfAttr *attr, guint wanted)
{
	static const guint8 words[] = {LTT_PERF_IDENTIFIER, LTT_PERF_CPU,  LTT_PERF_STREAM_ID,
				       LTT_PERF_ID,         LTT_PERF_TIME, LTT_PERF_TID};
	guint place = 0;

	for (guint i = 0; i < G_N_ELEMENTS(words); i++) {
		if (samples(attr, words[i]))
			place += 8;
		if (words[i] == wanted)
			return samples(attr, wanted) ? place : 0;
	}
	return place;
}

static void find_places(LttPerfAttr *attr)
{
	attr->sample_tid_at = place_in_sample(attr, LTT_PERF_TID);
	attr->sample_time_at = place_in_sample(attr, LTT_PERF_TIME);
	attr->sample_cpu_at = place_in_sample(attr, LTT_PERF_CPU);
	if (attr->sample_tid_at != NOWHERE && attr->sample_time_at != NOWHERE)
		attr->sample_stamp_bytes =
			(guint)MAX(attr->sample_time_at, attr->sample_cpu_at) + WORD_BYTES;
	if ((attr->flags & LTT_PERF_FLAG_SAMPLE_ID_ALL) == 0)
		return;
	attr->id_bytes = place_in_id(attr, G_MAXUINT);
	attr->id_tid_at = place_in_id(attr, LTT_PERF_TID);
	attr->id_time_at = place_in_id(attr, LTT_PERF_TIME);
	attr->id_cpu_at = place_in_id(attr, LTT_PERF_CPU);
}

/* The first attr determines the offset of the id in all records. */
static void find_id(LttPerfAttrs *attrs, const LttPerfAttr *attr)
{
	const guint bit = samples(attr, LTT_PERF_IDENTIFIER) ? LTT_PERF_IDENTIFIER : LTT_PERF_ID;

	attrs->sample_id_at = place_in_sample(attr, bit);
	attrs->id_at = attr->id_bytes > 0 ? place_in_id(attr, bit) : 0;
}

LttPerfAttr *ltt_perf_attrs_add(LttPerfAttrs *attrs, const guint8 *bytes, gsize length)
{
	const Reader reader = {bytes, length, attrs->order};
	LttPerfAttr *attr = g_new0(LttPerfAttr, 1);

	attr->type = (guint32)get(&reader, 0, 4);
	attr->size = (guint32)get(&reader, 4, 4);
	attr->config = get(&reader, 8, 8);
	attr->period = get(&reader, 16, 8);
	attr->sample_type = get(&reader, 24, 8);
	attr->read_format = get(&reader, 32, 8);
	attr->flags = get_flags(&reader, 40);
	attr->wakeup = (guint32)get(&reader, 48, 4);
	attr->bp_type = (guint32)get(&reader, 52, 4);
	attr->config1 = get(&reader, 56, 8);
	attr->config2 = get(&reader, 64, 8);
	attr->branch_sample_type = get(&reader, 72, 8);
	attr->regs_user = get(&reader, 80, 8);
	attr->stack_user = (guint32)get(&reader, 88, 4);
	attr->clockid = (gint32)get(&reader, 92, 4);
	attr->regs_intr = get(&reader, 96, 8);
	attr->aux_watermark = (guint32)get(&reader, 104, 4);
	attr->max_stack = (guint16)get(&reader, 108, 2);
	attr->aux_sample_size = (guint32)get(&reader, 112, 4);
	attr->aux_action = (guint32)get(&reader, 116, 4);
	attr->sig_data = get(&reader, 120, 8);
	attr->config3 = get(&reader, 128, 8);
	attr->config4 = get(&reader, 136, 8);
	attr->ids = g_array_new(FALSE, FALSE, sizeof(guint64));
	attr->number = attrs->attrs->len;
	find_places(attr);
	if (attr->number == 0)
		find_id(attrs, attr);
	g_ptr_array_add(attrs->attrs, attr);
	return attr;
}

void ltt_perf_attrs_add_id(LttPerfAttrs *attrs, guint64 id)
{
	LttPerfAttr *attr = g_ptr_array_index(attrs->attrs, attrs->attrs->len - 1);

	g_array_append_val(attr->ids, id);
	attrs->found[id % LTT_PERF_N_FOUND].attr = NULL;
	if (!g_hash_table_contains(attrs->by_id, &id))
		g_hash_table_insert(attrs->by_id, g_memdup2(&id, sizeof(id)),
				    GUINT_TO_POINTER(attrs->attrs->len));
}

guint ltt_perf_attrs_get_n(const LttPerfAttrs *attrs)
{
	return attrs->attrs->len;
}

LttPerfAttr *ltt_perf_attrs_get(const LttPerfAttrs *attrs, guint index)
{
	return g_ptr_array_index(attrs->attrs, index);
}

gint ltt_perf_attrs_find(LttPerfAttrs *attrs, guint64 id)
{
	return (gint)GPOINTER_TO_UINT(g_hash_table_lookup(attrs->by_id, &id)) - 1;
}

const LttPerfAttr *ltt_perf_attrs_get_first(const LttPerfAttrs *attrs)
{
	return attrs->attrs->len > 0 ? attrs->attrs->pdata[0] : NULL;
}

const LttPerfAttr *ltt_perf_attrs_look_up(LttPerfAttrs *attrs, guint64 id)
{
	LttPerfFound *found = &attrs->found[id % LTT_PERF_N_FOUND];
	gint index;

	if (id == 0)
		return attrs->attrs->pdata[0];
	if (G_LIKELY(found->id == id && found->attr != NULL))
		return found->attr;
	index = ltt_perf_attrs_find(attrs, id);
	if (index < 0)
		return NULL;
	*found = (LttPerfFound){id, attrs->attrs->pdata[index]};
	return found->attr;
}

const LttPerfAttr *ltt_perf_attrs_of_other(LttPerfAttrs *attrs, const guint8 *body, gsize length)
{
	if (attrs->attrs->len <= 1 || attrs->id_at == 0)
		return ltt_perf_attrs_get_first(attrs);
	return attrs->id_at <= length
		       ? ltt_perf_attrs_look_up(
				 attrs, ltt_load_u64(body + length - attrs->id_at, attrs->order))
		       : NULL;
}
