/* symbols.c - symbol(), and the columns with the names of functions. */
#include "sql/sql-priv.h"

#include <ltt/ltt-print.h>

/* @text: (transfer none): empty: NULL */
static void give(sqlite3_context *context, const GString *text)
{
	if (text->len > ltt_sql_get_value_limit(context))
		sqlite3_result_error_toobig(context);
	else if (text->len > 0)
		sqlite3_result_text64(context, text->str, text->len, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/* ---- columns ---- */

/* @event: the row: its tracefile, process and time */
static void append_symbol(GString *text, LttSymbols *symbols, const LttEvent *event,
			  guint64 address)
{
	LttSymbol symbol;

	if (ltt_symbols_find(symbols, event, address, &symbol))
		ltt_symbol_append(text, &symbol, LTT_SYMBOL_PLACE);
}

/* A list is a JSON array; an element without a symbol is null. Stops after @max_bytes. */
static void append_list(GString *text, const LttSqlTable *table, const LttArray *array, gsize row,
			const LttEvent *event, gsize max_bytes)
{
	const gboolean is_fixed = array->column->kind == LTT_COLUMN_FIXED_LIST;
	const gsize n = (gsize)array->column->n_elements;
	const gsize first = is_fixed ? row * n : (gsize)array->offsets[row];
	const gsize end = is_fixed ? first + n : (gsize)array->offsets[row + 1];
	g_autoptr(GString) symbol = g_string_new(NULL);

	g_string_append_c(text, '[');
	for (gsize i = first; i < end && text->len <= max_bytes; i++) {
		g_string_truncate(symbol, 0);
		append_symbol(symbol, table->source->env->symbols, event,
			      (guint64)ltt_array_get_int(&array->children[0], i));
		if (i > first)
			g_string_append_c(text, ',');
		if (symbol->len > 0)
			ltt_json_append_string(text, symbol->str, (gssize)symbol->len);
		else
			g_string_append(text, "null");
	}
	g_string_append_c(text, ']');
}

static guint64 get_number(const LttArray *array, gsize row)
{
	return array != NULL && !ltt_array_is_null(array, row)
		       ? (guint64)ltt_array_get_int(array, row)
		       : 0;
}

void ltt_sql_symbol_result(sqlite3_context *context, const LttSqlTable *table,
			   const LttTracefile *tracefile, const LttArray *array,
			   const LttSqlRun *run, gsize row)
{
	const LttEvent event = {
		.tracefile = tracefile,
		.has_thread = TRUE,
		.time_ns = get_number(run->roots[table->source->time_root], row),
		.pid = (guint32)get_number(run->roots[table->source->pid_root], row),
	};
	g_autoptr(GString) text = g_string_new(NULL);

	if (array->column->kind == LTT_COLUMN_UINT)
		append_symbol(text, table->source->env->symbols, &event,
			      (guint64)ltt_array_get_int(array, row));
	else if (array->n_children == 1)
		append_list(text, table, array, row, &event, ltt_sql_get_value_limit(context));
	give(context, text);
}

/* ---- symbol() ---- */

/* Gets an address. One above 2^63-1 is a text of its digits, or negative. */
static gboolean get_address(sqlite3_value *value, guint64 *address)
{
	if (sqlite3_value_type(value) == SQLITE_TEXT)
		return g_ascii_string_to_unsigned((const char *)sqlite3_value_text(value), 10, 0,
						  G_MAXUINT64, address, NULL);
	*address = (guint64)sqlite3_value_int64(value);
	return sqlite3_value_type(value) == SQLITE_INTEGER;
}

/* symbol(address, pid, time): the function at an address in a process; without the time, at the
 * end of the trace. NULL: neither the function nor the file is known. */
static void symbol(sqlite3_context *context, int n_values, sqlite3_value **values)
{
	LttSymbols *symbols = sqlite3_user_data(context);
	g_autoptr(GString) text = g_string_new(NULL);
	guint64 time_ns = G_MAXUINT64;
	LttSymbol found;
	guint64 address;

	for (int i = 0; i < n_values; i++) {
		if (sqlite3_value_type(values[i]) == SQLITE_NULL)
			return;
	}
	if (!get_address(values[0], &address)) {
		sqlite3_result_error(context, "symbol(): expected an address, a pid, and a time",
				     -1);
		return;
	}
	if (n_values == 3)
		time_ns = (guint64)sqlite3_value_int64(values[2]);
	if (ltt_symbols_find_at(symbols, (guint32)sqlite3_value_int64(values[1]), time_ns, address,
				&found))
		ltt_symbol_append(text, &found, LTT_SYMBOL_PLACE);
	give(context, text);
}

int ltt_sql_add_symbol_function(sqlite3 *db, LttSymbols *symbols)
{
	const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
	int code = sqlite3_create_function(db, "symbol", 2, flags, symbols, symbol, NULL, NULL);

	if (code == SQLITE_OK)
		code = sqlite3_create_function(db, "symbol", 3, flags, symbols, symbol, NULL, NULL);
	return code;
}
