/* The messages for mistakes in filters, and the position of the caret. */
#include "unit.h"

#include <ltt/ltt-filter.h>

#include <string.h>

static const struct {
	const char *expression;
	guint byte;
	const char *message;
} mistakes[] = {
	{"in == == 3", 6, "\"==\" is out of place: expected a field, a number or a string"},
	{"", 0, "an empty filter: expected a comparison"},
	{"5", 0, "\"5\" alone is not a condition: expected a comparison"},
	{"in", 0, "\"in\" alone is not a condition: expected a comparison"},
	{"\"x\"", 0, "\"x\" alone is not a condition: expected a comparison"},
	{"data.in[3]", 0, "\"data.in[3]\" alone is not a condition: expected a comparison"},
	{"(in)", 0, "\"(in)\" alone is not a condition: expected a comparison"},
	{"a < b < c", 6, "a second comparison: expected && between two, as in a < b && b < c"},
	{"a == b == c", 7, "a second comparison: expected && between two, as in a < b && b < c"},
	{"(a == 1) == 2", 9, "\"==\" is out of place: expected && or ||"},
	{"2 == (a == 1)", 5, "a condition has no value: expected a field, a number or a string"},
	{"a == (1 == 1)", 5, "a condition has no value: expected a field, a number or a string"},
	{"a = 1", 2, "\"=\" is not an operator: expected == or =~"},
	{"a === 1", 4, "\"=\" is not an operator: expected == or =~"},
	{"a & b", 2, "\"&\" is not an operator: expected &&"},
	{"a | b == 1", 2, "\"|\" is not an operator: expected ||"},
	{"a ~ \"x\"", 2, "\"~\" is not an operator: expected =~"},
	{"name !~ \"x\"", 5, "\"!\" is out of place: expected one of == != < <= > >= =~ in"},
	{"a == 'x'", 5, "\"'\" is not an operator: expected strings in double quotes"},
	{"a + 1 == 2", 2,
	 "\"+\" is not part of a filter: expected names, numbers, strings and == != < <= > >= =~ "
	 "in "
	 "&& || ! - ( ) [ ] . , *"},
	{"a - 1 == 2", 2, "\"-\" is out of place: expected one of == != < <= > >= =~ in"},
	{"a == 1 b == 2", 7, "\"b\" is out of place: expected && or ||"},
	{"a == 1 and b == 2", 7, "\"and\" is out of place: expected && or ||"},
	{"a == 1, b == 2", 6, "\",\" is out of place: expected && or ||"},
	{"a 5", 2, "\"5\" is out of place: expected one of == != < <= > >= =~ in"},
	{"a \"x\"", 2, "\"x\" is out of place: expected one of == != < <= > >= =~ in"},
	{"a b", 2, "\"b\" is out of place: expected one of == != < <= > >= =~ in"},
	{"(a == 1", 0, "\"(\" is not closed: expected a \")\""},
	{"((a == 1) && b == 2", 0, "\"(\" is not closed: expected a \")\""},
	{"a == 1)", 6, "\")\" is out of place: expected a \"(\" before it"},
	{"(a b)", 3, "\"b\" is out of place: expected one of == != < <= > >= =~ in"},
	{")", 0, "\")\" is out of place: expected a field, a number or a string"},
	{"()", 1, "\")\" is out of place: expected a field, a number or a string"},
	{"a ==", 4, "the filter ends here: expected a field, a number or a string"},
	{"a == 1 &&", 9, "the filter ends here: expected a field, a number or a string"},
	{"&& a == 1", 0, "\"&&\" is out of place: expected a field, a number or a string"},
	{"a == 1 && || b", 10, "\"||\" is out of place: expected a field, a number or a string"},
	{"a == 1 && b", 10, "\"b\" alone is not a condition: expected a comparison"},
	{"a == 1 || b", 10, "\"b\" alone is not a condition: expected a comparison"},
	{"a == 1 && b || c == 1", 10, "\"b\" alone is not a condition: expected a comparison"},
	{"a && b == 1", 0, "\"a\" alone is not a condition: expected a comparison"},
	{"a || b == 1", 0, "\"a\" alone is not a condition: expected a comparison"},
	{"!a", 0, "\"!\" before \"a\": expected a condition in parentheses after it"},
	{"!a == 1", 0, "\"!\" before \"a\": expected a condition in parentheses after it"},
	{"!5", 0, "\"!\" before \"5\": expected a condition in parentheses after it"},
	{"!", 1, "the filter ends here: expected a field, a number or a string"},
	{"!!", 2, "the filter ends here: expected a field, a number or a string"},
	{"a == !b", 5, "\"!\" before \"b\": expected a condition in parentheses after it"},
	{"a == !(b == 1)", 5, "a condition has no value: expected a field, a number or a string"},
	{"a == -b", 6, "\"b\" is out of place: expected a number"},
	{"a == --1", 6, "\"-\" is out of place: expected a number"},
	{"- a == 1", 2, "\"a\" is out of place: expected a number"},
	{"-\"x\" == a", 1, "\"x\" is out of place: expected a number"},
	{"name =~ 5", 8, "\"5\" after =~: expected a glob in double quotes"},
	{"name =~ other", 8, "\"other\" after =~: expected a glob in double quotes"},
	{"name =~ \"x\" == 1", 12,
	 "a second comparison: expected && between two, as in a < b && b < c"},
	{"name =~ (a == 1)", 8, "a condition has no value: expected a field, a number or a string"},
	{"5 =~ \"x\"", 0, "\"5\" before =~ is a number: expected a string"},
	{"time =~ \"x\"", 0, "\"time\" before =~ is a number: expected a string"},
	{"time == \"x\"", 8, "\"x\" is a string: expected a number, as \"time\" is one"},
	{"\"x\" < pid", 6, "\"pid\" is a number: expected a string, as \"x\" is one"},
	{"event == 5", 9, "\"5\" is a number: expected a string, as \"event\" is one"},
	{"event == cpu", 9, "\"cpu\" is a number: expected a string, as \"event\" is one"},
	{"\"a\" == 1", 7, "\"1\" is a number: expected a string, as \"a\" is one"},
	{"1 == \"a\"", 5, "\"a\" is a string: expected a number, as \"1\" is one"},
	{"time.seconds == 5", 4, "time has no fields: a field of that name is data.time"},
	{"cpu[0] == 1", 3, "cpu has no fields: a field of that name is data.cpu"},
	{"event.name == \"x\"", 5, "event has no fields: a field of that name is data.event"},
	{"a. == 1", 3, "\"==\" is out of place: expected the name of a field"},
	{"a.", 2, "the filter ends here: expected the name of a field"},
	{"a.5 == 1", 2, "\"5\" is out of place: expected the name of a field"},
	{"a.[0] == 1", 2, "\"[\" is out of place: expected the name of a field"},
	{"a..b == 1", 2, "\".\" is out of place: expected the name of a field"},
	{"a[ == 1", 3,
	 "\"==\" is out of place: expected the number of an element, from 0 on, or *"},
	{"a[", 2, "the filter ends here: expected the number of an element, from 0 on, or *"},
	{"a[] == 1", 2,
	 "\"]\" is out of place: expected the number of an element, from 0 on, or *"},
	{"a[-1] == 1", 2,
	 "\"-\" is out of place: expected the number of an element, from 0 on, or *"},
	{"a[x] == 1", 2,
	 "\"x\" is out of place: expected the number of an element, from 0 on, or *"},
	{"a[1.5] == 1", 2,
	 "\"1.5\" is out of place: expected the number of an element, from 0 on, or *"},
	{"a[1e3] == 1", 2,
	 "\"1e3\" is out of place: expected the number of an element, from 0 on, or *"},
	{"a[\"x\"] == 1", 2,
	 "\"x\" is out of place: expected the number of an element, from 0 on, or *"},
	{"a[* == 1", 4, "\"==\" is out of place: expected a \"]\""},
	{"a[**] == 1", 3, "\"*\" is out of place: expected a \"]\""},
	{"a[*] == b[*]", 8, "[*] on both sides of a comparison: expected it on one"},
	{"a * 2 == 1", 2, "\"*\" is out of place: expected one of == != < <= > >= =~ in"},
	{"length(a", 8, "the filter ends here: expected a \")\""},
	{"length() == 1", 7, "\")\" is out of place: expected the name of a field"},
	{"length(5) == 1", 7, "\"5\" is out of place: expected the name of a field"},
	{"length(length(a)) == 1", 13, "\"(\" is out of place: expected a \")\""},
	{"length(event) == 1", 7, "length() is for fields: a field of that name is data.event"},
	{"length(a) == \"x\"", 13, "\"x\" is a string: expected a number, as \"length(a)\" is one"},
	{"length(a) =~ \"x\"", 0, "\"length(a)\" before =~ is a number: expected a string"},
	{"size(a) == 1", 4, "\"(\" is out of place: expected one of == != < <= > >= =~ in"},
	{"a in 5", 5, "\"5\" is out of place: expected a list, as in x in (1, 2)"},
	{"a in", 4, "the filter ends here: expected a list, as in x in (1, 2)"},
	{"a in ()", 6, "\")\" is out of place: expected a field, a number or a string"},
	{"a in (1", 7, "the filter ends here: expected a \",\" or a \")\""},
	{"a in (1,)", 8, "\")\" is out of place: expected a field, a number or a string"},
	{"a in (1 2)", 8, "\"2\" is out of place: expected a \",\" or a \")\""},
	{"a in (1) in (2)", 9, "\"in\" is out of place: expected && or ||"},
	{"pid in (1, \"x\")", 11, "\"x\" is a string: expected a number, as \"pid\" is one"},
	{"(a == 1) in (1)", 9, "\"in\" is out of place: expected && or ||"},
	{"a[*] in (b, c[*])", 12, "[*] on both sides of a comparison: expected it on one"},
	{"a[1 == 1", 4, "\"==\" is out of place: expected a \"]\""},
	{"a[1) == 1", 3, "\")\" is out of place: expected a \"]\""},
	{"a[0].5 == 1", 5, "\"5\" is out of place: expected the name of a field"},
	{"12abc == a", 0,
	 "\"12abc\" is not a number: expected decimal digits, a point, an exponent, or 0x and "
	 "hexadecimal digits"},
	{"0x == a", 0, "\"0x\" is not a number: expected hexadecimal digits after 0x"},
	{"0xg == a", 0, "\"0xg\" is not a number: expected hexadecimal digits after 0x"},
	{"0x1p == a", 0, "\"0x1p\" is not a number: expected hexadecimal digits after 0x"},
	{"08 == a", 0, "\"08\" is not a number: expected octal digits after the leading 0"},
	{"0b101 == a", 0,
	 "\"0b101\" is not a number: expected decimal digits, a point, an exponent, or 0x and "
	 "hexadecimal digits"},
	{"0777777777777777777777777777 == a", 0,
	 "\"077777777777777777777777...\" is not a number: expected at most 64 bits of octal "
	 "digits"},
	{"0x11111111111111111 == a", 0,
	 "\"0x11111111111111111\" is not a number: expected at most 64 bits of hexadecimal digits"},
	{"1e == a", 0,
	 "\"1e\" is not a number: expected decimal digits after the e of an exponent"},
	{"1e+ == a", 0,
	 "\"1e+\" is not a number: expected decimal digits after the e of an exponent"},
	{"1e5.5 == a", 0,
	 "\"1e5.5\" is not a number: expected decimal digits after the e of an exponent"},
	{"1.2.3 == a", 0,
	 "\"1.2.3\" is not a number: expected decimal digits, a point, an exponent, or 0x and "
	 "hexadecimal digits"},
	{"1u == a", 0,
	 "\"1u\" is not a number: expected decimal digits, a point, an exponent, or 0x and "
	 "hexadecimal digits"},
	{"1_000 == a", 0,
	 "\"1_000\" is not a number: expected decimal digits, a point, an exponent, or 0x and "
	 "hexadecimal digits"},
	{"0x1.8p3 == a", 0, "\"0x1.8p3\" is not a number: expected hexadecimal digits after 0x"},
	{".5.5 == a", 0,
	 "\".5.5\" is not a number: expected decimal digits, a point, an exponent, or 0x and "
	 "hexadecimal digits"},
	{". == a", 0, "\".\" is out of place: expected a field, a number or a string"},
	{"a == \"never ends", 5, "a string has no end: expected a closing \""},
	{"a == \"bad \\q escape\"", 10,
	 "escape \"\\q\": expected one of C, such as \\n \\t \\\" \\\\ \\x41"},
	{"a == \"\\x\"", 6, "escape \"\\x\": expected hexadecimal digits"},
	{"a == \"\\xg\"", 6, "escape \"\\x\": expected hexadecimal digits"},
	{"a == \"\\x100\"", 6, "escape \"\\x100\": expected a byte, at most \\xff"},
	{"a == \"\\400\"", 6, "escape \"\\400\": expected a byte, at most \\377"},
	{"a == \"\\u12\"", 6, "escape \"\\u12\": expected 4 hexadecimal digits"},
	{"a == \"\\ud800\"", 6, "escape \"\\ud800\": expected a character"},
	{"a == \"\\U00110000\"", 6, "escape \"\\U00110000\": expected a character"},
	{"a == \"\\", 5, "a string has no end: expected a closing \""},
	{"a == \"x\\\"", 5, "a string has no end: expected a closing \""},
	{"a == @b", 5,
	 "\"@\" is not part of a filter: expected names, numbers, strings and == != < <= > >= =~ "
	 "in "
	 "&& || ! - ( ) [ ] . , *"},
	{"a == #", 5,
	 "\"#\" is not part of a filter: expected names, numbers, strings and == != < <= > >= =~ "
	 "in "
	 "&& || ! - ( ) [ ] . , *"},
	{"a == 1; b == 2", 6,
	 "\";\" is not part of a filter: expected names, numbers, strings and == != < <= > >= =~ "
	 "in "
	 "&& || ! - ( ) [ ] . , *"},
	{"a == \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\" \"b\"", 39,
	 "\"b\" is out of place: expected && or ||"},
	{"a == 1 \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"", 7,
	 "\"aaaaaaaaaaaaaaaaaaaaaaa...\" is out of place: expected && or ||"},
	{"a aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 2,
	 "\"aaaaaaaaaaaaaaaaaaaaaaaa...\" is out of place: expected one of == != < <= > >= =~ in"},
};

