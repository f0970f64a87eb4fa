/* fill.c - run the program of a template over the bytes of a payload.
 *
 * This is the inner loop of a dump. The bytes have been measured before (ltt_layout_measure()), so
 * counts, codes and ends of strings are sound and are not checked again.
 *
 * Programs within programs are run by a stack of frames, not by calls, as long as they are no
 * deeper than any that is usual.
 */
#include "base/bytes-priv.h"
#include "base/digits-priv.h"

#include "exchange/template-priv.h"

/* Writes a label, or the number that has none. The op has made sure that there is room. */
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

/* A program that waits for one within it to end. */
typedef struct Frame {
	const LttTemplate *tmpl;
	const LttOp *op; /* the one under way */
	guint64 n_left;
} Frame;

static const guint8 *run(const LttTemplate *tmpl, guint64 n_left, LttSink *sink,
			 const guint8 *bytes, LttByteOrder byte_order);

/* As ltt_sink_room(), with the place in a register. */
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
	/* What parts elements: nothing has been handed on since it was written. */
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

/* Runs a program, and again from the start for each of @n_left elements. */
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
			/* Back to the program around it; what parts elements stands behind the last
			 * one, too. */
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
			__builtin_unreachable(); /* so that no test of the range is made */
		}
	}
}

const guint8 *ltt_template_fill(const LttTemplate *tmpl, LttSink *sink, const guint8 *bytes,
				LttByteOrder byte_order)
{
	return run(tmpl, 1, sink, bytes, byte_order);
}
