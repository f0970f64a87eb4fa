/* Event descriptions: every accepted form yields the expected facility. */
#include "support-xml.h"
#include "unit.h"

#include <ltt/ltt-error.h>

#include <string.h>

/* ---- the forms of XML ---- */

static void test_the_strict_form(void)
{
	ASSERT_EVENTS("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		      "<facility name=\"f\"><event name=\"e\"><struct><field name=\"a\">"
		      "<uint size=\"4\"/></field></struct></event><event name=\"n\"/></facility>",
		      "event e struct(a:uint(4))\nevent n -\n");
}

static void test_values_in_any_quotes_or_none(void)
{
	ASSERT_EVENTS("<facility name=f><event name='e'><int size = \"2\" /></event></facility>",
		      "event e int(2)\n");
	ASSERT_EVENTS("<facility name=f><event name=e><uint size=4/></event>"
		      "<event name=g><int\n size=8\n/></event></facility>",
		      "event e uint(4)\nevent g int(8)\n");
	ASSERT_EVENTS("<facility name = f ><event\tname= e><string\nformat=/%s/x></string></event>"
		      "</facility >",
		      "event e string\n");
	ASSERT_EVENTS("<facility name=\"f\"><event name=\"e\"><int size=\"4\"format='%d'/></event>"
		      "</facility>",
		      "event e int(4)\n");
}

static void test_unquoted_values_with_quotes_inside(void)
{
	g_autoptr(GPtrArray) facilities = PARSE_EXPECTING(
		"<facility name=f><event name=e><string format=a\"'%s&lt;'\"b/></event></facility>",
		"");
	const LttFacility *facility = facilities->pdata[0];

	UNIT_ASSERT_TEXT(ltt_type_get_format(ltt_facility_get_event(facility, 0)->type),
			 "a\"'%s<'\"b");
}

static void test_names_in_any_case(void)
{
	ASSERT_EVENTS("<FACILITY NAME=f><Event Name=MixedCase><UINT SIZE=LONG></uint></EVENT>"
		      "<event name=e><Enum Size=Short>Ab cD</ENUM></event></Facility>",
		      "event MixedCase uint(long)\nevent e enum(short,Ab=0,cD=1)\n");
}

static void test_comments_cdata_and_instructions(void)
{
	ASSERT_EVENTS("<!-- one -- of the old kind -->\n<?php <event> ?>"
		      "<facility name=f><!--<event name=x/>--><event name=e><enum size=1>"
		      "A<![CDATA[ B<C ]]>D<!-- E --></enum></event></facility>\n<!-- end -->\n\n",
		      "event e enum(1,A=0,B<C=1,D=2)\n");
}

static void test_entities_and_references(void)
{
	ASSERT_EVENTS("<facility name=\"&#102;\"><event name=&#x65;><enum size='1'>"
		      "&lt;&gt;&amp;&quot;&apos;</enum></event></facility>",
		      "event e enum(1,<>&\"'=0)\n");
}

static void test_encodings(void)
{
	ASSERT_EVENTS("\xef\xbb\xbf<facility name=f><event name=e><enum size=1>\xc3\xa9</enum>"
		      "</event></facility>",
		      "event e enum(1,\xc3\xa9=0)\n");
	ASSERT_EVENTS("<facility name=f><event name=e><enum size=1>\xe9 \xc3\xa9</enum></event>"
		      "</facility>",
		      "event e enum(1,\xc3\xa9=0,\xc3\x83\xc2\xa9=1)\n");
	/* The XML declaration is ignored. */
	ASSERT_EVENTS("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><facility name=f>"
		      "<event name=e><enum size=1>\xc3\xa9</enum></event></facility>",
		      "event e enum(1,\xc3\xa9=0)\n");
}

static void test_line_ends(void)
{
	g_autoptr(GPtrArray) facilities = PARSE_EXPECTING(
		"<facility\r\nname=f>\r<event "
		"name=e>\r\n<uint\r\rsize=3/>\n</event></facility>\r\n",
		"4: size \"3\" of <uint>: expected 1, 2, 4, 8, short, medium or long\n");

	CU_ASSERT_EQUAL(facilities->len, 0);
}

static void test_other_vocabularies(void)
{
	ASSERT_EVENTS("<facility xmlns=\"u\" xmlns:p=\"v\" p:name=\"x\" name=\"f\" xml:lang=en>"
		      "<event p:size=\"1\" p:name=\"y\" name=\"e\"/></facility>",
		      "event e -\n");
}

/* ---- facilities of a file ---- */

