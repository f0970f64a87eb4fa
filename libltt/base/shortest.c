/* shortest.c - binary to decimal by Schubfach.
 *
 * The algorithm is from Raffaele Giulietti, "The Schubfach way to render doubles" (2020). All reals
 * that round to v = c * 2^q form an interval around v. With 10^k the greatest power of ten that is
 * no longer than that interval, some multiple of 10^k lies in it and at most one multiple of
 * 10^(k+1) does; so no more than four candidates must be compared, in units of 10^k. The products
 * v * 10^-k need not be exact: 128 bits of the power of ten, rounded up, and a product "rounded
 * to odd" (the last bit says whether anything was cut off) give the correct result in every
 * comparison.
 *
 * The powers of ten are computed at first use, by integer arithmetic that can be followed here,
 * instead of being a table of 1200 numbers that is hard to verify.
 */
#include "base/digits-priv.h"
#include "base/shortest-priv.h"

#include <string.h>

typedef unsigned __int128 Wide;

/* Doubles need 10^MIN_POWER ... 10^MAX_POWER; floats need fewer. */
#define MIN_POWER (-292)
#define MAX_POWER 324

/* powers[e - MIN_POWER] = floor(10^e * 2^(127 - floor(log2(10^e)))) + 1: the leading 128 bits,
 * rounded up. */
static Wide powers[MAX_POWER - MIN_POWER + 1];

/* A big number, least word first. 2^N_BITS / 5^292 still has more than 128 bits. */
#define N_WORDS 28
#define N_BITS  (32 * N_WORDS - 1)

/* Returns: the leading 128 bits of a number that has at least as many */
static Wide leading_bits(const guint32 *words)
{
	gint top = N_WORDS - 1;
	Wide bits = 0;
	gint shift;

	while (words[top] == 0)
		top--;
	shift = __builtin_clz(words[top]);
	for (gint i = 0; i < 4; i++)
		bits = bits << 32 | (top - i >= 0 ? words[top - i] : 0);
	if (shift > 0)
		bits = bits << shift | (top >= 4 ? words[top - 4] >> (32 - shift) : 0);
	return bits;
}

static void multiply_by_5(guint32 *words)
{
	guint64 carry = 0;

	for (gint i = 0; i < N_WORDS; i++) {
		carry += (guint64)words[i] * 5;
		words[i] = (guint32)carry;
		carry >>= 32;
	}
}

static void divide_by_5(guint32 *words)
{
	guint64 rest = 0;

	for (gint i = N_WORDS - 1; i >= 0; i--) {
		rest = rest << 32 | words[i];
		words[i] = (guint32)(rest / 5);
		rest %= 5;
	}
}

/* 10^e and 5^e have the same leading bits. Cutting 2^N / 5^n down after each division by 5 gives
 * the same as cutting once, since floor(floor(x / 5) / 5) = floor(x / 25). */
static void compute_powers(void)
{
	guint32 words[N_WORDS] = {1};

	for (gint e = 0; e <= MAX_POWER; e++) {
		powers[e - MIN_POWER] = leading_bits(words) + 1;
		multiply_by_5(words);
	}
	memset(words, 0, sizeof(words));
	words[N_WORDS - 1] = (guint32)1 << 31;
	for (gint e = -1; e >= MIN_POWER; e--) {
		divide_by_5(words);
		powers[e - MIN_POWER] = leading_bits(words) + 1;
	}
}

static Wide power_of_ten(gint e)
{
	static gsize ready;

	if (g_once_init_enter(&ready)) {
		compute_powers();
		g_once_init_leave(&ready, 1);
	}
	return powers[e - MIN_POWER];
}

/* floor(e * log10(2)), floor(e * log10(2) + log10(3/4)) and floor(e * log2(10)) for |e| <= 1500. */
static gint floor_log10_pow2(gint e)
{
	return (gint)((gint64)e * 1262611 >> 22);
}

static gint floor_log10_three_quarters_pow2(gint e)
{
	return (gint)(((gint64)e * 1262611 - 524031) >> 22);
}

static gint floor_log2_pow10(gint e)
{
	return (gint)((gint64)e * 1741647 >> 19);
}

/* floor(power * factor / 2^128) with the last bit set if anything but a last bit was cut off. */
static guint64 multiply_to_odd(Wide power, guint64 factor)
{
	Wide low = (Wide)(guint64)power * factor;
	Wide high = (Wide)(guint64)(power >> 64) * factor + (guint64)(low >> 64);

	return (guint64)(high >> 64) | ((guint64)high > 1);
}

/* digits * 10^exponent */
typedef struct Decimal {
	guint64 digits;
	gint exponent;
} Decimal;

/* Returns: the shortest decimal of c * 2^q. @narrow: the gap below is half the gap above, as at
 *   powers of two */
