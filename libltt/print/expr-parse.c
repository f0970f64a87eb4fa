/* expr-parse.c - parse tokens to a tree: the expressions of C (expr-priv.h).
 *
 * A recursive descent with precedence climbing. Both the recursion here and the depth of the tree,
 * which evaluation descends, are bounded: "1+1+1+..." nests without any recursion of the parser.
 */
#include "print/expr-priv.h"

#include <string.h>

gpointer ltt_expr_fail(LttExprParser *parser)
{
	parser->has_failed = TRUE;
	parser->lexer.token = LTT_EXPR_TOKEN_BAD;
	return NULL;
}

gpointer ltt_expr_own(LttExprParser *parser, gpointer data)
{
	g_ptr_array_add(parser->owned, data);
	return data;
}

gboolean ltt_expr_expect(LttExprParser *parser, guint token)
{
	if (parser->lexer.token != token) {
		ltt_expr_fail(parser);
		return FALSE;
	}
	ltt_expr_lexer_next(&parser->lexer);
	return TRUE;
}

static guint depth_of(const LttExpr *expr)
{
	return expr != NULL ? expr->depth : 0;
}

LttExpr *ltt_expr_new(LttExprParser *parser, LttExprKind kind, LttExpr *a, LttExpr *b, LttExpr *c)
{
	const guint depth = 1 + MAX(MAX(depth_of(a), depth_of(b)), depth_of(c));
	LttExpr *expr;

	if (parser->has_failed || depth > LTT_EXPR_MAX_DEPTH ||
	    ++parser->n_nodes > LTT_EXPR_MAX_NODES)
		return ltt_expr_fail(parser);
	expr = ltt_expr_own(parser, g_new0(LttExpr, 1));
	expr->kind = kind;
	expr->depth = (guint16)depth;
	expr->a = a;
	expr->b = b;
	expr->c = c;
	return expr;
}

/* ---- fields ---- */

/* Returns: whether values of the layout are numbers, strings, or arrays of numbers */
static gboolean is_usable(const LttLayout *layout)
{
	if (layout->kind == LTT_ARRAY || layout->kind == LTT_SEQUENCE)
		layout = layout->element;
	else if (layout->kind == LTT_STRING)
		return TRUE;
	return layout->kind == LTT_INT || layout->kind == LTT_UINT || layout->kind == LTT_ENUM;
}

static guint find_slot(LttExprParser *parser, guint member)
{
	for (guint i = 0; i < parser->slots->len; i++)
		if (g_array_index(parser->slots, guint, i) == member)
			return i;
	g_array_append_val(parser->slots, member);
	return parser->slots->len - 1;
}

LttExpr *ltt_expr_new_field(LttExprParser *parser, LttExprKind kind, const char *name)
{
	const LttLayout *layout = parser->layout;
	LttExpr *expr;

	for (guint i = 0; layout != NULL && i < layout->n_members; i++) {
		if (!g_str_equal(layout->members[i].name, name) ||
		    !is_usable(layout->members[i].layout))
			continue;
		expr = ltt_expr_new(parser, kind, NULL, NULL, NULL);
		if (expr == NULL)
			return NULL;
		expr->slot = find_slot(parser, i);
		return expr->slot < LTT_EXPR_MAX_FIELDS ? expr : ltt_expr_fail(parser);
	}
	return ltt_expr_fail(parser);
}

/* ---- expressions ---- */

static LttExpr *parse_unary(LttExprParser *parser);

static LttExpr *new_number(LttExprParser *parser, guint64 bits, LttExprType type)
{
	LttExpr *expr = ltt_expr_new(parser, LTT_EXPR_NUMBER, NULL, NULL, NULL);

	if (expr != NULL) {
		expr->bits = bits;
		expr->type = type;
	}
	return expr;
}

