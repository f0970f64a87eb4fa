/* text-words.c - write untrusted text as C comments and string literals.
 *
 * A comment keeps the words only, separated by one space. Character pairs that end or open a comment
 * or form a trigraph are separated. Characters that make the source look different from what a
 * compiler reads (controls, direction marks, invisible characters) are removed. In a literal, every
 * byte that is not printable ASCII is an octal escape, so it is the same in any source encoding.
 */
#include "codegen/text-priv.h"

#include <string.h>

#define MAX_COLUMNS 100
#define TAB_COLUMNS 8

/* ---- comments ---- */

static gboolean is_blank(gunichar c)
{
	switch (g_unichar_type(c)) {
	case G_UNICODE_CONTROL:
	case G_UNICODE_FORMAT:
	case G_UNICODE_UNASSIGNED:
	case G_UNICODE_PRIVATE_USE:
	case G_UNICODE_SURROGATE:
	case G_UNICODE_LINE_SEPARATOR:
	case G_UNICODE_PARAGRAPH_SEPARATOR:
	case G_UNICODE_SPACE_SEPARATOR:
		return TRUE;
	default:
		return FALSE;
	}
}

/* Returns: whether two adjacent characters have a meaning inside a comment */
static gboolean must_part(char first, char second)
{
	return (first == '*' && second == '/') || (first == '/' && second == '*') ||
	       (first == '?' && second == '?');
}

char *ltt_comment_words(const char *untrusted)
{
	g_autofree char *valid = g_utf8_make_valid(untrusted != NULL ? untrusted : "", -1);
	GString *words = g_string_new(NULL);
	gboolean is_apart = FALSE;

	for (const char *at = valid; *at != '\0'; at = g_utf8_next_char(at)) {
		const gunichar c = g_utf8_get_char(at);

		if (is_blank(c)) {
			is_apart = words->len > 0;
			continue;
		}
		if (words->len > 0 && must_part(words->str[words->len - 1], *at))
			is_apart = TRUE;
		if (is_apart)
			g_string_append_c(words, ' ');
		is_apart = FALSE;
		g_string_append_unichar(words, c);
	}
	return g_string_free(words, FALSE);
}

/* Returns: the length in bytes of the whole words that fit @columns, at least one word */
static gsize measure_line(const char *words, glong columns)
{
	gsize length = strcspn(words, " ");
	glong column = g_utf8_strlen(words, (gssize)length);

	while (words[length] != '\0') {
		const char *word = words + length + 1;
		const gsize word_length = strcspn(word, " ");

		column += 1 + g_utf8_strlen(word, (gssize)word_length);
		if (column > columns)
			break;
		length += 1 + word_length;
	}
	return length;
}

void ltt_text_comment_lines(LttText *text, const char *lead, const char *words)
{
	const glong columns = MAX_COLUMNS - (glong)text->indent * TAB_COLUMNS - 3;
	const gsize lead_columns = strlen(lead);

	while (*words != '\0' && !text->is_full) {
		const gsize length = measure_line(words, columns - (glong)lead_columns);

		ltt_text_line(text, " * %s%.*s", lead, (int)length, words);
		words += length + (words[length] == ' ');
		if (lead[0] != '\0')
			lead = "  ";
	}
}

void ltt_text_comment(LttText *text, const char *words)
{
	const glong room = MAX_COLUMNS - (glong)text->indent * TAB_COLUMNS - 6;

	if (g_utf8_strlen(words, -1) <= room) {
		ltt_text_line(text, "/* %s */", words);
		return;
	}
	ltt_text_line(text, "/*");
	ltt_text_comment_lines(text, "", words);
	ltt_text_line(text, " */");
}

void ltt_text_member(LttText *text, const char *declaration, const char *words)
{
	const gsize column = text->indent * TAB_COLUMNS + strlen(declaration) + strlen("; /*  */");

	if (words[0] == '\0') {
		ltt_text_line(text, "%s;", declaration);
	} else if (column + (gsize)g_utf8_strlen(words, -1) <= MAX_COLUMNS) {
		ltt_text_line(text, "%s; /* %s */", declaration, words);
	} else {
		ltt_text_comment(text, words);
		ltt_text_line(text, "%s;", declaration);
	}
}

/* ---- string literals ---- */

static void add_literal_byte(GString *literal, guchar byte)
{
	if (byte == '\n')
		g_string_append(literal, "\\n");
	else if (byte == '"' || byte == '\\' ||
		 (byte == '?' && g_str_has_suffix(literal->str, "?")))
		g_string_append_printf(literal, "\\%c", byte); /* two "?" begin a trigraph */
	else if (byte >= 0x20 && byte < 0x7f)
		g_string_append_c(literal, (char)byte);
	else
		g_string_append_printf(literal, "\\%03o", byte);
}

void ltt_text_string(LttText *text, const char *string, const char *tail)
{
	g_autoptr(GString) literal = g_string_new(NULL);

	do {
		g_string_assign(literal, "\"");
		while (*string != '\0') {
			add_literal_byte(literal, (guchar)*string);
			if (*string++ == '\n')
				break;
		}
		g_string_append_c(literal, '"');
		ltt_text_line(text, "%s%s", literal->str, *string == '\0' ? tail : "");
	} while (*string != '\0' && !text->is_full);
}
