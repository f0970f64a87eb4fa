/* sql-output.c - see sql-output.h.
 *
 * Text is in columns as wide as the first rows need; a longer value further down moves the rest of
 * its line. Nothing else is kept, so a result may have any length.
 */
#include "sql-output.h"

#include "terminal.h"
#include "tool.h"

#include <ltt/ltt-nearest.h>
#include <ltt/ltt-print.h>

#include <stdlib.h>
#include <string.h>

/* Rows that determine the widths of text, and their limit. */
#define LOOK_ROWS 200
#define MAX_WIDTH 60

typedef enum Format {
	FORMAT_TEXT,
	FORMAT_CSV,
	FORMAT_JSON,
	FORMAT_MARKDOWN,
} Format;

static const char *const formats[] = {"text", "csv", "json", "markdown", NULL};
static Format format;

gboolean sql_output_set(const char *name)
{
	const char *near;

	for (guint i = 0; formats[i] != NULL; i++) {
		if (g_str_equal(formats[i], name)) {
			format = (Format)i;
			return TRUE;
		}
	}
	near = ltt_nearest(name, formats);
	tool_fail("--format: %s: expected text, csv, json or markdown%s%s%s", name,
		  near != NULL ? "; did you mean " : "", near != NULL ? near : "",
		  near != NULL ? "?" : "");
	return FALSE;
}

/* ---- values ---- */

/* The fewest digits that read back to the same number. */
static void append_float(GString *out, double value)
{
	char text[G_ASCII_DTOSTR_BUF_SIZE];

	for (int digits = 15; digits <= 17; digits++) {
		char form[8];

		g_snprintf(form, sizeof(form), "%%.%dg", digits);
		g_ascii_formatd(text, sizeof(text), form, value);
		if (g_ascii_strtod(text, NULL) == value)
			break;
	}
	g_string_append(out, text);
	if (text[strcspn(text, ".en")] == '\0')
		g_string_append(out, ".0");
}

static void append_hex(GString *out, const char *bytes, gsize length)
{
	for (gsize i = 0; i < length; i++)
		g_string_append_printf(out, "%02x", (guint8)bytes[i]);
}

/* Appends a value without quotes; nothing for a null. */
static void append_plain(GString *out, const LttSqlQuery *query, guint column)
{
	const LttSqlKind kind = ltt_sql_query_get_kind(query, column);
	gsize length;
	const char *text;

	if (kind == LTT_SQL_FLOAT) {
		append_float(out, ltt_sql_query_get_float(query, column));
		return;
	}
	text = ltt_sql_query_get_text(query, column, &length);
	if (kind == LTT_SQL_BYTES)
		append_hex(out, text, length);
	else if (text != NULL)
		g_string_append_len(out, text, (gssize)length);
}

static void append_json(GString *out, const LttSqlQuery *query, guint column)
{
	const LttSqlKind kind = ltt_sql_query_get_kind(query, column);
	const double real = kind == LTT_SQL_FLOAT ? ltt_sql_query_get_float(query, column) : 0;
	g_autoptr(GString) text = g_string_new(NULL);

	append_plain(text, query, column);
	if (kind == LTT_SQL_NULL)
		g_string_append(out, "null");
	else if (kind == LTT_SQL_FLOAT && real - real != 0)
		g_string_append(out, real > 0 ? "\"Infinity\"" : "\"-Infinity\"");
	else if (kind == LTT_SQL_INT || kind == LTT_SQL_FLOAT)
		g_string_append_len(out, text->str, (gssize)text->len);
	else
		ltt_json_append_string(out, text->str, (gssize)text->len);
}

static void append_csv(GString *out, const char *text, gsize length)
{
	gboolean needs_quotes = FALSE;

	for (gsize i = 0; i < length; i++)
		needs_quotes |= strchr("\",\r\n", text[i]) != NULL;
	if (!needs_quotes) {
		g_string_append_len(out, text, (gssize)length);
		return;
	}
	g_string_append_c(out, '"');
	for (gsize i = 0; i < length; i++) {
		if (text[i] == '"')
			g_string_append_c(out, '"');
		g_string_append_c(out, text[i]);
	}
	g_string_append_c(out, '"');
}

/* ---- lines ---- */

static void print_line(GString *line)
{
	g_string_append_c(line, '\n');
	terminal_write(line->str, line->len, NULL, NULL);
	g_string_truncate(line, 0);
}

