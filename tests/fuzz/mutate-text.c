/* mutate-text.c - see mutate-text.h.
 *
 * The grammars differ, but all of these texts consist of words, numbers, strings and punctuation, in
 * brackets that are nested. So one mutator serves all, with a list of words for each.
 */
#include "mutate-text.h"

#include <string.h>

#define MAX_TOKENS 2048
#define MAX_RUN    6 /* tokens without brackets */

typedef struct Token {
	gsize at;
	gsize end;
} Token;

typedef struct Text {
	char *bytes;
	gsize size; /* of the text */
	gsize room; /* for the text to grow */
	GRand *dice;
	const FuzzWords *language;
	Token tokens[MAX_TOKENS];
	guint n_tokens;
} Text;

static const char *const numbers[] = {
	"0",
	"1",
	"-1",
	"2",
	"3",
	"4",
	"5",
	"7",
	"8",
	"9",
	"16",
	"127",
	"128",
	"255",
	"256",
	"-128",
	"1000",
	"4096",
	"32767",
	"32768",
	"65535",
	"65536",
	"2147483647",
	"2147483648",
	"-2147483648",
	"4294967295",
	"4294967296",
	"9223372036854775807",
	"9223372036854775808",
	"-9223372036854775808",
	"18446744073709551615",
	"18446744073709551616",
	"0x7fffffffffffffff",
	"0x1p-3",
	"1e400",
	"0.5",
	"-0.0",
	"1e-7",
	"007",
	"1050000000.5",
	"NaN",
};

static guint64 below(const Text *text, guint64 n)
{
	return mutate_below(text->dice, n);
}

/* ---- tokens ---- */

static gboolean is_word(char c)
{
	return g_ascii_isalnum(c) || c == '_' || ((guchar)c & 0x80) != 0;
}

/* Returns: the end of the token at @at. A number includes its point */
static gsize end_of_token(const Text *text, gsize at)
{
	const char first = text->bytes[at];
	gsize end = at + 1;

	if (first == '"' || first == '\'') {
		while (end < text->size && text->bytes[end] != first)
			end += text->bytes[end] == '\\' ? 2 : 1;
		return MIN(end + 1, text->size);
	}
	if (is_word(first))
		while (end < text->size && (is_word(text->bytes[end]) ||
					    (g_ascii_isdigit(first) && text->bytes[end] == '.')))
			end++;
	else if (end < text->size && strchr("=<>!&|+-/", first) != NULL &&
		 strchr("=~&|<>-/", text->bytes[end]) != NULL)
		end++;
	return end;
}

static void split(Text *text)
{
	gsize at = 0;

	text->n_tokens = 0;
	while (at < text->size && text->n_tokens < MAX_TOKENS) {
		if (g_ascii_isspace(text->bytes[at])) {
			at++;
			continue;
		}
		text->tokens[text->n_tokens].at = at;
		at = end_of_token(text, at);
		text->tokens[text->n_tokens++].end = at;
	}
}

static gboolean is_token(const Text *text, guint number, const char *what)
{
	const Token *token = &text->tokens[number];

	return number < text->n_tokens && token->end - token->at == strlen(what) &&
	       memcmp(text->bytes + token->at, what, strlen(what)) == 0;
}

/* ---- runs of tokens ---- */

/* Returns: the number of the token after the bracket that closes the one at @first */
static guint skip_brackets(const Text *text, guint first)
{
	guint depth = 0;
	guint i;

	for (i = first; i < text->n_tokens; i++) {
		const char c = text->bytes[text->tokens[i].at];

		if (c == '(' || c == '[' || c == '{')
			depth++;
		else if ((c == ')' || c == ']' || c == '}') && --depth == 0)
			return i + 1;
	}
	return i;
}

/* Returns: the number of the token after the XML element at @first */
static guint skip_element(const Text *text, guint first)
{
	guint depth = 0;
	guint i;

	for (i = first; i < text->n_tokens; i++) {
		if (is_token(text, i, "</"))
			depth -= depth > 0 ? 1 : 0;
		else if (is_token(text, i, "/>"))
			depth--;
		else if (text->bytes[text->tokens[i].at] == '<')
			depth++;
		if (depth == 0)
			break;
	}
	/* The rest of an end tag. */
	while (i < text->n_tokens && text->bytes[text->tokens[i].end - 1] != '>')
		i++;
	return MIN(i + 1, text->n_tokens);
}

/* Returns: the number of the token after those that belong to @first, or after a few */
static guint end_of_run(const Text *text, guint first)
{
	const char c = text->bytes[text->tokens[first].at];
	const guint few = first + 1 + (guint)below(text, MAX_RUN);

	if (below(text, 4) != 0) {
		if (c == '(' || c == '[' || c == '{')
			return skip_brackets(text, first);
		if (c == '<' && is_word(text->bytes[text->tokens[first].end]))
			return skip_element(text, first);
		if (is_token(text, first + 1, "=") || is_token(text, first + 1, ":"))
			return MIN(first + 3, text->n_tokens);
		if (is_token(text, first + 1, "("))
			return skip_brackets(text, first + 1);
	}
	return MIN(few, text->n_tokens);
}

static Token choose_run(const Text *text)
{
	const guint first = (guint)below(text, text->n_tokens);

	return (Token){text->tokens[first].at, text->tokens[end_of_run(text, first) - 1].end};
}

