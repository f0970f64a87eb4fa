/* expr-fill.c - print an event by a print expression (expr-priv.h).
 *
 * The state of an event is on the stack, so several threads can use the same expression.
 */
#include "print/expr-in-priv.h"

static LttExprSlot find_bytes(const LttLayout *layout, const guint8 *at, gsize size)
{
	const gsize count_bytes = layout->kind == LTT_SEQUENCE ? layout->width_bytes : 0;

	return (LttExprSlot){at + count_bytes, size - count_bytes};
}

/* The payload has been measured, so no access exceeds it. */
static void find_fields(const LttPrintExpr *expr, LttExprContext *context, const guint8 *payload,
			gsize payload_bytes)
{
	const guint8 *at = payload;

	for (guint i = 0; i < expr->steps->len; i++) {
		const LttExprStep *step = &g_array_index(expr->steps, LttExprStep, i);
		const LttMember *member = &expr->layout->members[step->member];
		gsize size = member->layout->min_bytes;

		if (member->offset_bytes != LTT_OFFSET_VARIES)
			at = payload + member->offset_bytes;
		if (!member->layout->is_fixed)
			ltt_layout_measure(member->layout, at,
					   payload_bytes - (gsize)(at - payload), context->order,
					   &size, NULL);
		if (step->slot >= 0)
			context->slots[step->slot] = find_bytes(member->layout, at, size);
		at += size;
	}
}

static void fill_piece(LttExprContext *context, const LttExprPiece *piece, const LttExprSpec *spec)
{
	const LttExprType type = {.width_bytes = piece->width_bytes, .is_signed = piece->is_signed};
	const gsize most = spec->precision >= 0 ? (gsize)spec->precision : G_MAXSIZE;
	char character;

	switch (spec->conversion) {
	case 's':
		ltt_expr_put_value(context, piece->value, most);
		break;
	case 'p':
		ltt_expr_put_pointer(context, spec, piece->extension, piece->value);
		break;
	case 'c':
		character = (char)ltt_expr_eval_number(piece->value, context);
		ltt_expr_put(context, &character, 1);
		break;
	default:
		ltt_expr_put_number(
			context, spec,
			ltt_expr_extend(ltt_expr_eval_number(piece->value, context), type));
		break;
	}
}

static void put_blanks(LttExprContext *context, gsize n)
{
	for (; n > 0; n--)
		ltt_expr_put(context, " ", 1);
}

/* Writes into the buffer first, to get the length of the text to pad. */
static void fill_padded(LttExprContext *context, const LttExprPiece *piece, const LttExprSpec *spec)
{
	LttSink *sink = context->sink;
	const gsize room = context->room;
	const gboolean is_cut = context->is_cut;
	const gsize width = (gsize)spec->width;
	gsize length;

	context->sink = NULL;
	context->n_buffered = 0;
	fill_piece(context, piece, spec);
	context->sink = sink;
	context->room = room;
	context->is_cut = is_cut;
	length = context->n_buffered;
	if (length >= width) {
		fill_piece(context, piece, spec);
		return;
	}
	if (!spec->left)
		put_blanks(context, width - length);
	ltt_expr_put(context, context->buffer, length);
	if (spec->left)
		put_blanks(context, width - length);
}

/* As in printf, a negative width means left-adjusted, and a negative precision none. */
static void fill_conversion(LttExprContext *context, const LttExprPiece *piece)
{
	LttExprSpec spec = piece->spec;
	gint64 amount;

	if (piece->is_unknown) {
		ltt_expr_put(context, "?", 1);
		return;
	}
	if (piece->width != NULL) {
		amount = (gint32)ltt_expr_eval_number(piece->width, context);
		spec.left = spec.left || amount < 0;
		spec.width = (gint)MIN(ABS(amount), LTT_EXPR_MOST_AMOUNT);
	}
	if (piece->precision != NULL) {
		amount = (gint32)ltt_expr_eval_number(piece->precision, context);
		spec.precision = amount < 0 ? -1 : (gint)MIN(amount, LTT_EXPR_MOST_AMOUNT);
	}
	if (strchr("hb", piece->extension[0]) == NULL || piece->extension[0] == '\0')
		spec.width = MIN(spec.width, LTT_EXPR_MOST_WIDTH);
	else
		spec.conversion = 'p';
	if (spec.conversion != 's')
		spec.precision = MIN(spec.precision, LTT_EXPR_MOST_WIDTH);
	if (spec.width > 0 && strchr("spc", spec.conversion) != NULL &&
	    (piece->extension[0] == '\0' || strchr("hb", piece->extension[0]) == NULL))
		fill_padded(context, piece, &spec);
	else
		fill_piece(context, piece, &spec);
}

static void begin(const LttPrintExpr *expr, LttExprContext *context, LttSink *sink,
		  const guint8 *payload, gsize payload_bytes, LttByteOrder order, gsize room)
{
	context->layout = expr->layout;
	context->members = (const guint *)(gpointer)expr->slots->data;
	context->order = order;
	context->sink = sink;
	context->room = room;
	context->is_cut = FALSE;
	context->addresses = expr->addresses;
	find_fields(expr, context, payload, payload_bytes);
}

void ltt_print_expr_fill(const LttPrintExpr *expr, LttSink *sink, const guint8 *payload,
			 gsize payload_bytes, LttByteOrder order)
{
	LttExprContext context;

	begin(expr, &context, sink, payload, payload_bytes, order,
	      ltt_print_expr_get_room(payload_bytes));
	for (guint i = 0; i < expr->pieces->len && !context.is_cut; i++) {
		const LttExprPiece *piece = &g_array_index(expr->pieces, LttExprPiece, i);

		ltt_expr_put(&context, piece->text, piece->text_bytes);
		if (piece->spec.conversion != '\0')
			fill_conversion(&context, piece);
	}
}

/* Returns: the index of the first piece that shows the field alone; -1: none does */
static gint find_piece(const LttPrintExpr *expr, guint member)
{
	for (guint i = 0; i < expr->pieces->len; i++) {
		const LttExprPiece *piece = &g_array_index(expr->pieces, LttExprPiece, i);

		if (piece->spec.conversion != '\0' && piece->member == (gint)member)
			return (gint)i;
	}
	return -1;
}

gboolean ltt_print_expr_has_field(const LttPrintExpr *expr, guint member)
{
	return expr != NULL && find_piece(expr, member) >= 0;
}

/* "%s%s" of the same field prints it as two parts. */
void ltt_print_expr_fill_field(const LttPrintExpr *expr, LttSink *sink, guint member,
			       const guint8 *payload, gsize payload_bytes, LttByteOrder order,
			       gsize *room)
{
	const gint first = find_piece(expr, member);
	LttExprContext context;

	begin(expr, &context, sink, payload, payload_bytes, order, *room);
	for (guint i = (guint)first; i < expr->pieces->len && !context.is_cut; i++) {
		const LttExprPiece *piece = &g_array_index(expr->pieces, LttExprPiece, i);

		if (piece->spec.conversion == '\0' || piece->member != (gint)member ||
		    (i > (guint)first && piece->text_bytes > 0))
			break;
		fill_conversion(&context, piece);
	}
	*room = context.room;
}