/* Parses "(type) operand" or "(expression)", after the parenthesis. */
static LttExpr *parse_parenthesis(LttExprParser *parser)
{
	LttExprLexer *lexer = &parser->lexer;
	LttExprType type;
	LttExpr *expr;

	if (ltt_expr_parse_type(parser, &type)) {
		ltt_expr_lexer_next(lexer);
		expr = ltt_expr_new(parser, LTT_EXPR_CAST, parse_unary(parser), NULL, NULL);
		if (expr != NULL)
			expr->type = type;
		return expr;
	}
	expr = ltt_expr_parse(parser);
	return ltt_expr_expect(parser, ')') ? expr : NULL;
}

static guint64 size_of_field(const LttExprParser *parser, const LttExpr *expr)
{
	const LttLayout *layout;

	if (expr == NULL || expr->kind != LTT_EXPR_FIELD)
		return 0;
	layout = parser->layout->members[g_array_index(parser->slots, guint, expr->slot)].layout;
	return layout->is_fixed ? layout->min_bytes : 0;
}

static LttExpr *parse_sizeof(LttExprParser *parser)
{
	const LttExprType of_size = {.width_bytes = 8, .is_signed = FALSE};
	LttExprType type;
	guint64 size;

	if (!ltt_expr_expect(parser, '('))
		return NULL;
	if (ltt_expr_parse_type(parser, &type))
		size = type.is_pointer ? parser->long_bytes : type.width_bytes;
	else
		size = size_of_field(parser, ltt_expr_parse(parser));
	if (size == 0 || !ltt_expr_expect(parser, ')'))
		return ltt_expr_fail(parser);
	return new_number(parser, size, of_size);
}

/* Parses a name: REC->field, a function, or a constant or variable of the kernel, whose value is
 * unknown. */
static LttExpr *parse_name(LttExprParser *parser)
{
	LttExprLexer *lexer = &parser->lexer;
	g_autofree char *name = g_strndup(lexer->from, (gsize)(lexer->at - lexer->from));
	const gboolean is_record = g_str_equal(name, "REC");
	LttExpr *expr;

	ltt_expr_lexer_next(lexer);
	if (g_str_equal(name, "sizeof"))
		return parse_sizeof(parser);
	if (!is_record && lexer->token != '(') {
		parser->is_unknown = TRUE;
		return new_number(parser, 0, (LttExprType){.width_bytes = 8});
	}
	if (!is_record) {
		ltt_expr_lexer_next(lexer);
		return parser->parse_call(parser, name);
	}
	if (!ltt_expr_expect(parser, LTT_EXPR_TOKEN_ARROW) || lexer->token != LTT_EXPR_TOKEN_NAME)
		return ltt_expr_fail(parser);
	g_free(name);
	name = g_strndup(lexer->from, (gsize)(lexer->at - lexer->from));
	expr = ltt_expr_new_field(parser, LTT_EXPR_FIELD, name);
	if (expr != NULL)
		ltt_expr_lexer_next(lexer);
	return expr;
}

static LttExpr *parse_string(LttExprParser *parser)
{
	LttExpr *expr = ltt_expr_new(parser, LTT_EXPR_STRING, NULL, NULL, NULL);

	if (expr != NULL) {
		expr->text = ltt_expr_own(parser, g_strdup(parser->lexer.string->str));
		ltt_expr_lexer_next(&parser->lexer);
	}
	return expr;
}

static LttExpr *parse_primary(LttExprParser *parser)
{
	LttExprLexer *lexer = &parser->lexer;
	LttExpr *expr;

	switch (lexer->token) {
	case LTT_EXPR_TOKEN_NUMBER:
		expr = new_number(parser, lexer->bits, lexer->type);
		if (expr != NULL)
			ltt_expr_lexer_next(lexer);
		return expr;
	case LTT_EXPR_TOKEN_STRING:
		return parse_string(parser);
	case LTT_EXPR_TOKEN_NAME:
		return parse_name(parser);
	case '(':
		ltt_expr_lexer_next(lexer);
		return parse_parenthesis(parser);
	default:
		return ltt_expr_fail(parser);
	}
}

