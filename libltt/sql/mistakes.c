/* mistakes.c - add suggestions for mistyped names to the messages of SQLite. */
#include "sql/sql-priv.h"

#include <ltt/ltt-nearest.h>

#include <string.h>

/* Returns: (nullable): the name after @before in a message */
static const char *find_name(const char *message, const char *before)
{
	const char *at = strstr(message, before);

	return at != NULL ? at + strlen(before) : NULL;
}

static const char *find_table(const LttSql *sql, const char *name)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	for (guint i = 0; i < sql->all->len; i++)
		g_ptr_array_add(names, ((const LttSqlTable *)sql->all->pdata[i])->name);
	g_ptr_array_add(names, NULL);
	return ltt_nearest(name, (const char *const *)names->pdata);
}

/* Searches the columns of the tables whose names are in the text. */
static const char *find_column(const LttSql *sql, const char *text, const char *name)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	g_autofree char *folded = g_ascii_strdown(text, -1);

	for (guint i = 0; i < sql->all->len; i++) {
		const LttSqlTable *table = sql->all->pdata[i];
		g_autofree char *table_name = g_ascii_strdown(table->name, -1);

		for (guint j = 0; strstr(folded, table_name) != NULL && j < table->columns->len;
		     j++)
			g_ptr_array_add(names, ltt_sql_table_get(table, j)->name);
	}
	g_ptr_array_add(names, NULL);
	return ltt_nearest(name, (const char *const *)names->pdata);
}

char *ltt_sql_explain(const LttSql *sql, const char *text, const char *message)
{
	const char *table = find_name(message, "no such table: ");
	const char *column = find_name(message, "no such column: ");
	const char *near;

	if (table != NULL) {
		near = find_table(sql, table);
		return near != NULL ? g_strdup_printf("%s; did you mean %s?", message, near)
				    : g_strdup_printf("%s; the table types lists those of events",
						      message);
	}
	if (column == NULL)
		return g_strdup(message);
	if (strrchr(column, '.') != NULL)
		column = strrchr(column, '.') + 1;
	near = find_column(sql, text, column);
	return near != NULL ? g_strdup_printf("%s; did you mean %s?", message, near)
			    : g_strdup_printf("%s; a text is in 'single quotes'", message);
}
