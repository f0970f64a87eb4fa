/* expr-eval.c - the value of an expression for one event (expr-priv.h).
 *
 * Arithmetic follows C on the traced machine: operands narrower than int are promoted, the wider
 * type is used, and results wrap. Where C is undefined, a division by zero and an index outside an
 * array yield 0, and a shift count is taken modulo the width, as by most processors.
 */
#include "print/expr-priv.h"

#include "base/bytes-priv.h"

static const LttExprType of_int = {.width_bytes = 4, .is_signed = TRUE};

guint64 ltt_expr_extend(guint64 bits, LttExprType type)
{
	const guint shift = 64 - 8 * type.width_bytes;

	if (shift == 0)
		return bits;
	return type.is_signed ? (guint64)((gint64)(bits << shift) >> shift)
			      : bits << shift >> shift;
}

static LttExprValue number(guint64 bits, LttExprType type)
{
	return (LttExprValue){
		.kind = LTT_EXPR_VALUE_NUMBER,
		.type = {.width_bytes = type.width_bytes, .is_signed = type.is_signed},
		.bits = ltt_expr_extend(bits, type)};
}

gboolean ltt_expr_is_constant(const LttExpr *expr)
{
	if (expr == NULL)
		return TRUE;
	if (expr->kind != LTT_EXPR_NUMBER && expr->kind != LTT_EXPR_UNARY &&
	    expr->kind != LTT_EXPR_BINARY && expr->kind != LTT_EXPR_TERNARY &&
	    expr->kind != LTT_EXPR_CAST)
		return FALSE;
	return ltt_expr_is_constant(expr->a) && ltt_expr_is_constant(expr->b) &&
	       ltt_expr_is_constant(expr->c);
}

/* ---- fields ---- */

static guint64 load(const guint8 *at, LttExprType type, LttByteOrder order)
{
	return ltt_expr_extend(ltt_load_uint(at, type.width_bytes, order), type);
}

static LttExprValue eval_field(const LttExpr *expr, const LttExprContext *context)
{
	const LttLayout *layout = context->layout->members[context->members[expr->slot]].layout;
	const LttExprSlot *slot = &context->slots[expr->slot];
	LttExprValue value = {.bytes = slot->bytes, .n_bytes = slot->n_bytes};
	const LttLayout *item = layout->element != NULL ? layout->element : layout;

	value.type = (LttExprType){.width_bytes = item->width_bytes, .is_signed = item->is_signed};
	if (layout->kind == LTT_STRING) {
		value.kind = LTT_EXPR_VALUE_TEXT;
		value.type = (LttExprType){.width_bytes = 1, .is_signed = TRUE};
	} else if (layout->element != NULL) {
		value.kind = LTT_EXPR_VALUE_BYTES;
	} else {
		value.kind = LTT_EXPR_VALUE_NUMBER;
		value.bits = load(slot->bytes, value.type, context->order);
	}
	return value;
}

/* The element of an array, or the number that a pointer refers to. */
static LttExprValue eval_deref(const LttExpr *expr, const LttExprContext *context)
{
	const LttExprValue array = ltt_expr_eval(expr->a, context);
	const guint64 index = expr->b != NULL ? ltt_expr_eval_number(expr->b, context) : 0;
	const guint width_bytes = array.type.width_bytes;

	if (array.bytes == NULL || width_bytes == 0 || index >= array.n_bytes / width_bytes)
		return number(0, of_int);
	return number(ltt_load_uint(array.bytes + index * width_bytes, width_bytes, context->order),
		      array.type);
}

/* ---- operators ---- */

static LttExprType promote(LttExprType type)
{
	return type.width_bytes < 4 ? of_int : type;
}

static LttExprType join(LttExprType a, LttExprType b)
{
	a = promote(a);
	b = promote(b);
	if (a.width_bytes != b.width_bytes)
		return a.width_bytes > b.width_bytes ? a : b;
	return a.is_signed ? b : a;
}

static guint64 shift(guint op, guint64 bits, guint64 by, LttExprType type)
{
	by &= 8u * type.width_bytes - 1;
	if (op == LTT_EXPR_TOKEN_SHIFT_LEFT)
		return bits << by;
	return type.is_signed ? (guint64)((gint64)bits >> by) : bits >> by;
}

static guint64 divide(guint op, guint64 left, guint64 right, gboolean is_signed)
{
	if (right == 0 || (is_signed && right == G_MAXUINT64))
		return op == '/' && right != 0 ? 0 - left : 0;
	if (is_signed)
		return op == '/' ? (guint64)((gint64)left / (gint64)right)
				 : (guint64)((gint64)left % (gint64)right);
	return op == '/' ? left / right : left % right;
}

static gboolean compare(guint op, guint64 left, guint64 right, gboolean is_signed)
{
	const gboolean is_less = is_signed ? (gint64)left < (gint64)right : left < right;

	switch (op) {
	case LTT_EXPR_TOKEN_EQ:
		return left == right;
	case LTT_EXPR_TOKEN_NE:
		return left != right;
	case '<':
		return is_less;
	case LTT_EXPR_TOKEN_LE:
		return is_less || left == right;
	case '>':
		return !is_less && left != right;
	default:
		return !is_less;
	}
}

