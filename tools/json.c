/* json.c - see json.h. */
#include "json.h"
#include "tool.h"

#include <ltt/ltt-print.h>
#include <ltt/ltt-time.h>

#define LINES_DEPTH 2 /* up to this depth each item has its own line */

static void write_string(const char *text)
{
	g_autoptr(GString) string = g_string_new(NULL);

	ltt_json_append_string(string, text, -1);
	tool_write(string->str, string->len);
}

static void new_line(const Json *json)
{
	tool_print("\n%*s", (int)(2 * json->depth), "");
}

/* Writes the comma, the newline and the key before an item. */
static void begin_item(Json *json, const char *key)
{
	if (json->has_before)
		tool_write_text(json->depth > LINES_DEPTH ? ", " : ",");
	if (json->depth > 0 && json->depth <= LINES_DEPTH)
		new_line(json);
	json->has_before = TRUE;
	if (key != NULL) {
		write_string(key);
		tool_write_text(": ");
	}
}

void json_open(Json *json, const char *key, char bracket)
{
	begin_item(json, key);
	tool_write(&bracket, 1);
	json->depth++;
	json->has_before = FALSE;
}

void json_close(Json *json, char bracket)
{
	const gboolean is_empty = !json->has_before;

	json->depth--;
	if (json->depth < LINES_DEPTH && !is_empty)
		new_line(json);
	tool_write(&bracket, 1);
	json->has_before = TRUE;
	if (json->depth == 0)
		tool_write_text("\n");
}

void json_null(Json *json, const char *key)
{
	begin_item(json, key);
	tool_write_text("null");
}

void json_text(Json *json, const char *key, const char *text)
{
	if (text == NULL) {
		json_null(json, key);
		return;
	}
	begin_item(json, key);
	write_string(text);
}

void json_number(Json *json, const char *key, guint64 number)
{
	begin_item(json, key);
	tool_print("%" G_GUINT64_FORMAT, number);
}

void json_integer(Json *json, const char *key, gint64 number)
{
	begin_item(json, key);
	tool_print("%" G_GINT64_FORMAT, number);
}

void json_decimal(Json *json, const char *key, double number)
{
	char text[G_ASCII_DTOSTR_BUF_SIZE * 8];

	begin_item(json, key);
	tool_write_text(g_ascii_formatd(text, sizeof(text), "%.3f", number));
}

void json_real(Json *json, const char *key, double number)
{
	char text[G_ASCII_DTOSTR_BUF_SIZE];

	begin_item(json, key);
	tool_write_text(g_ascii_dtostr(text, sizeof(text), number));
}

void json_time(Json *json, const char *key, gboolean is_there, guint64 time_ns)
{
	char text[LTT_TIME_TEXT_BYTES];

	if (is_there)
		ltt_time_format(time_ns, text);
	json_text(json, key, is_there ? text : NULL);
}

void json_place(Json *json, const char *key, gint64 place)
{
	if (place == LTT_NOWHERE)
		json_null(json, key);
	else
		json_number(json, key, (guint64)place);
}
