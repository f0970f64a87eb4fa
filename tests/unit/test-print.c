/* Values as text, JSON and CSV: cases that the sample traces do not have. */
#include "unit.h"

#include "print/template-priv.h"
#include "reader/block-priv.h"

#include <locale.h>
#include <string.h>

static gboolean gather(const char *bytes, gsize length, gpointer user_data, GError **error)
{
	(void)error;
	g_string_append_len(user_data, bytes, (gssize)length);
	return TRUE;
}

/* Prints a little-endian LP64 payload of @type in one style; takes ownership of @type. */
static char *render(LttType *type, const char *bytes, gsize length, const LttStyle *style)
{
	const LttArch arch = {LTT_LITTLE_ENDIAN, LTT_LP64};
	g_autoptr(LttFacility) facility = ltt_facility_new("f");
	g_autoptr(GString) out = g_string_new(NULL);
	g_autoptr(GError) error = NULL;
	g_autoptr(LttLayouts) layouts = NULL;
	g_autofree guint8 *copy = g_malloc(length + LTT_BLOCK_SLACK_BYTES);
	const guint8 *end;
	const LttLayout *layout;
	LttTemplate *tmpl;
	LttSink sink;
	gsize measured = 0;
	const char *why;

	memcpy(copy, bytes, length);
	memset(copy + length, 'x', LTT_BLOCK_SLACK_BYTES);
	ltt_facility_add_event(facility, "e", NULL, type);
	UNIT_ASSERT_OK(ltt_facility_seal(facility, &error), error);
	layouts = ltt_layouts_new(facility, &arch);
	layout = ltt_layouts_get(layouts, 0);
	CU_ASSERT_TRUE(ltt_layout_measure(layout, copy, length, arch.byte_order, &measured, &why));
	CU_ASSERT_EQUAL(measured, length);

	tmpl = ltt_template_new(layout, style, style == &ltt_style_text, NULL);
	ltt_sink_init(&sink, gather, out);
	end = ltt_template_fill(tmpl, &sink, copy, arch.byte_order);
	CU_ASSERT_PTR_EQUAL(end, copy + length);
	ltt_sink_hand_on(&sink);
	ltt_sink_clear(&sink);
	ltt_template_free(tmpl);
	return g_strdup(out->str);
}

static void assert_printed(LttType *type, const char *bytes, gsize length, const LttStyle *style,
			   const char *expected)
{
	g_autofree char *got = render(type, bytes, length, style);

	UNIT_ASSERT_TEXT(got, expected);
}

#define ASSERT_JSON(type, bytes, expected)                                                         \
	assert_printed(type, bytes, sizeof(bytes) - 1, &ltt_style_json, expected)
#define ASSERT_TEXT(type, bytes, expected)                                                         \
	assert_printed(type, bytes, sizeof(bytes) - 1, &ltt_style_text, expected)

static LttType *with_format(LttType *type, const char *format)
{
	ltt_type_set_format(type, format);
	return type;
}

static LttType *states(void)
{
	LttType *type = ltt_type_new_enum(LTT_WIDTH_1);

	ltt_type_add_label(type, "Running", 0);
	ltt_type_add_label(type, "Late", 200);
	ltt_type_add_label(type, "Waiting", 1);
	ltt_type_add_label(type, "AlsoWaiting", 1);
	return type;
}

/* A union of a number and a struct with a name and an empty struct. */
static LttType *either(void)
{
	LttType *named = ltt_type_new_struct();
	LttType *type = ltt_type_new_union(LTT_WIDTH_2);

	ltt_type_add_field(named, "name", NULL, ltt_type_new_string());
	ltt_type_add_field(named, "nothing", NULL, ltt_type_new_struct());
	ltt_type_add_field(type, "number", NULL, ltt_type_new_int(LTT_WIDTH_4));
	ltt_type_add_field(type, "thing", NULL, named);
	return type;
}

