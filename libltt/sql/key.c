/* key.c - see key-priv.h.
 *
 * SQLite converts a column or a value to the affinity of the other before it compares them. If this
 * can make values of different types equal, and the value has no single key, the reach is all rows.
 */
#include "sql/key-priv.h"

#include <ltt/ltt-hash.h>

#include <string.h>

/* Above this, a double can stand for several integers. */
#define MAX_EXACT 9007199254740992.0

gboolean ltt_sql_column_has_keys(const LttSqlColumn *column)
{
	return column->root >= 0 && column->form != LTT_SQL_FORM_REAL &&
	       column->form != LTT_SQL_FORM_JSON && column->form != LTT_SQL_FORM_SYMBOL;
}

gboolean ltt_sql_key_of_row(const LttSqlColumn *column, const LttArray *array, gsize row,
			    guint64 *key)
{
	const char *text;

	if (ltt_array_is_null(array, row))
		return FALSE;
	switch (column->form) {
	case LTT_SQL_FORM_TEXT:
		*key = ltt_hash_bytes((const char *)array->values + array->offsets[row],
				      (gsize)(array->offsets[row + 1] - array->offsets[row]));
		return TRUE;
	case LTT_SQL_FORM_LABEL:
		text = array->texts[((const gint32 *)array->values)[row]];
		*key = ltt_hash_bytes(text, strlen(text));
		return TRUE;
	case LTT_SQL_FORM_NUMBER:
		*key = array->numbers != NULL ? (guint64)array->numbers[row]
					      : (guint64)((const gint32 *)array->values)[row];
		return TRUE;
	default:
		*key = (guint64)ltt_array_get_int(array, row);
		return TRUE;
	}
}

/* ---- values ---- */

/* Parses the digits of a number above G_MAXINT64, which SQL passes as text. */
static gboolean parse_wide(sqlite3_value *value, guint64 *key)
{
	const char *text = (const char *)sqlite3_value_text(value);

	return text != NULL && g_ascii_isdigit(text[0]) && text[0] != '0' &&
	       strlen(text) == (gsize)sqlite3_value_bytes(value) &&
	       g_ascii_string_to_unsigned(text, 10, (guint64)G_MAXINT64 + 1, G_MAXUINT64, key,
					  NULL);
}

static LttSqlReach reach_of_number(const LttSqlColumn *column, sqlite3_value *value, guint64 *key)
{
	const gboolean is_wide = column->form == LTT_SQL_FORM_WIDE;
	double real;

	if (is_wide && sqlite3_value_type(value) == SQLITE_TEXT)
		return parse_wide(value, key) ? LTT_SQL_REACH_KEY : LTT_SQL_REACH_ALL;
	switch (sqlite3_value_numeric_type(value)) {
	case SQLITE_INTEGER:
		*key = (guint64)sqlite3_value_int64(value);
		return is_wide && sqlite3_value_int64(value) < 0 ? LTT_SQL_REACH_NONE
								 : LTT_SQL_REACH_KEY;
	case SQLITE_FLOAT:
		real = sqlite3_value_double(value);
		if (real < -MAX_EXACT || real > MAX_EXACT)
			return LTT_SQL_REACH_ALL;
		*key = (guint64)(gint64)real;
		return (double)(gint64)real == real && !(is_wide && real < 0) ? LTT_SQL_REACH_KEY
									      : LTT_SQL_REACH_NONE;
	default:
		return LTT_SQL_REACH_ALL;
	}
}

LttSqlReach ltt_sql_key_of_value(const LttSqlColumn *column, sqlite3_value *value, guint64 *key)
{
	const char *text;

	if (sqlite3_value_type(value) == SQLITE_NULL)
		return LTT_SQL_REACH_NONE;
	if (column->form != LTT_SQL_FORM_TEXT && column->form != LTT_SQL_FORM_LABEL)
		return reach_of_number(column, value, key);
	if (sqlite3_value_type(value) != SQLITE_TEXT)
		return LTT_SQL_REACH_ALL;
	text = (const char *)sqlite3_value_text(value);
	if (text == NULL)
		return LTT_SQL_REACH_ALL;
	*key = ltt_hash_bytes(text, (gsize)sqlite3_value_bytes(value));
	return LTT_SQL_REACH_KEY;
}

/* ---- sets of values ---- */

void ltt_sql_match_init(LttSqlMatch *match, guint column)
{
	*match = (LttSqlMatch){.column = column};
}

void ltt_sql_match_clear(LttSqlMatch *match)
{
	g_clear_pointer(&match->keys, g_hash_table_unref);
}

static void add_key(GHashTable *keys, guint64 key)
{
	g_hash_table_add(keys, g_memdup2(&key, sizeof(key)));
}

void ltt_sql_match_add(LttSqlMatch *match, const LttSqlTable *table, sqlite3_value *value)
{
	guint64 key;

	switch (ltt_sql_key_of_value(ltt_sql_table_get(table, match->column), value, &key)) {
	case LTT_SQL_REACH_NONE:
		return;
	case LTT_SQL_REACH_ALL:
		match->is_any = TRUE;
		return;
	case LTT_SQL_REACH_KEY:
		break;
	}
	if (match->n_keys++ == 0) {
		match->first = key;
		return;
	}
	if (match->keys == NULL) {
		match->keys = g_hash_table_new_full(ltt_hash_int64, g_int64_equal, g_free, NULL);
		add_key(match->keys, match->first);
	}
	add_key(match->keys, key);
}

gboolean ltt_sql_match_holds(const LttSqlMatch *match, const LttSqlTable *table,
			     const LttSqlRun *run, gsize row)
{
	const LttSqlColumn *column = ltt_sql_table_get(table, match->column);
	const LttArray *array;
	guint64 key;

	if (match->is_any)
		return TRUE;
	array = match->n_keys > 0 ? ltt_sql_column_find(column, run) : NULL;
	if (array == NULL || !ltt_sql_key_of_row(column, array, row, &key))
		return FALSE;
	return match->keys != NULL ? g_hash_table_contains(match->keys, &key) : key == match->first;
}
