/* convert.c - pack records according to their shape, and unpack them (catalog-priv.h). */
#include "formats/perf/file/catalog-in-priv.h"

#include "base/bytes-priv.h"
#include "formats/perf/file/records-priv.h"
#include "formats/perf/file/sample-priv.h"

#include <string.h>

/* The end of all packed records: misc, file offset, number of raw bytes that follow. */
enum {
	END_PLACE_AT = 2,
	END_COUNT_AT = 10,
	END_BYTES = 12,
};

static const LttPerfShape *shape_at(const LttPerfCatalog *catalog, guint index)
{
	return &g_array_index(catalog->shapes, LttPerfShape, index);
}

static void put_uint(const LttPerfCatalog *catalog, GByteArray *out, guint width, guint64 value)
{
	guint8 bytes[sizeof(value)];

	ltt_store_uint(bytes, width, value, catalog->meta->order);
	g_byte_array_append(out, bytes, width);
}

/* ---- packing ---- */

guint ltt_perf_catalog_find(const LttPerfCatalog *catalog, const LttPerfRecord *record)
{
	const LttPerfRecordKind *kind;
	const LttPerfRecordKind *kinds;
	guint n_kinds;

	if (record->type == LTT_PERF_SAMPLE) {
		const guint first = LTT_PERF_SHAPE_KINDS + catalog->n_kinds;

		return record->attr != NULL && record->attr->number < catalog->shapes->len - first
			       ? first + record->attr->number
			       : LTT_PERF_SHAPE_UNKNOWN;
	}
	kind = ltt_perf_record_kind(record->type, record->misc);
	kinds = ltt_perf_record_kinds(&n_kinds);
	return kind != NULL ? LTT_PERF_SHAPE_KINDS + (guint)(kind - kinds) : LTT_PERF_SHAPE_UNKNOWN;
}

static const guint8 *body_of(const LttPerfRecord *record)
{
	return record->bytes + LTT_PERF_RECORD_HEADER_BYTES;
}

static gsize body_bytes_of(const LttPerfRecord *record)
{
	return record->size - (gsize)LTT_PERF_RECORD_HEADER_BYTES;
}

/* Samples have no sample_id. */
static guint id_bytes_of(const LttPerfRecord *record)
{
	return record->attr != NULL && record->type != LTT_PERF_SAMPLE ? record->attr->id_bytes : 0;
}

static gboolean unpack_body(LttPerfCatalog *catalog, guint index, const guint8 *packed,
			    gsize packed_bytes, GByteArray *out, gsize *taken_bytes);

/* Returns: whether unpacking restores the record exactly */
static gboolean gives_back(LttPerfCatalog *catalog, guint index, const LttPerfRecord *record,
			   const guint8 *packed, gsize packed_bytes)
{
	GByteArray *again = catalog->spare;
	gsize taken_bytes;

	g_byte_array_set_size(again, 0);
	return unpack_body(catalog, index, packed, packed_bytes, again, &taken_bytes) &&
	       again->len == body_bytes_of(record) &&
	       memcmp(again->data, body_of(record), again->len) == 0;
}

/* Appends the fields and the sample_id. @is_exact: (out): whether unpacking restores the record
 * exactly.
 * Returns: FALSE, without appending, if the record does not match the shape */
static gboolean pack_fields(LttPerfCatalog *catalog, guint index, const LttPerfRecord *record,
			    GByteArray *out, gboolean *is_exact, LttPerfFault *fault)
{
	const LttPerfShape *shape = shape_at(catalog, index);
	const guint8 *body = body_of(record);
	const gsize length = body_bytes_of(record);
	const guint id_bytes = id_bytes_of(record);
	const LttPerfContext context = {.order = catalog->meta->order,
					.size_bytes = LTT_PERF_RECORD_HEADER_BYTES + id_bytes};
	const guint before = out->len;
	gsize taken_bytes;

	if (id_bytes > length) {
		*fault = (LttPerfFault){
			.byte = length, .field = "sample_id", .why = "the record ends within it"};
		return FALSE;
	}
	if (!ltt_perf_pack(shape->fields, shape->n_fields, &context, body, length - id_bytes, out,
			   &taken_bytes, fault))
		return FALSE;
	if (shape->has_id)
		ltt_perf_id_pack(catalog->id_mask, record->attr,
				 id_bytes > 0 ? body + length - id_bytes : NULL, out);
	*is_exact = gives_back(catalog, index, record, out->data + before, out->len - before);
	return TRUE;
}