static void test_enums_show_the_first_label_or_the_number(void)
{
	LttType *negative = ltt_type_new_enum(LTT_WIDTH_2);

	ltt_type_add_label(negative, "Error", -1);
	ASSERT_JSON(ltt_type_new_array(4, states()), "\x00\x01\xc8\x07",
		    "[\"Running\",\"Waiting\",\"Late\",7]");
	ASSERT_TEXT(ltt_type_new_array(4, states()), "\x00\x01\xc8\xff",
		    "[Running Waiting Late 255]");
	ASSERT_JSON(ltt_type_new_array(2, negative), "\xff\xff\xfe\xff", "[\"Error\",-2]");
}

static void test_labels_from_strangers(void)
{
	LttType *type = ltt_type_new_enum(LTT_WIDTH_1);

	ltt_type_add_label(type, "\x1b[2J\"", 0);
	ltt_type_ref(type);
	ASSERT_TEXT(type, "\x00", "\\u001b[2J\"");
	ASSERT_JSON(type, "\x00", "\"\\u001b[2J\\\"\"");
}

static void test_unions_nest(void)
{
	ASSERT_JSON(either(), "\x00\x00\xfe\xff\xff\xff", "{\"number\":-2}");
	ASSERT_JSON(either(), "\x01\x00xy\x00", "{\"thing\":{\"name\":\"xy\",\"nothing\":{}}}");
	ASSERT_TEXT(either(), "\x01\x00xy\x00", "thing={name=\"xy\" nothing={}}");
	ASSERT_TEXT(ltt_type_new_sequence(LTT_WIDTH_1, either()),
		    "\x02\x00\x00\x05\x00\x00\x00\x01\x00\x00",
		    "[{number=5} {thing={name=\"\" nothing={}}}]");
}

static void test_numbers_at_their_limits(void)
{
	ASSERT_JSON(ltt_type_new_array(2, ltt_type_new_int(LTT_WIDTH_8)),
		    "\x00\x00\x00\x00\x00\x00\x00\x80\xff\xff\xff\xff\xff\xff\xff\x7f",
		    "[-9223372036854775808,9223372036854775807]");
	ASSERT_JSON(ltt_type_new_uint(LTT_WIDTH_8), "\xff\xff\xff\xff\xff\xff\xff\xff",
		    "18446744073709551615");
	ASSERT_JSON(ltt_type_new_uint(LTT_WIDTH_8), "\x00\x00\xe8\x89\x04\x23\xc7\x8a",
		    "10000000000000000000");
}

/* The least and the greatest number of each length. */
static void test_whole_numbers_of_any_length(void)
{
	guint64 power = 1;

	for (guint digits = 1; digits <= 20; digits++) {
		const guint64 greatest = digits < 20 ? power * 10 - 1 : G_MAXUINT64;
		const guint64 values[] = {power, greatest, power + (greatest - power) / 3};

		for (guint i = 0; i < G_N_ELEMENTS(values); i++) {
			const guint64 bytes = GUINT64_TO_LE(values[i]);
			g_autofree char *expected =
				g_strdup_printf("%" G_GUINT64_FORMAT, values[i]);

			assert_printed(ltt_type_new_uint(LTT_WIDTH_8), (const char *)&bytes, 8,
				       &ltt_style_json, expected);
		}
		power *= 10;
	}
}

static void test_what_is_no_number(void)
{
	const char bytes[] = "\x00\x00\xc0\x7f\x00\x00\x80\xff\xcd\xcc\xcc\x3d";

	ASSERT_JSON(ltt_type_new_array(3, ltt_type_new_float(LTT_WIDTH_4)), bytes,
		    "[\"NaN\",\"-Infinity\",0.1]");
	ASSERT_TEXT(ltt_type_new_array(3, ltt_type_new_float(LTT_WIDTH_4)), bytes,
		    "[NaN -Infinity 0.1]");
}

