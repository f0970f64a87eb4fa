/* number.c - exact decimal numbers of filter expressions.
 *
 * A number is kept as decimal digits, because no type of C holds both 18446744073709551615 and
 * 1050000000.123456789. The digits are converted once for each event type, to the type of the other
 * side of the comparison.
 */
#include "filter/number-priv.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Larger exponents are clamped: no float and no integer is close to such numbers. */
#define EXPONENT_CEILING 1000000

/* Maximum number of digits to accumulate; the product is then far beyond 64 bits. */
#define WIDE_DIGITS 30

void ltt_number_clear(LttNumber *number)
{
	g_clear_pointer(&number->digits, g_free);
}

/* Removes leading and trailing zeros. */
static void set_digits(LttNumber *number, const char *digits, gsize length, gint64 exponent)
{
	while (length > 0 && *digits == '0') {
		digits++;
		length--;
	}
	while (length > 0 && digits[length - 1] == '0') {
		length--;
		exponent++;
	}
	number->digits = g_strndup(digits, length);
	number->exponent = length > 0 ? exponent : 0;
}

static const char *set_bits(LttNumber *number, const char *text, gsize length, guint base)
{
	g_autofree char *digits = g_strndup(text, length);
	char decimal[24];
	guint64 value;

	for (gsize i = 0; i < length; i++) {
		const int digit = g_ascii_xdigit_value(digits[i]);

		if (digit < 0 || digit >= (int)base)
			return base == 8 ? "expected octal digits after the leading 0"
					 : "expected hexadecimal digits after 0x";
	}
	if (length == 0)
		return "expected hexadecimal digits after 0x";
	if (!g_ascii_string_to_unsigned(digits, base, 0, G_MAXUINT64, &value, NULL))
		return base == 8 ? "expected at most 64 bits of octal digits"
				 : "expected at most 64 bits of hexadecimal digits";
	g_snprintf(decimal, sizeof(decimal), "%" G_GUINT64_FORMAT, value);
	set_digits(number, decimal, strlen(decimal), 0);
	return NULL;
}

/* Parses the exponent after the "e". */
static gboolean parse_exponent(const char *text, gsize length, gint64 *exponent)
{
	const gboolean is_negative = length > 0 && text[0] == '-';
	gsize at = length > 0 && (text[0] == '-' || text[0] == '+') ? 1 : 0;

	if (at == length)
		return FALSE;
	for (*exponent = 0; at < length; at++) {
		if (!g_ascii_isdigit(text[at]))
			return FALSE;
		*exponent = MIN(*exponent * 10 + (text[at] - '0'), EXPONENT_CEILING);
	}
	if (is_negative)
		*exponent = -*exponent;
	return TRUE;
}

static const char *set_decimal(LttNumber *number, const char *text, gsize length)
{
	g_autoptr(GString) digits = g_string_new(NULL);
	gboolean has_point = FALSE;
	gint64 exponent = 0;
	gint64 decimals = 0;

	for (gsize at = 0; at < length; at++) {
		if (g_ascii_isdigit(text[at])) {
			g_string_append_c(digits, text[at]);
			decimals += has_point ? 1 : 0;
		} else if (text[at] == '.' && !has_point) {
			has_point = TRUE;
		} else if ((text[at] == 'e' || text[at] == 'E') && digits->len > 0) {
			if (!parse_exponent(text + at + 1, length - at - 1, &exponent))
				return "expected decimal digits after the e of an exponent";
			number->is_whole = FALSE;
			break;
		} else {
			return "expected decimal digits, a point, an exponent, or 0x and "
			       "hexadecimal digits";
		}
	}
	number->is_whole = number->is_whole && !has_point;
	set_digits(number, digits->str, digits->len, exponent - decimals);
	return NULL;
}

const char *ltt_number_parse(const char *text, gsize length, LttNumber *number)
{
	const gboolean is_hexadecimal = length > 1 && text[0] == '0' && (text[1] | 0x20) == 'x';
	LttNumber found = {.is_whole = TRUE};
	const char *expected;

	if (is_hexadecimal)
		expected = set_bits(&found, text + 2, length - 2, 16);
	else if (length > 1 && text[0] == '0' && strspn(text, "0123456789") >= length)
		expected = set_bits(&found, text + 1, length - 1, 8);
	else
		expected = set_decimal(&found, text, length);
	if (expected == NULL)
		*number = found;
	return expected;
}

static int compare_magnitudes(const LttNumber *a, const LttNumber *b)
{
	const gint64 a_length = (gint64)strlen(a->digits) + a->exponent;
	const gint64 b_length = (gint64)strlen(b->digits) + b->exponent;

	if (a->digits[0] == '\0' || b->digits[0] == '\0')
		return (a->digits[0] != '\0') - (b->digits[0] != '\0');
	if (a_length != b_length)
		return a_length < b_length ? -1 : 1;
	return strcmp(a->digits, b->digits); /* zeros follow a prefix, which is thus less */
}

static int sign_of(const LttNumber *number)
{
	return number->digits[0] == '\0' ? 0 : number->is_negative ? -1 : 1;
}

int ltt_number_compare(const LttNumber *a, const LttNumber *b)
{
	const int a_sign = sign_of(a);
	const int b_sign = sign_of(b);

	if (a_sign != b_sign)
		return a_sign - b_sign;
	return a_sign < 0 ? compare_magnitudes(b, a) : compare_magnitudes(a, b);
}

LttWide ltt_number_floor(const LttNumber *number, guint decimals, gboolean *is_exact)
{
	const gint64 n_digits = (gint64)strlen(number->digits);
	const gint64 n_whole =
		n_digits > 0 ? MIN(n_digits + number->exponent + decimals, WIDE_DIGITS) : 0;
	LttWide whole = 0;

	*is_exact = n_digits == 0 || n_digits + number->exponent + decimals > WIDE_DIGITS ||
		    number->exponent + decimals >= 0;
	for (gint64 i = 0; i < n_whole; i++)
		whole = whole * 10 + (i < n_digits ? number->digits[i] - '0' : 0);
	if (!number->is_negative)
		return whole;
	return *is_exact ? -whole : -whole - 1;
}

/* Returns: the relation of @number, an integer, to @nearest: -1, 0 or 1 */
static int beyond_whole(const LttNumber *number, double nearest)
{
	char text[DBL_MAX_10_EXP + 8];
	LttNumber there = {.is_negative = number->is_negative, .is_whole = TRUE};
	int order;

	/* All digits of an integer: no decimal point, so independent of the locale. */
	snprintf(text, sizeof(text), "%.0f", nearest < 0 ? -nearest : nearest);
	set_digits(&there, text, strlen(text), 0);
	order = ltt_number_compare(number, &there);
	ltt_number_clear(&there);
	return (order > 0) - (order < 0);
}

double ltt_number_nearest(const LttNumber *number, guint width_bytes, int *beyond)
{
	/* Without a decimal point, so that the result does not depend on the locale. */
	g_autofree char *text =
		g_strdup_printf("%s%s0e%" G_GINT64_FORMAT, number->is_negative ? "-" : "",
				number->digits, number->exponent - 1);
	double nearest = strtod(text, NULL);

	*beyond = 0;
	if (isinf(nearest)) {
		*beyond = number->is_negative ? -1 : 1;
		return number->is_negative ? -DBL_MAX : DBL_MAX;
	}
	if (number->is_whole) {
		*beyond = beyond_whole(number, nearest);
	} else if (width_bytes == 4) {
		const float narrow = strtof(text, NULL);

		nearest = isinf(narrow) ? nearest : (double)narrow;
	}
	return nearest;
}
