/* template-compile.c - compile the holes of a template to the program that fill.c runs.
 *
 * Text that is too long for one op is split into several. The room that each run of ops needs in
 * the sink is computed here, so that fill.c checks it once for the run and not for each op.
 */
#include "base/digits-priv.h"

#include "print/template-priv.h"

/* Extra room at the end of a run: copying a text always stores this many bytes. */
#define SLACK_BYTES LTT_OP_TEXT_BYTES

/* Maximum bytes of an op: its text, and a number or a short label. */
#define MOST_OP_BYTES (2 * LTT_OP_TEXT_BYTES)

G_STATIC_ASSERT(LTT_MAX_DIGITS <= LTT_OP_TEXT_BYTES && LTT_PIECE_BYTES == LTT_OP_TEXT_BYTES);

/* Maximum room of a run of ops. A longer run is split. */
#define MOST_ROOM (LTT_SINK_MAX_ROOM / 2)

static gboolean has_short_labels(const LttHole *hole)
{
	for (guint i = 0; i < hole->n_labels; i++) {
		if (hole->labels[i].text.length > LTT_PIECE_BYTES)
			return FALSE;
	}
	return TRUE;
}

static LttOpKind kind_of_number(LttOpKind one_byte, guint width_bytes)
{
	return one_byte + (width_bytes == 1 ? 0 : width_bytes == 2 ? 1 : width_bytes == 4 ? 2 : 3);
}

static LttOpKind kind_of(const LttHole *hole)
{
	switch (hole->kind) {
	case LTT_HOLE_UINT:
		return kind_of_number(LTT_OP_U8, hole->width_bytes);
	case LTT_HOLE_INT:
		return kind_of_number(LTT_OP_I8, hole->width_bytes);
	case LTT_HOLE_ENUM:
		return has_short_labels(hole) ? LTT_OP_LABEL : LTT_OP_OTHER;
	case LTT_HOLE_STRING:
		return LTT_OP_STRING;
	case LTT_HOLE_REPEAT:
		return LTT_OP_REPEAT;
	case LTT_HOLE_CHOICE:
		return LTT_OP_CHOICE;
	default:
		return LTT_OP_OTHER;
	}
}

/* Adds ops for the text. The last one has @kind. */
static void add_op(GArray *ops, const char *text, gsize length, LttOpKind kind, const LttHole *hole)
{
	for (;;) {
		const gsize piece = MIN(length, LTT_OP_TEXT_BYTES);
		LttOp op = {.kind = (guint8)(piece < length ? LTT_OP_TEXT : kind),
			    .text_bytes = (guint8)piece,
			    .hole = hole};

		memcpy(op.text, text, piece);
		g_array_append_val(ops, op);
		if (piece == length)
			break;
		text += piece;
		length -= piece;
	}
}

/* Sets the room of each run, from the last run to the first. A new run starts after each op of a
 * kind from ROOM on. Returns: the room of the first run */
static guint set_room(GArray *ops)
{
	const LttOp room_op = {.kind = LTT_OP_ROOM};
	guint room = SLACK_BYTES;

	for (guint i = ops->len; i > 0; i--) {
		LttOp *op = &g_array_index(ops, LttOp, i - 1);

		if (room > MOST_ROOM) {
			g_array_insert_val(ops, i, room_op);
			g_array_index(ops, LttOp, i).room = (guint16)room;
			room = SLACK_BYTES;
			op = &g_array_index(ops, LttOp, i - 1);
		}
		if (op->kind >= LTT_OP_ROOM) {
			op->room = (guint16)room;
			room = SLACK_BYTES;
		}
		room += MOST_OP_BYTES;
	}
	return room;
}

void ltt_template_compile(LttTemplate *tmpl, const GString *tail)
{
	GArray *ops = g_array_new(FALSE, FALSE, sizeof(LttOp));

	for (guint i = 0; i < tmpl->n_holes; i++) {
		const LttHole *hole = &tmpl->holes[i];

		add_op(ops, hole->lead.bytes, hole->lead.length, kind_of(hole), hole);
	}
	add_op(ops, tail->str, tail->len, LTT_OP_END, NULL);
	tmpl->room = set_room(ops);
	tmpl->ops = (LttOp *)(gpointer)g_array_free(ops, FALSE);
}
