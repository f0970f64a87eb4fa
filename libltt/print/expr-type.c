/* expr-type.c - names of types in a print expression: those of casts and sizeof
 * (expr-priv.h).
 */
#include "print/expr-priv.h"

#define LONG_BYTES 0xff

static const struct {
	const char *name;
	guint8 width_bytes; /* 0: goes with other words, or changes no value */
	gboolean is_signed;
} words[] = {
	{"unsigned", 4, FALSE},
	{"signed", 4, TRUE},
	{"int", 4, TRUE},
	{"char", 1, TRUE},
	{"short", 2, TRUE},
	{"long", LONG_BYTES, TRUE},
	{"const", 0, FALSE},
	{"volatile", 0, FALSE},
	{"struct", 0, FALSE},
	{"union", 0, FALSE},
	{"enum", 4, FALSE},
	{"void", 1, FALSE},
	{"bool", 1, FALSE},
	{"_Bool", 1, FALSE},
	{"u8", 1, FALSE},
	{"u16", 2, FALSE},
	{"u32", 4, FALSE},
	{"u64", 8, FALSE},
	{"s8", 1, TRUE},
	{"s16", 2, TRUE},
	{"s32", 4, TRUE},
	{"s64", 8, TRUE},
	{"__u8", 1, FALSE},
	{"__u16", 2, FALSE},
	{"__u32", 4, FALSE},
	{"__u64", 8, FALSE},
	{"__s8", 1, TRUE},
	{"__s16", 2, TRUE},
	{"__s32", 4, TRUE},
	{"__s64", 8, TRUE},
	{"uint8_t", 1, FALSE},
	{"uint16_t", 2, FALSE},
	{"uint32_t", 4, FALSE},
	{"uint64_t", 8, FALSE},
	{"int8_t", 1, TRUE},
	{"int16_t", 2, TRUE},
	{"int32_t", 4, TRUE},
	{"int64_t", 8, TRUE},
	{"size_t", LONG_BYTES, FALSE},
	{"ssize_t", LONG_BYTES, TRUE},
	{"uintptr_t", LONG_BYTES, FALSE},
	{"gfp_t", 4, FALSE},
	{"dev_t", 4, FALSE},
	{"pid_t", 4, TRUE},
	{"loff_t", 8, TRUE},
	{"sector_t", 8, FALSE},
};

/* Returns: the index of the word, or -1 */
static gint find_word(const LttExprLexer *lexer)
{
	for (guint i = 0; i < G_N_ELEMENTS(words); i++)
		if (ltt_expr_lexer_is(lexer, words[i].name))
			return (gint)i;
	return -1;
}

/* Adds a word of a type: "unsigned", "long", "long". */
static void add_word(LttExprParser *parser, guint word, LttExprType *type, gboolean *is_unsigned)
{
	const guint8 width_bytes = words[word].width_bytes == LONG_BYTES
					   ? (guint8)parser->long_bytes
					   : words[word].width_bytes;
	const gboolean is_modifier = word < 2; /* unsigned, signed: of any following type */

	if (g_str_equal(words[word].name, "unsigned"))
		*is_unsigned = TRUE;
	else if (g_str_equal(words[word].name, "long") && type->width_bytes != 0 &&
		 type->is_pointer)
		type->width_bytes = 8; /* long long */
	else if (width_bytes != 0 && !(g_str_equal(words[word].name, "int") && type->is_pointer))
		type->width_bytes = width_bytes;
	if (is_modifier && type->width_bytes == 0)
		type->width_bytes = 4;
	if (width_bytes != 0 && !is_modifier)
		type->is_signed = words[word].is_signed;
	/* While words are read, is_pointer records that one of them has a size. */
	if (!is_modifier && width_bytes != 0)
		type->is_pointer = TRUE;
}

static void restore(LttExprLexer *lexer, const LttExprLexer *before)
{
	lexer->at = before->at;
	lexer->from = before->from;
	lexer->token = before->token;
}

/* Returns: whether the text after the ")" begins an operand that cannot follow a binary operator */
static gboolean is_cast(LttExprLexer *lexer)
{
	const LttExprLexer before = *lexer;
	gboolean is_operand;

	ltt_expr_lexer_next(lexer);
	is_operand = lexer->token == LTT_EXPR_TOKEN_NAME || lexer->token == LTT_EXPR_TOKEN_NUMBER ||
		     lexer->token == LTT_EXPR_TOKEN_STRING || lexer->token == '(';
	restore(lexer, &before);
	return is_operand;
}

/* A name that is not a keyword is a type if nothing else is possible: "(enum x)", "(foo_t)y". */
gboolean ltt_expr_parse_type(LttExprParser *parser, LttExprType *type)
{
	const LttExprLexer before = parser->lexer;
	LttExprLexer *lexer = &parser->lexer;
	gboolean is_unsigned = FALSE;
	gboolean is_named = FALSE;
	guint n_known = 0;
	guint n_words = 0;
	gint word;

	*type = (LttExprType){.is_signed = TRUE};
	for (; lexer->token == LTT_EXPR_TOKEN_NAME; n_words++) {
		word = find_word(lexer);
		if (word >= 0)
			add_word(parser, (guint)word, type, &is_unsigned);
		is_named = is_named || ltt_expr_lexer_is(lexer, "struct") ||
			   ltt_expr_lexer_is(lexer, "union") || ltt_expr_lexer_is(lexer, "enum");
		n_known += word >= 0 ? 1 : 0;
		ltt_expr_lexer_next(lexer);
	}
	type->is_pointer = FALSE;
	type->is_signed = type->is_signed && !is_unsigned;
	for (; lexer->token == '*'; ltt_expr_lexer_next(lexer)) {
		if (type->is_pointer) /* a pointer to pointers */
			type->width_bytes = (guint8)parser->long_bytes;
		type->is_pointer = TRUE;
	}
	if (lexer->token == ')' && n_words > 0 &&
	    (n_known == n_words || is_named || (n_words == 1 && is_cast(lexer))))
		return TRUE;
	restore(lexer, &before);
	return FALSE;
}
