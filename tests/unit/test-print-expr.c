/* Print expressions of descriptions: expressions, conversions, and untrusted texts. */
#include "unit.h"

#include "print-expr-cases.h"
#include "print/expr-priv.h"

#include <string.h>

static const char little[] = "\x7f"                             /* u8 127 */
			     "\xff\xff"                         /* s16 -1 */
			     "\xfe\xff\xff\xff"                 /* s32 -2 */
			     "\x05\x00\x00\x00"                 /* u32 5 */
			     "\x00\x00\x00\x00\x00\x00\x00\x80" /* u64 1 << 63 */
			     "\x0a\x00\x00\x01"                 /* ip4 */
			     "a\tb\0"                           /* comm */
			     "\x02\x00\x00\x00\x01\x02\x03\x04" /* items 0x201, 0x403 */
			     "\x09\x00\x00\x00";                /* last 9 */

static const char big[] = "\x7f"
			  "\xff\xff"
			  "\xff\xff\xff\xfe"
			  "\x00\x00\x00\x05"
			  "\x80\x00\x00\x00\x00\x00\x00\x00"
			  "\x0a\x00\x00\x01"
			  "a\tb\0"
			  "\x00\x00\x00\x02\x02\x01\x04\x03"
			  "\x00\x00\x00\x09";

static gboolean gather(const char *bytes, gsize length, gpointer user_data, GError **error)
{
	(void)error;
	g_string_append_len(user_data, bytes, (gssize)length);
	return TRUE;
}

/* Returns: (transfer full) (nullable): the text; NULL if it cannot be evaluated */
static char *print(const char *text, LttByteOrder order, gint member)
{
	g_autoptr(LttFacility) facility = print_expr_facility();
	const LttArch arch = {order, LTT_LP64};
	g_autoptr(GString) out = g_string_new(NULL);
	LttLayouts *layouts;
	LttPrintExpr *expr;
	LttSink sink;
	gsize room = ltt_print_expr_get_room(sizeof(little) - 1);

	ltt_facility_seal(facility, NULL);
	layouts = ltt_layouts_new(facility, &arch);
	expr = ltt_print_expr_new(text, ltt_layouts_get(layouts, 0), 8);
	ltt_sink_init(&sink, gather, out);
	if (expr != NULL && member < 0)
		ltt_print_expr_fill(expr, &sink,
				    (const guint8 *)(order == LTT_LITTLE_ENDIAN ? little : big),
				    sizeof(little) - 1, order);
	else if (expr != NULL && ltt_print_expr_has_field(expr, (guint)member))
		ltt_print_expr_fill_field(expr, &sink, (guint)member, (const guint8 *)little,
					  sizeof(little) - 1, order, &room);
	ltt_sink_hand_on(&sink);
	ltt_sink_clear(&sink);
	ltt_layouts_free(layouts);
	if (expr == NULL)
		return NULL;
	ltt_print_expr_free(expr);
	return g_strdup(out->str);
}

static void check(const char *text, const char *expected)
{
	g_autofree char *in_little = print(text, LTT_LITTLE_ENDIAN, -1);
	g_autofree char *in_big = print(text, LTT_BIG_ENDIAN, -1);

	UNIT_ASSERT_TEXT(in_little, expected);
	UNIT_ASSERT_TEXT(in_big, expected);
}

static void check_refused(const char *text)
{
	g_autofree char *out = print(text, LTT_LITTLE_ENDIAN, -1);

	CU_ASSERT_PTR_NULL(out);
}

static void test_numbers(void)
{
	check("\"%d %u %x %o %c\", REC->s32, REC->u8, REC->u8, REC->u8, REC->u8 - 14",
	      "-2 127 7f 177 q");
	check("\"%5d|%-5d|%05d|%+d|% d|%.3d|%5.3d\", 7, 7, 7, 7, 7, 7, 7",
	      "    7|7    |00007|+7| 7|007|  007");
	check("\"%#x %#o %#x %X %08lx\", 255, 8, 0, 0xabc, 0xabcUL", "0xff 010 0 ABC 00000abc");
	check("\"%llu %lld %lx %d\", REC->u64, REC->u64, REC->u64, REC->u64",
	      "9223372036854775808 -9223372036854775808 8000000000000000 0");
	check("\"%hhd %hd %d\", 255, 65535, REC->s16", "-1 -1 -1");
	check("\"%*d|%-*d|%.*d\", 4, 1, 4, 1, 3, 1", "   1|1   |001");
	check("\"100%% \\\"%d\\\"\\n\", 1", "100% \"1\"");
	check("\"%d\" \"%d\", 1, 2", "12");
}

