/* fill.c - interpret the program of a template: print the values of a payload.
 *
 * This is the inner loop of a dump. The payload has been measured before (ltt_layout_measure()), so
 * counts, codes and ends of strings are valid and are not checked again. The write position and the
 * read position stay in registers; the numbers of elements left of the outer loops are on a small
 * stack.
 */
#include "base/bytes-priv.h"
#include "base/digits-priv.h"

#include "print/csv-field-priv.h"
#include "print/template-priv.h"
#include "reader/block-priv.h"

G_STATIC_ASSERT(LTT_PLAIN_STEP <= LTT_BLOCK_SLACK_BYTES);
G_STATIC_ASSERT(LTT_OP_STRING_BYTES % LTT_PLAIN_STEP == 0);

/* Writes the label of a value, or the value if it has none. The caller has reserved room. */
static inline char *put_label(char *at, const LttHole *hole, const guint8 *bytes,
			      LttByteOrder byte_order)
{
	const guint64 value = hole->is_signed
				      ? (guint64)ltt_load_int(bytes, hole->width_bytes, byte_order)
				      : ltt_load_uint(bytes, hole->width_bytes, byte_order);
	const LttPiece *label = ltt_hole_find_label(hole, value);

	if (G_LIKELY(label != NULL)) {
		memcpy(at, label->bytes, LTT_PIECE_BYTES); /* of a constant size: no call */
		return at + label->length;
	}
	return hole->is_signed ? ltt_put_i64(at, (gint64)value) : ltt_put_u64(at, value);
}

/* Writes a number in hexadecimal, with @n_digits at least, of LTT_SIMPLE_HEX_DIGITS at most. */
static inline char *put_hex(char *at, guint64 value, guint n_digits)
{
	const guint n_needed = (67 - (guint)__builtin_clzll(value | 1)) / 4;
	const guint n = MAX(n_needed, n_digits);

	for (guint i = n; i > 0; i--, value >>= 4)
		at[i - 1] = "0123456789abcdef"[value & 15];
	return at + n;
}

/* ltt_sink_room() for a write position that is kept in a register. */
static inline char *make_room(LttSink *sink, char *at, guint room)
{
	if (G_LIKELY((gsize)(sink->end - at) >= room))
		return at;
	ltt_sink_stop(sink, at);
	return ltt_sink_room(sink, room);
}

static inline guint64 load_count(const LttHole *hole, const guint8 *bytes, LttByteOrder byte_order)
{
	return hole->width_bytes == 0 ? hole->n_elements
				      : ltt_load_uint(bytes, hole->width_bytes, byte_order);
}

/* Copies the plain bytes at the start of a string, of LTT_OP_STRING_BYTES at most. Returns: their
 * number */
static inline gsize copy_plain_start(char *at, const guint8 *bytes)
{
	gsize length = 0;
	guint n;

	do {
		n = ltt_copy_plain(at + length, bytes + length);
		length += n;
	} while (n == LTT_PLAIN_STEP && length < LTT_OP_STRING_BYTES);
	return length;
}

static G_GNUC_NO_INLINE const guint8 *fill_string(const LttHole *hole, LttSink *sink,
						  const guint8 *bytes)
{
	const gsize length = strlen((const char *)bytes);

	ltt_sink_add_escaped(sink, (const char *)bytes, length, hole->escape);
	return bytes + length + 1;
}

/* ---- values with separate programs ---- */

static const guint8 *fill_octets(const LttHole *hole, LttSink *sink, const guint8 *bytes,
				 LttByteOrder byte_order)
{
	static const char end[] = " bytes>";
	const guint64 n = load_count(hole, bytes, byte_order);

	bytes += hole->width_bytes;
	if (n > LTT_SHORT_BYTES) {
		ltt_sink_add_char(sink, '<');
		ltt_sink_stop(sink, ltt_put_u64(ltt_sink_room(sink, LTT_MAX_DIGITS), n));
		ltt_sink_add(sink, end, sizeof(end) - 1);
		return bytes + n;
	}
	ltt_sink_add_char(sink, '[');
	for (guint64 i = 0; i < n; i++)
		bytes = ltt_template_fill(hole->sub[0], sink, bytes, byte_order);
	if (n > 0) /* Remove the separator, which is still in the buffer. */
		ltt_sink_stop(sink, sink->at - 1);
	ltt_sink_add_char(sink, ']');
	return bytes;
}

static const guint8 *fill_cell(const LttHole *hole, LttSink *sink, const guint8 *bytes,
			       LttByteOrder byte_order)
{
	LttCsvField field;

	ltt_csv_field_init(&field, sink);
	bytes = ltt_template_fill(hole->sub[0], &field.inside, bytes, byte_order);
	ltt_csv_field_end(&field);
	return bytes;
}