static void store_end(const LttPerfCatalog *catalog, guint8 *at, const LttPerfRecord *record,
		      guint64 place, guint n_kept)
{
	const LttByteOrder order = catalog->meta->order;

	ltt_store_u16(at, record->misc, order);
	ltt_store_u64(at + END_PLACE_AT, place, order);
	ltt_store_u16(at + END_COUNT_AT, (guint16)n_kept, order);
}

/* Appends the end of a packed record, with the first @n_kept bytes of the body. */
static void put_end(const LttPerfCatalog *catalog, GByteArray *out, const LttPerfRecord *record,
		    guint64 place, guint n_kept)
{
	const guint before = out->len;

	out->len += END_BYTES + n_kept;
	store_end(catalog, out->data + before, record, place, n_kept);
	if (n_kept > 0)
		memcpy(out->data + before + END_BYTES, body_of(record), n_kept);
}

gsize ltt_perf_catalog_get_sample_room(const LttPerfSteps *steps, gsize record_bytes)
{
	return ltt_perf_steps_get_room(steps, record_bytes) + END_BYTES;
}

guint8 *ltt_perf_catalog_pack_sample(LttPerfCatalog *catalog, const LttPerfSteps *steps,
				     const LttPerfRecord *record, guint64 place, guint8 *packed)
{
	const LttByteOrder order = catalog->meta->order;
	const guint8 *body = body_of(record);
	const gsize length = body_bytes_of(record);
	guint8 *end;

	if (steps->are_same) {
		if (!ltt_perf_steps_fit(steps, order, body, length))
			return NULL;
		memcpy(packed, body, length);
		end = packed + length;
	} else {
		end = ltt_perf_steps_pack(steps, &catalog->memo, order, body, length, packed);
		if (end == NULL)
			return NULL;
	}
	store_end(catalog, end, record, place, 0);
	return end + END_BYTES;
}

/* Counts a sample that is kept as raw bytes. Samples arrive in time order, not in file order. */
static void count_kept(LttPerfKept *kept, guint64 place)
{
	kept->first = kept->n > 0 ? MIN(kept->first, place) : place;
	kept->n++;
}

/* Packs a record that has no steps or does not match them. */
static guint pack_slowly(LttPerfCatalog *catalog, guint index, const LttPerfRecord *record,
			 guint64 place, GByteArray *out, const LttPerfTell *tell)
{
	const guint length = (guint)body_bytes_of(record);
	const guint before = out->len;
	LttPerfFault fault;
	gboolean is_exact = FALSE;

	if (index != LTT_PERF_SHAPE_UNKNOWN &&
	    !pack_fields(catalog, index, record, out, &is_exact, &fault)) {
		ltt_perf_tell(tell, place + LTT_PERF_RECORD_HEADER_BYTES + fault.byte,
			      "record %s: %s: %s; it is kept as bytes",
			      shape_at(catalog, index)->name, fault.field, fault.why);
		index = LTT_PERF_SHAPE_UNKNOWN;
	} else if (index == LTT_PERF_SHAPE_UNKNOWN && record->type == LTT_PERF_SAMPLE) {
		count_kept(record->attr == NULL ? &catalog->unknown : &catalog->undescribed, place);
	}
	/* A body of 0 bytes cannot be kept: a count of 0 means that the fields are exact. */
	if (index != LTT_PERF_SHAPE_UNKNOWN && !is_exact && length == 0) {
		g_byte_array_set_size(out, before);
		index = LTT_PERF_SHAPE_UNKNOWN;
	}
	if (index == LTT_PERF_SHAPE_UNKNOWN)
		put_uint(catalog, out, sizeof(guint32), record->type);
	put_end(catalog, out, record, place, is_exact ? 0 : length);
	return index;
}

guint ltt_perf_catalog_pack(LttPerfCatalog *catalog, guint index, const LttPerfRecord *record,
			    guint64 place, GByteArray *out, const LttPerfTell *tell)
{
	const LttPerfSteps *steps = shape_at(catalog, index)->steps;
	const guint8 *end;

	/* Reserve memory once for the fields, the sample_id, the end and the raw bytes. */
	ltt_perf_make_room(out, LTT_PERF_MAX_PACKED_BYTES + 2 * G_MAXUINT16);
	end = steps != NULL ? ltt_perf_steps_pack(steps, &catalog->memo, catalog->meta->order,
						  body_of(record), body_bytes_of(record),
						  out->data + out->len)
			    : NULL;
	if (end == NULL)
		return pack_slowly(catalog, index, record, place, out, tell);
	out->len = (guint)(end - out->data);
	put_end(catalog, out, record, place, 0);
	return index;
}

/* ---- unpacking ---- */

