/* table.c - see table.h. */
#include "table.h"
#include "tool.h"

#include <string.h>

#define MAX_COLUMNS 12

struct Table {
	GPtrArray *rows; /* of GPtrArray of char *; the first has the headings */
	gboolean right[MAX_COLUMNS];
};

static GPtrArray *add_row(Table *table)
{
	GPtrArray *row = g_ptr_array_new_with_free_func(g_free);

	g_ptr_array_add(table->rows, row);
	return row;
}

Table *table_new(const char *first_heading, ...)
{
	Table *table = g_new0(Table, 1);
	GPtrArray *row;
	va_list headings;

	table->rows = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
	row = add_row(table);
	va_start(headings, first_heading);
	for (const char *text = first_heading; text != NULL;
	     text = va_arg(headings, const char *)) {
		g_assert(row->len < MAX_COLUMNS);
		table->right[row->len] = text[0] == '>';
		g_ptr_array_add(row, g_strdup(text[0] == '>' ? text + 1 : text));
	}
	va_end(headings);
	return table;
}

void table_free(Table *table)
{
	g_ptr_array_unref(table->rows);
	g_free(table);
}

void table_add(Table *table, char *first_cell, ...)
{
	GPtrArray *row = add_row(table);
	va_list cells;

	va_start(cells, first_cell);
	for (char *text = first_cell; text != NULL; text = va_arg(cells, char *)) {
		/* The first column is indented below its heading. */
		g_autofree char *safe = tool_escape(text);

		g_assert(row->len < MAX_COLUMNS);
		g_ptr_array_add(row,
				row->len == 0 ? g_strconcat("  ", safe, NULL) : g_strdup(safe));
		g_free(text);
	}
	va_end(cells);
}

static gsize column_width(const Table *table, guint column)
{
	gsize width = 0;

	for (guint i = 0; i < table->rows->len; i++) {
		const GPtrArray *row = g_ptr_array_index(table->rows, i);

		if (column < row->len)
			width = MAX(width, strlen(g_ptr_array_index(row, column)));
	}
	return width;
}

static void pad(GString *line, gsize n)
{
	for (; n > 0; n--)
		g_string_append_c(line, ' ');
}

void table_print(const Table *table)
{
	gsize widths[MAX_COLUMNS];

	for (guint column = 0; column < MAX_COLUMNS; column++)
		widths[column] = column_width(table, column);
	for (guint i = 0; i < table->rows->len; i++) {
		const GPtrArray *row = g_ptr_array_index(table->rows, i);
		g_autoptr(GString) line = g_string_new(NULL);

		for (guint column = 0; column < row->len; column++) {
			const char *cell = g_ptr_array_index(row, column);
			gsize room = widths[column] - strlen(cell);

			if (column > 0)
				g_string_append(line, "  ");
			if (table->right[column])
				pad(line, room);
			g_string_append(line, cell);
			if (!table->right[column])
				pad(line, room);
		}
		g_strchomp(line->str);
		tool_print("%s\n", line->str);
	}
}
