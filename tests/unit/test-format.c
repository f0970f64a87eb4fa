/* printf formats in descriptions: only one conversion that fits the type is accepted. */
#include "unit.h"

#include <ltt/ltt-format.h>

static void assert_refused(const char *text, LttTypeKind kind, const char *expected)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(LttFormat) format = ltt_format_parse(text, kind, &error);

	CU_ASSERT_PTR_NULL(format);
	UNIT_ASSERT_TEXT(error != NULL ? error->message : NULL, expected);
}

static void test_parts(void)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(LttFormat) format =
		ltt_format_parse("100%% at %-+# 08.3llx h%%", LTT_UINT, &error);

	UNIT_ASSERT_OK(format != NULL, error);
	UNIT_ASSERT_TEXT(format->prefix, "100% at ");
	UNIT_ASSERT_TEXT(format->suffix, " h%");
	CU_ASSERT_EQUAL(format->conversion, 'x');
	CU_ASSERT_EQUAL(format->width, 8);
	CU_ASSERT_EQUAL(format->precision, 3);
	CU_ASSERT_TRUE(format->left && format->plus && format->alternate && format->space &&
		       format->zero);
}

static void test_precision_is_told_from_none(void)
{
	g_autoptr(LttFormat) none = ltt_format_parse("%g", LTT_FLOAT, NULL);
	g_autoptr(LttFormat) zero = ltt_format_parse("%.f", LTT_FLOAT, NULL);

	CU_ASSERT_EQUAL(none->precision, -1);
	CU_ASSERT_EQUAL(zero->precision, 0);
}

static void test_refused(void)
{
	assert_refused("%n", LTT_INT,
		       "format \"%n\": %n does not fit int: expected one of diouxXc");
	assert_refused("%s", LTT_UINT,
		       "format \"%s\": %s does not fit uint: expected one of diouxXc");
	assert_refused("%d", LTT_STRING,
		       "format \"%d\": %d does not fit string: expected one of s");
	assert_refused("%d", LTT_FLOAT,
		       "format \"%d\": %d does not fit float: expected one of eEfFgGaA");
	assert_refused("%*d", LTT_INT, "format \"%*d\": \"*\" is not allowed: expected digits");
	assert_refused("%.*d", LTT_INT, "format \"%.*d\": \"*\" is not allowed: expected digits");
	assert_refused("%1$d", LTT_INT,
		       "format \"%1$d\": \"$\" is not allowed: there is one value only");
	assert_refused("%d%d", LTT_INT, "format \"%d%d\": more than one conversion");
	assert_refused("plain", LTT_INT,
		       "format \"plain\": no conversion: expected one, such as %d");
	assert_refused("%ll", LTT_INT, "format \"%ll\": the conversion has no letter");
	assert_refused("%99999999999d", LTT_INT,
		       "format \"%99999999999d\": width or precision above 64");
	assert_refused("%d", LTT_STRUCT, "format \"%d\": struct takes none");
}

UNIT_MAIN("format", UNIT(test_parts), UNIT(test_precision_is_told_from_none), UNIT(test_refused))
