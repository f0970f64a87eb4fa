/* parse.c - a recursive descent parser that compiles a filter to tests with jumps.
 *
 * A parsed item is an operand or a condition. The parser checks which of them is allowed only when
 * it knows what follows, so it needs no look-ahead to distinguish (a) == 1 from (a == 1).
 */
#include "filter/condition-priv.h"
#include "filter/lex-priv.h"

#include "base/error-priv.h"

#include <ltt/ltt-filter.h>

#include <string.h>

typedef struct Item {
	gsize at; /* its start and end offset in the expression */
	gsize end;
	gboolean is_condition;
	LttOperand operand;     /* if it is not a condition */
	LttCondition condition; /* if it is a condition */
} Item;

typedef struct Parser {
	LttLexer lexer;
	GArray *tests;
	guint depth;
} Parser;

/* ---- mistakes ---- */

/* Reports that the current token cannot follow @item. */
static gboolean cannot_follow(const Parser *parser, const Item *item, GError **error)
{
	if (parser->lexer.token.kind == LTT_TOKEN_CLOSE)
		return ltt_filter_mistake(error, parser->lexer.token.at,
					  "\")\" is out of place: expected a \"(\" before it");
	return ltt_lexer_out_of_place(
		&parser->lexer, item->is_condition ? "&& or ||" : "one of " LTT_TOKEN_COMPARISONS,
		error);
}

static gboolean need_condition(const Parser *parser, const Item *item, GError **error)
{
	g_autofree char *quoted = NULL;

	if (item->is_condition)
		return TRUE;
	quoted = ltt_lexer_quote(&parser->lexer, item->at, item->end);
	return ltt_filter_mistake(error, item->at,
				  "%s alone is not a condition: expected a comparison", quoted);
}

/* ---- comparisons ---- */

/* Checks =~. */
static gboolean check_glob(const Parser *parser, const LttOperand *left, const LttOperand *right,
			   GError **error)
{
	const gboolean has_glob = right->kind == LTT_OPERAND_STRING;
	const LttOperand *wrong = has_glob ? left : right;
	g_autofree char *quoted = ltt_lexer_quote(&parser->lexer, wrong->at, wrong->end);

	if (!has_glob)
		return ltt_filter_mistake(error, wrong->at,
					  "%s after =~: expected a glob in double quotes", quoted);
	if (ltt_operand_is_open(left) || ltt_operand_is_text(left))
		return TRUE;
	return ltt_filter_mistake(error, wrong->at, "%s before =~ is a number: expected a string",
				  quoted);
}

/* Rejects comparisons that make no sense for any event. A field may be a value of any type. */
static gboolean check_kinds(const Parser *parser, LttCompare compare, const LttOperand *left,
			    const LttOperand *right, GError **error)
{
	const gboolean is_text = ltt_operand_is_text(right);
	g_autofree char *left_text = NULL;
	g_autofree char *right_text = NULL;

	if (ltt_compare_is_match(compare))
		return check_glob(parser, left, right, error);
	if (left->is_any && right->is_any)
		return ltt_filter_mistake(error, right->at,
					  "[*] on both sides of a comparison: expected it on one");
	if (ltt_operand_is_open(left) || ltt_operand_is_open(right) ||
	    ltt_operand_is_text(left) == is_text)
		return TRUE;
	left_text = ltt_lexer_quote(&parser->lexer, left->at, left->end);
	right_text = ltt_lexer_quote(&parser->lexer, right->at, right->end);
	return ltt_filter_mistake(error, right->at, "%s is a %s: expected a %s, as %s is one",
				  right_text, is_text ? "string" : "number",
				  is_text ? "number" : "string", left_text);
}

/* Turns @left into the condition that compares it with @right, which is consumed. */
static gboolean compare_items(Parser *parser, LttCompare compare, Item *left, Item *right,
			      GError **error)
{
	if (!check_kinds(parser, compare, &left->operand, &right->operand, error))
		return FALSE;
	left->condition =
		ltt_condition_new(parser->tests, compare, &left->operand, &right->operand);
	left->is_condition = TRUE;
	left->end = right->end;
	return TRUE;
}

/* ---- the grammar, from the inside out ----
 *
 * Each function parses one kind of item into @item. @item is empty before the call and owns its
 * contents afterwards, also after a failure. */

static gboolean parse_alternatives(Parser *parser, Item *item, GError **error);

