/* parse.c - a recursive descent parser that compiles a filter to tests with jumps.
 *
 * A parsed item is an operand or a condition. The parser checks which of them is allowed only when
 * it knows what follows, so it needs no look-ahead to distinguish (a) == 1 from (a == 1).
 *
 * A condition is a run of tests and two lists of exits, one for true and one for false, whose
 * targets are still unknown (backpatching). A list is linked through the target fields themselves.
 */
#include "filter/filter-priv.h"
#include "filter/lex-priv.h"

#include "base/error-priv.h"

#include <ltt/ltt-filter.h>

#include <string.h>

/* An exit is encoded as twice the number of its test, plus 1 for the exit on false. */
#define NO_EXIT G_MAXUINT32

typedef struct Exits {
	guint32 first;
	guint32 last;
} Exits;

typedef struct Item {
	gsize at; /* its start and end offset in the expression */
	gsize end;
	gboolean is_condition;
	LttOperand operand; /* if it is no condition */
	guint32 first_test; /* if it is a condition */
	Exits if_true;
	Exits if_false;
} Item;

typedef struct Parser {
	LttLexer lexer;
	GArray *tests;
	guint depth;
} Parser;

static gboolean is_literal(const LttOperand *operand)
{
	return operand->kind == LTT_OPERAND_NUMBER || operand->kind == LTT_OPERAND_STRING;
}

static gboolean is_text(const LttOperand *operand)
{
	return operand->kind == LTT_OPERAND_STRING || operand->kind == LTT_OPERAND_EVENT ||
	       operand->kind == LTT_OPERAND_FACILITY || operand->kind == LTT_OPERAND_COMM;
}

/* ---- mistakes ---- */

/* Reports that the current token cannot follow @item. */
static gboolean cannot_follow(const Parser *parser, const Item *item, GError **error)
{
	if (parser->lexer.token.kind == LTT_TOKEN_CLOSE)
		return ltt_filter_mistake(error, parser->lexer.token.at,
					  "\")\" is out of place: expected a \"(\" before it");
	return ltt_lexer_out_of_place(&parser->lexer,
				      item->is_condition ? "&& or ||" : "one of == != < <= > >= =~",
				      error);
}

static gboolean need_condition(const Parser *parser, const Item *item, GError **error)
{
	g_autofree char *quoted = NULL;

	if (item->is_condition)
		return TRUE;
	quoted = ltt_lexer_quote(&parser->lexer, item->at, item->end);
	return ltt_filter_mistake(error, item->at,
				  "%s alone is no condition: expected a comparison", quoted);
}

/* ---- exits ---- */

static guint32 *exit_target(const Parser *parser, guint32 exit)
{
	LttTest *test = &g_array_index(parser->tests, LttTest, exit / 2);

	return exit % 2 == 0 ? &test->on_true : &test->on_false;
}

static Exits join_exits(const Parser *parser, Exits a, Exits b)
{
	*exit_target(parser, a.last) = b.first;
	return (Exits){a.first, b.last};
}

static void lead_exits(const Parser *parser, Exits exits, guint32 target)
{
	guint32 next;

	for (guint32 exit = exits.first; exit != NO_EXIT; exit = next) {
		guint32 *slot = exit_target(parser, exit);

		next = *slot;
		*slot = target;
	}
}

/* ---- comparisons ---- */

