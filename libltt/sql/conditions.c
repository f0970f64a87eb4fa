/* conditions.c - the values of the pushed-down conditions, from the arguments of xFilter. */
#include "sql/cursor-priv.h"

void ltt_sql_cursor_take_list(LttSqlCursor *cursor, guint column, sqlite3_value *list)
{
	LttSqlMatch *match = &cursor->matches[cursor->n_matches++];
	sqlite3_value *value;

	ltt_sql_match_init(match, column);
	for (int code = sqlite3_vtab_in_first(list, &value); code == SQLITE_OK;
	     code = sqlite3_vtab_in_next(list, &value))
		ltt_sql_match_add(match, cursor->table, value);
}

/* The parameters are the last columns. */
static void take_parameter(const LttSqlCursor *cursor, guint column, sqlite3_value *value,
			   LttSqlValues *values)
{
	const LttSqlTable *table = cursor->table;
	guint first = table->columns->len;

	while (ltt_sql_table_get(table, first - 1)->form == LTT_SQL_FORM_PARAMETER)
		first--;
	values->scan.parameters[column - first] = (const char *)sqlite3_value_text(value);
}

/* Leaves a CPU that is not an integer, and a type that is not a text, to the test of SQLite. */
static void take_value(LttSqlCursor *cursor, const LttSqlTerm *term, sqlite3_value *value,
		       LttSqlValues *values)
{
	const int type = sqlite3_value_type(value);

	switch (term->action) {
	case LTT_SQL_HASH:
		values->hash = value;
		values->hash_column = term->column;
		break;
	case LTT_SQL_IN:
		break;
	case LTT_SQL_PARAMETER:
		take_parameter(cursor, term->column, value, values);
		break;
	case LTT_SQL_MATCH:
		ltt_sql_match_init(&cursor->matches[cursor->n_matches], term->column);
		ltt_sql_match_add(&cursor->matches[cursor->n_matches++], cursor->table, value);
		break;
	case LTT_SQL_CPU:
		if (type == SQLITE_INTEGER && sqlite3_value_int64(value) >= 0 &&
		    sqlite3_value_int64(value) < LTT_MAX_CPUS)
			values->scan.cpu = sqlite3_value_int(value);
		else if (type == SQLITE_INTEGER || type == SQLITE_NULL)
			values->fixed.is_empty = TRUE;
		break;
	case LTT_SQL_TYPE:
		if (type == SQLITE_TEXT)
			values->scan.type = (const char *)sqlite3_value_text(value);
		break;
	default:
		values->seeks |= term->varies;
		ltt_sql_window_narrow(term->varies ? &values->varying : &values->fixed,
				      term->action, value);
		break;
	}
}

void ltt_sql_cursor_take_values(LttSqlCursor *cursor, sqlite3_value **arguments,
				LttSqlValues *values)
{
	const LttSqlPlan *plan = &cursor->plan;

	*values = (LttSqlValues){
		.fixed = {0, G_MAXUINT64, FALSE},
		.varying = {0, G_MAXUINT64, FALSE},
		.scan = {.to_ns = G_MAXUINT64,
			 .cpu = -1,
			 .is_ordered = plan->is_ordered,
			 .wants_places = TRUE},
	};
	for (guint i = 0; i < plan->n_terms; i++)
		take_value(cursor, &plan->terms[i], arguments[i], values);
}

char *ltt_sql_cursor_make_key(const LttSqlCursor *cursor, const LttSqlValues *values)
{
	GString *key = g_string_new(NULL);

	g_string_printf(key,
			"%" G_GINT64_MODIFIER "x %d %u %d %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT
			" %s",
			cursor->plan.used, values->hash != NULL, values->hash_column,
			values->scan.cpu, values->fixed.from_ns, values->fixed.to_ns,
			values->scan.type != NULL ? values->scan.type : "");
	for (guint i = 0; i < LTT_SQL_MAX_PARAMETERS; i++)
		g_string_append_printf(
			key, " (%s)",
			values->scan.parameters[i] != NULL ? values->scan.parameters[i] : "");
	for (guint i = 0; i < cursor->n_matches; i++)
		g_string_append_printf(key, " %u=%d:%u:%" G_GINT64_MODIFIER "x",
				       cursor->matches[i].column, cursor->matches[i].is_any,
				       cursor->matches[i].n_keys, cursor->matches[i].first);
	return g_string_free(key, FALSE);
}