static gboolean parse_parentheses(Parser *parser, Item *item, GError **error)
{
	const LttToken *token = &parser->lexer.token;
	const gsize at = token->at;

	if (++parser->depth > LTT_MAX_FILTER_DEPTH)
		return ltt_fail_at(error, LTT_ERROR_LIMIT, NULL, LTT_NOWHERE, (gint64)at,
				   "parentheses %d deep: expected at most %d", parser->depth,
				   LTT_MAX_FILTER_DEPTH);
	if (!ltt_lexer_next(&parser->lexer, error) || !parse_alternatives(parser, item, error))
		return FALSE;
	if (token->kind == LTT_TOKEN_END)
		return ltt_filter_mistake(error, at, "\"(\" is not closed: expected a \")\"");
	if (token->kind != LTT_TOKEN_CLOSE)
		return cannot_follow(parser, item, error);
	item->at = at;
	item->end = token->end;
	parser->depth--;
	return ltt_lexer_next(&parser->lexer, error);
}

static gboolean parse_primary(Parser *parser, Item *item, GError **error)
{
	gboolean done;

	item->at = parser->lexer.token.at;
	if (parser->lexer.token.kind == LTT_TOKEN_OPEN)
		return parse_parentheses(parser, item, error);
	done = ltt_operand_parse(&parser->lexer, &item->operand, error);
	item->end = item->operand.end;
	return done;
}

static gboolean parse_negation(Parser *parser, Item *item, GError **error)
{
	const LttToken *token = &parser->lexer.token;
	const gsize at = token->at;
	gboolean is_negated = FALSE;
	gboolean has_mark = FALSE;

	for (; token->kind == LTT_TOKEN_NOT; is_negated = !is_negated) {
		has_mark = TRUE;
		if (!ltt_lexer_next(&parser->lexer, error))
			return FALSE;
	}
	if (!parse_primary(parser, item, error))
		return FALSE;
	if (has_mark && !item->is_condition) {
		g_autofree char *quoted = ltt_lexer_quote(&parser->lexer, item->at, item->end);

		return ltt_filter_mistake(error, at,
					  "\"!\" before %s: expected a condition in "
					  "parentheses after it",
					  quoted);
	}
	if (is_negated)
		ltt_condition_negate(&item->condition);
	item->at = at;
	return TRUE;
}

static gboolean is_compare(LttTokenKind kind)
{
	return kind >= LTT_TOKEN_EQ && kind <= LTT_TOKEN_LIKE;
}

/* Whether the current token is the operator "in". After an operand it cannot be a field. */
static gboolean is_in(const Parser *parser)
{
	const LttToken *token = &parser->lexer.token;

	return token->kind == LTT_TOKEN_NAME && token->end - token->at == strlen("in") &&
	       memcmp(parser->lexer.text + token->at, "in", strlen("in")) == 0;
}

/* Parses an element of a list and adds the test for it. @subject: the operand to search in the
 * list.
 * @item: the condition so far; empty: this is the first element */
static gboolean parse_element(Parser *parser, const Item *subject, Item *item, GError **error)
{
	Item one = {.at = subject->at};
	Item element = {0};
	gboolean done;

	if (!ltt_lexer_next(&parser->lexer, error))
		return FALSE;
	one.operand = ltt_operand_copy(&subject->operand);
	done = ltt_operand_parse(&parser->lexer, &element.operand, error);
	element.end = element.operand.end;
	done = done && compare_items(parser, LTT_COMPARE_EQ, &one, &element, error);
	if (done && item->is_condition)
		ltt_condition_link(parser->tests, &item->condition, &one.condition, FALSE);
	else if (done)
		*item = one;
	ltt_operand_clear(&one.operand);
	ltt_operand_clear(&element.operand);
	return done;
}

/* Parses "in (1, 2)" after the operand @item: the same as @item == 1 || @item == 2. */
static gboolean parse_membership(Parser *parser, Item *item, GError **error)
{
	const LttToken *token = &parser->lexer.token;
	Item all = {0};
	gboolean done = ltt_lexer_next(&parser->lexer, error);

	if (done && token->kind != LTT_TOKEN_OPEN)
		done = ltt_lexer_out_of_place(&parser->lexer, "a list, as in x in (1, 2)", error);
	while (done && token->kind != LTT_TOKEN_CLOSE) {
		done = parse_element(parser, item, &all, error);
		if (done && token->kind != LTT_TOKEN_COMMA && token->kind != LTT_TOKEN_CLOSE)
			done = ltt_lexer_out_of_place(&parser->lexer, "a \",\" or a \")\"", error);
	}
	ltt_operand_clear(&item->operand);
	all.end = token->end;
	*item = all;
	return done && ltt_lexer_next(&parser->lexer, error);
}