/* Rejects comparisons that make no sense for any event. A path may lead to a value of any kind. */
static gboolean check_kinds(const Parser *parser, const LttTest *test, GError **error)
{
	const LttOperand *left = &test->left;
	const LttOperand *right = &test->right;
	g_autofree char *left_text = ltt_lexer_quote(&parser->lexer, left->at, left->end);
	g_autofree char *right_text = ltt_lexer_quote(&parser->lexer, right->at, right->end);

	if (test->compare == LTT_COMPARE_LIKE) {
		if (right->kind != LTT_OPERAND_STRING)
			return ltt_filter_mistake(error, right->at,
						  "%s behind =~: expected a glob in double quotes",
						  right_text);
		if (left->kind != LTT_OPERAND_PATH && !is_text(left))
			return ltt_filter_mistake(error, left->at,
						  "%s in front of =~ is a number: expected a "
						  "string",
						  left_text);
		return TRUE;
	}
	if (left->kind == LTT_OPERAND_PATH || right->kind == LTT_OPERAND_PATH ||
	    is_text(left) == is_text(right))
		return TRUE;
	return ltt_filter_mistake(error, right->at, "%s is a %s: expected a %s, as %s is one",
				  right_text, is_text(right) ? "string" : "number",
				  is_text(left) ? "string" : "number", left_text);
}

/* Turns @left into the condition that compares it with @right, which is consumed. */
static gboolean add_test(Parser *parser, LttCompare compare, Item *left, Item *right,
			 GError **error)
{
	const guint32 number = parser->tests->len;
	LttTest test = {
		.compare = compare,
		.left = left->operand,
		.right = right->operand,
		.on_true = NO_EXIT,
		.on_false = NO_EXIT,
	};

	if (!check_kinds(parser, &test, error))
		return FALSE;
	if (compare == LTT_COMPARE_LIKE) {
		test.glob = ltt_glob_new(test.right.string->str, test.right.string->len);
	} else if (is_literal(&test.left) && !is_literal(&test.right)) {
		test.compare = ltt_compare_turned(compare);
		test.left = right->operand;
		test.right = left->operand;
	}
	g_array_append_val(parser->tests, test);
	*left = (Item){
		.at = left->at,
		.end = right->end,
		.is_condition = TRUE,
		.first_test = number,
		.if_true = {2 * number, 2 * number},
		.if_false = {2 * number + 1, 2 * number + 1},
	};
	right->operand = (LttOperand){0};
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
		return ltt_filter_mistake(error, at,
					  "\"(\" without an end: expected a \")\" behind it");
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
					  "\"!\" in front of %s: expected a condition in "
					  "parentheses behind it",
					  quoted);
	}
	if (is_negated) {
		const Exits if_true = item->if_true;

		item->if_true = item->if_false;
		item->if_false = if_true;
	}
	item->at = at;
	return TRUE;
}

static gboolean is_compare(LttTokenKind kind)
{
	return kind >= LTT_TOKEN_EQ && kind <= LTT_TOKEN_LIKE;
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
	if (!is_compare(*kind))
		return TRUE;
	if (item->is_condition)
		return cannot_follow(parser, item, error);
	compare = (LttCompare)(*kind - LTT_TOKEN_EQ);
	if (!ltt_lexer_next(&parser->lexer, error))
		return FALSE;
	if (!parse_negation(parser, &right, error))
		;
	else if (right.is_condition)
		ltt_filter_mistake(error, right.at,
				   "a condition has no value: expected a field, a number or a "
				   "string");
	else if (add_test(parser, compare, item, &right, error))
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
		if (link == LTT_TOKEN_AND) {
			lead_exits(parser, item->if_true, next.first_test);
			item->if_true = next.if_true;
			item->if_false = join_exits(parser, item->if_false, next.if_false);
		} else {
			lead_exits(parser, item->if_false, next.first_test);
			item->if_false = next.if_false;
			item->if_true = join_exits(parser, item->if_true, next.if_true);
		}
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
	lead_exits(parser, item->if_true, LTT_FILTER_TRUE);
	lead_exits(parser, item->if_false, LTT_FILTER_FALSE);
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
			    "the filter goes on here: expected at most %d bytes",
			    LTT_MAX_FILTER_BYTES);
		return NULL;
	}
	ltt_lexer_init(&parser.lexer, expression);
	done = parse_filter(&parser, &item, error);
	ltt_lexer_clear(&parser.lexer);
	ltt_operand_clear(&item.operand);
	return done ? g_steal_pointer(&tests) : NULL;
}
