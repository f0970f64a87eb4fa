/* field-size.c - how long fields are, and which are the same in a record and packed (field-priv.h).
 *
 * Most samples are made of such fields only. Then there is nothing to pack: the record's bytes are
 * what is wanted, if they are as many as the fields take.
 */
#include "formats/perf/file/field-priv.h"

#include "base/bytes-priv.h"

gsize ltt_perf_fields_get_size(const LttPerfField *fields, guint n_fields)
{
	gsize size = 0;

	for (guint i = 0; i < n_fields; i++) {
		const gsize one = ltt_perf_field_get_size(&fields[i]);

		if (one == 0)
			return 0;
		size += one;
	}
	return size;
}

gsize ltt_perf_field_get_size(const LttPerfField *field)
{
	switch (field->kind) {
	case LTT_PERF_UINT:
	case LTT_PERF_HEX:
	case LTT_PERF_INT:
	case LTT_PERF_FLOAT:
	case LTT_PERF_LABEL:
		return field->width;
	case LTT_PERF_ARRAY:
		return field->n * ltt_perf_fields_get_size(field->members, field->n_members);
	case LTT_PERF_STRUCT:
		return ltt_perf_fields_get_size(field->members, field->n_members);
	default:
		return 0;
	}
}

void ltt_perf_fields_find_runs(LttPerfField *fields, guint n_fields)
{
	for (guint i = n_fields; i-- > 0;) {
		const gsize size = fields[i].is_optional ? 0 : ltt_perf_field_get_size(&fields[i]);
		const gboolean has_more = i + 1 < n_fields;

		fields[i].run_bytes = 0;
		fields[i].n_run = 0;
		if (size == 0 || size > LTT_PERF_MAX_PACKED_BYTES)
			continue;
		fields[i].run_bytes = (guint)size;
		fields[i].n_run = 1;
		if (!has_more || fields[i + 1].run_bytes > LTT_PERF_MAX_PACKED_BYTES)
			continue;
		fields[i].run_bytes += fields[i + 1].run_bytes;
		fields[i].n_run += fields[i + 1].n_run;
	}
}

gsize ltt_perf_field_get_placed_size(const LttPerfField *field)
{
	switch (field->kind) {
	case LTT_PERF_LOC_TEXT:
	case LTT_PERF_LOC_ITEMS:
		return sizeof(guint32);
	case LTT_PERF_LOC_TEXTS:
		return field->n * sizeof(guint32);
	case LTT_PERF_TEXT:
		return field->n;
	default:
		return ltt_perf_field_get_size(field);
	}
}

gboolean ltt_perf_field_is_plain(const LttPerfField *field)
{
	switch (field->kind) {
	case LTT_PERF_UINT:
	case LTT_PERF_HEX:
	case LTT_PERF_INT:
	case LTT_PERF_FLOAT:
	case LTT_PERF_LABEL:
	case LTT_PERF_STACK: /* unless it is empty, which ltt_perf_fields_fill() finds */
		return TRUE;
	case LTT_PERF_ARRAY:
	case LTT_PERF_STRUCT:
	case LTT_PERF_SEQUENCE:
	case LTT_PERF_UNION:
		for (guint i = 0; i < field->n_members; i++)
			if (!ltt_perf_field_is_plain(&field->members[i]))
				return FALSE;
		return TRUE;
	default:
		return FALSE;
	}
}

static gboolean are_told(const LttPerfField *fields, guint n_fields)
{
	for (guint i = 0; i < n_fields; i++)
		if (!ltt_perf_field_is_told(&fields[i]))
			return FALSE;
	return TRUE;
}

/* Whether each bit of the number is in one of the parts. */
static gboolean covers_all(const LttPerfField *field)
{
	guint64 covered = 0;

	for (guint i = 0; i < field->n_members; i++) {
		const LttPerfField *part = &field->members[i];

		if (part->kind != LTT_PERF_SET && part->n > 8U * part->width)
			return FALSE;
		covered |= (part->n == 64 ? G_MAXUINT64 : ((guint64)1 << part->n) - 1)
			   << part->place;
	}
	return covered == G_MAXUINT64;
}