static void test_formats_count_in_text_only(void)
{
	const char bytes[] = "\xff\x00\x00\x00";

	ASSERT_TEXT(with_format(ltt_type_new_uint(LTT_WIDTH_4), "%#06x"), bytes, "0x00ff");
	ASSERT_JSON(with_format(ltt_type_new_uint(LTT_WIDTH_4), "%#06x"), bytes, "255");
	ASSERT_TEXT(with_format(ltt_type_new_uint(LTT_WIDTH_4), "%u bytes, 100%%"), bytes,
		    "255 bytes, 100%");
	ASSERT_TEXT(with_format(ltt_type_new_uint(LTT_WIDTH_4), "<%-5lld>"), bytes, "<255  >");
}

static void test_formats_of_integers_keep_width_and_sign(void)
{
	const char ones[] = "\xff\xff\xff\xff\xff\xff\xff\xff";

	assert_printed(with_format(ltt_type_new_int(LTT_WIDTH_2), "%x"), ones, 2, &ltt_style_text,
		       "ffff");
	assert_printed(with_format(ltt_type_new_int(LTT_WIDTH_2), "%+5d"), ones, 2, &ltt_style_text,
		       "   -1");
	assert_printed(with_format(ltt_type_new_int(LTT_WIDTH_2), "%u"), ones, 2, &ltt_style_text,
		       "65535");
	assert_printed(with_format(ltt_type_new_uint(LTT_WIDTH_8), "%25d"), ones, 8,
		       &ltt_style_text, "     18446744073709551615");
	assert_printed(with_format(ltt_type_new_uint(LTT_WIDTH_8), "%d ms"), ones, 8,
		       &ltt_style_text, "18446744073709551615 ms");
	ASSERT_TEXT(with_format(ltt_type_new_uint(LTT_WIDTH_1), "%c"), "\x41", "A");
	ASSERT_TEXT(with_format(ltt_type_new_uint(LTT_WIDTH_1), "'%c'"), "\x1b", "'\\u001b'");
	ASSERT_TEXT(with_format(ltt_type_new_uint(LTT_WIDTH_1), "%c"), "\x00", "0");
}

static void test_formats_in_hexadecimal(void)
{
	const char *const ones = "\xff\xff\xff\xff\xff\xff\xff\xff";

	ASSERT_TEXT(ltt_type_new_array(3, with_format(ltt_type_new_uint(LTT_WIDTH_1), "%x")),
		    "\x00\x0f\x10", "[0 f 10]");
	ASSERT_TEXT(ltt_type_new_array(2, with_format(ltt_type_new_uint(LTT_WIDTH_2), "<0x%03x>")),
		    "\xab\x00\xcd\xab", "[<0x0ab> <0xabcd>]");
	assert_printed(with_format(ltt_type_new_int(LTT_WIDTH_8), "%016x"), ones, 8,
		       &ltt_style_text, "ffffffffffffffff");
	ASSERT_TEXT(with_format(ltt_type_new_uint(LTT_WIDTH_1), "%016x"), "\x1f",
		    "000000000000001f");
	ASSERT_TEXT(with_format(ltt_type_new_uint(LTT_WIDTH_1), "%020x"), "\x1f",
		    "0000000000000000001f");
	ASSERT_TEXT(with_format(ltt_type_new_uint(LTT_WIDTH_1), "%#x"), "\x1f", "0x1f");
	ASSERT_TEXT(with_format(ltt_type_new_uint(LTT_WIDTH_1), "%4x|%%"), "\x1f", "  1f|%");
	ASSERT_TEXT(with_format(ltt_type_new_uint(LTT_WIDTH_1), "%X"), "\x1f", "1F");
	assert_printed(with_format(ltt_type_new_int(LTT_WIDTH_4), "%x"), ones, 4, &ltt_style_json,
		       "-1");
}

