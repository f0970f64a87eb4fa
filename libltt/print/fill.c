/* fill.c - interpret the program of a template: print the values of a payload.
 *
 * This is the inner loop of a dump. The payload has been measured before (ltt_layout_measure()), so
 * counts, codes and ends of strings are valid and are not checked again.
 *
 * Elements and union members have programs of their own. Entering one pushes a frame on a small
 * stack; only programs that are nested deeper than that are run by recursion.
 */
#include "base/bytes-priv.h"
#include "base/digits-priv.h"

#include "print/template-priv.h"

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

#define STACK_FRAMES 8

/* A program that is interrupted by one within it. */
typedef struct Frame {
	const LttTemplate *tmpl;
	const LttOp *op; /* that entered the inner program */
	guint64 n_left;
} Frame;

static const guint8 *run(const LttTemplate *tmpl, guint64 n_left, LttSink *sink,
			 const guint8 *bytes, LttByteOrder byte_order);

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

const guint8 *ltt_hole_fill_repeat(const LttHole *hole, LttSink *sink, const guint8 *bytes,
				   LttByteOrder byte_order)
{
	const guint64 n_elements = load_count(hole, bytes, byte_order);

	bytes += hole->width_bytes;
	if (n_elements == 0)
		return bytes;
	bytes = run(hole->sub[0], n_elements, sink, bytes, byte_order);
	/* Remove the separator after the last element, which is still in the buffer. */
	ltt_sink_stop(sink, sink->at - 1);
	return bytes;
}

static const guint8 *fill_choice(const LttHole *hole, LttSink *sink, const guint8 *bytes,
				 LttByteOrder byte_order)
{
	const guint64 code = ltt_load_uint(bytes, hole->width_bytes, byte_order);

	g_assert(code < hole->n_sub);
	return run(hole->sub[code], 1, sink, bytes + hole->width_bytes, byte_order);
}

static const guint8 *fill_string(const LttHole *hole, LttSink *sink, const guint8 *bytes)
{
	const gsize length = strlen((const char *)bytes);

	ltt_sink_add_escaped(sink, (const char *)bytes, length, hole->escape);
	return bytes + length + 1;
}

/* Runs a program for each of @n_left elements. Returns: the end of the last value */
static const guint8 *run(const LttTemplate *tmpl, guint64 n_left, LttSink *sink,
			 const guint8 *bytes, LttByteOrder byte_order)
{
	Frame stack[STACK_FRAMES];
	Frame *top = stack; /* the first free one */
	const LttOp *op = tmpl->ops;
	char *at = ltt_sink_room(sink, tmpl->room);

	for (;; op++) {
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
		case LTT_OP_LABEL:
			at = put_label(at, op->hole, bytes, byte_order);
			bytes += op->hole->width_bytes;
			break;
		case LTT_OP_TEXT:
			break;
		case LTT_OP_END:
			if (--n_left > 0) {
				op = tmpl->ops - 1;
				at = make_room(sink, at, tmpl->room);
				break;
			}
			if (top == stack) {
				ltt_sink_stop(sink, at);
				return bytes;
			}
			/* Return to the outer program, and remove the separator after the last
			 * element. */
			top--;
			tmpl = top->tmpl;
			op = top->op;
			n_left = top->n_left;
			at = make_room(sink, at - (op->kind == LTT_OP_REPEAT), op->room);
			break;
		case LTT_OP_REPEAT:
		case LTT_OP_CHOICE: {
			const LttHole *hole = op->hole;
			const guint64 number = load_count(hole, bytes, byte_order);

			if (G_UNLIKELY(top == stack + STACK_FRAMES)) {
				ltt_sink_stop(sink, at);
				bytes = op->kind == LTT_OP_REPEAT
						? ltt_hole_fill_repeat(hole, sink, bytes,
								       byte_order)
						: fill_choice(hole, sink, bytes, byte_order);
				at = ltt_sink_room(sink, op->room);
				break;
			}
			bytes += hole->width_bytes;
			if (op->kind == LTT_OP_REPEAT && number == 0) {
				at = make_room(sink, at, op->room);
				break;
			}
			g_assert(op->kind == LTT_OP_REPEAT || number < hole->n_sub);
			*top++ = (Frame){tmpl, op, n_left};
			n_left = op->kind == LTT_OP_REPEAT ? number : 1;
			tmpl = hole->sub[op->kind == LTT_OP_REPEAT ? 0 : number];
			op = tmpl->ops - 1;
			at = make_room(sink, at, tmpl->room);
			break;
		}
		case LTT_OP_STRING:
			ltt_sink_stop(sink, at);
			bytes = fill_string(op->hole, sink, bytes);
			at = ltt_sink_room(sink, op->room);
			break;
		case LTT_OP_OTHER:
			ltt_sink_stop(sink, at);
			bytes = ltt_hole_fill(op->hole, sink, bytes, byte_order);
			at = ltt_sink_room(sink, op->room);
			break;
		case LTT_OP_ROOM:
			at = make_room(sink, at, op->room);
			break;
		default:
			__builtin_unreachable(); /* saves the range check of the switch */
		}
	}
}

const guint8 *ltt_template_fill(const LttTemplate *tmpl, LttSink *sink, const guint8 *bytes,
				LttByteOrder byte_order)
{
	return run(tmpl, 1, sink, bytes, byte_order);
}