gboolean ltt_perf_field_is_told(const LttPerfField *field)
{
	if (field->is_optional)
		return FALSE;
	switch (field->kind) {
	case LTT_PERF_ARRAY:
	case LTT_PERF_STRUCT:
	case LTT_PERF_SEQUENCE:
	case LTT_PERF_UNION:
	case LTT_PERF_BEHIND:
	case LTT_PERF_AGAIN:
		return are_told(field->members, field->n_members);
	case LTT_PERF_STACK:
		return TRUE;
	case LTT_PERF_PARTS:
		return covers_all(field);
	default:
		return ltt_perf_field_is_plain(field);
	}
}

void ltt_perf_make_room(GByteArray *out, guint n_bytes)
{
	const guint before = out->len;

	g_byte_array_set_size(out, before + n_bytes);
	out->len = before;
}

/* Takes the bytes of a field from the front. Returns: FALSE if there are fewer */
static gboolean skip_field(const LttPerfField *field, LttByteOrder order, const guint8 **at,
			   gsize *left);

static gboolean skip_fields(const LttPerfField *fields, guint n_fields, LttByteOrder order,
			    const guint8 **at, gsize *left)
{
	for (guint i = 0; i < n_fields; i++)
		if (!skip_field(&fields[i], order, at, left))
			return FALSE;
	return TRUE;
}

static gboolean skip_bytes(const guint8 **at, gsize *left, guint64 n_bytes)
{
	if (n_bytes > *left)
		return FALSE;
	*at += n_bytes;
	*left -= (gsize)n_bytes;
	return TRUE;
}

static gboolean skip_items(const LttPerfField *field, LttByteOrder order, guint64 count,
			   const guint8 **at, gsize *left)
{
	const gsize item_bytes = ltt_perf_fields_get_size(field->members, field->n_members);

	if (item_bytes > 0)
		return count <= *left / item_bytes && skip_bytes(at, left, count * item_bytes);
	if (count > *left)
		return FALSE;
	for (guint64 i = 0; i < count; i++)
		if (!skip_fields(field->members, field->n_members, order, at, left))
			return FALSE;
	return TRUE;
}

static gboolean skip_field(const LttPerfField *field, LttByteOrder order, const guint8 **at,
			   gsize *left)
{
	const guint8 *number = *at;
	guint64 value;

	switch (field->kind) {
	case LTT_PERF_UINT:
	case LTT_PERF_HEX:
	case LTT_PERF_INT:
	case LTT_PERF_FLOAT:
	case LTT_PERF_LABEL:
		return skip_bytes(at, left, field->width);
	case LTT_PERF_ARRAY:
		return skip_items(field, order, field->n, at, left);
	case LTT_PERF_STRUCT:
		return skip_fields(field->members, field->n_members, order, at, left);
	case LTT_PERF_SEQUENCE:
		return skip_bytes(at, left, field->width) &&
		       skip_items(field, order, ltt_load_uint(number, field->width, order), at,
				  left);
	case LTT_PERF_UNION:
		if (!skip_bytes(at, left, field->width))
			return FALSE;
		value = ltt_load_uint(number, field->width, order);
		return value < field->n_members &&
		       skip_field(&field->members[value], order, at, left);
	case LTT_PERF_STACK:
		if (!skip_bytes(at, left, sizeof(value)))
			return FALSE;
		value = ltt_load_u64(number, order);
		return value > 0 && skip_bytes(at, left, value) &&
		       skip_bytes(at, left, sizeof(value));
	default:
		return FALSE;
	}
}

gboolean ltt_perf_fields_fill(const LttPerfField *fields, guint n_fields, LttByteOrder order,
			      const guint8 *body, gsize body_bytes)
{
	return skip_fields(fields, n_fields, order, &body, &body_bytes) && body_bytes == 0;
}
