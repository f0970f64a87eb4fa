/* Floating point numbers as text. Called with --doubles or --floats, it prints the numbers of its
 * standard input, so that tests/cli/test_shortest.py can compare a million of them with Python. */
#include "unit.h"

#include "base/shortest-priv.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

static void assert_double(double value, const char *expected)
{
	char text[LTT_SHORTEST_BYTES + 1];

	text[ltt_shortest_double(value, text)] = '\0';
	UNIT_ASSERT_TEXT(text, expected);
}

static void assert_float(float value, const char *expected)
{
	char text[LTT_SHORTEST_BYTES + 1];

	text[ltt_shortest_float(value, text)] = '\0';
	UNIT_ASSERT_TEXT(text, expected);
}

static void test_spelling_is_that_of_python(void)
{
	assert_double(0.0, "0.0");
	assert_double(-0.0, "-0.0");
	assert_double(1.0, "1.0");
	assert_double(-1.5, "-1.5");
	assert_double(100.0, "100.0");
	assert_double(0.1, "0.1");
	assert_double(0.0001, "0.0001");
	assert_double(0.00001, "1e-05");
	assert_double(1234567890123456.0, "1234567890123456.0");
	assert_double(1e15, "1000000000000000.0");
	assert_double(1e16, "1e+16");
	assert_double(1.5e300, "1.5e+300");
	assert_double(12345678901234567890.0, "1.2345678901234567e+19");
}

static void test_no_numbers(void)
{
	assert_double(0.0 / 0.0, "NaN");
	assert_double(-(0.0 / 0.0), "NaN");
	assert_double(1.0 / 0.0, "Infinity");
	assert_double(-1.0 / 0.0, "-Infinity");
	assert_float(-1.0F / 0.0F, "-Infinity");
}

static void test_ends_of_the_range(void)
{
	assert_double(5e-324, "5e-324");
	assert_double(2.2250738585072011e-308, "2.225073858507201e-308");
	assert_double(2.2250738585072014e-308, "2.2250738585072014e-308");
	assert_double(-1.7976931348623157e308, "-1.7976931348623157e+308");
	assert_float(1e-45F, "1e-45");
	assert_float(3.4028235e38F, "3.4028235e+38");
}

/* Below a power of two floats are denser than above it. */
static void test_powers_of_two(void)
{
	assert_double(0x1p-44, "5.684341886080802e-14");
	assert_double(0x1p53, "9007199254740992.0");
	assert_double(0x1p-1022, "2.2250738585072014e-308");
	assert_float(0x1p24F, "16777216.0");
	assert_float(0x1p90F, "1.2379401e+27");
}

static void test_width_of_the_value_counts(void)
{
	assert_float(0.1F, "0.1");
	assert_double((double)0.1F, "0.10000000149011612");
	assert_float(1e-30F, "1e-30");
	assert_float(16777218.0F, "16777218.0");
	assert_float(1e10F, "10000000000.0");
}

/* In this locale printf() writes "1,5". The test is also useful if the locale is not installed. */
static void test_locale_does_not_matter(void)
{
	setlocale(LC_ALL, "de_DE.UTF-8");
	assert_double(1.5, "1.5");
	setlocale(LC_ALL, "C");
}

static void print_doubles(void)
{
	char text[LTT_SHORTEST_BYTES + 1];
	guint64 bits;
	double value;
	gsize length;

	while (fread(&bits, sizeof(bits), 1, stdin) == 1) {
		bits = GUINT64_FROM_LE(bits);
		memcpy(&value, &bits, sizeof(value));
		length = ltt_shortest_double(value, text);
		text[length] = '\n';
		fwrite(text, 1, length + 1, stdout);
	}
}

static void print_floats(void)
{
	char text[LTT_SHORTEST_BYTES + 1];
	guint32 bits;
	float value;
	gsize length;

	while (fread(&bits, sizeof(bits), 1, stdin) == 1) {
		bits = GUINT32_FROM_LE(bits);
		memcpy(&value, &bits, sizeof(value));
		length = ltt_shortest_float(value, text);
		text[length] = '\n';
		fwrite(text, 1, length + 1, stdout);
	}
}

int main(int argc, char **argv)
{
	static const UnitTest tests[] = {
		UNIT(test_spelling_is_that_of_python),
		UNIT(test_no_numbers),
		UNIT(test_ends_of_the_range),
		UNIT(test_powers_of_two),
		UNIT(test_width_of_the_value_counts),
		UNIT(test_locale_does_not_matter),
		{NULL, NULL},
	};

	if (argc > 1 && strcmp(argv[1], "--doubles") == 0)
		print_doubles();
	else if (argc > 1 && strcmp(argv[1], "--floats") == 0)
		print_floats();
	else
		return unit_run("shortest", tests, argc, argv);
	return 0;
}