/* Vector instructions copy strings: tests a quote at each offset, and each length. */
static void test_strings_of_any_length(void)
{
	for (gsize length = 0; length < 100; length++) {
		for (gsize quote = 0; quote <= length; quote++) {
			g_autofree char *text = g_strnfill(length + 1, 'a');
			g_autoptr(GString) expected = g_string_new("\"");

			text[length] = '\0';
			if (quote < length)
				text[quote] = '"';
			g_string_append_len(expected, text, (gssize)quote);
			g_string_append(expected, quote < length ? "\\" : "");
			g_string_append(expected, text + quote);
			g_string_append_c(expected, '"');
			assert_printed(ltt_type_new_string(), text, length + 1, &ltt_style_json,
				       expected->str);
		}
	}
}

/* A run of ops that exceeds the room of a run, after a union and in a loop. */
static void test_long_runs_behind_a_choice(void)
{
	enum { MEMBERS = 100, ELEMENTS = 40 };
	LttType *element = ltt_type_new_struct();
	g_autoptr(GString) bytes = g_string_new(NULL);
	g_autoptr(GString) expected = g_string_new("[");

	ltt_type_add_field(element, "either", NULL, either());
	for (guint i = 0; i < MEMBERS; i++) {
		g_autofree char *name = g_strdup_printf("m%02u", i);

		ltt_type_add_field(element, name, NULL, ltt_type_new_int(LTT_WIDTH_1));
	}
	g_string_append_c(bytes, ELEMENTS);
	for (guint i = 0; i < ELEMENTS; i++) {
		g_string_append_len(bytes,
				    i % 2 == 0 ? "\x00\x00\x05\x00\x00\x00" : "\x01\x00xy\x00",
				    i % 2 == 0 ? 6 : 5);
		g_string_append_printf(expected, "%s{either={%s}", i > 0 ? " " : "",
				       i % 2 == 0 ? "number=5" : "thing={name=\"xy\" nothing={}}");
		for (guint j = 0; j < MEMBERS; j++) {
			g_string_append_c(bytes, (char)-100);
			g_string_append_printf(expected, " m%02u=-100", j);
		}
		g_string_append_c(expected, '}');
	}
	g_string_append_c(expected, ']');
	assert_printed(ltt_type_new_sequence(LTT_WIDTH_1, element), bytes->str, bytes->len,
		       &ltt_style_text, expected->str);
}

static void test_formats_of_enums(void)
{
	ASSERT_TEXT(with_format(states(), "%-8s|"), "\x00", "Running |");
	ASSERT_TEXT(with_format(states(), "%4s"), "\x09", "   9");
	ASSERT_TEXT(with_format(states(), "%02x"), "\x01", "01");
}

static void test_formats_of_floats_do_not_follow_the_locale(void)
{
	const char bytes[] = "\x00\x00\xc0\x3f";

	setlocale(LC_ALL, "de_DE.UTF-8");
	ASSERT_TEXT(with_format(ltt_type_new_float(LTT_WIDTH_4), "%.2f s"), bytes, "1.50 s");
	ASSERT_TEXT(with_format(ltt_type_new_float(LTT_WIDTH_4), "%a"), bytes, "0x1.8p+0");
	setlocale(LC_ALL, "C");
}

static void test_formats_of_strings_count_characters(void)
{
	ASSERT_TEXT(with_format(ltt_type_new_string(), "%6s"), "\xc3\xa9t\xc3\xa9\x00",
		    "\"   \xc3\xa9t\xc3\xa9\"");
	ASSERT_TEXT(with_format(ltt_type_new_string(), "%-6.2s|"), "\xc3\xa9t\xc3\xa9\x00",
		    "\"\xc3\xa9t    |\"");
	ASSERT_TEXT(with_format(ltt_type_new_string(), "[%s]"), "a\"\x1b\x00",
		    "\"[a\\\"\\u001b]\"");
}

