/* expr-text.c - write values of a print expression as text (expr-priv.h).
 *
 * Writes values as %s does, and numbers as printf does. All output passes through ltt_expr_put(),
 * which limits it to the room of the event.
 */
#include "print/expr-priv.h"

#include "base/bytes-priv.h"
#include "base/digits-priv.h"
#include "base/escape-priv.h"

/* Digits of 64 bits in octal, a sign, "0x". */
#define NUMBER_BYTES 32

/* ---- output ---- */

static void put_into_sink(LttExprContext *context, const char *text, gsize length, gboolean cuts)
{
	ltt_sink_add_escaped(context->sink, text, length, LTT_ESCAPE_LABEL);
	if (cuts)
		ltt_sink_add(context->sink, LTT_EXPR_CUT, strlen(LTT_EXPR_CUT));
}

void ltt_expr_put(LttExprContext *context, const char *text, gsize length)
{
	const gsize taken = MIN(length, context->room);
	const gboolean cuts = taken < length && !context->is_cut;

	context->room -= taken;
	context->is_cut = context->is_cut || cuts;
	if (context->sink != NULL) {
		put_into_sink(context, text, taken, cuts);
		return;
	}
	if (context->n_buffered < sizeof(context->buffer)) {
		const gsize fits = MIN(taken, sizeof(context->buffer) - context->n_buffered);

		memcpy(context->buffer + context->n_buffered, text, fits);
	}
	context->n_buffered += taken;
}

static void put_string(LttExprContext *context, const char *text)
{
	ltt_expr_put(context, text, strlen(text));
}

void ltt_expr_put_hex(LttExprContext *context, guint64 value, guint least_digits)
{
	char digits[NUMBER_BYTES];
	guint at = sizeof(digits);

	do {
		digits[--at] = "0123456789abcdef"[value & 15];
		value >>= 4;
	} while (value != 0 || sizeof(digits) - at < least_digits);
	ltt_expr_put(context, digits + at, sizeof(digits) - at);
}

static void put_decimal(LttExprContext *context, guint64 value)
{
	char digits[LTT_MAX_DIGITS];

	ltt_expr_put(context, digits, (gsize)(ltt_put_u64(digits, value) - digits));
}

static void put_padding(LttExprContext *context, gint n, char c)
{
	for (; n > 0 && !context->is_cut; n--)
		ltt_expr_put(context, &c, 1);
}

/* ---- numbers ---- */

/* Writes the digits of @value so that they end at @end. Returns: their start */
static char *make_digits(char *end, guint64 value, char conversion)
{
	const char *digits = conversion == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
	const guint base = conversion == 'o' ? 8 : g_ascii_tolower(conversion) == 'x' ? 16 : 10;

	for (; value != 0; value /= base)
		*--end = digits[value % base];
	return end;
}

/* The order is that of printf: sign or prefix, zeros up to the precision or the width, digits. */
void ltt_expr_put_number(LttExprContext *context, const LttExprSpec *spec, guint64 bits)
{
	char buffer[NUMBER_BYTES];
	char *end = buffer + sizeof(buffer);
	const gboolean is_decimal = spec->conversion == 'd' || spec->conversion == 'i';
	const gboolean is_negative = is_decimal && (gint64)bits < 0;
	const guint64 value = is_negative ? 0 - bits : bits;
	const char *prefix = "";
	char *digits;
	gint n_digits;
	gint n_zeros;
	gint n_blanks;

	if (spec->width < 0 && spec->precision < 0 && spec->conversion == 'u') {
		put_decimal(context, bits);
		return;
	}
	digits = make_digits(end, value, spec->conversion);
	n_digits = (gint)(end - digits);
	if (is_negative)
		prefix = "-";
	else if (is_decimal && spec->plus)
		prefix = "+";
	else if (is_decimal && spec->space)
		prefix = " ";
	else if (spec->alternate && value != 0 && g_ascii_tolower(spec->conversion) == 'x')
		prefix = spec->conversion == 'X' ? "0X" : "0x";
	n_zeros = MAX(spec->precision >= 0 ? spec->precision : 1, 0) - n_digits;
	if (spec->alternate && spec->conversion == 'o')
		n_zeros = MAX(n_zeros, 1);
	if (spec->zero && !spec->left && spec->precision < 0)
		n_zeros = MAX(n_zeros, spec->width - n_digits - (gint)strlen(prefix));
	n_zeros = MAX(n_zeros, 0);
	n_blanks = spec->width - n_digits - n_zeros - (gint)strlen(prefix);
	if (!spec->left)
		put_padding(context, n_blanks, ' ');
	put_string(context, prefix);
	put_padding(context, n_zeros, '0');
	ltt_expr_put(context, digits, (gsize)n_digits);
	if (spec->left)
		put_padding(context, n_blanks, ' ');
}

/* ---- results of functions ---- */