/* Returns: (transfer full): the names of the columns, different ones: the second "a" is "a_1" */
static char **make_keys(const LttSqlQuery *query)
{
	const guint n_columns = ltt_sql_query_get_n_columns(query);
	char **keys = g_new0(char *, n_columns + 1);

	for (guint i = 0; i < n_columns; i++) {
		const char *name = ltt_sql_query_get_name(query, i);
		char *key = g_strdup(name);

		for (guint n = 1; g_strv_contains((const char *const *)keys, key); n++) {
			g_free(key);
			key = g_strdup_printf("%s_%u", name, n);
		}
		keys[i] = key;
	}
	return keys;
}

static void print_json(LttSqlQuery *query, char **keys, GString *line)
{
	g_string_append_c(line, '{');
	for (guint i = 0; i < ltt_sql_query_get_n_columns(query); i++) {
		if (i > 0)
			g_string_append_c(line, ',');
		ltt_json_append_string(line, keys[i], -1);
		g_string_append_c(line, ':');
		append_json(line, query, i);
	}
	g_string_append_c(line, '}');
	print_line(line);
}

static void print_csv(LttSqlQuery *query, GString *line)
{
	g_autoptr(GString) value = g_string_new(NULL);

	for (guint i = 0; i < ltt_sql_query_get_n_columns(query); i++) {
		if (i > 0)
			g_string_append_c(line, ',');
		g_string_truncate(value, 0);
		append_plain(value, query, i);
		append_csv(line, value->str, value->len);
	}
	print_line(line);
}

static void print_csv_head(LttSqlQuery *query, GString *line)
{
	for (guint i = 0; i < ltt_sql_query_get_n_columns(query); i++) {
		const char *name = ltt_sql_query_get_name(query, i);

		if (i > 0)
			g_string_append_c(line, ',');
		append_csv(line, name, strlen(name));
	}
	print_line(line);
}

/* ---- tables: text and Markdown ---- */

/* The texts of a row as printed, and which of them are numbers. */
typedef struct Row {
	char **texts;
	gboolean *are_numbers;
} Row;

static void free_row(gpointer data)
{
	Row *row = data;

	g_strfreev(row->texts);
	g_free(row->are_numbers);
	g_free(row);
}

/* Text from a trace must not change the terminal, nor the structure of a table. */
static char *print_cell(const char *text)
{
	g_autofree char *escaped = tool_escape(text);
	g_auto(GStrv) parts = NULL;

	if (format != FORMAT_MARKDOWN)
		return g_steal_pointer(&escaped);
	parts = g_strsplit(escaped, "|", -1);
	return g_strjoinv("\\|", parts);
}

/* Adds the lines of a value that is alone in its row, such as a histogram, as rows. Returns: FALSE if
 * it has one line only */
static gboolean add_lines(const LttSqlQuery *query, GPtrArray *rows)
{
	g_autoptr(GString) value = g_string_new(NULL);
	g_auto(GStrv) lines = NULL;

	if (format != FORMAT_TEXT || ltt_sql_query_get_n_columns(query) != 1)
		return FALSE;
	append_plain(value, query, 0);
	if (strchr(value->str, '\n') == NULL)
		return FALSE;
	lines = g_strsplit(value->str, "\n", -1);
	for (guint i = 0; lines[i] != NULL; i++) {
		Row *row = g_new(Row, 1);

		row->texts = g_new0(char *, 2);
		row->texts[0] = print_cell(lines[i]);
		row->are_numbers = g_new0(gboolean, 1);
		g_ptr_array_add(rows, row);
	}
	return TRUE;
}

static Row *read_row(const LttSqlQuery *query)
{
	const guint n_columns = ltt_sql_query_get_n_columns(query);
	Row *row = g_new(Row, 1);

	row->texts = g_new0(char *, n_columns + 1);
	row->are_numbers = g_new(gboolean, n_columns);
	for (guint i = 0; i < n_columns; i++) {
		const LttSqlKind kind = ltt_sql_query_get_kind(query, i);
		g_autoptr(GString) value = g_string_new(NULL);

		append_plain(value, query, i);
		row->texts[i] = print_cell(value->str);
		row->are_numbers[i] = kind == LTT_SQL_INT || kind == LTT_SQL_FLOAT;
	}
	return row;
}

static void append_padded(GString *line, const char *text, glong width, gboolean is_right)
{
	const glong length = g_utf8_strlen(text, -1);

	for (glong i = length; is_right && i < width; i++)
		g_string_append_c(line, ' ');
	g_string_append(line, text);
	for (glong i = length; !is_right && i < width; i++)
		g_string_append_c(line, ' ');
}

