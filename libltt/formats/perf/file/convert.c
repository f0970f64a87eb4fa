/* convert.c - records into their shapes and back (catalog-priv.h). */
#include "formats/perf/file/catalog-in-priv.h"

#include "base/bytes-priv.h"
#include "formats/perf/file/records-priv.h"
#include "formats/perf/file/sample-id-priv.h"

#include <string.h>

/* What all records have in the end, packed: misc, place, count of bytes kept. */
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

/* ---- in ---- */

/* Returns: the number of the shape of the record's kind or event */
static guint choose(const LttPerfCatalog *catalog, const LttPerfRecord *record)
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

/* Samples have no sample_id. */
static guint id_bytes_of(const LttPerfRecord *record)
{
	return record->attr != NULL && record->type != LTT_PERF_SAMPLE ? record->attr->id_bytes : 0;
}

static gboolean pack_body(LttPerfCatalog *catalog, const LttPerfShape *shape, const guint8 *body,
			  gsize body_bytes, gsize other_bytes, GByteArray *out, gsize *taken_bytes,
			  LttPerfFault *fault, LttPerfTold *told)
{
	const LttPerfContext context = {
		.order = catalog->meta->order, .size_bytes = other_bytes, .memo = &catalog->memo};
	const guint before = out->len;

	if (body_bytes < shape->leading_bytes) {
		*fault = (LttPerfFault){.byte = body_bytes,
					.field = "body",
					.why = "the record ends before its fields"};
		return FALSE;
	}
	memcpy(out->data + out->len, body, shape->leading_bytes);
	out->len += (guint)shape->leading_bytes;
	*told = LTT_PERF_TOLD;
	if (shape->n_leading == shape->n_fields) {
		*taken_bytes = shape->leading_bytes;
		return TRUE;
	}
	if (!ltt_perf_pack_told(shape->fields + shape->n_leading,
				shape->n_fields - shape->n_leading, &context,
				body + shape->leading_bytes, body_bytes - shape->leading_bytes, out,
				taken_bytes, fault, told)) {
		fault->byte += shape->leading_bytes;
		g_byte_array_set_size(out, before);
		return FALSE;
	}
	*taken_bytes += shape->leading_bytes;
	return TRUE;
}

static gboolean unpack_body(LttPerfCatalog *catalog, guint index, const guint8 *packed,
			    gsize packed_bytes, GByteArray *out, gsize *taken_bytes);

/* Whether the packed fields behind the leading ones, which do, give the body again. */
static gboolean gives_rest(LttPerfCatalog *catalog, const LttPerfShape *shape,
			   const LttPerfRecord *record, const guint8 *packed, gsize packed_bytes)
{
	const gsize leading_bytes = shape->leading_bytes;
	const LttPerfContext context = {.order = catalog->meta->order,
					.size_bytes = LTT_PERF_RECORD_HEADER_BYTES + leading_bytes};
	GByteArray *again = catalog->spare;
	gsize taken_bytes;

	return ltt_perf_unpack(shape->fields + shape->n_leading, shape->n_fields - shape->n_leading,
			       &context, packed + leading_bytes, packed_bytes - leading_bytes,
			       again, &taken_bytes) &&
	       again->len + leading_bytes + LTT_PERF_RECORD_HEADER_BYTES == record->size &&
	       memcmp(again->data, record->bytes + LTT_PERF_RECORD_HEADER_BYTES + leading_bytes,
		      again->len) == 0;
}

/* Whether the packed fields give the record again. */
static gboolean is_told(LttPerfCatalog *catalog, guint index, const LttPerfRecord *record,
			const guint8 *packed, gsize packed_bytes)
{
	GByteArray *again = catalog->spare;
	gsize taken_bytes;

	g_byte_array_set_size(again, 0);
	if (!shape_at(catalog, index)->has_id)
		return gives_rest(catalog, shape_at(catalog, index), record, packed, packed_bytes);
	return unpack_body(catalog, index, packed, packed_bytes, again, &taken_bytes) &&
	       again->len == record->size - (guint)LTT_PERF_RECORD_HEADER_BYTES &&
	       memcmp(again->data, record->bytes + LTT_PERF_RECORD_HEADER_BYTES, again->len) == 0;
}