/* Finds the end of the packed fields, where the packed sample_id begins.
 * Returns: FALSE if the fields are not complete */
static gboolean skip_fields(const LttPerfCatalog *catalog, const LttPerfShape *shape,
			    const guint8 *packed, gsize packed_bytes, gsize *taken_bytes)
{
	const LttPerfContext context = {.order = catalog->meta->order};
	GByteArray *dropped = g_byte_array_new();
	const gboolean ok = ltt_perf_unpack(shape->fields, shape->n_fields, &context, packed,
					    packed_bytes, dropped, taken_bytes);

	g_byte_array_unref(dropped);
	return ok;
}

/* Appends the body of a record. */
static gboolean unpack_body(LttPerfCatalog *catalog, guint index, const guint8 *packed,
			    gsize packed_bytes, GByteArray *out, gsize *taken_bytes)
{
	const LttPerfShape *shape = shape_at(catalog, index);
	LttPerfContext context = {.order = catalog->meta->order,
				  .size_bytes = LTT_PERF_RECORD_HEADER_BYTES};
	const LttPerfAttr *attr = NULL;
	const gsize id_bytes = shape->has_id ? ltt_perf_id_packed_bytes(catalog->id_mask) : 0;

	if (shape->has_id) {
		if (!skip_fields(catalog, shape, packed, packed_bytes, taken_bytes) ||
		    id_bytes > packed_bytes - *taken_bytes)
			return FALSE;
		attr = ltt_perf_id_find_attr(catalog->id_mask, catalog->meta->attrs,
					     packed + *taken_bytes);
		if (attr != NULL)
			context.size_bytes += attr->id_bytes;
	}
	*taken_bytes = 0;
	if (!ltt_perf_unpack(shape->fields, shape->n_fields, &context, packed, packed_bytes, out,
			     taken_bytes))
		return FALSE;
	if (attr != NULL && attr->id_bytes > 0)
		ltt_perf_id_unpack(catalog->id_mask, attr, packed + *taken_bytes, out);
	*taken_bytes += id_bytes;
	return TRUE;
}

/* Appends the body of a sample with its steps. */
static gboolean unpack_quickly(LttPerfCatalog *catalog, const LttPerfSteps *steps,
			       const guint8 *packed, gsize packed_bytes, GByteArray *out,
			       gsize *taken_bytes)
{
	const guint8 *end;

	ltt_perf_make_room(out, G_MAXUINT16);
	end = ltt_perf_steps_unpack(steps, &catalog->unpacked_memo, catalog->meta->order, packed,
				    packed_bytes, out->data + out->len, G_MAXUINT16, taken_bytes);
	if (end == NULL)
		return FALSE;
	out->len = (guint)(end - out->data);
	return TRUE;
}

gboolean ltt_perf_catalog_unpack(LttPerfCatalog *catalog, guint index, const guint8 *packed,
				 gsize packed_bytes, GByteArray *out, guint64 *place)
{
	const LttByteOrder order = catalog->meta->order;
	const LttPerfShape *shape = shape_at(catalog, index);
	const guint before = out->len;
	guint32 type = shape->type;
	gsize taken_bytes = sizeof(type);
	const guint8 *end;
	guint8 *header;
	guint n_kept;

	if (packed_bytes < END_BYTES)
		return FALSE;
	g_byte_array_set_size(out, before + LTT_PERF_RECORD_HEADER_BYTES);
	if (shape->is_unknown) {
		type = ltt_load_u32(packed, order);
	} else if ((shape->steps == NULL || !unpack_quickly(catalog, shape->steps, packed,
							    packed_bytes, out, &taken_bytes)) &&
		   !unpack_body(catalog, index, packed, packed_bytes, out, &taken_bytes)) {
		return FALSE;
	}
	if (packed_bytes - taken_bytes < END_BYTES)
		return FALSE;
	end = packed + taken_bytes;
	n_kept = ltt_load_u16(end + END_COUNT_AT, order);
	if (packed_bytes - taken_bytes - END_BYTES < n_kept)
		return FALSE;
	if (n_kept > 0) {
		g_byte_array_set_size(out, before + LTT_PERF_RECORD_HEADER_BYTES);
		g_byte_array_append(out, end + END_BYTES, n_kept);
	}
	if (out->len - before > G_MAXUINT16)
		return FALSE;
	header = out->data + before;
	ltt_store_u32(header, type, order);
	memcpy(header + sizeof(type), end, sizeof(guint16));
	ltt_store_u16(header + sizeof(type) + sizeof(guint16), (guint16)(out->len - before), order);
	*place = ltt_load_u64(end + END_PLACE_AT, order);
	return TRUE;
}