static void print_cells(char **texts, const gboolean *are_numbers, const glong *widths,
			GString *line)
{
	const gboolean is_markdown = format == FORMAT_MARKDOWN;

	for (guint i = 0; texts[i] != NULL; i++) {
		g_string_append(line, is_markdown ? (i > 0 ? " | " : "| ") : (i > 0 ? "  " : ""));
		append_padded(line, texts[i], widths[i], are_numbers != NULL && are_numbers[i]);
	}
	if (is_markdown)
		g_string_append(line, " |");
	while (line->len > 0 && line->str[line->len - 1] == ' ')
		g_string_truncate(line, line->len - 1);
	print_line(line);
}

static void print_head(char **names, const GPtrArray *rows, const glong *widths, GString *line)
{
	const gboolean *are_numbers = rows->len > 0 ? ((Row *)rows->pdata[0])->are_numbers : NULL;

	print_cells(names, are_numbers, widths, line);
	for (guint i = 0; names[i] != NULL; i++) {
		const gboolean is_right = are_numbers != NULL && are_numbers[i];

		if (format == FORMAT_MARKDOWN)
			g_string_append(line, i > 0 ? " | " : "| ");
		else if (i > 0)
			g_string_append(line, "  ");
		for (glong n = 0; n < widths[i] - (format == FORMAT_MARKDOWN && is_right); n++)
			g_string_append_c(line, '-');
		if (format == FORMAT_MARKDOWN && is_right)
			g_string_append_c(line, ':');
	}
	if (format == FORMAT_MARKDOWN)
		g_string_append(line, " |");
	print_line(line);
}

static void widen(glong *widths, char **texts)
{
	for (guint i = 0; texts[i] != NULL; i++)
		widths[i] = MAX(widths[i], MIN(g_utf8_strlen(texts[i], -1), MAX_WIDTH));
}

static void print_some(GPtrArray *rows, const glong *widths, GString *line)
{
	for (guint i = 0; i < rows->len; i++) {
		const Row *row = rows->pdata[i];

		print_cells(row->texts, row->are_numbers, widths, line);
	}
	g_ptr_array_set_size(rows, 0);
}

static void print_rows(char **names, GPtrArray *rows, glong *widths, GString *line)
{
	widen(widths, names);
	for (guint i = 0; i < rows->len; i++)
		widen(widths, ((Row *)rows->pdata[i])->texts);
	print_head(names, rows, widths, line);
	print_some(rows, widths, line);
}

static gboolean print_table(LttSqlQuery *query, GError **error)
{
	const guint n_columns = ltt_sql_query_get_n_columns(query);
	g_autofree glong *widths = g_new0(glong, n_columns);
	g_auto(GStrv) names = g_new0(char *, n_columns + 1);
	g_autoptr(GPtrArray) rows = g_ptr_array_new_with_free_func(free_row);
	g_autoptr(GString) line = g_string_new(NULL);
	gboolean has_head = FALSE;
	LttStep step;

	for (guint i = 0; i < n_columns; i++) {
		names[i] = print_cell(ltt_sql_query_get_name(query, i));
		widths[i] = 3;
	}
	while ((step = ltt_sql_query_next(query, error)) == LTT_STEP_EVENT && tool_can_write()) {
		if (!add_lines(query, rows))
			g_ptr_array_add(rows, read_row(query));
		if (!has_head && rows->len < LOOK_ROWS)
			continue;
		if (!has_head) {
			print_rows(names, rows, widths, line);
		} else {
			print_some(rows, widths, line);
		}
		has_head = TRUE;
	}
	if (!has_head && step != LTT_STEP_ERROR)
		print_rows(names, rows, widths, line);
	return step == LTT_STEP_END;
}

gboolean sql_output_print(LttSqlQuery *query, GError **error)
{
	g_autoptr(GString) line = NULL;
	g_auto(GStrv) keys = NULL;
	LttStep step;

	if (ltt_sql_query_get_n_columns(query) == 0)
		return ltt_sql_query_next(query, error) != LTT_STEP_ERROR;
	if (format == FORMAT_TEXT || format == FORMAT_MARKDOWN)
		return print_table(query, error);
	line = g_string_new(NULL);
	keys = make_keys(query);
	if (format == FORMAT_CSV)
		print_csv_head(query, line);
	while ((step = ltt_sql_query_next(query, error)) == LTT_STEP_EVENT && tool_can_write()) {
		if (format == FORMAT_CSV)
			print_csv(query, line);
		else
			print_json(query, keys, line);
	}
	return step == LTT_STEP_END;
}