static Token choose_token(const Text *text)
{
	return text->tokens[below(text, text->n_tokens)];
}

/* ---- changes ---- */

/* Replaces the bytes of @old by @bytes, between spaces if @is_apart. */
static void replace(Text *text, Token old, const char *bytes, gsize size, gboolean is_apart)
{
	const char *space = is_apart ? " " : "";
	g_autofree char *new = g_strdup_printf("%s%.*s%s", space, (int)size, bytes, space);
	const gsize length = strlen(new);
	const gsize removed = old.end - old.at;

	if (length > removed && length - removed > text->room)
		return;
	mutate_shift((uint8_t *)text->bytes, old.end, text->size, (gint64)length - (gint64)removed);
	memcpy(text->bytes + old.at, new, length);
	text->size = text->size + length - removed;
	text->room = text->room + removed - length;
}

static void put_word(Text *text, Token old, gboolean is_apart)
{
	const char *word = below(text, 4) == 0
				   ? numbers[below(text, G_N_ELEMENTS(numbers))]
				   : text->language->words[below(text, text->language->n_words)];

	replace(text, old, word, strlen(word), is_apart);
}

static void insert_word(Text *text)
{
	const gsize at = choose_token(text).end;

	put_word(text, (Token){at, at}, below(text, 2) == 0);
}

static void replace_by_word(Text *text)
{
	put_word(text, choose_token(text), FALSE);
}

/* Replaces the contents of a string or of an attribute, a number, or a word. */
static void replace_value(Text *text)
{
	for (guint i = 0; i < 16; i++) {
		Token token = choose_token(text);
		const char first = text->bytes[token.at];

		if (token.end - token.at >= 2 && (first == '"' || first == '\'')) {
			token.at++;
			token.end--;
		} else if (!g_ascii_isdigit(first)) {
			continue;
		}
		put_word(text, token, FALSE);
		return;
	}
}

static void copy_run(Text *text)
{
	const Token from = choose_run(text);
	const Token to = choose_token(text);
	g_autofree char *bytes = g_strndup(text->bytes + from.at, from.end - from.at);

	replace(text, (Token){to.at, to.at}, bytes, from.end - from.at, below(text, 2) == 0);
}

/* Repeats a run, with one of the words in between: a && a, a, a. */
static void repeat_run(Text *text)
{
	const Token from = choose_run(text);
	const char *word = text->language->words[below(text, text->language->n_words)];
	g_autofree char *bytes = g_strdup_printf("%s %.*s", below(text, 2) == 0 ? word : "",
						 (int)(from.end - from.at), text->bytes + from.at);

	replace(text, (Token){from.end, from.end}, bytes, strlen(bytes), TRUE);
}

static void replace_by_run(Text *text)
{
	const Token from = choose_run(text);
	const Token to = below(text, 2) == 0 ? choose_run(text) : choose_token(text);
	g_autofree char *bytes = g_strndup(text->bytes + from.at, from.end - from.at);

	replace(text, to, bytes, from.end - from.at, FALSE);
}

static void drop_run(Text *text)
{
	replace(text, choose_run(text), "", 0, FALSE);
}

static void drop_token(Text *text)
{
	replace(text, choose_token(text), "", 0, FALSE);
}

static void wrap_run(Text *text)
{
	static const char *const brackets[] = {"()", "[]", "{}", "\"\""};
	const char *bracket = brackets[below(text, G_N_ELEMENTS(brackets))];
	const Token run = choose_run(text);
	g_autofree char *bytes = g_strdup_printf("%c%.*s%c", bracket[0], (int)(run.end - run.at),
						 text->bytes + run.at, bracket[1]);

	replace(text, run, bytes, strlen(bytes), FALSE);
}

static void change(Text *text)
{
	static void (*const changes[])(Text *) = {
		insert_word,    replace_by_word, replace_by_word, replace_value,
		replace_value,  copy_run,        repeat_run,      replace_by_run,
		replace_by_run, drop_run,        drop_token,      wrap_run,
	};

	split(text);
	if (text->n_tokens > 0)
		changes[below(text, G_N_ELEMENTS(changes))](text);
	else
		put_word(text, (Token){0, 0}, FALSE);
}

size_t mutate_text(uint8_t *data, size_t size, size_t max_size, unsigned int seed,
		   const FuzzWords *language)
{
	GRand *dice = g_rand_new_with_seed(seed);
	Text text = {.dice = dice, .language = language};
	g_autofree char *buffer = NULL;
	const uint8_t *end;
	gsize n_tail;

	if (size > max_size || size < language->n_head || mutate_is_blind(dice, 2)) {
		g_rand_free(dice);
		return LLVMFuzzerMutate(data, size, max_size);
	}
	end = memchr(data + language->n_head, '\0', size - language->n_head);
	n_tail = end != NULL ? (gsize)(data + size - end) : 0;
	buffer = g_malloc0(max_size + 1);
	text.bytes = buffer;
	text.size = size - language->n_head - n_tail;
	text.room = max_size - size;
	memcpy(buffer, data + language->n_head, text.size);
	for (guint64 n = 1 + mutate_below(dice, 3); n > 0; n--)
		change(&text);
	memmove(data + language->n_head + text.size, data + size - n_tail, n_tail);
	memcpy(data + language->n_head, buffer, text.size);
	g_rand_free(dice);
	return language->n_head + text.size + n_tail;
}
