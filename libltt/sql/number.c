/* number.c - exact numbers of queries: integers up to 2^64-1, and reals. */
#include "sql/number-priv.h"

/* 2^63 and 2^64, the first reals that no gint64 and no guint64 has. */
#define END_OF_INTEGERS 0x1p63
#define END_OF_LARGE    0x1p64

/* Takes a text of digits only. Returns: whether it is an integer from 2^63 to 2^64-1 */
static gboolean take_large(sqlite3_value *value, guint64 *large)
{
	const char *text;

	if (sqlite3_value_type(value) != SQLITE_TEXT)
		return FALSE;
	text = (const char *)sqlite3_value_text(value);
	return text != NULL && g_ascii_string_to_unsigned(text, 10, (guint64)G_MAXINT64 + 1,
							  G_MAXUINT64, large, NULL);
}

LttSqlNumber ltt_sql_number_of(sqlite3_value *value)
{
	LttSqlNumber number = {.kind = LTT_SQL_NUMBER_LARGE};

	/* sqlite3_value_numeric_type() replaces the text by a real. */
	if (take_large(value, &number.bits.large))
		return number;
	switch (sqlite3_value_numeric_type(value)) {
	case SQLITE_INTEGER:
		number.kind = LTT_SQL_NUMBER_INTEGER;
		number.bits.integer = sqlite3_value_int64(value);
		break;
	case SQLITE_FLOAT:
		number.kind = LTT_SQL_NUMBER_REAL;
		number.bits.real = sqlite3_value_double(value);
		break;
	case SQLITE_NULL:
		number.kind = LTT_SQL_NUMBER_NULL;
		break;
	default:
		number.kind = LTT_SQL_NUMBER_NONE;
		break;
	}
	return number;
}

/* ---- comparison ---- */

static gint compare_integer_with_real(gint64 integer, double real)
{
	const gboolean is_outside = real < -END_OF_INTEGERS || real >= END_OF_INTEGERS;
	gint64 whole;

	if (is_outside)
		return real < 0 ? 1 : -1;
	whole = (gint64)real;
	if (integer != whole)
		return integer < whole ? -1 : 1;
	/* Only reals below 2^53, which have exact differences, have a fraction. */
	return real > (double)whole ? -1 : real < (double)whole;
}

static gint compare_large_with_real(guint64 large, double real)
{
	guint64 whole;

	if (real < END_OF_INTEGERS || real >= END_OF_LARGE)
		return real < END_OF_INTEGERS ? 1 : -1;
	whole = (guint64)real;
	return large < whole ? -1 : large > whole;
}

static gint compare_with_real(const LttSqlNumber *number, double real)
{
	if (number->kind == LTT_SQL_NUMBER_INTEGER)
		return compare_integer_with_real(number->bits.integer, real);
	if (number->kind == LTT_SQL_NUMBER_LARGE)
		return compare_large_with_real(number->bits.large, real);
	return number->bits.real < real ? -1 : number->bits.real > real;
}

gint ltt_sql_number_compare(const LttSqlNumber *left, const LttSqlNumber *right)
{
	const gboolean is_large[2] = {left->kind == LTT_SQL_NUMBER_LARGE,
				      right->kind == LTT_SQL_NUMBER_LARGE};

	if (right->kind == LTT_SQL_NUMBER_REAL)
		return compare_with_real(left, right->bits.real);
	if (left->kind == LTT_SQL_NUMBER_REAL)
		return -compare_with_real(right, left->bits.real);
	if (is_large[0] != is_large[1])
		return is_large[0] ? 1 : -1;
	if (is_large[0])
		return left->bits.large < right->bits.large ? -1
							    : left->bits.large > right->bits.large;
	return left->bits.integer < right->bits.integer ? -1
							: left->bits.integer > right->bits.integer;
}

/* ---- result ---- */

void ltt_sql_number_return(sqlite3_context *context, const LttSqlNumber *number)
{
	g_autofree char *digits = NULL;

	switch (number->kind) {
	case LTT_SQL_NUMBER_INTEGER:
		sqlite3_result_int64(context, number->bits.integer);
		break;
	case LTT_SQL_NUMBER_LARGE:
		digits = g_strdup_printf("%" G_GUINT64_FORMAT, number->bits.large);
		sqlite3_result_text(context, digits, -1, SQLITE_TRANSIENT);
		break;
	case LTT_SQL_NUMBER_REAL:
		sqlite3_result_double(context, number->bits.real);
		break;
	default:
		sqlite3_result_null(context);
		break;
	}
}