static void test_several_facilities(void)
{
	static const char *const texts[] = {
		"<facility name=a/><facility name=b></facility>",
		"<eventdefs><facility name=a/><facility name=b/></eventdefs>",
		"<facility name=a/><x><y><facility name=b/></y></x>",
	};

	for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_autoptr(GPtrArray) facilities = PARSE_EXPECTING(texts[i], "");

		CU_ASSERT_EQUAL_FATAL(facilities->len, 2);
		UNIT_ASSERT_TEXT(ltt_facility_get_name(facilities->pdata[0]), "a");
		UNIT_ASSERT_TEXT(ltt_facility_get_name(facilities->pdata[1]), "b");
	}
}

static void test_a_mistake_costs_one_facility(void)
{
	g_autoptr(GPtrArray) facilities =
		PARSE_EXPECTING("<facility name=a/>\n<facility name=b><event/></facility>\n"
				"<facility name=c/>\n",
				"2: <event> without a name: expected attribute \"name\"\n");

	CU_ASSERT_EQUAL_FATAL(facilities->len, 2);
	UNIT_ASSERT_TEXT(ltt_facility_get_name(facilities->pdata[0]), "a");
	UNIT_ASSERT_TEXT(ltt_facility_get_name(facilities->pdata[1]), "c");
}

/* An invalid format is only a warning, because events can be read without it. */
static void test_a_wrong_format_costs_only_itself(void)
{
	g_autoptr(GPtrArray) facilities = PARSE_EXPECTING(
		"<facility name=f><event name=e><struct>\n"
		"<field name=a><int size=4 format=%n/></field>\n"
		"<field name=b><int size=4 format=%d/></field></struct></event></facility>",
		"2: format \"%n\": %n does not fit int: expected one of diouxXc\n");
	const LttType *type;

	CU_ASSERT_EQUAL_FATAL(facilities->len, 1);
	type = ltt_facility_get_event(facilities->pdata[0], 0)->type;
	CU_ASSERT_PTR_NULL(ltt_type_get_format(ltt_type_get_field(type, 0)->type));
	UNIT_ASSERT_TEXT(ltt_type_get_format(ltt_type_get_field(type, 1)->type), "%d");
}

/* ---- contents of a facility ---- */

/* Types after the events that use them, descriptions anywhere, labels from 1 on: as in the
 * descriptions of the LTT project. */
static void test_the_historical_style(void)
{
	static const char xml[] =
		"<facility name=f>\n"
		"  <description>Events of old</description>\n\n"
		"  <event name=start>\n    <description>Where it starts</description>\n"
		"    <typeref name=block/>\n  </event>\n\n"
		"  <event name=soft>\n    <struct>\n"
		"      <field name=\"id\"> <description>Which</description> \n"
		"        <enum size=1>\n          <label name=ONE value=1/>\n"
		"          <label name=TWO/>\n          <label name=THREE/>\n        </enum> \n"
		"      </field>\n\t\n"
		"      <field name=\"data\"> <description>What</description> <uint size=4/> "
		"</field>\n"
		"     </struct>\n  </event>\n\n"
		"  <type name=block>\n    <struct>\n"
		"      <field name=stamp><typeref name=stamp/></field>\n"
		"      <field name=block_id><uint size=4/></field>\n    </struct>\n  </type>\n\n"
		"  <type name=stamp><struct><field name=\"s\"><uint size=8/></field></struct>"
		"</type>\n\n\n"
		"  <event name=last></event>\n\n</facility>\n\n\n";

	ASSERT_EVENTS(xml, "event start struct(stamp:struct(s:uint(8)),block_id:uint(4))\n"
			   "event soft struct(id:enum(1,ONE=1,TWO=2,THREE=3),data:uint(4))\n"
			   "event last -\n");
}

static void test_labels(void)
{
	ASSERT_EVENTS("<facility name=f><event name=e><enum size=8>"
		      "<label name=A value=-0x8000000000000000/><label name=B/>"
		      "<label name=C value=-1/><label name=D/><label name=E value=0X1f/>"
		      "<label name=F value=007/></enum></event></facility>",
		      "event e enum(8,A=-9223372036854775808,B=-9223372036854775807,C=-1,D=0,E=31,"
		      "F=7)\n");
	ASSERT_EVENTS("<facility name=f><event name=e><enum size=8>"
		      "<label name=A value=18446744073709551614 /><label name=B/></enum></event>"
		      "<event name=g><enum size=8><label name=A value=-0/></enum></event>"
		      "</facility>",
		      "event e enum(8,A=18446744073709551614,B=18446744073709551615)\n"
		      "event g enum(8,A=0)\n");
}

