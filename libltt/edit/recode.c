/* recode.c - convert a payload to another byte order and other sizes. */
#include "edit/recode-priv.h"

#include "base/bytes-priv.h"

void ltt_recode_append(GByteArray *out, const guint8 *bytes, gsize n_bytes)
{
	if (n_bytes < LTT_MAX_BLOCK_BYTES - MIN(out->len, LTT_MAX_BLOCK_BYTES))
		g_byte_array_append(out, bytes, (guint)n_bytes);
	else
		g_byte_array_set_size(out, (guint)LTT_MAX_BLOCK_BYTES);
}

void ltt_recode_put_number(guint64 number, const LttLayout *layout, LttByteOrder byte_order,
			   GByteArray *out)
{
	guint8 bytes[sizeof(number)];

	ltt_store_uint(bytes, layout->width_bytes, number, byte_order);
	ltt_recode_append(out, bytes, layout->width_bytes);
}

gboolean ltt_recode_is_plain(const LttLayout *layout)
{
	return layout->element != NULL && layout->element->width_bytes == 1 &&
	       layout->element->kind != LTT_SEQUENCE && layout->element->kind != LTT_UNION;
}

static void put_items(const LttValue *value, const LttLayout *layout, LttByteOrder byte_order,
		      GByteArray *out)
{
	LttValueIter iter;
	LttValue item;

	ltt_value_iter_init(&iter, value);
	if (ltt_recode_is_plain(layout)) {
		ltt_recode_append(out, iter.next, (gsize)iter.n_items);
		return;
	}
	for (guint i = 0; !ltt_recode_is_too_large(out) && ltt_value_iter_next(&iter, &item, NULL);
	     i++) {
		const LttLayout *inside = layout->element;

		if (layout->kind == LTT_UNION)
			inside = layout->members[ltt_value_get_union_code(value)].layout;
		else if (layout->kind == LTT_STRUCT)
			inside = layout->members[i].layout;
		ltt_recode(&item, inside, byte_order, out);
	}
}

void ltt_recode(const LttValue *value, const LttLayout *layout, LttByteOrder byte_order,
		GByteArray *out)
{
	gsize length;

	switch (layout->kind) {
	case LTT_INT:
	case LTT_UINT:
	case LTT_ENUM:
		ltt_recode_put_number(layout->is_signed ? (guint64)ltt_value_get_int(value)
							: ltt_value_get_uint(value),
				      layout, byte_order, out);
		break;
	case LTT_FLOAT:
		/* Copied as bits, so that a NaN keeps its payload. */
		ltt_recode_put_number(
			ltt_load_uint(value->bytes, value->layout->width_bytes, value->byte_order),
			layout, byte_order, out);
		break;
	case LTT_STRING:
		ltt_value_get_string(value, &length);
		ltt_recode_append(out, value->bytes, length + 1);
		break;
	case LTT_SEQUENCE:
		ltt_recode_put_number(ltt_value_get_n_items(value), layout, byte_order, out);
		put_items(value, layout, byte_order, out);
		break;
	case LTT_UNION:
		ltt_recode_put_number(ltt_value_get_union_code(value), layout, byte_order, out);
		put_items(value, layout, byte_order, out);
		break;
	case LTT_ARRAY:
	case LTT_STRUCT:
		put_items(value, layout, byte_order, out);
		break;
	case LTT_TYPEREF: /* no layout is of one */
		break;
	}
}
