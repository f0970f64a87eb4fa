/* lex.c - the lexer of filter expressions.
 *
 * A word is taken whole before it is checked, so that a message names "12abc" and not only the part
 * after 12.
 */
#include "filter/lex-priv.h"

#include "base/error-priv.h"

#include <string.h>

/* Maximum bytes of a token in a message. */
#define QUOTED_BYTES 24

gboolean ltt_filter_mistake(GError **error, gsize at, const char *format, ...)
{
	g_autofree char *message = NULL;
	va_list arguments;

	va_start(arguments, format);
	message = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	return ltt_fail_at(error, LTT_ERROR_INVALID, NULL, LTT_NOWHERE, (gint64)at, "%s", message);
}

void ltt_lexer_init(LttLexer *lexer, const char *text)
{
	*lexer = (LttLexer){.text = text};
}

static void clear_token(LttToken *token)
{
	ltt_number_clear(&token->number);
	if (token->string != NULL)
		g_string_free(token->string, TRUE);
	token->string = NULL;
}

void ltt_lexer_clear(LttLexer *lexer)
{
	clear_token(&lexer->token);
}

char *ltt_lexer_quote(const LttLexer *lexer, gsize at, gsize end)
{
	const char *text = lexer->text;
	const gboolean is_string = text[at] == '"';
	gsize cut = end;

	if (end - at > QUOTED_BYTES) {
		cut = at + QUOTED_BYTES;
		while (cut > at && ((guchar)text[cut] & 0xc0) == 0x80)
			cut--;
	}
	return g_strdup_printf("%s%.*s%s%s", is_string ? "" : "\"", (int)(cut - at), text + at,
			       cut < end ? "..." : "", is_string && cut == end ? "" : "\"");
}

gboolean ltt_lexer_out_of_place(const LttLexer *lexer, const char *expected, GError **error)
{
	const LttToken *token = &lexer->token;
	g_autofree char *quoted = NULL;

	if (token->kind == LTT_TOKEN_END)
		return ltt_filter_mistake(error, token->at, "the filter ends here: expected %s",
					  expected);
	quoted = ltt_lexer_quote(lexer, token->at, token->end);
	return ltt_filter_mistake(error, token->at, "%s is out of place: expected %s", quoted,
				  expected);
}

static gsize end_of_character(const char *text, gsize at)
{
	do {
		at++;
	} while (((guchar)text[at] & 0xc0) == 0x80);
	return at;
}

/* ---- strings ---- */

/* Takes up to @max digits of base 8 or 16 at @at. Returns: their number */
static gsize take_digits(const char *at, guint base, gsize max, guint64 *value)
{
	gsize n = 0;

	for (*value = 0; n < max; n++) {
		const int digit = g_ascii_xdigit_value(at[n]);

		if (digit < 0 || digit >= (int)base)
			break;
		*value = MIN(*value * base + (guint)digit, G_MAXUINT32);
	}
	return n;
}

/* Takes an octal or hexadecimal escape. @at: after the backslash. Returns: its length */
static gsize take_numeric_escape(LttLexer *lexer, gsize at, GError **error)
{
	const char letter = lexer->text[at];
	const gboolean is_octal = letter >= '0' && letter <= '7';
	const gsize least = letter == 'u' ? 4 : letter == 'U' ? 8 : 1;
	const gsize most = is_octal ? 3 : letter == 'x' ? G_MAXSIZE : least;
	guint64 value;
	const gsize n_digits =
		take_digits(lexer->text + at + (is_octal ? 0 : 1), is_octal ? 8 : 16, most, &value);
	const gsize length = n_digits + (is_octal ? 0 : 1);
	g_autofree char *quoted = ltt_lexer_quote(lexer, at - 1, at + length);

	if (n_digits < least) {
		ltt_filter_mistake(error, at - 1, "escape %s: expected %s", quoted,
				   letter == 'u'   ? "4 hexadecimal digits"
				   : letter == 'U' ? "8 hexadecimal digits"
						   : "hexadecimal digits");
		return 0;
	}
	if (letter == 'u' || letter == 'U') {
		if (!g_unichar_validate((gunichar)value)) {
			ltt_filter_mistake(error, at - 1, "escape %s: expected a character",
					   quoted);
			return 0;
		}
		g_string_append_unichar(lexer->token.string, (gunichar)value);
		return length;
	}
	if (value > G_MAXUINT8) {
		ltt_filter_mistake(error, at - 1, "escape %s: expected a byte, at most %s", quoted,
				   is_octal ? "\\377" : "\\xff");
		return 0;
	}
	g_string_append_c(lexer->token.string, (char)value);
	return length;
}

/* Takes an escape. @at: after the backslash. Returns: its length; 0 with @error set if it is
 * invalid */
static gsize take_escape(LttLexer *lexer, gsize at, GError **error)
{
	static const char letters[] = "abfnrtv\\\"'?";
	static const char meanings[] = "\a\b\f\n\r\t\v\\\"'?";
	const char letter = lexer->text[at];
	const char *found = letter != '\0' ? strchr(letters, letter) : NULL;
	g_autofree char *quoted = NULL;

	if (found != NULL) {
		g_string_append_c(lexer->token.string, meanings[found - letters]);
		return 1;
	}
	if ((letter >= '0' && letter <= '7') || (letter != '\0' && strchr("xuU", letter) != NULL))
		return take_numeric_escape(lexer, at, error);
	quoted = ltt_lexer_quote(lexer, at - 1, end_of_character(lexer->text, at));
	ltt_filter_mistake(error, at - 1,
			   "escape %s: expected one of C, such as \\n \\t \\\" \\\\ \\x41", quoted);
	return 0;
}