/* Bits without a name follow as a number. */
static void put_flags(LttExprContext *context, const LttExpr *expr)
{
	guint64 value = ltt_expr_eval_number(expr->a, context);
	gboolean is_first = TRUE;

	for (guint i = 0; i < expr->n_labels && !context->is_cut; i++) {
		const LttExprLabel *label = &expr->labels[i];

		if (label->value == 0 || (value & label->value) != label->value)
			continue;
		if (!is_first)
			put_string(context, expr->text);
		put_string(context, label->name);
		value &= ~label->value;
		is_first = FALSE;
	}
	if (value == 0)
		return;
	if (!is_first)
		put_string(context, expr->text);
	ltt_expr_put(context, "0x", 2);
	ltt_expr_put_hex(context, value, 1);
}

static void put_symbol(LttExprContext *context, const LttExpr *expr)
{
	const LttExprValue value = ltt_expr_eval(expr->a, context);
	LttExprType unsigned_type = value.type;

	for (guint i = 0; i < expr->n_labels; i++) {
		if (expr->labels[i].value == value.bits) {
			put_string(context, expr->labels[i].name);
			return;
		}
	}
	unsigned_type.is_signed = FALSE;
	ltt_expr_put(context, "0x", 2);
	ltt_expr_put_hex(context,
			 value.kind == LTT_EXPR_VALUE_NUMBER
				 ? ltt_expr_extend(value.bits, unsigned_type)
				 : 0,
			 1);
}

/* Omits bytes that the event does not contain. */
static void put_octets(LttExprContext *context, const LttExpr *expr)
{
	const LttExprValue value = ltt_expr_eval(expr->a, context);
	const guint64 n = MIN(ltt_expr_eval_number(expr->b, context), value.n_bytes);

	for (guint64 i = 0; i < n && !context->is_cut; i++) {
		if (i > 0)
			put_string(context, expr->text);
		ltt_expr_put_hex(context, value.bytes[i], 2);
	}
}

static void put_array(LttExprContext *context, const LttExpr *expr)
{
	const LttExprValue value = ltt_expr_eval(expr->a, context);
	const guint64 count = ltt_expr_eval_number(expr->b, context);
	const guint64 width_bytes = ltt_expr_eval_number(expr->c, context);

	if (width_bytes != 1 && width_bytes != 2 && width_bytes != 4 && width_bytes != 8)
		return;
	for (guint64 i = 0; i < MIN(count, value.n_bytes / width_bytes) && !context->is_cut; i++) {
		if (i > 0)
			ltt_expr_put(context, " ", 1);
		put_decimal(context, ltt_load_uint(value.bytes + i * width_bytes,
						   (guint)width_bytes, context->order));
	}
}

/* Writes a bit mask in groups of 32 bits in hexadecimal, the highest first. */
static void put_bitmask(LttExprContext *context, const LttExpr *expr)
{
	const LttExprValue value = ltt_expr_eval(expr->a, context);
	const gsize word_bytes = MAX(value.type.width_bytes, 1);
	const gsize n_words = value.n_bytes / word_bytes;
	gboolean is_first = TRUE;

	for (gsize i = n_words; i-- > 0 && !context->is_cut;) {
		const guint64 word = ltt_load_uint(value.bytes + i * word_bytes, (guint)word_bytes,
						   context->order);

		for (gsize part = (word_bytes + 3) / 4; part-- > 0; is_first = FALSE) {
			if (!is_first)
				ltt_expr_put(context, ",", 1);
			ltt_expr_put_hex(context, (word >> (32 * part)) & G_MAXUINT32,
					 (guint)MIN(8, 2 * word_bytes));
		}
	}
}

/* Writes characters up to a NUL. A number is an address, and is written as such. */
static void put_simple(LttExprContext *context, const LttExpr *expr, gsize most)
{
	const LttExprValue value = ltt_expr_eval(expr, context);
	gsize length = 0;

	if (value.kind == LTT_EXPR_VALUE_NUMBER) {
		ltt_expr_put_hex(context, value.bits, 1);
		return;
	}
	while (length < MIN(value.n_bytes, most) && value.bytes[length] != '\0')
		length++;
	ltt_expr_put(context, (const char *)value.bytes, length);
}

void ltt_expr_put_value(LttExprContext *context, const LttExpr *expr, gsize most)
{
	switch (expr->kind) {
	case LTT_EXPR_STRING:
		ltt_expr_put(context, expr->text, MIN(strlen(expr->text), most));
		break;
	case LTT_EXPR_FLAGS:
		put_flags(context, expr);
		break;
	case LTT_EXPR_SYMBOLIC:
		put_symbol(context, expr);
		break;
	case LTT_EXPR_HEX:
		put_octets(context, expr);
		break;
	case LTT_EXPR_ARRAY:
		put_array(context, expr);
		break;
	case LTT_EXPR_BITMASK:
		put_bitmask(context, expr);
		break;
	case LTT_EXPR_TERNARY:
		ltt_expr_put_value(context,
				   ltt_expr_eval_number(expr->a, context) != 0 ? expr->b : expr->c,
				   most);
		break;
	case LTT_EXPR_CAST: /* of 0: no text */
		if (expr->a->kind != LTT_EXPR_NUMBER)
			ltt_expr_put_value(context, expr->a, most);
		break;
	default:
		put_simple(context, expr, most);
		break;
	}
}
