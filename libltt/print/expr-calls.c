/* expr-calls.c - parse the functions that a print expression can call (expr-priv.h).
 *
 * A call of another function makes the whole text unusable, because a part of it would be misleading.
 */
#include "print/expr-priv.h"

/* Parses a constant, and frees its nodes. @is_known: (out): whether it contains only names whose
 * values are known. Returns: its value */
static guint64 take_constant(LttExprParser *parser, gboolean *is_known)
{
	const guint n_owned = parser->owned->len;
	const guint n_nodes = parser->n_nodes;
	const gboolean was_unknown = parser->is_unknown;
	const LttExpr *expr;
	guint64 value = 0;

	parser->is_unknown = FALSE;
	expr = ltt_expr_parse(parser);
	if (expr != NULL && ltt_expr_is_constant(expr))
		value = ltt_expr_eval_number(expr, NULL);
	else
		ltt_expr_fail(parser);
	g_ptr_array_set_size(parser->owned, (gint)n_owned);
	parser->n_nodes = n_nodes;
	*is_known = !parser->is_unknown;
	parser->is_unknown = was_unknown;
	return value;
}

/* Parses "value, name }", after the "{". Some tables of the kernel end with NULL as a name. */
static void parse_label(LttExprParser *parser, GArray *labels)
{
	LttExprLexer *lexer = &parser->lexer;
	LttExprLabel label = {0};
	gboolean is_known;
	gboolean is_null;

	label.value = take_constant(parser, &is_known);
	if (!ltt_expr_expect(parser, ','))
		return;
	if (++parser->n_nodes > LTT_EXPR_MAX_NODES) {
		ltt_expr_fail(parser);
	} else if (lexer->token != LTT_EXPR_TOKEN_STRING) {
		take_constant(parser, &is_null);
	} else {
		label.name = ltt_expr_own(parser, g_strdup(lexer->string->str));
		if (is_known)
			g_array_append_val(labels, label);
		ltt_expr_lexer_next(lexer);
	}
	ltt_expr_expect(parser, '}');
}

/* Parses a table, after the comma before it: "{ value, name }, { value, name })". */
static LttExpr *parse_table(LttExprParser *parser, LttExprKind kind, LttExpr *value, char *between)
{
	LttExprLexer *lexer = &parser->lexer;
	GArray *labels = g_array_new(FALSE, FALSE, sizeof(LttExprLabel));
	LttExpr *expr;

	while (lexer->token == '{' && !parser->has_failed) {
		ltt_expr_lexer_next(lexer);
		parse_label(parser, labels);
		if (lexer->token == ',')
			ltt_expr_lexer_next(lexer);
	}
	ltt_expr_expect(parser, ')');
	expr = ltt_expr_new(parser, kind, value, NULL, NULL);
	if (expr == NULL) {
		g_array_free(labels, TRUE);
		return NULL;
	}
	expr->text = between;
	expr->n_labels = labels->len;
	expr->labels = ltt_expr_own(parser, g_array_free(labels, FALSE));
	return expr;
}

/* __print_flags(value, "|", table) */
static LttExpr *parse_flags(LttExprParser *parser)
{
	LttExpr *value = ltt_expr_parse(parser);
	char *between;

	if (!ltt_expr_expect(parser, ',') || parser->lexer.token != LTT_EXPR_TOKEN_STRING)
		return ltt_expr_fail(parser);
	between = ltt_expr_own(parser, g_strdup(parser->lexer.string->str));
	ltt_expr_lexer_next(&parser->lexer);
	if (!ltt_expr_expect(parser, ','))
		return NULL;
	return parse_table(parser, LTT_EXPR_FLAGS, value, between);
}

/* __print_symbolic(value, table) */
static LttExpr *parse_symbolic(LttExprParser *parser)
{
	LttExpr *value = ltt_expr_parse(parser);

	if (!ltt_expr_expect(parser, ','))
		return NULL;
	return parse_table(parser, LTT_EXPR_SYMBOLIC, value, NULL);
}

