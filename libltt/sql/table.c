/* table.c - the columns of tables: without nesting, and with unique names. */
#include "sql/table-priv.h"

#include <ltt/ltt-hash.h>
#include <ltt/ltt-join.h>

#include <string.h>

/* tracefile, trace and host */
#define N_PLACES 3

/* Of the names in a declaration, with what each column has besides its name. SQLite's limit is a MiB (guard.c). */
#define MAX_NAME_BYTES 1000000
#define COLUMN_BYTES   64

static void clear_column(gpointer column)
{
	g_free(((LttSqlColumn *)column)->name);
}

LttSqlTable *ltt_sql_table_new(const char *name, const char *description, LttSqlSource *source)
{
	LttSqlTable *table = g_new0(LttSqlTable, 1);

	table->name = g_strdup(name);
	table->description = g_strdup(description);
	table->source = source;
	table->columns = g_array_new(FALSE, FALSE, sizeof(LttSqlColumn));
	g_array_set_clear_func(table->columns, clear_column);
	return table;
}

void ltt_sql_table_free(LttSqlTable *table)
{
	g_clear_pointer(&table->indices, g_hash_table_unref);
	g_array_unref(table->columns);
	table->source->class->free(table->source);
	g_free(table->name);
	g_free(table->description);
	g_free(table);
}

gboolean ltt_sql_table_take_bytes(LttSqlTable *table, guint64 n_bytes, guint64 *n_taken,
				  GError **error)
{
	*n_taken += n_bytes;
	*table->index_bytes += n_bytes;
	if (*table->index_bytes <= table->max_index_bytes)
		return TRUE;
	g_set_error(error, LTT_ERROR, LTT_ERROR_LIMIT,
		    "a query needs more than %" G_GUINT64_FORMAT
		    " MiB for rows of %s: restrict it, for example to a window of time",
		    table->max_index_bytes >> 20, table->name);
	return FALSE;
}

/* ---- columns ---- */

static gboolean is_form(const LttColumn *column, LttSqlForm *form)
{
	switch (column->kind) {
	case LTT_COLUMN_TIME:
	case LTT_COLUMN_INT:
		*form = LTT_SQL_FORM_INT;
		return TRUE;
	case LTT_COLUMN_UINT:
		*form = column->width_bytes == sizeof(guint64) ? LTT_SQL_FORM_WIDE
							       : LTT_SQL_FORM_INT;
		return TRUE;
	case LTT_COLUMN_FLOAT:
		*form = LTT_SQL_FORM_REAL;
		return TRUE;
	case LTT_COLUMN_STRING:
		*form = LTT_SQL_FORM_TEXT;
		return TRUE;
	case LTT_COLUMN_ENUM:
		*form = LTT_SQL_FORM_LABEL;
		return TRUE;
	case LTT_COLUMN_STRUCT:
	case LTT_COLUMN_UNION:
		return FALSE;
	default:
		*form = LTT_SQL_FORM_JSON;
		return TRUE;
	}
}

/* @path: of which the last element is @column itself. @name: (transfer full) */
static void add_column(LttSqlTable *table, const LttColumn *column, const LttSqlColumn *path,
		       char *name)
{
	LttSqlColumn added = *path;

	added.name = name;
	added.of = column;
	added.is_hidden = FALSE;
	/* Deeper structs, and those without members, are JSON. */
	if (!is_form(column, &added.form) &&
	    (column->n_children == 0 || path->depth == LTT_SQL_MAX_DEPTH))
		added.form = LTT_SQL_FORM_JSON;
	else if (column->kind == LTT_COLUMN_STRUCT || column->kind == LTT_COLUMN_UNION) {
		for (guint i = 0; i < column->n_children; i++) {
			LttSqlColumn child = *path;

			child.path[child.depth++] = i;
			add_column(table, &column->children[i], &child,
				   g_strdup_printf("%s.%s", name, column->children[i].name));
			/* The tag is the name of the active member. */
			if (column->kind == LTT_COLUMN_UNION && i == 0)
				g_array_index(table->columns, LttSqlColumn, table->columns->len - 2)
					.is_hidden = TRUE;
		}
		g_free(name);
		return;
	}
	g_array_append_val(table->columns, added);
	if (added.form == LTT_SQL_FORM_LABEL) {
		added.name = g_strdup_printf("%s_code", name);
		added.form = LTT_SQL_FORM_NUMBER;
		added.is_hidden = TRUE;
		g_array_append_val(table->columns, added);
	}
}

void ltt_sql_table_add(LttSqlTable *table, const LttColumn *column, guint root)
{
	const LttSqlColumn path = {.root = (gint)root};

	add_column(table, column, &path, g_strdup(column->name));
	if (column->role == LTT_FIELD_FUNCTION || column->role == LTT_FIELD_CODE) {
		LttSqlColumn symbol = path;

		symbol.name = g_strdup_printf("%s_symbol", column->name);
		symbol.form = LTT_SQL_FORM_SYMBOL;
		symbol.is_hidden = TRUE;
		g_array_append_val(table->columns, symbol);
	}
}

