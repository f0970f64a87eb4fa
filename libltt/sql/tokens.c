/* tokens.c - see tokens-priv.h. SQLite has compiled the text before, so that it has no mistakes. */
#include "sql/tokens-priv.h"

#include <string.h>

static void clear_token(gpointer token)
{
	g_free(((LttSqlToken *)token)->text);
}

static gboolean is_word(char c)
{
	return g_ascii_isalnum(c) || c == '_' || c == '$' || (c & 0x80) != 0;
}

/* Returns: the length of the space or comment at @at; 0: there is none */
static gsize skip(const char *at, const char *end)
{
	const gsize length = (gsize)(end - at);
	const char *close;

	if (g_ascii_isspace(*at))
		return 1;
	if (length > 1 && at[0] == '-' && at[1] == '-') {
		close = memchr(at, '\n', length);
		return close != NULL ? (gsize)(close + 1 - at) : length;
	}
	if (length > 1 && at[0] == '/' && at[1] == '*') {
		close = g_strstr_len(at + 2, (gssize)length - 2, "*/");
		return close != NULL ? (gsize)(close + 2 - at) : length;
	}
	return 0;
}

/* Takes what is between @quote and the next one; two of them stand for one. Returns: its length */
static gsize take_quoted(const char *at, const char *end, char quote, LttSqlToken *token)
{
	GString *text = g_string_new(NULL);
	const char *next = at + 1;

	while (next < end && (*next != quote || (next + 1 < end && next[1] == quote))) {
		g_string_append_c(text, *next);
		next += *next == quote ? 2 : 1;
	}
	token->text = g_string_free(text, FALSE);
	token->is_quoted = TRUE;
	token->kind = quote == '\'' ? LTT_SQL_TOKEN_TEXT : LTT_SQL_TOKEN_NAME;
	return (gsize)(next - at) + (next < end ? 1 : 0);
}

/* Returns: the length of an operator or a parenthesis */
static gsize measure_operator(const char *at, const char *end)
{
	static const char *const pairs[] = {"<>", "!=", "==", "<=", ">=", "||", "<<", ">>"};

	for (gsize i = 0; end - at > 1 && i < G_N_ELEMENTS(pairs); i++) {
		if (strncmp(at, pairs[i], 2) == 0)
			return 2;
	}
	return 1;
}

static gsize take(const char *at, const char *end, LttSqlToken *token)
{
	gsize length = 0;

	*token = (LttSqlToken){.kind = LTT_SQL_TOKEN_OTHER};
	if (*at == '\'' || *at == '"' || *at == '`')
		return take_quoted(at, end, *at, token);
	if (*at == '[')
		return take_quoted(at, end, ']', token);
	while (at + length < end && is_word(at[length]))
		length++;
	if (length > 0 && !g_ascii_isdigit(*at))
		token->kind = LTT_SQL_TOKEN_NAME;
	if (length == 0)
		length = measure_operator(at, end);
	token->text = g_strndup(at, length);
	return length;
}

GArray *ltt_sql_tokens_new(const char *text, gsize length)
{
	GArray *tokens = g_array_new(FALSE, FALSE, sizeof(LttSqlToken));
	const char *end = text + length;

	g_array_set_clear_func(tokens, clear_token);
	while (text < end) {
		const gsize skipped = skip(text, end);
		LttSqlToken token;

		if (skipped == 0) {
			text += take(text, end, &token);
			g_array_append_val(tokens, token);
		}
		text += skipped;
	}
	return tokens;
}