static void test_messages(void)
{
	for (guint i = 0; i < G_N_ELEMENTS(mistakes); i++) {
		const char *expression = mistakes[i].expression;
		g_autoptr(GError) error = NULL;
		g_autofree char *expected =
			g_strdup_printf("byte %u: %s", mistakes[i].byte, mistakes[i].message);
		LttProblem problem;

		CU_ASSERT_PTR_NULL(ltt_filter_new(expression, &error));
		CU_ASSERT_TRUE_FATAL(g_error_matches(error, LTT_ERROR, LTT_ERROR_INVALID));
		UNIT_ASSERT_TEXT(error->message, expected);
		ltt_problem_from_error(error, &problem);
		CU_ASSERT_EQUAL(problem.byte, mistakes[i].byte);
		UNIT_ASSERT_TEXT(problem.message, mistakes[i].message);
	}
}

/* ---- the caret ---- */

static void assert_point(const char *expression, const char *expected)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *point = NULL;

	CU_ASSERT_PTR_NULL(ltt_filter_new(expression, &error));
	point = ltt_filter_point(expression, error);
	UNIT_ASSERT_TEXT(point, expected);
}

static void test_caret_of_every_mistake(void)
{
	for (guint i = 0; i < G_N_ELEMENTS(mistakes); i++) {
		g_autofree char *expected = NULL;

		if (mistakes[i].byte > 36)
			continue;
		expected = g_strdup_printf("  %s\n  %*s^", mistakes[i].expression,
					   (int)mistakes[i].byte, "");
		assert_point(mistakes[i].expression, expected);
	}
}