void ltt_sql_table_limit_fields(LttSqlTable *table)
{
	const guint n_max = MIN(table->columns->len, LTT_SQL_MAX_COLUMNS - N_PLACES);
	gsize n_bytes = 0;
	guint n = 0;

	while (n < n_max && n_bytes <= MAX_NAME_BYTES) {
		n_bytes += strlen(ltt_sql_table_get(table, n)->name) + COLUMN_BYTES;
		n++;
	}
	table->n_left_out = table->columns->len - n;
	g_array_set_size(table->columns, n);
}

void ltt_sql_table_add_place(LttSqlTable *table, const char *name, LttSqlForm form,
			     gboolean is_hidden)
{
	const LttSqlColumn column = {
		.name = g_strdup(name), .form = form, .is_hidden = is_hidden, .root = -1};

	g_array_append_val(table->columns, column);
}

void ltt_sql_table_add_origin(LttSqlTable *table, gboolean is_function)
{
	const gboolean is_single = !ltt_sql_env_has_origins(table->source->env);

	if (is_single && is_function)
		return;
	ltt_sql_table_add_place(table, "trace", LTT_SQL_FORM_TRACE, is_single);
	ltt_sql_table_add_place(table, "host", LTT_SQL_FORM_HOST, is_single);
}

void ltt_sql_table_add_parameter(LttSqlTable *table, const char *name)
{
	ltt_sql_table_add_place(table, name, LTT_SQL_FORM_PARAMETER, TRUE);
}

/* Fields keep their names. If two columns have the same name, the later one gets a number. */
void ltt_sql_table_settle_names(LttSqlTable *table)
{
	g_autoptr(GHashTable) taken =
		g_hash_table_new_full(ltt_hash_text, g_str_equal, g_free, NULL);

	for (guint pass = 0; pass < 2; pass++) {
		for (guint i = 0; i < table->columns->len; i++) {
			LttSqlColumn *column = &g_array_index(table->columns, LttSqlColumn, i);
			const gboolean is_field = column->root >= 0 &&
						  column->form != LTT_SQL_FORM_NUMBER &&
						  column->form != LTT_SQL_FORM_SYMBOL;
			g_autofree char *name = g_strdup(column->name);
			char *folded = g_ascii_strdown(name, -1);

			if (is_field != (pass == 0)) {
				g_free(folded);
				continue;
			}
			for (guint number = 2; !g_hash_table_add(taken, folded); number++) {
				g_free(column->name);
				column->name = g_strdup_printf("%s_%u", name, number);
				folded = g_ascii_strdown(column->name, -1);
			}
		}
	}
}

/* ---- as SQL ---- */

const char *ltt_sql_column_get_type(const LttSqlColumn *column)
{
	switch (column->form) {
	case LTT_SQL_FORM_INT:
	case LTT_SQL_FORM_NUMBER:
		return "INTEGER";
	case LTT_SQL_FORM_WIDE:
		return "";
	case LTT_SQL_FORM_REAL:
		return "REAL";
	default:
		return "TEXT";
	}
}

char *ltt_sql_quote(const char *name)
{
	GString *quoted;
	gboolean is_plain = g_ascii_isalpha(name[0]) || name[0] == '_';

	for (const char *at = name; *at != '\0'; at++)
		is_plain = is_plain && (g_ascii_isalnum(*at) || *at == '_');
	if (is_plain && !sqlite3_keyword_check(name, (int)strlen(name)))
		return g_strdup(name);
	quoted = g_string_new("\"");
	for (; *name != '\0'; name++)
		g_string_append_printf(quoted, *name == '"' ? "\"%c" : "%c", *name);
	g_string_append_c(quoted, '"');
	return g_string_free(quoted, FALSE);
}

char *ltt_sql_table_declare(const LttSqlTable *table, const char *separator, gboolean with_hidden)
{
	g_autofree char *name = ltt_sql_quote(table->name);
	GString *text = g_string_new(NULL);
	const char *before = "";

	g_string_printf(text, "CREATE TABLE %s(%s", name, separator[0] == ',' ? separator + 1 : "");
	for (guint i = 0; i < table->columns->len; i++) {
		const LttSqlColumn *column = ltt_sql_table_get(table, i);
		g_autofree char *quoted = ltt_sql_quote(column->name);
		const char *type = ltt_sql_column_get_type(column);
		/* A file does not have the collation. */
		const gboolean has_digits = column->form == LTT_SQL_FORM_WIDE && with_hidden;

		if (column->is_hidden && !with_hidden)
			continue;
		g_string_append_printf(text, "%s%s%s%s%s%s", before, quoted,
				       type[0] != '\0' ? " " : "", type,
				       column->is_hidden ? " HIDDEN" : "",
				       has_digits ? " COLLATE " LTT_SQL_DIGITS : "");
		before = separator;
	}
	g_string_append_c(text, ')');
	return g_string_free(text, FALSE);
}