static void test_operators(void)
{
	check("\"%d %d %d\", 1 + 2 * 3 - 4 / 2 % 2, (1 + 2) * 3, 10 - 3 - 2", "7 9 5");
	check("\"%d %d %d\", 1 << 3 | 1, 6 & 3 ^ 1, ~0 & 0xff", "9 3 255");
	check("\"%d%d%d%d\", 1 && 0, 1 || 0, !5, -1 < 0", "0101");
	check("\"%s %s\", REC->s32 < 0 ? \"minus\" : \"plus\", REC->u8 > 127 ? \"a\" : \"b\"",
	      "minus b");
	check("\"%s\", 0 ? \"a\" : 0 ? \"b\" : \"c\"", "c");
	check("\"%d\", REC->u32 ?: 3", "5");
	check("\"%d %d\", 1 / 0, 1 % 0", "0 0");
	check("\"%lld\", (-9223372036854775807LL - 1) / -1", "-9223372036854775808");
	check("\"%u %llu\", REC->u32 << 31, (u64)REC->u32 << 31", "2147483648 10737418240");
	check("\"%llx %llx\", ~REC->u32, ~(unsigned long)REC->u32", "fffffffa fffffffffffffffa");
	check("\"%d %d %d\", (u8)300, (signed char)255, (int)(unsigned short)-1", "44 -1 65535");
	check("\"%zu %zu %zu\", sizeof(u64), sizeof(REC->ip4), sizeof(char *)", "8 4 8");
	check("\"%d\", __builtin_expect(!!(REC->u32), 0)", "1");
}

static void test_bytes(void)
{
	check("\"%s|%5s|%-5s|%.1s\", REC->comm, \"x\", \"y\", __get_str(comm)",
	      "a\\tb|    x|y    |a");
	check("\"%.*s\", REC->u32 - 4, REC->comm", "a");
	check("\"%d %d %d\", REC->ip4[0], REC->items[1], REC->ip4[4000000000]", "10 1027 0");
	check("\"%d\", ((u16 *)__get_dynamic_array(items))[0]", "513");
	check("\"%d %d\", __get_dynamic_array_len(items), __get_dynamic_array_len(items) / 2",
	      "4 2");
	check("\"%s\", __print_hex(REC->ip4, 3)", "0a 00 00");
	check("\"%s\", __print_hex_str(REC->ip4, 4000000000)", "0a000001");
	check("\"%s\", __print_array(__get_dynamic_array(items), 2, 2)", "513 1027");
	check("\"%s %d\", __get_str(comm)[0] ? \"some\" : \"none\", REC->last", "some 9");
	check("\"%pI4 %pi4 %pM %*phC\", REC->ip4, REC->ip4, REC->ip4, 4, REC->ip4",
	      "10.0.0.1 010.000.000.001 ? 0a:00:00:01");
	check("\"%p %p %pS %ps\", REC->u8, 0, 0x10UL, 0", "0x7f (nil) 0x10 0x0");
	check("\"%*pbl\", 32, __get_dynamic_array(items)", "0,9,16-17,26");
	check("\"%s\", __get_bitmask(items)", "0403,0201");
}