static void test_caret_in_other_texts(void)
{
	/* Wide characters take two columns, combining ones none. */
	assert_point("name == \"\346\227\245\346\234\254\" oops",
		     "  name == \"\346\227\245\346\234\254\" oops\n"
		     "                 ^");
	assert_point("name == \"e\314\201\" oops", "  name == \"e\314\201\" oops\n"
						   "              ^");
	assert_point("a\t==\n\033 x", "  a ==   x\n"
				      "       ^");
	assert_point("a == \"\302\233\" b", "  a == \" \" b\n"
					    "           ^");
	assert_point("a == \377", "  a == \357\277\275\n"
				  "       ^");
	assert_point("a == \303\251", "  a == \303\251\n"
				      "       ^");
	assert_point("\"\377\376\" b == 1", "  \"\357\277\275\357\277\275\" b == 1\n"
					    "       ^");
}

static void test_caret_in_long_filters(void)
{
	g_autofree char *name = g_strnfill(100, 'n');
	g_autofree char *before = g_strconcat(name, " b == 1", NULL);
	g_autofree char *behind = g_strconcat("a ", name, NULL);
	g_autofree char *both = g_strconcat(name, " b ", name, NULL);

	assert_point(before, "  ...nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn b == 1\n"
			     "                                         ^");
	assert_point(behind, "  a nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn...\n"
			     "    ^");
	assert_point(both, "  ...nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn b "
			   "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn...\n"
			   "                                         ^");
}

UNIT_MAIN("filter-mistakes", UNIT(test_messages), UNIT(test_caret_of_every_mistake),
	  UNIT(test_caret_in_other_texts), UNIT(test_caret_in_long_filters))
