/* decode-scalars.c - decode numbers, labels, strings and bytes of payloads into builders. */
#include "table/decode-priv.h"

#include "base/bytes-priv.h"
#include "base/utf8-priv.h"

/* ---- numbers ---- */

/* Copies numbers of the byte order of the places, which is a constant in each of two loops. */
#define DEFINE_COPY(bits)                                                                          \
	static inline __attribute__((always_inline)) void copy_##bits##_in(                        \
		guint8 *to, const guint8 *const *at, gsize offset, gsize n, LttByteOrder order)    \
	{                                                                                          \
		for (gsize i = 0; i < n; i++) {                                                    \
			const guint##bits value = ltt_load_u##bits(at[i] + offset, order);         \
                                                                                                   \
			memcpy(to + i * sizeof(value), &value, sizeof(value));                     \
		}                                                                                  \
	}                                                                                          \
                                                                                                   \
	static void copy_##bits(guint8 *to, const LttPlaces *places)                               \
	{                                                                                          \
		if (places->byte_order == LTT_LITTLE_ENDIAN)                                       \
			copy_##bits##_in(to, places->at, places->offset, places->n,                \
					 LTT_LITTLE_ENDIAN);                                       \
		else                                                                               \
			copy_##bits##_in(to, places->at, places->offset, places->n,                \
					 LTT_BIG_ENDIAN);                                          \
	}

DEFINE_COPY(16)
DEFINE_COPY(32)
DEFINE_COPY(64)

/* Numbers of another size than the column's: of a trace of another architecture. */
static void convert_numbers(LttBuilder *builder, const LttPlaces *places)
{
	const guint width = builder->column->width_bytes;
	const gboolean is_signed = builder->column->kind == LTT_COLUMN_INT;
	guint8 *to = ltt_buffer_add(&builder->values, places->n * width);

	for (gsize i = 0; i < places->n; i++) {
		const guint8 *at = places->at[i] + places->offset;
		const guint own = places->layout->width_bytes;
		const guint64 value = is_signed ? (guint64)ltt_load_int(at, own, places->byte_order)
						: ltt_load_uint(at, own, places->byte_order);

		ltt_store_uint(to + i * width, width, value, LTT_NATIVE_ENDIAN);
	}
}

static void convert_floats(LttBuilder *builder, const LttPlaces *places)
{
	double *to =
		(double *)(gpointer)ltt_buffer_add(&builder->values, places->n * sizeof(double));

	for (gsize i = 0; i < places->n; i++) {
		const guint32 bits =
			ltt_load_u32(places->at[i] + places->offset, places->byte_order);
		float value;

		memcpy(&value, &bits, sizeof(value));
		to[i] = (double)value;
	}
}

void ltt_decode_numbers(LttBuilder *builder, const LttPlaces *places)
{
	const guint width = builder->column->width_bytes;
	guint8 *to;

	if (places->layout->width_bytes != width) {
		if (builder->column->kind == LTT_COLUMN_FLOAT)
			convert_floats(builder, places);
		else
			convert_numbers(builder, places);
		return;
	}
	to = ltt_buffer_add(&builder->values, places->n * width);
	switch (width) {
	case 1:
		for (gsize i = 0; i < places->n; i++)
			to[i] = places->at[i][places->offset];
		break;
	case 2:
		copy_16(to, places);
		break;
	case 4:
		copy_32(to, places);
		break;
	default:
		copy_64(to, places);
		break;
	}
}

void ltt_decode_enums(LttBuilder *builder, const LttPlaces *places)
{
	const LttLayout *layout = places->layout;
	const LttCodeMap *codes = ltt_builder_need_codes(builder, layout);
	gint32 *to =
		(gint32 *)(gpointer)ltt_buffer_add(&builder->values, places->n * sizeof(gint32));

	for (gsize i = 0; i < places->n; i++) {
		const guint8 *at = places->at[i] + places->offset;
		const gint64 number =
			layout->is_signed
				? ltt_load_int(at, layout->width_bytes, places->byte_order)
				: (gint64)ltt_load_uint(at, layout->width_bytes,
							places->byte_order);

		to[i] = ltt_builder_find_code(builder, codes, layout, number);
		if (builder->wants_numbers)
			memcpy(ltt_buffer_add(&builder->numbers, sizeof(number)), &number,
			       sizeof(number));
	}
}

/* ---- strings and bytes ---- */

static gboolean is_ascii(const guint8 *bytes, gsize length)
{
	guint64 high = 0;
	gsize i = 0;

	for (; i + 8 <= length; i += 8)
		high |= ltt_load_u64(bytes + i, LTT_NATIVE_ENDIAN);
	for (; i < length; i++)
		high |= bytes[i];
	return (high & G_GUINT64_CONSTANT(0x8080808080808080)) == 0;
}

/* Adds text that is not ASCII, and replaces invalid bytes. */
static void add_text(LttBuffer *values, const guint8 *bytes, gsize length)
{
	for (gsize i = 0; i < length;) {
		gboolean is_valid;
		const gsize size = ltt_utf8_measure(bytes + i, length - i, &is_valid);

		if (is_valid)
			memcpy(ltt_buffer_add(values, size), bytes + i, size);
		else
			memcpy(ltt_buffer_add(values, LTT_REPLACEMENT_BYTES), LTT_REPLACEMENT,
			       LTT_REPLACEMENT_BYTES);
		i += size;
	}
}

void ltt_decode_strings(LttBuilder *builder, const LttPlaces *places, const guint8 **ends)
{
	gint32 *offsets = ltt_builder_add_offsets(builder, places->n);

	for (gsize i = 0; i < places->n; i++) {
		const guint8 *at = places->at[i] + places->offset;
		const gsize length = strlen((const char *)at);

		if (G_LIKELY(is_ascii(at, length)))
			memcpy(ltt_buffer_add(&builder->values, length), at, length);
		else
			add_text(&builder->values, at, length);
		offsets[i] = (gint32)builder->values.length;
		if (ends != NULL)
			ends[i] = at + length + 1;
	}
}

void ltt_decode_bytes(LttBuilder *builder, const LttPlaces *places, const guint8 **ends)
{
	const LttLayout *layout = places->layout;
	gint32 *offsets = ltt_builder_add_offsets(builder, places->n);

	for (gsize i = 0; i < places->n; i++) {
		const guint8 *at = places->at[i] + places->offset;
		gsize length = layout->n_elements;

		if (layout->kind == LTT_SEQUENCE) {
			length = ltt_load_uint(at, layout->width_bytes, places->byte_order);
			at += layout->width_bytes;
		}
		memcpy(ltt_buffer_add(&builder->values, length), at, length);
		offsets[i] = (gint32)builder->values.length;
		if (ends != NULL)
			ends[i] = at + length;
	}
}

void ltt_decode_fixed_bytes(LttBuilder *builder, const LttPlaces *places)
{
	const gsize length = places->layout->n_elements;
	guint8 *to = ltt_buffer_add(&builder->values, places->n * length);

	for (gsize i = 0; i < places->n; i++)
		memcpy(to + i * length, places->at[i] + places->offset, length);
}
