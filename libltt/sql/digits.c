/* digits.c - the collation of columns with integers above 2^63-1, which are texts of their digits.
 *
 * Without it, max() and ORDER BY would take 9999999999999999999 as greater than
 * 18446744073709551615. Texts are equal as in the collation BINARY.
 */
#include "sql/sql-priv.h"

#include <string.h>

static gboolean is_number(const char *text, int length)
{
	for (int i = 0; i < length; i++) {
		if (!g_ascii_isdigit(text[i]))
			return FALSE;
	}
	return length > 0;
}

int ltt_sql_compare_bytes(const void *left, int left_length, const void *right, int right_length)
{
	const int shorter = MIN(left_length, right_length);
	const int difference = shorter > 0 ? memcmp(left, right, (gsize)shorter) : 0;

	return difference != 0 ? difference : left_length - right_length;
}

/* Texts of digits come before others, the shorter ones first. */
static int compare(void *data, int left_length, const void *left, int right_length,
		   const void *right)
{
	const gboolean has_left = is_number(left, left_length);
	const gboolean has_right = is_number(right, right_length);

	(void)data;
	if (has_left != has_right)
		return has_left ? -1 : 1;
	if (has_left && left_length != right_length)
		return left_length - right_length;
	return ltt_sql_compare_bytes(left, left_length, right, right_length);
}

int ltt_sql_add_digits(sqlite3 *db)
{
	return sqlite3_create_collation(db, LTT_SQL_DIGITS, SQLITE_UTF8, NULL, compare);
}
