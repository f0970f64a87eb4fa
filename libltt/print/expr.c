/* expr.c - compile a print expression (expr-priv.h).
 *
 * The format is split into pieces: text, followed by a conversion with its arguments.
 *
 *	"pid=%d comm=%-16s" , REC->pid, REC->comm
 *	 text  %d            text   %-16s
 *
 * A wrong number of arguments or an unknown conversion makes the expression unusable.
 */
#include "print/expr-in-priv.h"

/* ---- the format ---- */

static void take_flags(const char **at, LttExprSpec *spec)
{
	for (;; (*at)++) {
		switch (**at) {
		case '-':
			spec->left = TRUE;
			break;
		case '+':
			spec->plus = TRUE;
			break;
		case ' ':
			spec->space = TRUE;
			break;
		case '#':
			spec->alternate = TRUE;
			break;
		case '0':
			spec->zero = TRUE;
			break;
		default:
			return;
		}
	}
}

/* Reads digits, or "*", which sets @is_argument. */
static gint take_amount(const char **at, gboolean *is_argument)
{
	gint amount = 0;

	*is_argument = **at == '*';
	if (*is_argument) {
		(*at)++;
		return -1;
	}
	if (!g_ascii_isdigit(**at))
		return -1;
	for (; g_ascii_isdigit(**at); (*at)++)
		amount = MIN(amount * 10 + (**at - '0'), LTT_EXPR_MOST_WIDTH);
	return amount;
}

/* Reads a length modifier: "l", "ll", "h" ... Returns: the size of the number */
static guint8 take_modifier(const char **at, guint long_bytes)
{
	guint n_long = 0;
	guint n_half = 0;

	for (;; (*at)++) {
		if (**at == 'l' || **at == 'z' || **at == 't')
			n_long++;
		else if (**at == 'L' || **at == 'q' || **at == 'j')
			n_long += 2;
		else if (**at == 'h')
			n_half++;
		else
			break;
	}
	if (n_half > 0)
		return n_half > 1 ? 1 : 2;
	return n_long == 0 ? 4 : n_long == 1 ? (guint8)long_bytes : 8;
}

/* Parses the next argument, after its comma. */
static LttExpr *take_argument(LttExprParser *parser)
{
	return ltt_expr_expect(parser, ',') ? ltt_expr_parse(parser) : NULL;
}

/* Reads a conversion, after its "%". Returns: FALSE if it is unknown */
static gboolean take_conversion(const char **at, LttExprParser *parser, LttExprPiece *piece)
{
	gboolean has_width;
	gboolean has_precision = FALSE;
	gint extension_bytes;

	take_flags(at, &piece->spec);
	piece->spec.width = take_amount(at, &has_width);
	if (has_width)
		piece->width = take_argument(parser);
	piece->spec.precision = -1;
	if (**at == '.') {
		(*at)++;
		piece->spec.precision = take_amount(at, &has_precision);
		if (piece->spec.precision < 0)
			piece->spec.precision = 0;
	}
	if (has_precision)
		piece->precision = take_argument(parser);
	piece->width_bytes = take_modifier(at, parser->long_bytes);
	piece->spec.conversion = **at;
	if (**at == '\0' || strchr("diuxXocsp", **at) == NULL)
		return FALSE;
	piece->is_signed = **at == 'd' || **at == 'i';
	(*at)++;
	if (piece->spec.conversion == 'p') {
		extension_bytes = ltt_expr_measure_extension(*at);
		if (extension_bytes < 0 || extension_bytes >= LTT_EXPR_EXTENSION_BYTES)
			return FALSE;
		memcpy(piece->extension, *at, (gsize)extension_bytes);
		*at += extension_bytes;
	}
	parser->is_unknown = FALSE;
	piece->value = take_argument(parser);
	piece->is_unknown = parser->is_unknown;
	return !parser->has_failed;
}

