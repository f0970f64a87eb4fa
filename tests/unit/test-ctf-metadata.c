/* CTF metadata of types, names and systems. */
#include "support-trace.h"
#include "support-xml.h"
#include "unit.h"

#include "formats/ctf/metadata-priv.h"

#include <string.h>

/* Asserts the fields of an event whose payload is @type in XML, and their context. */
static void assert_fields(const char *type, LttArchSize size, const char *expected)
{
	g_autofree char *xml = g_strdup_printf(
		"<facility name=\"f\"><event name=\"e\">%s</event></facility>", type);
	g_autoptr(GPtrArray) facilities = PARSE_EXPECTING(xml, "");
	const LttArch arch = {LTT_LITTLE_ENDIAN, size};
	g_autoptr(LttLayouts) layouts = ltt_layouts_new(facilities->pdata[0], &arch);
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree char *whole = *expected == '\0' ? g_strdup("struct {\n}")
						   : g_strdup_printf("struct {\n\t%s\n}", expected);

	ltt_ctf_add_fields(text, ltt_layouts_get(layouts, 0), 0);
	UNIT_ASSERT_TEXT(text->str, whole);
}

#define ASSERT_FIELDS(type, expected) assert_fields(type, LTT_LP64, expected)

static void test_payload_that_is_no_struct(void)
{
	ASSERT_FIELDS("", "");
	ASSERT_FIELDS("<struct/>", "");
	ASSERT_FIELDS("<int size=\"1\"/>", "int8_t value;");
	ASSERT_FIELDS("<uint size=\"8\"/>", "uint64_t value;");
	ASSERT_FIELDS("<float size=\"4\"/>", "float32_t value;");
	ASSERT_FIELDS("<float size=\"long\"/>", "float64_t value;");
	ASSERT_FIELDS("<string/>", "string value;");
	ASSERT_FIELDS("<array size=\"0\"><string/></array>", "string value[0];");
	ASSERT_FIELDS("<sequence lengthsize=\"2\"><int size=\"4\"/></sequence>",
		      "uint16_t value_length;\n\tint32_t value[value_length];");
}

static void test_symbolic_sizes_are_those_of_the_trace(void)
{
	assert_fields("<uint size=\"long\"/>", LTT_ILP32, "uint32_t value;");
	assert_fields("<uint size=\"long\"/>", LTT_LP64, "uint64_t value;");
	assert_fields("<int size=\"medium\"/>", LTT_LP32, "int16_t value;");
}

static void test_base_follows_the_format(void)
{
	ASSERT_FIELDS("<uint size=\"2\" format=\"%#x\"/>",
		      "integer { size = 16; align = 8; signed = false; base = 16; } value;");
	ASSERT_FIELDS("<int size=\"8\" format=\"mode %o\"/>",
		      "integer { size = 64; align = 8; signed = true; base = 8; } value;");
	ASSERT_FIELDS("<int size=\"8\" format=\"%5d\"/>", "int64_t value;");
}

static void test_enums(void)
{
	ASSERT_FIELDS("<enum size=\"1\">A B</enum>",
		      "enum : uint8_t { \"A\" = 0, \"B\" = 1 } value;");
	ASSERT_FIELDS("<enum size=\"2\"><label name=\"A\" value=\"-5\"/><label name=\"B\"/></enum>",
		      "enum : int16_t { \"A\" = -5, \"B\" = -4 } value;");
	ASSERT_FIELDS("<enum size=\"8\"><label name=\"A\" value=\"18446744073709551615\"/></enum>",
		      "enum : uint64_t { \"A\" = 18446744073709551615 } value;");
}

