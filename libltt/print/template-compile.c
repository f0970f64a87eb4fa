/* template-compile.c - compile the holes of a template to the program that fill.c runs.
 *
 * The program is generated backwards, so that the next op of each op, and the room in the sink that
 * the rest of the run needs, are known. fill.c reserves that once for a run of ops. Text that is
 * too long for one op is split into several.
 */
#include "base/digits-priv.h"

#include "print/template-priv.h"

/* Extra room at the end of a run: copying a text or a label stores this many bytes at most. */
#define SLACK_BYTES LTT_PIECE_BYTES

/* Maximum bytes of an op: its text, and a number or a short label. */
#define MAX_OP_BYTES (LTT_OP_TEXT_BYTES + LTT_PIECE_BYTES)

G_STATIC_ASSERT(LTT_MAX_DIGITS <= LTT_PIECE_BYTES);

/* Maximum room of a run of ops. A longer run is split. */
#define MAX_RUN_BYTES (LTT_SINK_MAX_ROOM / 2)

typedef struct Program {
	GPtrArray *ops; /* of LttOp, owned */
	guint room;     /* of the run that begins with the op made last */
} Program;

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
	case LTT_HOLE_HEX:
		return LTT_OP_HEX;
	case LTT_HOLE_ENUM:
		return has_short_labels(hole) ? LTT_OP_LABEL : LTT_OP_OTHER;
	case LTT_HOLE_STRING:
		return LTT_OP_STRING;
	case LTT_HOLE_REPEAT:
		return LTT_OP_REPEAT;
	case LTT_HOLE_CHOICE:
		return LTT_OP_CHOICE;
	case LTT_HOLE_OCTETS:
	case LTT_HOLE_CELL:
		return LTT_OP_RUN;
	default:
		return LTT_OP_OTHER;
	}
}

static LttOp *new_op(Program *program, LttOpKind kind, const LttOp *next)
{
	LttOp *op = g_new0(LttOp, 1);

	op->kind = (guint8)kind;
	op->next = next;
	g_ptr_array_add(program->ops, op);
	return op;
}

/* Ends the run of ops that begins with @next if it is long. Returns: the first op of the run */
static const LttOp *split_run(Program *program, const LttOp *next)
{
	LttOp *op;

	if (program->room <= MAX_RUN_BYTES)
		return next;
	op = new_op(program, LTT_OP_ROOM, next);
	op->room = (guint16)program->room;
	program->room = SLACK_BYTES;
	return op;
}

/* Adds an op before @next. After one that reserves room a new run begins. */
static LttOp *add_op(Program *program, LttOpKind kind, const LttOp *next)
{
	LttOp *op;

	/* These have several next ops. */
	if (kind != LTT_OP_CHOICE && kind != LTT_OP_REPEAT)
		next = split_run(program, next);
	op = new_op(program, kind, next);
	op->room = (guint16)program->room;
	if (kind == LTT_OP_REPEAT || kind == LTT_OP_OTHER || kind == LTT_OP_RUN)
		program->room = SLACK_BYTES;
	program->room += MAX_OP_BYTES + (kind == LTT_OP_STRING ? LTT_OP_STRING_BYTES : 0);
	return op;
}

/* Sets the text of @op. Puts text that does not fit into ops before it. Returns: the first of these
 * ops */
static const LttOp *set_text(Program *program, LttOp *op, const LttPiece *text)
{
	gsize begin = text->length > LTT_OP_TEXT_BYTES ? text->length - LTT_OP_TEXT_BYTES : 0;

	op->text_bytes = (guint8)(text->length - begin);
	memcpy(op->text, text->bytes + begin, op->text_bytes);
	while (begin > 0) {
		const gsize end = begin;

		begin = end > LTT_OP_TEXT_BYTES ? end - LTT_OP_TEXT_BYTES : 0;
		op = add_op(program, LTT_OP_TEXT, op);
		op->text_bytes = (guint8)(end - begin);
		memcpy(op->text, text->bytes + begin, end - begin);
	}
	return op;
}

static const LttOp *add_holes(Program *program, const LttTemplate *tmpl, const LttOp *next);

/* The last pass of the loop goes on after it without reserving room, so each pass has room for both. */
static LttOp *add_repeat(Program *program, const LttTemplate *element, const LttOp *next)
{
	LttOp *again;
	LttOp *repeat;

	next = split_run(program, next);
	again = add_op(program, LTT_OP_AGAIN, next);
	again->body = add_holes(program, element, set_text(program, again, &element->tail));
	again->room = (guint16)program->room;
	repeat = add_op(program, LTT_OP_REPEAT, next);
	repeat->body = again->body;
	return repeat;
}

static LttOp *add_choice(Program *program, const LttHole *hole, const LttOp *next)
{
	const LttOp **members = g_new(const LttOp *, hole->n_sub);
	const guint room = program->room;
	guint max_room = room;
	LttOp *choice;

	for (guint i = 0; i < hole->n_sub; i++) {
		const LttTemplate *member = hole->sub[i];
		const LttOp *end = next;

		program->room = room;
		if (member->tail.length > 0)
			end = set_text(program, add_op(program, LTT_OP_TEXT, next), &member->tail);
		members[i] = add_holes(program, member, end);
		max_room = MAX(max_room, program->room);
	}
	program->room = max_room;
	choice = add_op(program, LTT_OP_CHOICE, NULL);
	choice->members = members;
	return choice;
}

static const LttOp *add_hole(Program *program, const LttHole *hole, const LttOp *next)
{
	const LttOpKind kind = kind_of(hole);
	LttOp *op;

	if (kind == LTT_OP_REPEAT)
		op = add_repeat(program, hole->sub[0], next);
	else if (kind == LTT_OP_CHOICE)
		op = add_choice(program, hole, next);
	else
		op = add_op(program, kind, next);
	op->hole = hole;
	return set_text(program, op, &hole->lead);
}

/* Adds the ops of all holes, with their text. Returns: the first; @next if there are none */
static const LttOp *add_holes(Program *program, const LttTemplate *tmpl, const LttOp *next)
{
	for (guint i = tmpl->n_holes; i > 0; i--)
		next = add_hole(program, &tmpl->holes[i - 1], next);
	return next;
}

static void free_op(gpointer data)
{
	LttOp *op = data;

	if (op->kind == LTT_OP_CHOICE)
		g_free(op->members);
	g_free(op);
}

void ltt_template_compile(LttTemplate *tmpl)
{
	Program program = {.ops = g_ptr_array_new_with_free_func(free_op), .room = SLACK_BYTES};
	LttOp *end = add_op(&program, LTT_OP_END, NULL);

	tmpl->ops = program.ops;
	tmpl->start = add_holes(&program, tmpl, set_text(&program, end, &tmpl->tail));
	tmpl->room = program.room;
}

void ltt_template_free_program(LttTemplate *tmpl)
{
	g_clear_pointer(&tmpl->ops, g_ptr_array_unref);
}