/* A member name that exceeds one copy, and a string that exceeds the buffer. */
static void test_long_names_and_strings(void)
{
	g_autofree char *name = g_strnfill(100, 'n');
	g_autofree char *value = g_strnfill(200000, 'v');
	g_autofree char *expected = g_strdup_printf("{\"%s\":\"%s\"}", name, value);
	LttType *type = ltt_type_new_struct();

	ltt_type_add_field(type, name, NULL, ltt_type_new_string());
	assert_printed(type, value, strlen(value) + 1, &ltt_style_json, expected);
}

/* More members than fit the room reserved at a time. */
static void test_structs_of_many_members(void)
{
	enum { MEMBERS = 300 };
	LttType *type = ltt_type_new_struct();
	g_autoptr(GString) expected = g_string_new("{");
	guint8 bytes[MEMBERS];

	for (guint i = 0; i < MEMBERS; i++) {
		g_autofree char *name = g_strdup_printf("member_%u", i);

		ltt_type_add_field(type, name, NULL, ltt_type_new_uint(LTT_WIDTH_1));
		bytes[i] = (guint8)i;
		g_string_append_printf(expected, "%s\"%s\":%u", i > 0 ? "," : "", name, i & 0xff);
	}
	g_string_append_c(expected, '}');
	assert_printed(type, (const char *)bytes, sizeof(bytes), &ltt_style_json, expected->str);
}

/* Deeper than the stack of frames, and empty in the middle. */
static void test_arrays_in_arrays(void)
{
	enum { DEPTH = 20 };
	LttType *type = ltt_type_new_int(LTT_WIDTH_1);
	LttType *hollow = ltt_type_new_uint(LTT_WIDTH_1);
	g_autoptr(GString) expected = g_string_new("-5,6");
	guint8 bytes[DEPTH + 2];

	for (guint i = 0; i < DEPTH; i++) {
		type = ltt_type_new_sequence(LTT_WIDTH_1, type);
		hollow = ltt_type_new_sequence(LTT_WIDTH_1, hollow);
		g_string_prepend_c(expected, '[');
		g_string_append_c(expected, ']');
		bytes[i] = 1;
	}
	bytes[DEPTH - 1] = 2;
	bytes[DEPTH] = (guint8)-5;
	bytes[DEPTH + 1] = 6;
	assert_printed(type, (const char *)bytes, sizeof(bytes), &ltt_style_json, expected->str);
	ASSERT_JSON(hollow, "\x03\x00\x00\x00", "[[],[],[]]");
}

static void test_labels_longer_than_a_copy(void)
{
	g_autofree char *name = g_strnfill(70, 'l');
	g_autofree char *expected = g_strdup_printf("[%s short 9]", name);
	LttType *type = ltt_type_new_enum(LTT_WIDTH_1);

	ltt_type_add_label(type, name, 7);
	ltt_type_add_label(type, "short", 0);
	ASSERT_TEXT(ltt_type_new_array(3, type), "\x07\x00\x09", expected);
}

UNIT_MAIN("print", UNIT(test_enums_show_the_first_label_or_the_number),
	  UNIT(test_labels_from_strangers), UNIT(test_unions_nest),
	  UNIT(test_numbers_at_their_limits), UNIT(test_whole_numbers_of_any_length),
	  UNIT(test_what_is_no_number), UNIT(test_formats_count_in_text_only),
	  UNIT(test_formats_of_integers_keep_width_and_sign), UNIT(test_formats_of_enums),
	  UNIT(test_formats_in_hexadecimal), UNIT(test_strings_of_any_length),
	  UNIT(test_long_runs_behind_a_choice),
	  UNIT(test_formats_of_floats_do_not_follow_the_locale),
	  UNIT(test_formats_of_strings_count_characters), UNIT(test_long_names_and_strings),
	  UNIT(test_structs_of_many_members), UNIT(test_arrays_in_arrays),
	  UNIT(test_labels_longer_than_a_copy))