static Decimal shortest_decimal(guint64 c, gint q, gboolean narrow)
{
	const guint64 odd = c & 1; /* the ends of the interval round to v only if c is even */
	const gint k = narrow ? floor_log10_three_quarters_pow2(q) : floor_log10_pow2(q);
	const gint shift = q + floor_log2_pow10(-k) + 1;
	const Wide power = power_of_ten(-k);
	/* Four times v and the ends of its interval, in units of 10^k. */
	const guint64 lower = multiply_to_odd(power, (4 * c - (narrow ? 1 : 2)) << shift) + odd;
	const guint64 middle = multiply_to_odd(power, (4 * c) << shift);
	const guint64 upper = multiply_to_odd(power, (4 * c + 2) << shift) - odd;
	const guint64 s = middle / 4;
	gboolean down_is_in;
	gboolean up_is_in;

	if (s >= 10) {
		const guint64 tens = s / 10;

		down_is_in = lower <= 40 * tens;
		up_is_in = 40 * tens + 40 <= upper;
		if (down_is_in != up_is_in)
			return (Decimal){tens + up_is_in, k + 1};
	}
	down_is_in = lower <= 4 * s;
	up_is_in = 4 * s + 4 <= upper;
	if (down_is_in != up_is_in)
		return (Decimal){s + up_is_in, k};
	/* Both are inside: take the nearer one, or in a tie the even one. */
	if (middle != 4 * s + 2)
		return (Decimal){s + (middle > 4 * s + 2), k};
	return (Decimal){s + (s & 1), k};
}

/* "ddd.ddd" or "d.ddde-XX". */
static char *spell(Decimal decimal, char *at)
{
	char digits[LTT_MAX_DIGITS];
	gint n_digits;
	gint point; /* position of the decimal point, counted from the first digit */

	n_digits = (gint)(ltt_put_u64(digits, decimal.digits) - digits);
	point = n_digits + decimal.exponent;
	while (n_digits > 1 && digits[n_digits - 1] == '0')
		n_digits--;

	if (point > 16 || point < -3) {
		gint exponent = point - 1;

		*at++ = digits[0];
		if (n_digits > 1) {
			*at++ = '.';
			memcpy(at, digits + 1, (gsize)n_digits - 1);
			at += n_digits - 1;
		}
		*at++ = 'e';
		*at++ = exponent < 0 ? '-' : '+';
		exponent = ABS(exponent);
		if (exponent >= 100)
			*at++ = (char)('0' + exponent / 100);
		return ltt_put_pair(at, (guint)exponent % 100);
	}
	if (point <= 0) {
		*at++ = '0';
		*at++ = '.';
		memset(at, '0', (gsize)-point);
		at += -point;
		memcpy(at, digits, (gsize)n_digits);
		return at + n_digits;
	}
	for (gint i = 0; i < MAX(n_digits, point); i++) {
		if (i == point)
			*at++ = '.';
		*at++ = i < n_digits ? digits[i] : '0';
	}
	if (n_digits <= point) {
		*at++ = '.';
		*at++ = '0';
	}
	return at;
}

static char *spell_special(gboolean is_nan, char *at)
{
	const char *text = is_nan ? "NaN" : "Infinity";

	memcpy(at, text, strlen(text));
	return at + strlen(text);
}

/* @mantissa_bits: stored bits, without the implicit leading one */
static gsize shortest(guint64 bits, guint mantissa_bits, guint exponent_bits, char *text)
{
	const guint64 mantissa = bits & (((guint64)1 << mantissa_bits) - 1);
	const guint exponent = (guint)(bits >> mantissa_bits) & ((1U << exponent_bits) - 1);
	const gboolean is_negative = bits >> (mantissa_bits + exponent_bits) & 1;
	const gint least_q = 2 - (1 << (exponent_bits - 1)) - (gint)mantissa_bits;
	Decimal decimal = {0, 0};
	char *at = text;

	if (exponent == (1U << exponent_bits) - 1) {
		if (is_negative && mantissa == 0)
			*at++ = '-';
		return (gsize)(spell_special(mantissa != 0, at) - text);
	}
	if (is_negative)
		*at++ = '-';
	if (exponent != 0)
		decimal = shortest_decimal(mantissa | (guint64)1 << mantissa_bits,
					   least_q + (gint)exponent - 1,
					   mantissa == 0 && exponent > 1);
	else if (mantissa != 0)
		decimal = shortest_decimal(mantissa, least_q, FALSE);
	else
		decimal = (Decimal){0, 0};
	return (gsize)(spell(decimal, at) - text);
}

gsize ltt_shortest_double(double value, char *text)
{
	guint64 bits;

	G_STATIC_ASSERT(sizeof(value) == sizeof(bits));
	memcpy(&bits, &value, sizeof(bits));
	return shortest(bits, 52, 11, text);
}

gsize ltt_shortest_float(float value, char *text)
{
	guint32 bits;

	G_STATIC_ASSERT(sizeof(value) == sizeof(bits));
	memcpy(&bits, &value, sizeof(bits));
	return shortest(bits, 23, 8, text);
}