static guint64 calculate(guint op, guint64 left, guint64 right, gboolean is_signed)
{
	switch (op) {
	case '+':
		return left + right;
	case '-':
		return left - right;
	case '*':
		return left * right;
	case '&':
		return left & right;
	case '|':
		return left | right;
	case '^':
		return left ^ right;
	default:
		return divide(op, left, right, is_signed);
	}
}

static gboolean is_comparison(guint op)
{
	return op == LTT_EXPR_TOKEN_EQ || op == LTT_EXPR_TOKEN_NE || op == LTT_EXPR_TOKEN_LE ||
	       op == LTT_EXPR_TOKEN_GE || op == '<' || op == '>';
}

/* The value of an operand of arithmetic. An array decays to its address, which is not 0. */
static LttExprValue eval_operand(const LttExpr *expr, const LttExprContext *context)
{
	LttExprValue value = ltt_expr_eval(expr, context);

	if (value.kind != LTT_EXPR_VALUE_NUMBER)
		value = number(1, of_int);
	return value;
}

/* Adds to a pointer: "buffer + 4". */
static LttExprValue advance(LttExprValue array, guint64 by)
{
	const guint64 width_bytes = MAX(array.type.width_bytes, 1);
	const guint64 n_bytes = by > array.n_bytes / width_bytes ? array.n_bytes : by * width_bytes;

	array.bytes += n_bytes;
	array.n_bytes -= n_bytes;
	return array;
}

static LttExprValue eval_binary(const LttExpr *expr, const LttExprContext *context)
{
	LttExprValue left = ltt_expr_eval(expr->a, context);
	LttExprValue right;
	LttExprType type;

	if (expr->op == LTT_EXPR_TOKEN_AND || expr->op == LTT_EXPR_TOKEN_OR) {
		const gboolean is_set = left.kind != LTT_EXPR_VALUE_NUMBER || left.bits != 0;

		if (is_set == (expr->op == LTT_EXPR_TOKEN_OR))
			return number(is_set ? 1 : 0, of_int);
		return number(eval_operand(expr->b, context).bits != 0 ? 1 : 0, of_int);
	}
	right = eval_operand(expr->b, context);
	if (left.kind != LTT_EXPR_VALUE_NUMBER && expr->op == '+')
		return advance(left, right.bits);
	if (left.kind != LTT_EXPR_VALUE_NUMBER)
		left = number(1, of_int);
	if (expr->op == LTT_EXPR_TOKEN_SHIFT_LEFT || expr->op == LTT_EXPR_TOKEN_SHIFT_RIGHT) {
		type = promote(left.type);
		return number(shift(expr->op, left.bits, right.bits, type), type);
	}
	type = join(left.type, right.type);
	left.bits = ltt_expr_extend(left.bits, type);
	right.bits = ltt_expr_extend(right.bits, type);
	if (is_comparison(expr->op))
		return number(compare(expr->op, left.bits, right.bits, type.is_signed) ? 1 : 0,
			      of_int);
	return number(calculate(expr->op, left.bits, right.bits, type.is_signed), type);
}

static LttExprValue eval_unary(const LttExpr *expr, const LttExprContext *context)
{
	const LttExprValue value = eval_operand(expr->a, context);
	const LttExprType type = promote(value.type);

	if (expr->op == '!')
		return number(value.bits == 0 ? 1 : 0, of_int);
	return number(expr->op == '~' ? ~value.bits : 0 - value.bits, type);
}

/* A cast to a pointer sets the type of the elements. A cast of bytes to a number would yield their
 * address, which is unknown. */
static LttExprValue eval_cast(const LttExpr *expr, const LttExprContext *context)
{
	LttExprValue value = ltt_expr_eval(expr->a, context);

	if (expr->type.is_pointer) {
		if (value.bytes != NULL && value.kind != LTT_EXPR_VALUE_NUMBER) {
			value.kind = LTT_EXPR_VALUE_BYTES;
			value.type = expr->type;
		}
		return value;
	}
	if (expr->type.width_bytes == 0 || value.kind != LTT_EXPR_VALUE_NUMBER)
		return value;
	return number(value.bits, expr->type);
}

LttExprValue ltt_expr_eval(const LttExpr *expr, const LttExprContext *context)
{
	switch (expr->kind) {
	case LTT_EXPR_NUMBER:
		return number(expr->bits, expr->type);
	case LTT_EXPR_FIELD:
		return eval_field(expr, context);
	case LTT_EXPR_LENGTH:
		return number(context->slots[expr->slot].n_bytes, of_int);
	case LTT_EXPR_UNARY:
		return eval_unary(expr, context);
	case LTT_EXPR_DEREF:
		return eval_deref(expr, context);
	case LTT_EXPR_BINARY:
		return eval_binary(expr, context);
	case LTT_EXPR_TERNARY:
		return ltt_expr_eval(eval_operand(expr->a, context).bits != 0 ? expr->b : expr->c,
				     context);
	case LTT_EXPR_CAST:
		return eval_cast(expr, context);
	default: /* values that are text */
		return number(1, of_int);
	}
}

guint64 ltt_expr_eval_number(const LttExpr *expr, const LttExprContext *context)
{
	return eval_operand(expr, context).bits;
}