static gboolean parse_comparison(Parser *parser, Item *item, GError **error)
{
	const LttToken *token = &parser->lexer.token;
	const LttTokenKind *kind = &token->kind;
	Item right = {0};
	LttCompare compare;
	gboolean done = FALSE;

	if (!parse_negation(parser, item, error))
		return FALSE;
	if (!is_compare(*kind) && !is_in(parser))
		return TRUE;
	if (item->is_condition)
		return cannot_follow(parser, item, error);
	if (is_in(parser))
		return parse_membership(parser, item, error);
	compare = (LttCompare)(*kind - LTT_TOKEN_EQ);
	if (!ltt_lexer_next(&parser->lexer, error))
		return FALSE;
	if (!parse_negation(parser, &right, error))
		;
	else if (right.is_condition)
		ltt_filter_mistake(error, right.at,
				   "a condition has no value: expected a field, a number or a "
				   "string");
	else if (compare_items(parser, compare, item, &right, error))
		done = TRUE;
	if (done && is_compare(*kind))
		done = ltt_filter_mistake(error, token->at,
					  "a second comparison: expected && between two, as in "
					  "a < b && b < c");
	ltt_operand_clear(&right.operand);
	return done;
}

/* Parses items with @parse, separated by @link. */
static gboolean parse_linked(Parser *parser, LttTokenKind link,
			     gboolean (*parse)(Parser *, Item *, GError **), Item *item,
			     GError **error)
{
	if (!parse(parser, item, error))
		return FALSE;
	while (parser->lexer.token.kind == link) {
		Item next = {0};

		if (!need_condition(parser, item, error) || !ltt_lexer_next(&parser->lexer, error))
			return FALSE;
		if (!parse(parser, &next, error) || !need_condition(parser, &next, error)) {
			ltt_operand_clear(&next.operand);
			return FALSE;
		}
		ltt_condition_link(parser->tests, &item->condition, &next.condition,
				   link == LTT_TOKEN_AND);
		item->end = next.end;
	}
	return TRUE;
}

static gboolean parse_conjunction(Parser *parser, Item *item, GError **error)
{
	return parse_linked(parser, LTT_TOKEN_AND, parse_comparison, item, error);
}

static gboolean parse_alternatives(Parser *parser, Item *item, GError **error)
{
	return parse_linked(parser, LTT_TOKEN_OR, parse_conjunction, item, error);
}

static gboolean parse_filter(Parser *parser, Item *item, GError **error)
{
	const LttToken *token = &parser->lexer.token;

	if (!ltt_lexer_next(&parser->lexer, error))
		return FALSE;
	if (token->kind == LTT_TOKEN_END)
		return ltt_filter_mistake(error, token->at,
					  "an empty filter: expected a comparison");
	if (!parse_alternatives(parser, item, error))
		return FALSE;
	if (token->kind != LTT_TOKEN_END)
		return cannot_follow(parser, item, error);
	if (!need_condition(parser, item, error))
		return FALSE;
	ltt_condition_finish(parser->tests, &item->condition);
	return TRUE;
}

static void clear_test(gpointer data)
{
	LttTest *test = data;

	ltt_operand_clear(&test->left);
	ltt_operand_clear(&test->right);
	ltt_glob_free(test->glob);
}

GArray *ltt_filter_parse(const char *expression, GError **error)
{
	g_autoptr(GArray) tests = g_array_new(FALSE, FALSE, sizeof(LttTest));
	Parser parser = {.tests = tests};
	Item item = {0};
	gboolean done;

	g_array_set_clear_func(tests, clear_test);
	if (strnlen(expression, LTT_MAX_FILTER_BYTES + 1) > LTT_MAX_FILTER_BYTES) {
		ltt_fail_at(error, LTT_ERROR_LIMIT, NULL, LTT_NOWHERE, LTT_MAX_FILTER_BYTES,
			    "the filter is too long here: expected at most %d bytes",
			    LTT_MAX_FILTER_BYTES);
		return NULL;
	}
	ltt_lexer_init(&parser.lexer, expression);
	done = parse_filter(&parser, &item, error);
	ltt_lexer_clear(&parser.lexer);
	ltt_operand_clear(&item.operand);
	return done ? g_steal_pointer(&tests) : NULL;
}
