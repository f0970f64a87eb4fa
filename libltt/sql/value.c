/* value.c - pass values of arrays to SQLite. */
#include "sql/table-priv.h"

#include <ltt/ltt-join.h>
#include <ltt/ltt-print.h>
#include <ltt/ltt-system.h>

#include <string.h>

/* A number above G_MAXINT64 is its digits as text, because SQLite has no unsigned numbers. */
static void give_wide(sqlite3_context *context, guint64 number)
{
	char text[24];

	if (number <= G_MAXINT64) {
		sqlite3_result_int64(context, (sqlite3_int64)number);
		return;
	}
	g_snprintf(text, sizeof(text), "%" G_GUINT64_FORMAT, number);
	sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

/* A label lives as long as the trace, and the text of a number without a label as long as the
 * run. */
static void give_label(sqlite3_context *context, const LttArray *array, gsize row)
{
	const guint code = (guint)((const gint32 *)array->values)[row];
	const gboolean stays = code < array->column->n_labels;

	sqlite3_result_text(context, array->texts[code], -1,
			    stays ? SQLITE_STATIC : SQLITE_TRANSIENT);
}

/* If all texts are empty, the array may have no bytes. */
static void give_text(sqlite3_context *context, const LttArray *array, gsize row)
{
	const gint32 length = array->offsets[row + 1] - array->offsets[row];
	const char *text = length > 0 ? (const char *)array->values + array->offsets[row] : "";

	sqlite3_result_text(context, text, length, length > 0 ? SQLITE_TRANSIENT : SQLITE_STATIC);
}

static void give_json(sqlite3_context *context, const LttArray *array, gsize row)
{
	g_autoptr(GString) text = g_string_new(NULL);

	if (!ltt_json_append_value_within(text, array, row, ltt_sql_get_value_limit(context)))
		sqlite3_result_error_toobig(context);
	else
		sqlite3_result_text64(context, text->str, text->len, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static void give_array(sqlite3_context *context, LttSqlForm form, const LttArray *array, gsize row)
{
	switch (form) {
	case LTT_SQL_FORM_INT:
		sqlite3_result_int64(context, ltt_array_get_int(array, row));
		break;
	case LTT_SQL_FORM_WIDE:
		give_wide(context, (guint64)ltt_array_get_int(array, row));
		break;
	case LTT_SQL_FORM_REAL:
		sqlite3_result_double(context, array->column->width_bytes == sizeof(double)
						       ? ((const double *)array->values)[row]
						       : ((const float *)array->values)[row]);
		break;
	case LTT_SQL_FORM_TEXT:
		give_text(context, array, row);
		break;
	case LTT_SQL_FORM_LABEL:
		give_label(context, array, row);
		break;
	case LTT_SQL_FORM_NUMBER:
		if (array->numbers != NULL)
			sqlite3_result_int64(context, array->numbers[row]);
		else
			sqlite3_result_int64(context, ((const gint32 *)array->values)[row]);
		break;
	default:
		give_json(context, array, row);
		break;
	}
}

/* Only events have a tracefile. */
static const LttTracefile *find_tracefile(LttTrace *trace, const LttSqlRun *run, gsize row)
{
	return ltt_trace_get_tracefile(trace, LTT_PLACE_TRACEFILE(ltt_sql_run_get_id(run, row)));
}

static const LttTrace *find_trace(const LttSqlTable *table, const LttSqlRun *run, gsize row)
{
	LttTrace *trace = table->source->env->trace;
	guint member = 0;

	if (table->source->has_places)
		member = ltt_trace_find_member(trace, find_tracefile(trace, run, row));
	else if (run->members != NULL)
		member = run->members[row];
	return ltt_trace_get_member(trace, member);
}

static const char *find_host(const LttSqlTable *table, const LttSqlRun *run, gsize row)
{
	LttTrace *trace = table->source->env->trace;
	guint host = 0;

	if (table->source->has_places)
		host = ltt_tracefile_get_host(find_tracefile(trace, run, row));
	else if (run->hosts != NULL)
		host = run->hosts[row];
	return host != LTT_SQL_NO_HOST ? ltt_trace_get_host(trace, host) : NULL;
}

static void give_place(sqlite3_context *context, const LttSqlTable *table, LttSqlForm form,
		       const LttSqlRun *run, gsize row)
{
	const char *text;

	if (form == LTT_SQL_FORM_TRACEFILE)
		text = ltt_tracefile_get_name(find_tracefile(table->source->env->trace, run, row));
	else if (form == LTT_SQL_FORM_TRACE)
		text = ltt_trace_get_path(find_trace(table, run, row));
	else
		text = find_host(table, run, row);
	if (text != NULL)
		sqlite3_result_text(context, text, -1, SQLITE_STATIC);
}

void ltt_sql_value_result(sqlite3_context *context, const LttSqlTable *table, guint index,
			  const LttSqlRun *run, gsize row)
{
	const LttSqlColumn *column = ltt_sql_table_get(table, index);
	const LttArray *array;

	if (column->form == LTT_SQL_FORM_PARAMETER)
		return;
	if (column->root < 0) {
		give_place(context, table, column->form, run, row);
		return;
	}
	array = ltt_sql_column_find(column, run);
	if (array == NULL || ltt_array_is_null(array, row))
		return;
	if (column->form == LTT_SQL_FORM_SYMBOL)
		ltt_sql_symbol_result(context, table,
				      find_tracefile(table->source->env->trace, run, row), array,
				      run, row);
	else
		give_array(context, column->form, array, row);
}