static LttExpr *parse_postfix(LttExprParser *parser)
{
	LttExpr *expr = parse_primary(parser);
	LttExpr *index;

	while (expr != NULL && parser->lexer.token == '[') {
		ltt_expr_lexer_next(&parser->lexer);
		index = ltt_expr_parse(parser);
		if (!ltt_expr_expect(parser, ']'))
			return NULL;
		expr = ltt_expr_new(parser, LTT_EXPR_DEREF, expr, index, NULL);
	}
	return expr;
}

/* The address of a field is equivalent to the field: evaluation yields its bytes. */
static LttExpr *parse_unary(LttExprParser *parser)
{
	const guint op = parser->lexer.token;
	const gboolean is_op =
		op == '!' || op == '~' || op == '-' || op == '+' || op == '*' || op == '&';
	LttExpr *expr;

	if (++parser->depth > LTT_EXPR_MAX_DEPTH)
		return ltt_expr_fail(parser);
	if (is_op)
		ltt_expr_lexer_next(&parser->lexer);
	expr = is_op ? parse_unary(parser) : parse_postfix(parser);
	parser->depth--;
	if (expr == NULL || !is_op || op == '+' || op == '&')
		return expr;
	expr = ltt_expr_new(parser, op == '*' ? LTT_EXPR_DEREF : LTT_EXPR_UNARY, expr, NULL, NULL);
	if (expr != NULL)
		expr->op = (guint8)op;
	return expr;
}

/* Returns: the precedence of a binary operator; 0 if the token is none */
static guint precedence_of(guint token)
{
	switch (token) {
	case '*':
	case '/':
	case '%':
		return 10;
	case '+':
	case '-':
		return 9;
	case LTT_EXPR_TOKEN_SHIFT_LEFT:
	case LTT_EXPR_TOKEN_SHIFT_RIGHT:
		return 8;
	case '<':
	case '>':
	case LTT_EXPR_TOKEN_LE:
	case LTT_EXPR_TOKEN_GE:
		return 7;
	case LTT_EXPR_TOKEN_EQ:
	case LTT_EXPR_TOKEN_NE:
		return 6;
	case '&':
		return 5;
	case '^':
		return 4;
	case '|':
		return 3;
	case LTT_EXPR_TOKEN_AND:
		return 2;
	case LTT_EXPR_TOKEN_OR:
		return 1;
	default:
		return 0;
	}
}

static LttExpr *parse_binary(LttExprParser *parser, guint least)
{
	LttExpr *left = parse_unary(parser);

	while (left != NULL && precedence_of(parser->lexer.token) >= least) {
		const guint op = parser->lexer.token;
		LttExpr *right;

		ltt_expr_lexer_next(&parser->lexer);
		right = parse_binary(parser, precedence_of(op) + 1);
		left = ltt_expr_new(parser, LTT_EXPR_BINARY, left, right, NULL);
		if (left != NULL)
			left->op = (guint8)op;
	}
	return left;
}

/* Parses "a ? b : c", and "a ?: c" of GNU C. */
static LttExpr *parse_ternary(LttExprParser *parser)
{
	LttExpr *condition = parse_binary(parser, 1);
	LttExpr *yes = condition;
	LttExpr *no;

	if (condition == NULL || parser->lexer.token != '?')
		return condition;
	ltt_expr_lexer_next(&parser->lexer);
	if (parser->lexer.token != ':')
		yes = ltt_expr_parse(parser);
	if (!ltt_expr_expect(parser, ':'))
		return NULL;
	no = ltt_expr_parse(parser);
	return ltt_expr_new(parser, LTT_EXPR_TERNARY, condition, yes, no);
}

LttExpr *ltt_expr_parse(LttExprParser *parser)
{
	LttExpr *expr;

	if (++parser->depth > LTT_EXPR_MAX_DEPTH)
		return ltt_expr_fail(parser);
	expr = parse_ternary(parser);
	parser->depth--;
	return parser->has_failed ? NULL : expr;
}
