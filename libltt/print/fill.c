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

/*
 * Every op ends with a jump to the code of the next one ("direct threading"): around ops this short,
 * a loop with a switch takes as long as the ops. The addresses of the code are in two tables, one
 * for each byte order of the payload, which differ in the code of numbers.
 */

/* Copies the text of an op and jumps to the code of its kind. */
#define RUN(next_op)                                                                               \
	do {                                                                                       \
		op = (next_op);                                                                    \
		memcpy(at, op->text, LTT_OP_TEXT_BYTES); /* of a constant size: no call */         \
		at += op->text_bytes;                                                              \
		goto *code[op->kind];                                                              \
	} while (0)

/* The code of an op that writes a number. */
#define NUMBER(label, put, type, value)                                                            \
	label:                                                                                     \
	at = put(at, (type)(value));                                                               \
	bytes += sizeof(type);                                                                     \
	RUN(op->next)

#define COMMON_CODE                                                                                \
	[LTT_OP_U8] = &&u8, [LTT_OP_I8] = &&i8, [LTT_OP_HEX] = &&hex, [LTT_OP_LABEL] = &&label,    \
	[LTT_OP_STRING] = &&string, [LTT_OP_TEXT] = &&text, [LTT_OP_ROOM] = &&room,                \
	[LTT_OP_REPEAT] = &&repeat, [LTT_OP_AGAIN] = &&again, [LTT_OP_CHOICE] = &&choice,          \
	[LTT_OP_OTHER] = &&inner, [LTT_OP_RUN] = &&inner, [LTT_OP_END] = &&end

const guint8 *ltt_template_fill(const LttTemplate *tmpl, LttSink *sink, const guint8 *bytes,
				LttByteOrder byte_order)
{
	static const void *const little_code[LTT_N_OP_KINDS] = {
		/* cppcheck-suppress assignBoolToPointer ; these are addresses of labels */
		COMMON_CODE,
		[LTT_OP_U16] = &&u16_little,
		[LTT_OP_I16] = &&i16_little,
		[LTT_OP_U32] = &&u32_little,
		[LTT_OP_I32] = &&i32_little,
		[LTT_OP_U64] = &&u64_little,
		[LTT_OP_I64] = &&i64_little,
	};
	static const void *const big_code[LTT_N_OP_KINDS] = {
		/* cppcheck-suppress assignBoolToPointer ; these are addresses of labels */
		COMMON_CODE,
		[LTT_OP_U16] = &&u16_big,
		[LTT_OP_I16] = &&i16_big,
		[LTT_OP_U32] = &&u32_big,
		[LTT_OP_I32] = &&i32_big,
		[LTT_OP_U64] = &&u64_big,
		[LTT_OP_I64] = &&i64_big,
	};
	const void *const *code = byte_order == LTT_LITTLE_ENDIAN ? little_code : big_code;
	guint64 outer_loops
		[LTT_MAX_TYPE_DEPTH]; /* elements left; n_left is that of the inner one */
	guint64 *top = outer_loops;
	guint64 n_left = 0;
	guint64 number;
	const LttOp *op;
	char *at = ltt_sink_room(sink, tmpl->room);

	RUN(tmpl->start);

	NUMBER(u8, ltt_put_small, guint8, *bytes);
	NUMBER(i8, ltt_put_i64, gint8, *bytes);
	NUMBER(u16_little, ltt_put_small, guint16, ltt_load_u16(bytes, LTT_LITTLE_ENDIAN));
	NUMBER(i16_little, ltt_put_i64, gint16, ltt_load_u16(bytes, LTT_LITTLE_ENDIAN));
	NUMBER(u32_little, ltt_put_u64, guint32, ltt_load_u32(bytes, LTT_LITTLE_ENDIAN));
	NUMBER(i32_little, ltt_put_i64, gint32, ltt_load_u32(bytes, LTT_LITTLE_ENDIAN));
	NUMBER(u64_little, ltt_put_u64, guint64, ltt_load_u64(bytes, LTT_LITTLE_ENDIAN));
	NUMBER(i64_little, ltt_put_i64, gint64, ltt_load_u64(bytes, LTT_LITTLE_ENDIAN));
	NUMBER(u16_big, ltt_put_small, guint16, ltt_load_u16(bytes, LTT_BIG_ENDIAN));
	NUMBER(i16_big, ltt_put_i64, gint16, ltt_load_u16(bytes, LTT_BIG_ENDIAN));
	NUMBER(u32_big, ltt_put_u64, guint32, ltt_load_u32(bytes, LTT_BIG_ENDIAN));
	NUMBER(i32_big, ltt_put_i64, gint32, ltt_load_u32(bytes, LTT_BIG_ENDIAN));
	NUMBER(u64_big, ltt_put_u64, guint64, ltt_load_u64(bytes, LTT_BIG_ENDIAN));
	NUMBER(i64_big, ltt_put_i64, gint64, ltt_load_u64(bytes, LTT_BIG_ENDIAN));
hex:
	number = ltt_load_uint(bytes, op->hole->width_bytes, byte_order);
	at = put_hex(at, number, op->hole->n_digits);
	bytes += op->hole->width_bytes;
	RUN(op->next);
label:
	at = put_label(at, op->hole, bytes, byte_order);
	bytes += op->hole->width_bytes;
	RUN(op->next);
string:
	number = copy_plain_start(at, bytes);
	at += number;
	bytes += number;
	if (G_LIKELY(*bytes == '\0')) {
		bytes++;
		RUN(op->next);
	}
	ltt_sink_stop(sink, at);
	bytes = fill_string(op->hole, sink, bytes);
	at = ltt_sink_room(sink, op->room);
text:
	RUN(op->next);
room:
	at = make_room(sink, at, op->room);
	RUN(op->next);
repeat:
	number = load_count(op->hole, bytes, byte_order);
	bytes += op->hole->width_bytes;
	at = make_room(sink, at, op->room);
	if (number == 0)
		RUN(op->next);
	*top++ = n_left;
	n_left = number;
	RUN(op->body);
again:
	if (--n_left > 0) {
		at = make_room(sink, at, op->room);
		RUN(op->body);
	}
	n_left = *--top;
	at--; /* removes the separator after the last element */
	RUN(op->next);
choice:
	number = ltt_load_uint(bytes, op->hole->width_bytes, byte_order);
	g_assert(number < op->hole->n_sub);
	bytes += op->hole->width_bytes;
	RUN(op->members[number]);
inner:
	ltt_sink_stop(sink, at);
	bytes = fill_inner(op, sink, bytes, byte_order);
	at = ltt_sink_room(sink, op->room);
	RUN(op->next);
end:
	ltt_sink_stop(sink, at);
	return bytes;
}