static void test_names(void)
{
#define TABLE "{ 1, \"R\" }, { (1 << 1), \"W\" }, { 0x4, \"X\" \"Y\" }, { -1, ((void *)0) }"
	check("\"%s\", __print_flags(REC->u32, \"|\", " TABLE ")", "R|XY");
	check("\"%s\", __print_flags(REC->u32 | 0x30, \"|\", " TABLE ")", "R|XY|0x30");
	check("\"[%s]\", __print_flags(0, \"|\", " TABLE ")", "[]");
	check("\"%s %s\", __print_symbolic(2, " TABLE "), __print_symbolic(5, " TABLE ")", "W 0x5");
	check("\"%s\", __print_symbolic(REC->s32, { -2, \"two\" })", "two");
	check("\"%s\", __print_symbolic(REC->s32, { -1, \"one\" })", "0xfffffffe");
	check("\"[%6s]\", __print_symbolic(2, " TABLE ")", "[     W]");
	/* Values of unknown names are not printed. */
	check("\"%s\", __print_symbolic(1, { SOME_NAME, \"no\" }, { 1, \"yes\" })", "yes");
	check("\"%d %p\", 7, (struct page *)base + REC->u32", "7 ?");
	check("\"%d\", REC->u32 == (SOME_NAME) ? 1 : 2", "?");
}

static void test_fields(void)
{
	static const char text[] =
		"\"s=%s%s u=%u both=%d t=%d\", __print_flags(REC->u32, \"\", { 1, \"a\" }, { 4, "
		"\"b\" }), REC->u32 ? \"+\" : \"\", REC->u8, REC->u8 + REC->u32, 1";
	g_autofree char *u32 = print(text, LTT_LITTLE_ENDIAN, 3);
	g_autofree char *u8 = print(text, LTT_LITTLE_ENDIAN, 0);
	g_autofree char *s16 = print(text, LTT_LITTLE_ENDIAN, 1);

	UNIT_ASSERT_TEXT(u32, "ab+");
	UNIT_ASSERT_TEXT(u8, "127");
	UNIT_ASSERT_TEXT(s16, "");
}

static void test_refused(void)
{
	static const char *const texts[] = {
		"",
		"REC->u8",
		"\"%d",
		"\"%d\"",
		"\"%d\", 1, 2",
		"\"%d\", REC->nothing",
		"\"%d\", REC->u8 +",
		"\"%d\", (REC->u8",
		"\"%d\", REC",
		"\"%d\", 1 ? 2",
		"\"%d\", unknown(1)",
		"\"%d\", ({ int x = 1; x; })",
		"\"%n\", REC->u64",
		"\"%f\", 1",
		"\"%\", 1",
		"\"%pV\", REC->u64",
		"\"%pI\", REC->ip4",
		"\"%s\", __print_flags(1, 2, { 1, \"a\" })",
		"\"%s\", __print_symbolic(1, { REC->u8, \"a\" })",
		"\"%s\", __get_str(1)",
		"\"%d\", 08x",
		"\"%d\", '",
		"\"%d\", $",
		"\"%d\", sizeof(struct something)",
	};

	for (guint i = 0; i < G_N_ELEMENTS(texts); i++)
		check_refused(texts[i]);
}

/* @n times @part, between two other texts. */
static char *repeat(const char *before, const char *part, guint n, const char *after)
{
	GString *text = g_string_new(before);

	for (guint i = 0; i < n; i++)
		g_string_append(text, part);
	g_string_append(text, after);
	return g_string_free(text, FALSE);
}

#define ROOM (4096 + 16 * (sizeof(little) - 1))

/* Writes @n times "x", and then a conversion. Its text is to be @expected, cut to @n_expected bytes. */
static void check_after(gsize n, const char *conversion, const char *expected, gsize n_expected)
{
	g_autofree char *filler = g_strnfill(n, 'x');
	g_autofree char *text = g_strdup_printf("\"%s%s", filler, conversion);
	g_autoptr(GString) whole = g_string_new(NULL);
	const gsize n_whole = MIN(n, ROOM) + n_expected;

	g_string_printf(whole, "%s%s", filler, expected);
	if (n_whole < whole->len) {
		g_string_truncate(whole, n_whole);
		g_string_append(whole, LTT_EXPR_CUT);
	}
	check(text, whole->str);
}

