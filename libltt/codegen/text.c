/* text.c - write lines and lists of C source; text-words.c writes comments and literals. */
#include "codegen/text-priv.h"

#include <string.h>

#define MAX_COLUMNS 100
#define TAB_COLUMNS 8

void ltt_text_init(LttText *text, gsize limit_bytes)
{
	*text = (LttText){.bytes = g_string_new(NULL), .limit_bytes = limit_bytes};
}

void ltt_text_clear(LttText *text)
{
	if (text->bytes != NULL)
		g_string_free(text->bytes, TRUE);
	text->bytes = NULL;
}

static void add(LttText *text, const char *bytes, gsize length)
{
	if (text->is_full || length > text->limit_bytes - text->bytes->len)
		text->is_full = TRUE;
	else
		g_string_append_len(text->bytes, bytes, (gssize)length);
}

static void add_tabs(LttText *text, guint count)
{
	for (guint i = 0; i < count; i++)
		add(text, "\t", 1);
}

static void add_formatted(LttText *text, const char *format, va_list arguments)
{
	g_autofree char *line = NULL;

	if (text->is_full)
		return;
	line = g_strdup_vprintf(format, arguments);
	add_tabs(text, text->indent);
	add(text, line, strlen(line));
	add(text, "\n", 1);
}

void ltt_text_append(LttText *text, const LttText *other)
{
	text->is_full = text->is_full || other->is_full;
	add(text, other->bytes->str, other->bytes->len);
}

void ltt_text_gap(LttText *text)
{
	add(text, "\n", 1);
}

void ltt_text_line(LttText *text, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	add_formatted(text, format, arguments);
	va_end(arguments);
}

void ltt_text_open(LttText *text, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	add_formatted(text, format, arguments);
	va_end(arguments);
	text->indent++;
}

void ltt_text_close(LttText *text, const char *format, ...)
{
	va_list arguments;

	text->indent--;
	va_start(arguments, format);
	add_formatted(text, format, arguments);
	va_end(arguments);
}

static gboolean has_room(const LttText *text, gsize columns)
{
	return text->indent * TAB_COLUMNS + columns <= MAX_COLUMNS;
}

void ltt_text_assign(LttText *text, const char *to, const char *from)
{
	if (has_room(text, strlen(to) + strlen(" = ;") + strlen(from))) {
		ltt_text_line(text, "%s = %s;", to, from);
	} else {
		ltt_text_line(text, "%s =", to);
		ltt_text_line(text, "\t%s;", from);
	}
}

void ltt_text_loop(LttText *text, const char *index, const char *condition)
{
	g_autofree char *head = g_strdup_printf("for (size_t %s = 0; %s;", index, condition);
	g_autofree char *tail = g_strdup_printf("%s++) {", index);

	if (has_room(text, strlen(head) + 1 + strlen(tail))) {
		ltt_text_line(text, "%s %s", head, tail);
	} else {
		ltt_text_line(text, "%s", head);
		ltt_text_line(text, "     %s", tail);
	}
	text->indent++;
}

/* Indents a line by that many columns. */
static void add_columns(LttText *text, gsize columns)
{
	add_tabs(text, (guint)(columns / TAB_COLUMNS));
	for (gsize i = 0; i < columns % TAB_COLUMNS; i++)
		add(text, " ", 1);
}

void ltt_text_list(LttText *text, const char *head, const GPtrArray *items, const char *tail)
{
	gsize start = text->indent * TAB_COLUMNS + strlen(head);
	gsize column = start;

	if (start > MAX_COLUMNS / 2)
		start = (text->indent + 1) * TAB_COLUMNS;
	add_tabs(text, text->indent);
	add(text, head, strlen(head));
	for (guint i = 0; i < items->len && !text->is_full; i++) {
		const char *item = items->pdata[i];
		const char *behind = i + 1 < items->len ? "," : tail;
		const gsize length = strlen(item) + strlen(behind);

		if (i > 0 && column + 1 + length > MAX_COLUMNS) {
			add(text, "\n", 1);
			add_columns(text, start);
			column = start;
		} else if (i > 0) {
			add(text, " ", 1);
			column++;
		}
		add(text, item, strlen(item));
		add(text, behind, strlen(behind));
		column += length;
	}
	if (items->len == 0)
		add(text, tail, strlen(tail));
	add(text, "\n", 1);
}
