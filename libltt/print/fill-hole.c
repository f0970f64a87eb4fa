/* fill-hole.c - print values of the less frequent kinds: floats, formats, cells of CSV. */
#include "base/bytes-priv.h"
#include "base/digits-priv.h"
#include "base/shortest-priv.h"

#include "print/csv-field-priv.h"
#include "print/template-priv.h"

#include <math.h>

static void add_uint(LttSink *sink, guint64 value)
{
	ltt_sink_stop(sink, ltt_put_u64(ltt_sink_room(sink, LTT_MAX_DIGITS), value));
}

static void add_int(LttSink *sink, gint64 value)
{
	ltt_sink_stop(sink, ltt_put_i64(ltt_sink_room(sink, LTT_MAX_DIGITS), value));
}

static double load_float(const guint8 *bytes, guint width_bytes, LttByteOrder byte_order)
{
	if (width_bytes == 4) {
		guint32 bits = ltt_load_u32(bytes, byte_order);
		float value;

		memcpy(&value, &bits, sizeof(value));
		return value;
	} else {
		guint64 bits = ltt_load_u64(bytes, byte_order);
		double value;

		memcpy(&value, &bits, sizeof(value));
		return value;
	}
}

static void add_float(const LttHole *hole, LttSink *sink, double value)
{
	char *start = ltt_sink_room(sink, LTT_SHORTEST_BYTES + 2);
	const gboolean is_quoted = hole->quotes_nan && !isfinite(value);
	char *at = start;

	if (is_quoted)
		*at++ = '"';
	at += hole->width_bytes == 4 ? ltt_shortest_float((float)value, at)
				     : ltt_shortest_double(value, at);
	if (is_quoted)
		*at++ = '"';
	ltt_sink_stop(sink, at);
}

static guint64 load_integer(const LttHole *hole, const guint8 *bytes, LttByteOrder byte_order)
{
	return hole->is_signed ? (guint64)ltt_load_int(bytes, hole->width_bytes, byte_order)
			       : ltt_load_uint(bytes, hole->width_bytes, byte_order);
}

const LttPiece *ltt_hole_find_label(const LttHole *hole, guint64 value)
{
	guint low = 0;
	guint high = hole->n_labels;

	/* The labels of most enums count from 0. */
	if (value < high && hole->labels[value].value == value)
		return &hole->labels[value].text;
	while (low < high) {
		guint middle = (low + high) / 2;

		if (hole->labels[middle].value == value)
			return &hole->labels[middle].text;
		if (hole->labels[middle].value < value)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

static void add_enum(const LttHole *hole, LttSink *sink, guint64 value)
{
	const LttPiece *label = ltt_hole_find_label(hole, value);

	if (label != NULL)
		ltt_sink_add(sink, label->bytes, label->length);
	else if (hole->is_signed)
		add_int(sink, (gint64)value);
	else
		add_uint(sink, value);
}

/* Labels are escaped already; a number takes the place of a missing one. */
static void add_formatted_label(const LttHole *hole, LttSink *sink, guint64 value)
{
	const LttPiece *label = ltt_hole_find_label(hole, value);
	char digits[LTT_MAX_DIGITS];
	char *end =
		hole->is_signed ? ltt_put_i64(digits, (gint64)value) : ltt_put_u64(digits, value);

	if (label != NULL)
		ltt_format_spec_add_text(hole->format, sink, label->bytes, label->length,
					 LTT_ESCAPE_LABEL);
	else
		ltt_format_spec_add_text(hole->format, sink, digits, (gsize)(end - digits),
					 LTT_ESCAPE_LABEL);
}

static const guint8 *fill_formatted(const LttHole *hole, LttSink *sink, const guint8 *bytes,
				    LttByteOrder byte_order)
{
	guint64 value;

	if (hole->type == LTT_STRING) {
		gsize length = strlen((const char *)bytes);

		ltt_format_spec_add_text(hole->format, sink, (const char *)bytes, length,
					 hole->escape);
		return bytes + length + 1;
	}
	if (hole->type == LTT_FLOAT) {
		ltt_format_spec_add_float(hole->format, sink,
					  load_float(bytes, hole->width_bytes, byte_order));
		return bytes + hole->width_bytes;
	}
	value = load_integer(hole, bytes, byte_order);
	if (hole->type == LTT_ENUM && hole->format->conversion == 's')
		add_formatted_label(hole, sink, value);
	else
		ltt_format_spec_add_integer(hole->format, sink, value, hole->width_bytes);
	return bytes + hole->width_bytes;
}

/* As ltt_template_fill(), but writes nothing. */
static const guint8 *pass_over(const LttTemplate *tmpl, const guint8 *bytes,
			       LttByteOrder byte_order)
{
	for (guint i = 0; i < tmpl->n_holes; i++) {
		const LttHole *hole = &tmpl->holes[i];
		guint64 n = hole->n_elements;

		switch (hole->kind) {
		case LTT_HOLE_STRING:
			bytes += strlen((const char *)bytes) + 1;
			break;
		case LTT_HOLE_REPEAT:
			if (hole->width_bytes != 0)
				n = ltt_load_uint(bytes, hole->width_bytes, byte_order);
			bytes += hole->width_bytes;
			for (; n > 0; n--)
				bytes = pass_over(hole->sub[0], bytes, byte_order);
			break;
		case LTT_HOLE_CHOICE:
			n = ltt_load_uint(bytes, hole->width_bytes, byte_order);
			g_assert(n < hole->n_sub);
			bytes = pass_over(hole->sub[n], bytes + hole->width_bytes, byte_order);
			break;
		default:
			bytes += hole->width_bytes;
			break;
		}
	}
	return bytes;
}

const guint8 *ltt_hole_fill(const LttHole *hole, LttSink *sink, const guint8 *bytes,
			    LttByteOrder byte_order)
{
	switch (hole->kind) {
	case LTT_HOLE_FLOAT:
		add_float(hole, sink, load_float(bytes, hole->width_bytes, byte_order));
		return bytes + hole->width_bytes;
	case LTT_HOLE_ENUM:
		add_enum(hole, sink, load_integer(hole, bytes, byte_order));
		return bytes + hole->width_bytes;
	case LTT_HOLE_ADDRESS:
		ltt_print_address(hole->addresses, sink, load_integer(hole, bytes, byte_order));
		return bytes + hole->width_bytes;
	case LTT_HOLE_CSV_STRING: {
		const gsize length = strlen((const char *)bytes);

		ltt_csv_add_string(sink, (const char *)bytes, length);
		return bytes + length + 1;
	}
	case LTT_HOLE_FORMAT:
		return fill_formatted(hole, sink, bytes, byte_order);
	case LTT_HOLE_SKIP:
		return hole->n_sub > 0 ? pass_over(hole->sub[0], bytes, byte_order)
				       : bytes + hole->n_elements;
	default:
		g_assert_not_reached();
	}
}
