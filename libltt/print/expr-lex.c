/* expr-lex.c - split a print expression into tokens, those of C (expr-priv.h).
 *
 * A character that is not part of C becomes a token that no rule of the grammar accepts.
 */
#include "print/expr-priv.h"

#include <string.h>

static const struct {
	char text[3];
	LttExprToken token;
} pairs[] = {
	{"->", LTT_EXPR_TOKEN_ARROW},       {"<<", LTT_EXPR_TOKEN_SHIFT_LEFT},
	{">>", LTT_EXPR_TOKEN_SHIFT_RIGHT}, {"<=", LTT_EXPR_TOKEN_LE},
	{">=", LTT_EXPR_TOKEN_GE},          {"==", LTT_EXPR_TOKEN_EQ},
	{"!=", LTT_EXPR_TOKEN_NE},          {"&&", LTT_EXPR_TOKEN_AND},
	{"||", LTT_EXPR_TOKEN_OR},
};

void ltt_expr_lexer_init(LttExprLexer *lexer, const char *text)
{
	*lexer = (LttExprLexer){.at = text, .from = text, .string = g_string_new(NULL)};
	ltt_expr_lexer_next(lexer);
}

void ltt_expr_lexer_clear(LttExprLexer *lexer)
{
	g_string_free(lexer->string, TRUE);
}

gboolean ltt_expr_lexer_is(const LttExprLexer *lexer, const char *name)
{
	const gsize length = (gsize)(lexer->at - lexer->from);

	return lexer->token == LTT_EXPR_TOKEN_NAME && strlen(name) == length &&
	       memcmp(lexer->from, name, length) == 0;
}

static gboolean is_name_byte(char byte)
{
	return g_ascii_isalnum(byte) || byte == '_';
}

/* A number has the first type of C that holds it: int, unsigned if it is hexadecimal or has a
 * suffix "u", long. "ul" and "ll" give 8 bytes, also where a long has 4: the values are the
 * same. */
static void take_number(LttExprLexer *lexer)
{
	gboolean is_unsigned = FALSE;
	gboolean is_long = FALSE;
	const gboolean is_decimal = lexer->from[0] != '0';
	char *end;

	lexer->token = LTT_EXPR_TOKEN_NUMBER;
	lexer->bits = g_ascii_strtoull(lexer->from, &end, 0);
	for (; *end == 'u' || *end == 'U' || *end == 'l' || *end == 'L'; end++) {
		is_unsigned = is_unsigned || g_ascii_tolower(*end) == 'u';
		is_long = is_long || g_ascii_tolower(*end) == 'l';
	}
	if (is_name_byte(*end))
		lexer->token = LTT_EXPR_TOKEN_BAD;
	if (lexer->bits > G_MAXUINT32 || (lexer->bits > G_MAXINT32 && is_decimal && !is_unsigned))
		is_long = TRUE;
	if (lexer->bits > (is_long ? (guint64)G_MAXINT64 : (guint64)G_MAXINT32))
		is_unsigned = TRUE;
	lexer->type = (LttExprType){.width_bytes = is_long ? 8 : 4, .is_signed = !is_unsigned};
	lexer->at = end;
}

/* @at: after the backslash. Returns: the character of the escape sequence */
static char take_escape(const char **at)
{
	const char letter = *(*at)++;
	guint value;

	switch (letter) {
	case 'n':
		return '\n';
	case 't':
		return '\t';
	case 'r':
		return '\r';
	case 'x':
		for (value = 0; g_ascii_isxdigit(**at); (*at)++)
			value = (value * 16 + (guint)g_ascii_xdigit_value(**at)) & 0xff;
		return (char)value;
	default:
		if (letter < '0' || letter > '7')
			return letter;
		value = (guint)(letter - '0');
		for (guint i = 0; i < 2 && **at >= '0' && **at <= '7'; i++)
			value = value * 8 + (guint)(*(*at)++ - '0');
		return (char)value;
	}
}

/* Reads a string literal; concatenates adjacent literals. */
static void take_string(LttExprLexer *lexer)
{
	const char *at = lexer->from;

	lexer->token = LTT_EXPR_TOKEN_STRING;
	g_string_truncate(lexer->string, 0);
	while (*at == '"') {
		at++;
		while (*at != '"' && *at != '\0') {
			if (*at != '\\' || at[1] == '\0') {
				g_string_append_c(lexer->string, *at++);
				continue;
			}
			at++;
			g_string_append_c(lexer->string, take_escape(&at));
		}
		if (*at == '\0') {
			lexer->token = LTT_EXPR_TOKEN_BAD;
			break;
		}
		lexer->at = ++at;
		while (g_ascii_isspace(*at))
			at++;
	}
	if (lexer->token == LTT_EXPR_TOKEN_BAD)
		lexer->at = at;
}

/* 'x' is a number. */
static void take_character(LttExprLexer *lexer)
{
	const char *at = lexer->from + 1;

	lexer->token = LTT_EXPR_TOKEN_BAD;
	if (*at == '\0' || at[1] == '\0')
		return;
	lexer->type = (LttExprType){.width_bytes = 4, .is_signed = TRUE};
	if (*at == '\\') {
		at++;
		lexer->bits = (guchar)take_escape(&at);
	} else {
		lexer->bits = (guchar)*at++;
	}
	if (*at != '\'')
		return;
	lexer->token = LTT_EXPR_TOKEN_NUMBER;
	lexer->at = at + 1;
}

static gboolean take_pair(LttExprLexer *lexer)
{
	for (guint i = 0; i < G_N_ELEMENTS(pairs); i++) {
		if (lexer->from[0] == pairs[i].text[0] && lexer->from[1] == pairs[i].text[1]) {
			lexer->token = pairs[i].token;
			lexer->at = lexer->from + 2;
			return TRUE;
		}
	}
	return FALSE;
}

void ltt_expr_lexer_next(LttExprLexer *lexer)
{
	while (g_ascii_isspace(*lexer->at))
		lexer->at++;
	lexer->from = lexer->at;
	if (*lexer->from == '\0') {
		lexer->token = LTT_EXPR_TOKEN_END;
	} else if (g_ascii_isdigit(*lexer->from)) {
		take_number(lexer);
	} else if (is_name_byte(*lexer->from)) {
		lexer->token = LTT_EXPR_TOKEN_NAME;
		while (is_name_byte(*lexer->at))
			lexer->at++;
	} else if (*lexer->from == '"') {
		take_string(lexer);
	} else if (*lexer->from == '\'') {
		take_character(lexer);
	} else if (!take_pair(lexer)) {
		lexer->token = g_ascii_isgraph(*lexer->from) ? (guint)*lexer->from
							     : (guint)LTT_EXPR_TOKEN_BAD;
		lexer->at = lexer->from + 1;
	}
}