/* Parses a function with one to three values. */
static LttExpr *parse_values(LttExprParser *parser, LttExprKind kind, guint n, const char *between)
{
	LttExpr *values[3] = {NULL, NULL, NULL};
	LttExpr *expr;

	for (guint i = 0; i < n; i++) {
		if (i > 0 && !ltt_expr_expect(parser, ','))
			return NULL;
		values[i] = ltt_expr_parse(parser);
	}
	if (!ltt_expr_expect(parser, ')'))
		return NULL;
	expr = ltt_expr_new(parser, kind, values[0], values[1], values[2]);
	if (expr != NULL && between != NULL)
		expr->text = ltt_expr_own(parser, g_strdup(between));
	return expr;
}

/* Parses a function whose argument is the name of a field. */
static LttExpr *parse_field(LttExprParser *parser, LttExprKind kind)
{
	LttExprLexer *lexer = &parser->lexer;
	g_autofree char *name = NULL;
	LttExpr *field;

	if (lexer->token != LTT_EXPR_TOKEN_NAME)
		return ltt_expr_fail(parser);
	name = g_strndup(lexer->from, (gsize)(lexer->at - lexer->from));
	ltt_expr_lexer_next(lexer);
	if (!ltt_expr_expect(parser, ')'))
		return NULL;
	field = ltt_expr_new_field(parser, kind == LTT_EXPR_BITMASK ? LTT_EXPR_FIELD : kind, name);
	return kind == LTT_EXPR_BITMASK ? ltt_expr_new(parser, kind, field, NULL, NULL) : field;
}

/* __builtin_expect(value, expected) */
static LttExpr *parse_expect(LttExprParser *parser)
{
	LttExpr *value = ltt_expr_parse(parser);

	if (!ltt_expr_expect(parser, ',') || ltt_expr_parse(parser) == NULL ||
	    !ltt_expr_expect(parser, ')'))
		return NULL;
	return value;
}

static const struct {
	const char *name;
	LttExprKind kind;
	guint n_values; /* 0: the name of a field */
	const char *between;
} functions[] = {
	{"__get_str", LTT_EXPR_FIELD, 0, NULL},
	{"__get_rel_str", LTT_EXPR_FIELD, 0, NULL},
	{"__get_dynamic_array", LTT_EXPR_FIELD, 0, NULL},
	{"__get_rel_dynamic_array", LTT_EXPR_FIELD, 0, NULL},
	{"__get_sockaddr", LTT_EXPR_FIELD, 0, NULL},
	{"__get_rel_sockaddr", LTT_EXPR_FIELD, 0, NULL},
	{"__get_dynamic_array_len", LTT_EXPR_LENGTH, 0, NULL},
	{"__get_rel_dynamic_array_len", LTT_EXPR_LENGTH, 0, NULL},
	{"__get_bitmask", LTT_EXPR_BITMASK, 0, NULL},
	{"__get_rel_bitmask", LTT_EXPR_BITMASK, 0, NULL},
	{"__get_cpumask", LTT_EXPR_BITMASK, 0, NULL},
	{"__get_rel_cpumask", LTT_EXPR_BITMASK, 0, NULL},
	{"__print_hex", LTT_EXPR_HEX, 2, " "},
	{"__print_hex_str", LTT_EXPR_HEX, 2, ""},
	{"__print_array", LTT_EXPR_ARRAY, 3, NULL},
};

LttExpr *ltt_expr_parse_call(LttExprParser *parser, const char *name)
{
	if (g_str_equal(name, "__print_flags") || g_str_equal(name, "__print_flags_u64"))
		return parse_flags(parser);
	if (g_str_equal(name, "__print_symbolic") || g_str_equal(name, "__print_symbolic_u64"))
		return parse_symbolic(parser);
	if (g_str_equal(name, "__builtin_expect"))
		return parse_expect(parser);
	for (guint i = 0; i < G_N_ELEMENTS(functions); i++) {
		if (!g_str_equal(name, functions[i].name))
			continue;
		return functions[i].n_values > 0
			       ? parse_values(parser, functions[i].kind, functions[i].n_values,
					      functions[i].between)
			       : parse_field(parser, functions[i].kind);
	}
	return ltt_expr_fail(parser);
}
