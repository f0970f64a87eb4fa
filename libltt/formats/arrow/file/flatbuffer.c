/* flatbuffer.c - write tables, strings and vectors of a FlatBuffer (flatbuffer-priv.h). */
#include "formats/arrow/file/flatbuffer-priv.h"

#include "base/bytes-priv.h"

#define MAX_ALIGN     8
#define OFFSET_BYTES  4
#define VTABLE_HEADER 4 /* size of the vtable, size of the table */

/* Appends zeros until the length is @remainder more than a multiple of @align. */
static void pad(GByteArray *buffer, guint align, guint remainder)
{
	while (buffer->len % align != remainder)
		g_byte_array_append(buffer, (const guint8 *)"", 1);
}

static guint32 add_zeros(GByteArray *buffer, guint n_bytes)
{
	const guint32 at = buffer->len;

	g_byte_array_set_size(buffer, buffer->len + n_bytes);
	memset(buffer->data + at, 0, n_bytes);
	return at;
}

GByteArray *ltt_flat_new(void)
{
	GByteArray *buffer = g_byte_array_new();

	add_zeros(buffer, OFFSET_BYTES);
	return buffer;
}

void ltt_flat_point(GByteArray *buffer, guint32 at, guint32 target)
{
	ltt_store_u32(buffer->data + at, target - at, LTT_LITTLE_ENDIAN);
}

void ltt_flat_set_i64(GByteArray *buffer, guint32 at, gint64 value)
{
	ltt_store_u64(buffer->data + at, (guint64)value, LTT_LITTLE_ENDIAN);
}

guint32 ltt_flat_add_table(GByteArray *buffer, LttFlatField *fields, guint n_fields)
{
	const guint vtable_bytes = VTABLE_HEADER + 2 * n_fields;
	const gboolean is_root = buffer->len == OFFSET_BYTES;
	guint32 vtable;
	guint32 table;
	guint size = OFFSET_BYTES;

	/* Align the table, which directly follows its vtable, to the largest alignment. */
	pad(buffer, MAX_ALIGN, (MAX_ALIGN - vtable_bytes % MAX_ALIGN) % MAX_ALIGN);
	vtable = add_zeros(buffer, vtable_bytes);
	table = buffer->len;
	for (guint i = 0; i < n_fields; i++) {
		const guint width = fields[i].size_bytes;

		if (width == 0)
			continue;
		size = (size + width - 1) / width * width;
		fields[i].at = table + size;
		ltt_store_u16(buffer->data + vtable + VTABLE_HEADER + 2 * i, (guint16)size,
			      LTT_LITTLE_ENDIAN);
		size += width;
	}
	ltt_store_u16(buffer->data + vtable, (guint16)vtable_bytes, LTT_LITTLE_ENDIAN);
	ltt_store_u16(buffer->data + vtable + 2, (guint16)size, LTT_LITTLE_ENDIAN);
	add_zeros(buffer, size);
	ltt_store_u32(buffer->data + table, table - vtable, LTT_LITTLE_ENDIAN);
	for (guint i = 0; i < n_fields; i++) {
		if (fields[i].size_bytes > 0)
			ltt_store_uint(buffer->data + fields[i].at, fields[i].size_bytes,
				       fields[i].value, LTT_LITTLE_ENDIAN);
	}
	if (is_root)
		ltt_flat_point(buffer, 0, table);
	return table;
}

guint32 ltt_flat_add_string(GByteArray *buffer, const char *text)
{
	const guint length = (guint)strlen(text);
	guint32 at;

	pad(buffer, OFFSET_BYTES, 0);
	at = add_zeros(buffer, OFFSET_BYTES);
	ltt_store_u32(buffer->data + at, length, LTT_LITTLE_ENDIAN);
	g_byte_array_append(buffer, (const guint8 *)text, length + 1);
	return at;
}

guint32 ltt_flat_add_vector(GByteArray *buffer, guint n_elements, guint element_bytes,
			    guint align_bytes)
{
	guint32 at;

	pad(buffer, MAX(align_bytes, OFFSET_BYTES),
	    align_bytes > OFFSET_BYTES ? align_bytes - OFFSET_BYTES : 0);
	at = add_zeros(buffer, OFFSET_BYTES);
	ltt_store_u32(buffer->data + at, n_elements, LTT_LITTLE_ENDIAN);
	add_zeros(buffer, n_elements * element_bytes);
	return at;
}