static G_GNUC_NO_INLINE const guint8 *fill_inner(const LttOp *op, LttSink *sink,
						 const guint8 *bytes, LttByteOrder byte_order)
{
	if (op->kind == LTT_OP_OTHER)
		return ltt_hole_fill(op->hole, sink, bytes, byte_order);
	return op->hole->kind == LTT_HOLE_CELL ? fill_cell(op->hole, sink, bytes, byte_order)
					       : fill_octets(op->hole, sink, bytes, byte_order);
}

/* ---- the interpreter ---- */

/* Always inlined, so that the byte order is a constant. */
static inline __attribute__((always_inline)) const guint8 *run(const LttTemplate *tmpl,
							       LttSink *sink, const guint8 *bytes,
							       LttByteOrder byte_order)
{
	guint64 outer_loops
		[LTT_MAX_TYPE_DEPTH]; /* elements left; n_left is that of the inner one */
	guint64 *top = outer_loops;
	guint64 n_left = 0;
	guint64 number;
	const LttOp *op;
	const LttOp *next = tmpl->start;
	char *at = ltt_sink_room(sink, tmpl->room);

	for (;;) {
		op = next;
		next = op->next;
		memcpy(at, op->text, LTT_OP_TEXT_BYTES); /* of a constant size: no call */
		at += op->text_bytes;
		switch (op->kind) {
		case LTT_OP_U8:
			at = ltt_put_small(at, *bytes);
			bytes += 1;
			break;
		case LTT_OP_U16:
			at = ltt_put_small(at, ltt_load_u16(bytes, byte_order));
			bytes += 2;
			break;
		case LTT_OP_U32:
			at = ltt_put_u64(at, ltt_load_u32(bytes, byte_order));
			bytes += 4;
			break;
		case LTT_OP_U64:
			at = ltt_put_u64(at, ltt_load_u64(bytes, byte_order));
			bytes += 8;
			break;
		case LTT_OP_I8:
			at = ltt_put_i64(at, (gint8)*bytes);
			bytes += 1;
			break;
		case LTT_OP_I16:
			at = ltt_put_i64(at, (gint16)ltt_load_u16(bytes, byte_order));
			bytes += 2;
			break;
		case LTT_OP_I32:
			at = ltt_put_i64(at, (gint32)ltt_load_u32(bytes, byte_order));
			bytes += 4;
			break;
		case LTT_OP_I64:
			at = ltt_put_i64(at, (gint64)ltt_load_u64(bytes, byte_order));
			bytes += 8;
			break;
		case LTT_OP_HEX:
			number = ltt_load_uint(bytes, op->hole->width_bytes, byte_order);
			at = put_hex(at, number, op->hole->n_digits);
			bytes += op->hole->width_bytes;
			break;
		case LTT_OP_LABEL:
			at = put_label(at, op->hole, bytes, byte_order);
			bytes += op->hole->width_bytes;
			break;
		case LTT_OP_STRING:
			number = copy_plain_start(at, bytes);
			at += number;
			bytes += number;
			if (G_LIKELY(*bytes == '\0')) {
				bytes++;
				break;
			}
			ltt_sink_stop(sink, at);
			bytes = fill_string(op->hole, sink, bytes);
			at = ltt_sink_room(sink, op->room);
			break;
		case LTT_OP_TEXT:
			break;
		case LTT_OP_ROOM:
			at = make_room(sink, at, op->room);
			break;
		case LTT_OP_REPEAT:
			number = load_count(op->hole, bytes, byte_order);
			bytes += op->hole->width_bytes;
			if (number == 0) {
				at = make_room(sink, at, op->room);
				break;
			}
			*top++ = n_left;
			n_left = number;
			at = make_room(sink, at, op->body_room);
			next = op->body;
			break;
		case LTT_OP_AGAIN:
			if (--n_left > 0) {
				at = make_room(sink, at, op->body_room);
				next = op->body;
				break;
			}
			n_left = *--top;
			/* Removes the separator after the last element. */
			at = make_room(sink, at - 1, op->room);
			break;
		case LTT_OP_CHOICE:
			number = ltt_load_uint(bytes, op->hole->width_bytes, byte_order);
			g_assert(number < op->hole->n_sub);
			bytes += op->hole->width_bytes;
			at = make_room(sink, at, op->room);
			next = op->members[number];
			break;
		case LTT_OP_OTHER:
		case LTT_OP_RUN:
			ltt_sink_stop(sink, at);
			bytes = fill_inner(op, sink, bytes, byte_order);
			at = ltt_sink_room(sink, op->room);
			break;
		case LTT_OP_END:
			ltt_sink_stop(sink, at);
			return bytes;
		default:
			__builtin_unreachable(); /* saves the range check of the switch */
		}
	}
}

const guint8 *ltt_template_fill(const LttTemplate *tmpl, LttSink *sink, const guint8 *bytes,
				LttByteOrder byte_order)
{
	return byte_order == LTT_LITTLE_ENDIAN ? run(tmpl, sink, bytes, LTT_LITTLE_ENDIAN)
					       : run(tmpl, sink, bytes, LTT_BIG_ENDIAN);
}