/* Appends fields and sample_id. @is_exact: (out): whether these tell the record to the byte.
 * Returns: FALSE, with nothing appended, if the record is not of the shape */
static gboolean pack_fields(LttPerfCatalog *catalog, guint index, const LttPerfRecord *record,
			    GByteArray *out, gboolean *is_exact, LttPerfFault *fault)
{
	const LttPerfShape *shape = shape_at(catalog, index);
	const guint8 *body = record->bytes + LTT_PERF_RECORD_HEADER_BYTES;
	const gsize length = record->size - LTT_PERF_RECORD_HEADER_BYTES;
	const guint id_bytes = id_bytes_of(record);
	const guint before = out->len;
	LttPerfTold told;
	gsize taken_bytes;

	if (id_bytes > length) {
		*fault = (LttPerfFault){.byte = length,
					.field = "sample_id",
					.why = "the record ends inside of it"};
		return FALSE;
	}
	if (!pack_body(catalog, shape, body, length - id_bytes,
		       LTT_PERF_RECORD_HEADER_BYTES + id_bytes, out, &taken_bytes, fault, &told))
		return FALSE;
	if (shape->has_id)
		ltt_perf_id_pack(catalog->id_mask, record->attr,
				 id_bytes > 0 ? body + length - id_bytes : NULL, out);
	if (!shape->has_id && shape->are_others_told && told != LTT_PERF_TOLD_UNKNOWN)
		*is_exact = told == LTT_PERF_TOLD && taken_bytes == length;
	else
		*is_exact = is_told(catalog, index, record, out->data + before, out->len - before);
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

/* Appends what all records have in the end, with so many bytes of the body. */
static void put_end(const LttPerfCatalog *catalog, GByteArray *out, const LttPerfRecord *record,
		    guint64 place, guint n_kept)
{
	const guint before = out->len;

	out->len += END_BYTES + n_kept;
	store_end(catalog, out->data + before, record, place, n_kept);
	if (n_kept > 0)
		memcpy(out->data + before + END_BYTES, record->bytes + LTT_PERF_RECORD_HEADER_BYTES,
		       n_kept);
}

gboolean ltt_perf_catalog_is_copied(const LttPerfCatalog *catalog, const LttPerfRecord *record,
				    guint *shape, gsize *packed_bytes)
{
	const guint8 *body = record->bytes + LTT_PERF_RECORD_HEADER_BYTES;
	const gsize length = record->size - LTT_PERF_RECORD_HEADER_BYTES;
	const LttPerfShape *of;

	*shape = choose(catalog, record);
	*packed_bytes = length + END_BYTES;
	of = shape_at(catalog, *shape);
	if (!of->is_plain || of->has_id || of->is_unknown || length < of->leading_bytes)
		return FALSE;
	if (of->n_leading == of->n_fields)
		return length == of->leading_bytes;
	return ltt_perf_fields_fill(of->fields + of->n_leading, of->n_fields - of->n_leading,
				    catalog->meta->order, body + of->leading_bytes,
				    length - of->leading_bytes);
}

void ltt_perf_catalog_copy(const LttPerfCatalog *catalog, const LttPerfRecord *record,
			   guint64 place, guint8 *packed)
{
	const gsize length = record->size - LTT_PERF_RECORD_HEADER_BYTES;

	memcpy(packed, record->bytes + LTT_PERF_RECORD_HEADER_BYTES, length);
	store_end(catalog, packed + length, record, place, 0);
}

/* Records come in order of time, not of the file. */
static void count_kept(LttPerfKept *kept, guint64 place)
{
	kept->first = kept->n > 0 ? MIN(kept->first, place) : place;
	kept->n++;
}

guint ltt_perf_catalog_pack(LttPerfCatalog *catalog, const LttPerfRecord *record, guint64 place,
			    GByteArray *out, const LttPerfTell *tell)
{
	const guint length = record->size - (guint)LTT_PERF_RECORD_HEADER_BYTES;
	const guint before = out->len;
	LttPerfFault fault;
	gboolean is_exact = FALSE;
	guint index = choose(catalog, record);

	/* Once for all: of leading fields, other fields with sample_id and end, and bytes kept. */
	ltt_perf_make_room(out, LTT_PERF_MAX_PACKED_BYTES + 2 * G_MAXUINT16);
	if (index != LTT_PERF_SHAPE_UNKNOWN &&
	    !pack_fields(catalog, index, record, out, &is_exact, &fault)) {
		ltt_perf_tell(tell, place + LTT_PERF_RECORD_HEADER_BYTES + fault.byte,
			      "record %s: %s: %s; it is kept as bytes",
			      shape_at(catalog, index)->name, fault.field, fault.why);
		index = LTT_PERF_SHAPE_UNKNOWN;
	} else if (index == LTT_PERF_SHAPE_UNKNOWN && record->type == LTT_PERF_SAMPLE) {
		count_kept(record->attr == NULL ? &catalog->unknown : &catalog->undescribed, place);
	}
	/* Without bytes, "none kept" could not be told from "kept". */
	if (index != LTT_PERF_SHAPE_UNKNOWN && !is_exact && length == 0) {
		g_byte_array_set_size(out, before);
		index = LTT_PERF_SHAPE_UNKNOWN;
	}
	if (index == LTT_PERF_SHAPE_UNKNOWN)
		put_uint(catalog, out, sizeof(guint32), record->type);
	put_end(catalog, out, record, place, is_exact ? 0 : length);
	return index;
}

/* ---- out ---- */

/* Where the sample_id is in what is packed: its place hangs on the fields, which hang on nothing.
 * Returns: FALSE if it is not all there */
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

/* Appends what is behind the header. */
static gboolean unpack_body(LttPerfCatalog *catalog, guint index, const guint8 *packed,
			    gsize packed_bytes, GByteArray *out, gsize *taken_bytes)
{
	const LttPerfShape *shape = shape_at(catalog, index);
	LttPerfContext context = {.order = catalog->meta->order,
				  .size_bytes = LTT_PERF_RECORD_HEADER_BYTES};
	const LttPerfAttr *attr = NULL;
	const gsize id_bytes = shape->has_id ? ltt_perf_id_packed_bytes(catalog->id_mask) : 0;
	const gsize leading_bytes = shape->leading_bytes;

	if (shape->has_id) {
		if (!skip_fields(catalog, shape, packed, packed_bytes, taken_bytes) ||
		    id_bytes > packed_bytes - *taken_bytes)
			return FALSE;
		attr = ltt_perf_id_find_attr(catalog->id_mask, catalog->meta->attrs,
					     packed + *taken_bytes);
		if (attr != NULL)
			context.size_bytes += attr->id_bytes;
	}
	if (packed_bytes < leading_bytes)
		return FALSE;
	g_byte_array_append(out, packed, (guint)leading_bytes);
	context.size_bytes += leading_bytes;
	*taken_bytes = 0;
	if (shape->n_leading < shape->n_fields &&
	    !ltt_perf_unpack(shape->fields + shape->n_leading, shape->n_fields - shape->n_leading,
			     &context, packed + leading_bytes, packed_bytes - leading_bytes, out,
			     taken_bytes))
		return FALSE;
	*taken_bytes += leading_bytes;
	if (attr != NULL && attr->id_bytes > 0)
		ltt_perf_id_unpack(catalog->id_mask, attr, packed + *taken_bytes, out);
	*taken_bytes += id_bytes;
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

	g_byte_array_set_size(out, before + LTT_PERF_RECORD_HEADER_BYTES);
	if (shape->is_unknown) {
		if (packed_bytes < taken_bytes)
			return FALSE;
		type = ltt_load_u32(packed, order);
	} else if (!unpack_body(catalog, index, packed, packed_bytes, out, &taken_bytes)) {
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