static gboolean take_string(LttLexer *lexer, GError **error)
{
	LttToken *token = &lexer->token;
	gsize at = token->at + 1;

	token->kind = LTT_TOKEN_STRING;
	token->string = g_string_new(NULL);
	for (;;) {
		const gsize plain = strcspn(lexer->text + at, "\"\\");
		gsize length;

		g_string_append_len(token->string, lexer->text + at, (gssize)plain);
		at += plain;
		if (lexer->text[at] != '\\' || lexer->text[at + 1] == '\0')
			break;
		length = take_escape(lexer, at + 1, error);
		if (length == 0)
			return FALSE;
		at += 1 + length;
	}
	if (lexer->text[at] != '"')
		return ltt_filter_mistake(error, token->at,
					  "a string has no end: expected a closing \"");
	token->end = at + 1;
	return TRUE;
}

/* ---- other tokens ---- */

static gboolean is_name_start(char c)
{
	return g_ascii_isalpha(c) || c == '_';
}

static gboolean is_word(char c)
{
	return g_ascii_isalnum(c) || c == '_';
}

static gboolean take_name(LttLexer *lexer)
{
	LttToken *token = &lexer->token;

	token->kind = LTT_TOKEN_NAME;
	token->end = token->at;
	while (is_word(lexer->text[token->end]))
		token->end++;
	return TRUE;
}

static gboolean take_number(LttLexer *lexer, GError **error)
{
	LttToken *token = &lexer->token;
	const char *start = lexer->text + token->at;
	const gboolean is_decimal = start[0] != '0' || (start[1] | 0x20) != 'x';
	const char *at = start;
	const char *expected;

	while (is_word(*at) || *at == '.' ||
	       ((*at == '-' || *at == '+') && is_decimal && (at[-1] | 0x20) == 'e'))
		at++;
	token->kind = LTT_TOKEN_NUMBER;
	token->end = token->at + (gsize)(at - start);
	expected = ltt_number_parse(start, (gsize)(at - start), &token->number);
	if (expected != NULL) {
		g_autofree char *quoted = ltt_lexer_quote(lexer, token->at, token->end);

		return ltt_filter_mistake(error, token->at, "%s is not a number: %s", quoted,
					  expected);
	}
	return TRUE;
}

static const struct {
	const char *text;
	LttTokenKind kind;
} operators[] = {
	/* Longest match first. */
	{"==", LTT_TOKEN_EQ},         {"!=", LTT_TOKEN_NE},   {"<=", LTT_TOKEN_LE},
	{">=", LTT_TOKEN_GE},         {"=~", LTT_TOKEN_LIKE}, {"&&", LTT_TOKEN_AND},
	{"||", LTT_TOKEN_OR},         {"<", LTT_TOKEN_LT},    {">", LTT_TOKEN_GT},
	{"!", LTT_TOKEN_NOT},         {"-", LTT_TOKEN_MINUS}, {"(", LTT_TOKEN_OPEN},
	{")", LTT_TOKEN_CLOSE},       {".", LTT_TOKEN_DOT},   {"[", LTT_TOKEN_OPEN_INDEX},
	{"]", LTT_TOKEN_CLOSE_INDEX}, {",", LTT_TOKEN_COMMA}, {"*", LTT_TOKEN_STAR},
};

/* Common mistakes, and what to suggest instead. */
static const struct {
	const char *text;
	const char *expected;
} slips[] = {
	{"=", "expected == or =~"},
	{"&", "expected &&"},
	{"|", "expected ||"},
	{"~", "expected =~"},
	{"'", "expected strings in double quotes"},
};

static gboolean take_operator(LttLexer *lexer, GError **error)
{
	LttToken *token = &lexer->token;
	const char *at = lexer->text + token->at;
	g_autofree char *quoted = NULL;

	for (guint i = 0; i < G_N_ELEMENTS(operators); i++) {
		if (g_str_has_prefix(at, operators[i].text)) {
			token->kind = operators[i].kind;
			token->end = token->at + strlen(operators[i].text);
			return TRUE;
		}
	}
	for (guint i = 0; i < G_N_ELEMENTS(slips); i++) {
		if (*at == *slips[i].text)
			return ltt_filter_mistake(error, token->at, "\"%s\" is not an operator: %s",
						  slips[i].text, slips[i].expected);
	}
	quoted = ltt_lexer_quote(lexer, token->at, end_of_character(lexer->text, token->at));
	return ltt_filter_mistake(error, token->at,
				  "%s is not part of a filter: expected names, numbers, strings "
				  "and " LTT_TOKEN_COMPARISONS " && || ! - ( ) [ ] . , *",
				  quoted);
}

gboolean ltt_lexer_next(LttLexer *lexer, GError **error)
{
	LttToken *token = &lexer->token;
	const LttTokenKind before = token->kind;
	const gsize at = token->end + strspn(lexer->text + token->end, " \t\n\v\f\r");
	const char first = lexer->text[at];

	clear_token(token);
	*token = (LttToken){.kind = LTT_TOKEN_END, .at = at, .end = at};
	if (first == '\0')
		return TRUE;
	if (first == '"')
		return take_string(lexer, error);
	if (is_name_start(first))
		return take_name(lexer);
	/* In a path a name follows a point, even if it begins with a digit. */
	if (g_ascii_isdigit(first) || (first == '.' && g_ascii_isdigit(lexer->text[at + 1]) &&
				       before != LTT_TOKEN_NAME && before != LTT_TOKEN_CLOSE_INDEX))
		return take_number(lexer, error);
	return take_operator(lexer, error);
}