/* "long" has 8 bytes on other machines. */
static void test_labels_that_no_number_can_have(void)
{
	static const char one_far[] = "<enum size=\"long\"><label name=\"A\" value=\"4294967295\"/>"
				      "<label name=\"B\"/></enum>";
	static const char all_far[] =
		"<enum size=\"long\"><label name=\"A\" value=\"4294967296\"/></enum>";
	static const char negative[] = "<enum size=\"long\"><label name=\"A\" "
				       "value=\"-2147483648\"/><label name=\"B\" "
				       "value=\"-2147483649\"/><label name=\"C\" "
				       "value=\"2147483647\"/><label name=\"D\"/></enum>";

	assert_fields(one_far, LTT_ILP32, "enum : uint32_t { \"A\" = 4294967295 } value;");
	assert_fields(all_far, LTT_ILP32, "uint32_t value;");
	assert_fields(negative, LTT_ILP32,
		      "enum : int32_t { \"A\" = -2147483648, \"C\" = 2147483647 } value;");
}

static void test_arrays_nest_outermost_first(void)
{
	ASSERT_FIELDS("<array size=\"2\"><array size=\"3\"><uint size=\"1\"/></array></array>",
		      "uint8_t value[2][3];");
	ASSERT_FIELDS("<sequence lengthsize=\"1\"><array size=\"3\"><uint size=\"1\"/></array>"
		      "</sequence>",
		      "uint8_t value_length;\n\tuint8_t value[value_length][3];");
	ASSERT_FIELDS("<array size=\"2\"><sequence lengthsize=\"1\"><string/></sequence></array>",
		      "struct {\n"
		      "\t\tuint8_t value_length;\n"
		      "\t\tstring value[value_length];\n"
		      "\t} value[2];");
}

static void test_unions(void)
{
	ASSERT_FIELDS("<union typecodesize=\"2\"><field name=\"int\"><uint size=\"1\"/></field>"
		      "<field name=\"b\"><sequence lengthsize=\"1\"><string/></sequence></field>"
		      "</union>",
		      "enum : uint16_t { \"_int\" = 0, \"b\" = 1 } value_tag;\n"
		      "\tvariant <value_tag> {\n"
		      "\t\tuint8_t _int;\n"
		      "\t\tstruct {\n"
		      "\t\t\tuint8_t value_length;\n"
		      "\t\t\tstring value[value_length];\n"
		      "\t\t} b;\n"
		      "\t} value;");
}

static void test_added_names_take_no_other_s_place(void)
{
	ASSERT_FIELDS("<struct><field name=\"a\"><sequence lengthsize=\"1\"><string/></sequence>"
		      "</field><field name=\"a_length\"><uint size=\"1\"/></field>"
		      "<field name=\"_b\"><sequence lengthsize=\"1\"><string/></sequence></field>"
		      "</struct>",
		      "uint8_t a_length_;\n"
		      "\tstring a[a_length_];\n"
		      "\tuint8_t a_length;\n"
		      "\tuint8_t __b_length;\n"
		      "\tstring __b[__b_length];");
}

static void test_names(void)
{
	static const char *const names[][2] = {
		{"a", "a"},
		{"_a", "__a"},
		{"__a", "___a"},
		{"int", "_int"},
		{"Int", "Int"},
		{"_int", "__int"},
		{"_Bool", "__Bool"},
		{"Bool", "Bool"},
		{"event", "_event"},
		{"align", "_align"},
		{"uint8_t", "_uint8_t"},
		{"void", "_void"},
		{"time_ns_t", "_time_ns_t"},
	};

	for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autoptr(GString) text = g_string_new(NULL);

		ltt_ctf_add_name(text, names[i][0]);
		UNIT_ASSERT_TEXT(text->str, names[i][1]);
	}
}

static void test_strings_and_comments_cannot_end_early(void)
{
	g_autoptr(GString) text = g_string_new(NULL);

	ltt_ctf_add_string(text, "a\"b\\c\n\001\177\303\251");
	UNIT_ASSERT_TEXT(text->str, "\"a\\\"b\\\\c\\012\\001\\177\303\251\"");
	g_string_truncate(text, 0);
	ltt_ctf_add_comment(text, "a */ b\n**//*/");
	UNIT_ASSERT_TEXT(text->str, " /* a * / b ** //* / */");
	g_string_truncate(text, 0);
	ltt_ctf_add_comment(text, NULL);
	ltt_ctf_add_comment(text, "");
	UNIT_ASSERT_TEXT(text->str, "");
}