/* Each kind of conversion ends at the bound of the text, and is cut one byte before. */
static void test_bound(void)
{
	static const struct {
		const char *conversion, *expected;
	} cases[] = {
		{"%s\", \"abcd\"", "abcd"},
		{"%s\", (0 ? \"a\" : \"abcd\")", "abcd"},
		{"%7s|\", \"abcd\"", "   abcd|"},
		{"%-7s\", \"abcd\"", "abcd   "},
		{"%.4s\", \"abcdef\"", "abcd"},
		{"%u\", REC->u8", "127"},
		{"%7d\", REC->s16", "     -1"},
		{"%-7d\", REC->s16", "-1     "},
		{"%#.7x\", REC->u8", "0x000007f"},
		{"%*d\", 7, REC->u8", "    127"},
		{"%c\", 65", "A"},
		{"%s\", __print_flags(REC->u8, \"--\", { 1, \"AB\" }, { 2, \"C\" })",
		 "AB--C--0x7c"},
		{"%s\", __print_symbolic(REC->u8, { 127, \"name\" })", "name"},
		{"%s\", __print_symbolic(REC->u8, { 1, \"name\" })", "0x7f"},
		{"%s\", __print_hex(REC->ip4, 4)", "0a 00 00 01"},
		{"%s\", __print_hex_str(REC->ip4, 4)", "0a000001"},
		{"%s\", __print_array(REC->ip4, 4, 1)", "10 0 0 1"},
		{"%s\", __get_bitmask(ip4)", "01,00,00,0a"},
		{"%pI4\", REC->ip4", "10.0.0.1"},
		{"%*phC\", 4, REC->ip4", "0a:00:00:01"},
		{"%*pbl\", 32, REC->ip4", "1,3,24"},
		{"%p\", REC->u32", "0x5"},
		{"%d\", nothing", "?"},
	};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		const char *expected = cases[i].expected;
		const gsize length = strlen(expected);

		check_after(ROOM - length, cases[i].conversion, expected, length);
		for (gsize n = 0; n < length; n++)
			check_after(ROOM - n, cases[i].conversion, expected, n);
		check_after(ROOM + 1, cases[i].conversion, expected, 0);
	}
}

/* Stack depth, time and output are bounded. */
static void test_hostile(void)
{
	char *deep[] = {
		repeat("\"%d\", ", "(", 60000, "1"),   repeat("\"%d\", ", "(int)", 12000, "1"),
		repeat("\"%d\", ", "!", 60000, "1"),   repeat("\"%d\", ", "1+", 30000, "1"),
		repeat("\"%d\", ", "1?", 30000, "1"),  repeat("\"%d\", ", "1?1:", 15000, "1"),
		repeat("\"%d\", 1", "[1", 30000, ""),  repeat("\"%d\", 1", "[1]", 20000, ""),
		repeat("\"%d\", ", "1&&(", 15000, ""), repeat("\"", "x", 70000, "\""),
	};
	g_autofree char *twice = repeat("\"%d\", ", "(1&&1)&&", 100, "1");
	g_autofree char *wide = repeat("\"", "%255d", 1000, "\"");
	g_autofree char *arguments = repeat("", ",1", 1000, "");
	g_autofree char *long_text = g_strconcat(wide, arguments, NULL);
	g_autofree char *out = print(long_text, LTT_LITTLE_ENDIAN, -1);

	for (guint i = 0; i < G_N_ELEMENTS(deep); i++)
		check_refused(deep[i]);
	for (guint i = 0; i < G_N_ELEMENTS(deep); i++)
		g_free(deep[i]);
	check(twice, "1");
	CU_ASSERT_PTR_NOT_NULL_FATAL(out);
	CU_ASSERT_EQUAL(strlen(out), ROOM + strlen(LTT_EXPR_CUT));
	CU_ASSERT_TRUE(g_str_has_suffix(out, " " LTT_EXPR_CUT));
	check("\"%99999999999d|%.*d|%-*d|\", 1, -1, 2, -3, 4",
	      "                                                                                "
	      "                                                                                "
	      "                                                                                "
	      "              1|2|4  |");
}

UNIT_MAIN("print expressions", UNIT(test_numbers), UNIT(test_operators), UNIT(test_bytes),
	  UNIT(test_names), UNIT(test_fields), UNIT(test_refused), UNIT(test_bound),
	  UNIT(test_hostile))