static void test_descriptions(void)
{
	g_autoptr(GPtrArray) facilities =
		PARSE_EXPECTING("<facility name=f><description>\n\t Of  the\n facility &lt;3 "
				"</description><event name=e><string/>\n"
				"<description><![CDATA[<b>]]> text</description></event>"
				"<event name=n><description> </description></event>"
				"<type name=t><description>T</description><struct><field name=a>"
				"<description>A</description><string/></field></struct></type>"
				"</facility>",
				"");
	const LttFacility *facility = facilities->pdata[0];
	const LttNamedType *type = ltt_facility_get_type(facility, 0);

	UNIT_ASSERT_TEXT(ltt_facility_get_description(facility), "Of the facility <3");
	UNIT_ASSERT_TEXT(ltt_facility_get_event(facility, 0)->description, "<b> text");
	CU_ASSERT_PTR_NULL(ltt_facility_get_event(facility, 1)->description);
	UNIT_ASSERT_TEXT(type->description, "T");
	UNIT_ASSERT_TEXT(ltt_type_get_field(type->type, 0)->description, "A");
}

static void test_lines_beyond_65535(void)
{
	g_autoptr(GString) xml = g_string_new(NULL);

	for (guint i = 0; i < 70000; i++)
		g_string_append(xml, "<!--\n-->\n");
	g_string_append(xml, "<facility\n name=f>\n\n text <event\nname=e><uint size=3/></event>");
	g_ptr_array_unref(PARSE_EXPECTING(xml->str, "140001: <facility> has no end: expected "
						    "</facility>\n"));
	g_string_append(xml, "</facility>");
	g_ptr_array_unref(PARSE_EXPECTING(
		xml->str, "140004: warning: text \"text\" is ignored: expected a description, "
			  "events and types\n"
			  "140005: size \"3\" of <uint>: expected 1, 2, 4, 8, short, medium or "
			  "long\n"));
}

/* ---- files ---- */

static void test_reading_a_file(void)
{
	g_autofree char *path = unit_temp_path("f.xml");
	g_autofree char *missing = unit_temp_path("missing.xml");
	g_autofree char *expected =
		g_strdup_printf("%s: could not open: No such file or directory", missing);
	g_autoptr(GPtrArray) remarks = remarks_new();
	g_autoptr(GPtrArray) facilities = NULL;
	g_autoptr(GError) error = NULL;

	g_file_set_contents(path, "<facility name=f/>", -1, NULL);
	facilities = ltt_eventdefs_read(path, remarks, &error);
	UNIT_ASSERT_OK(facilities != NULL, error);
	CU_ASSERT_EQUAL(facilities->len, 1);
	CU_ASSERT_EQUAL(remarks->len, 0);
	CU_ASSERT_PTR_NULL(ltt_eventdefs_read(missing, remarks, &error));
	CU_ASSERT(g_error_matches(error, LTT_ERROR, LTT_ERROR_IO));
	UNIT_ASSERT_TEXT(error->message, expected);
}

static void test_a_file_that_is_too_large(void)
{
	g_autofree char *path = unit_temp_path("large.xml");
	g_autofree char *expected =
		g_strdup_printf("%s: the file is larger than 16777216 bytes", path);
	g_autofree char *bytes = g_malloc(LTT_MAX_XML_BYTES + 1);
	g_autoptr(GPtrArray) remarks = remarks_new();
	g_autoptr(GError) error = NULL;

	memset(bytes, ' ', LTT_MAX_XML_BYTES + 1);
	g_file_set_contents(path, bytes, LTT_MAX_XML_BYTES + 1, NULL);
	CU_ASSERT_PTR_NULL(ltt_eventdefs_read(path, remarks, &error));
	CU_ASSERT(g_error_matches(error, LTT_ERROR, LTT_ERROR_LIMIT));
	UNIT_ASSERT_TEXT(error->message, expected);
	/* The largest file that is accepted. */
	g_file_set_contents(path, bytes, LTT_MAX_XML_BYTES, NULL);
	g_clear_error(&error);
	g_ptr_array_unref(ltt_eventdefs_read(path, remarks, &error));
	CU_ASSERT_PTR_NULL(error);
}

UNIT_MAIN("eventdefs", UNIT(test_the_strict_form), UNIT(test_values_in_any_quotes_or_none),
	  UNIT(test_unquoted_values_with_quotes_inside), UNIT(test_names_in_any_case),
	  UNIT(test_comments_cdata_and_instructions), UNIT(test_entities_and_references),
	  UNIT(test_encodings), UNIT(test_line_ends), UNIT(test_other_vocabularies),
	  UNIT(test_several_facilities), UNIT(test_a_mistake_costs_one_facility),
	  UNIT(test_a_wrong_format_costs_only_itself), UNIT(test_the_historical_style),
	  UNIT(test_labels), UNIT(test_descriptions), UNIT(test_lines_beyond_65535),
	  UNIT(test_reading_a_file), UNIT(test_a_file_that_is_too_large))