static void test_event_stands_in_each_class_that_has_it(void)
{
	g_autoptr(GPtrArray) facilities = PARSE_EXPECTING(
		"<facility name=\"f\"><event name=\"n\"/><event name=\"e\"><description>Some "
		"text</description><struct><field name=\"a\"><description>What a is"
		"</description><uint size=\"4\"/></field></struct></event></facility>",
		"");
	const LttArch arch = {LTT_LITTLE_ENDIAN, LTT_LP64};
	g_autoptr(LttLayouts) layouts = ltt_layouts_new(facilities->pdata[0], &arch);
	LttCtfType type = {.type = ltt_facility_get_event(facilities->pdata[0], 1),
			   .layout = ltt_layouts_get(layouts, 1),
			   .id = 7};
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree char *expected = NULL;

	ltt_ctf_add_event(text, &type);
	UNIT_ASSERT_TEXT(text->str, "");
	type.is_in[LTT_CTF_CPU] = TRUE;
	ltt_ctf_add_event(text, &type);
	expected = g_strdup_printf("event { /* Some text */\n"
				   "\tname = \"f:e\"; /* facility checksum 0x%08x */\n"
				   "\tid = 7;\n"
				   "\tstream_id = 1;\n"
				   "\tfields := struct {\n"
				   "\t\tuint32_t a; /* What a is */\n"
				   "\t};\n"
				   "};\n\n",
				   ltt_facility_get_checksum(facilities->pdata[0]));
	UNIT_ASSERT_TEXT(text->str, expected);
	type.is_in[LTT_CTF_CONTROL] = TRUE;
	g_string_truncate(text, 0);
	ltt_ctf_add_event(text, &type);
	CU_ASSERT_PTR_NOT_NULL(strstr(text->str, "stream_id = 0;"));
	CU_ASSERT_PTR_NOT_NULL(strstr(text->str, expected));
}

static void assert_has(const GString *text, const char *part)
{
	if (strstr(text->str, part) == NULL)
		UNIT_ASSERT_TEXT(text->str, part);
}

static void test_preamble(void)
{
	LttSystem *system = unit_system_new(LTT_BIG_ENDIAN, LTT_LP64, 4096);
	g_autoptr(GString) text = g_string_new(NULL);

	ltt_system_set(system, "tracer", "some tracer 1.0");
	ltt_system_set(system, "x-y", "1");
	ltt_system_set(system, "x.y", "2");
	ltt_system_set(system, "event", "\"3\"");
	ltt_system_set_text(system, "two\nlines");
	ltt_ctf_add_preamble(text, system, TRUE);
	CU_ASSERT_TRUE(g_str_has_prefix(text->str, "/* CTF 1.8 */\n"));
	assert_has(text, "\tbyte_order = be;\n");
	assert_has(text, "env {\n"
			 "\thostname = \"node\";\n"
			 "\ttracer_name = \"some tracer 1.0\";\n"
			 "\tnode_name = \"node\";\n"
			 "\tcpu = \"4\";\n");
	assert_has(text, "\tx_y = \"1\";\n"
			 "\tx_y_ = \"2\";\n"
			 "\t_event = \"\\\"3\\\"\";\n"
			 "\tsystem_text = \"two\\012lines\";\n"
			 "};\n");
	assert_has(text, "\t\tint64_t pid;\n");

	g_string_truncate(text, 0);
	ltt_ctf_add_preamble(text, system, FALSE);
	CU_ASSERT_PTR_NULL(strstr(text->str, "pid"));
	ltt_system_free(system);
}

UNIT_MAIN("ctf-metadata", UNIT(test_payload_that_is_no_struct),
	  UNIT(test_symbolic_sizes_are_those_of_the_trace), UNIT(test_base_follows_the_format),
	  UNIT(test_enums), UNIT(test_labels_that_no_number_can_have),
	  UNIT(test_arrays_nest_outermost_first), UNIT(test_unions),
	  UNIT(test_added_names_take_no_other_s_place), UNIT(test_names),
	  UNIT(test_strings_and_comments_cannot_end_early),
	  UNIT(test_event_stands_in_each_class_that_has_it), UNIT(test_preamble))