static gboolean take_format(LttPrintExpr *expr, LttExprParser *parser)
{
	g_autofree char *format = NULL;
	g_autoptr(GString) text = g_string_new(NULL);
	const char *at;

	if (parser->lexer.token != LTT_EXPR_TOKEN_STRING)
		return FALSE;
	format = g_strdup(parser->lexer.string->str);
	ltt_expr_lexer_next(&parser->lexer);
	for (at = format; !parser->has_failed; g_string_truncate(text, 0)) {
		LttExprPiece piece = {.spec = {.width = -1, .precision = -1}};

		while (*at != '\0' && (at[0] != '%' || at[1] == '%')) {
			g_string_append_c(text, *at);
			at += at[0] == '%' ? 2 : 1;
		}
		piece.text = ltt_expr_own(parser, g_strdup(text->str));
		piece.text_bytes = text->len;
		if (*at == '\0') {
			/* The printer ends the line. */
			if (g_str_has_suffix(piece.text, "\n"))
				piece.text_bytes--;
			g_array_append_val(expr->pieces, piece);
			break;
		}
		at++;
		if (!take_conversion(&at, parser, &piece))
			return FALSE;
		g_array_append_val(expr->pieces, piece);
	}
	return !parser->has_failed && parser->lexer.token == LTT_EXPR_TOKEN_END;
}

/* ---- the used fields ---- */

static gint slot_of(const LttPrintExpr *expr, guint member)
{
	for (guint i = 0; i < expr->slots->len; i++)
		if (g_array_index(expr->slots, guint, i) == member)
			return (gint)i;
	return -1;
}

/* An unused member gets a step only if the offset of a later one depends on its size. */
static void plan_steps(LttPrintExpr *expr)
{
	guint n_members = 0;

	for (guint i = 0; i < expr->slots->len; i++)
		n_members = MAX(n_members, g_array_index(expr->slots, guint, i) + 1);
	for (guint i = 0; i < n_members; i++) {
		const LttExprStep step = {i, slot_of(expr, i)};

		if (step.slot >= 0 ||
		    (i + 1 < n_members &&
		     expr->layout->members[i + 1].offset_bytes == LTT_OFFSET_VARIES))
			g_array_append_val(expr->steps, step);
	}
}

#define NO_MEMBER       (-1)
#define SEVERAL_MEMBERS (-2)

static void note_members(const LttPrintExpr *expr, const LttExpr *of, gint *member)
{
	if (of == NULL)
		return;
	if (of->kind == LTT_EXPR_FIELD || of->kind == LTT_EXPR_LENGTH) {
		const gint used = (gint)g_array_index(expr->slots, guint, of->slot);

		*member = *member == NO_MEMBER || *member == used ? used : SEVERAL_MEMBERS;
	}
	note_members(expr, of->a, member);
	note_members(expr, of->b, member);
	note_members(expr, of->c, member);
}

static void find_member(const LttPrintExpr *expr, LttExprPiece *piece)
{
	piece->member = NO_MEMBER;
	note_members(expr, piece->width, &piece->member);
	note_members(expr, piece->precision, &piece->member);
	note_members(expr, piece->value, &piece->member);
}

LttPrintExpr *ltt_print_expr_new(const char *text, const LttLayout *layout, guint long_bytes)
{
	LttPrintExpr *expr;
	LttExprParser parser = {
		.layout = layout, .long_bytes = long_bytes, .parse_call = ltt_expr_parse_call};
	gboolean is_usable;

	if (text == NULL || layout == NULL || layout->kind != LTT_STRUCT ||
	    strlen(text) > LTT_EXPR_MAX_TEXT_BYTES)
		return NULL;
	expr = g_new0(LttPrintExpr, 1);
	expr->layout = layout;
	expr->pieces = g_array_new(FALSE, FALSE, sizeof(LttExprPiece));
	expr->steps = g_array_new(FALSE, FALSE, sizeof(LttExprStep));
	parser.owned = expr->owned = g_ptr_array_new_with_free_func(g_free);
	parser.slots = expr->slots = g_array_new(FALSE, FALSE, sizeof(guint));
	ltt_expr_lexer_init(&parser.lexer, text);
	is_usable = take_format(expr, &parser);
	ltt_expr_lexer_clear(&parser.lexer);
	if (!is_usable) {
		ltt_print_expr_free(expr);
		return NULL;
	}
	plan_steps(expr);
	for (guint i = 0; i < expr->pieces->len; i++)
		find_member(expr, &g_array_index(expr->pieces, LttExprPiece, i));
	return expr;
}

void ltt_print_expr_set_addresses(LttPrintExpr *expr, LttPrintAddresses *addresses)
{
	expr->addresses = addresses;
}

void ltt_print_expr_free(LttPrintExpr *expr)
{
	if (expr == NULL)
		return;
	g_array_unref(expr->pieces);
	g_array_unref(expr->slots);
	g_array_unref(expr->steps);
	g_ptr_array_unref(expr->owned);
	g_free(expr);
}
