/* Wrong descriptions, and the exact message for each. */
#include "support-xml.h"
#include "unit.h"

#include <string.h>

typedef struct Wrong {
	const char *xml;
	const char *remarks; /* as remarks_text() writes them */
} Wrong;

/* Asserts the remarks, and that no facility is read if one of them is an error. */
static void check(const Wrong *cases, guint n_cases)
{
	for (guint i = 0; i < n_cases; i++) {
		g_autoptr(GPtrArray) remarks = remarks_new();
		g_autoptr(GPtrArray) facilities =
			ltt_eventdefs_parse(cases[i].xml, strlen(cases[i].xml), remarks);
		g_autofree char *text = remarks_text(remarks);

		UNIT_ASSERT_TEXT(text, cases[i].remarks);
		for (guint j = 0; j < remarks->len; j++)
			CU_ASSERT(!((LttRemark *)remarks->pdata[j])->is_error || !facilities->len);
	}
}
#define CHECK(cases) check(cases, G_N_ELEMENTS(cases))

/* A facility with one event that has the type @inside, which begins on line 2. */
#define EVENT(inside) "<facility name=f><event name=e>\n" inside "</event></facility>"

static void test_not_xml(void)
{
	static const Wrong cases[] = {
		{"", "1: no facility in the file: expected <facility>\n"},
		{"  \n<!-- -->\n", "1: no facility in the file: expected <facility>\n"},
		{"int main(void)", "1: warning: text \"int main(void)\" is ignored: expected "
				   "facilities\n1: no facility in the file: expected <facility>\n"},
		{"<facility name=f>\n<event name=e>\n\n",
		 "2: <event> has no end: expected </event>\n"},
		{"<facility name=f>\n<event name=e>\n</facility>",
		 "3: </facility> does not match <event> of line 2: expected </event>\n"},
		{"\n</facility>", "2: </facility> closes nothing: expected <facility> before it\n"},
		{"<facility name=f/></facility>",
		 "1: </facility> closes nothing: expected <facility> before it\n"},
		{"<facility name=f></facility", "1: </facility is not closed: expected \">\"\n"},
		{"<facility\n\n name=f", "1: <facility is not closed: expected \">\"\n"},
		{"<facility name=f <event", "1: <facility is not closed: expected \">\"\n"},
		{"<facility name=\"f\n\n\">\n<event name=\"e>\n</event></facility>",
		 "4: \"<\" in the value of attribute \"name\": expected a closing quote before it, "
		 "or \"&lt;\"\n"},
		{"<facility name=\"f", "1: value of attribute \"name\" has no end: expected a "
				       "closing quote\n"},
		{"<facility name=f<event>", "1: \"<\" in the value of attribute \"name\": expected "
					    "\">\" before it, or \"&lt;\"\n"},
		{"<facility name=>", "1: attribute \"name\" without a value: expected one after "
				     "the \"=\"\n"},
		{"<facility\nname>", "2: attribute \"name\" without a value: expected \"=\" and "
				     "one\n"},
		{"<facility name=f\nNAME=g/>", "2: attribute \"name\" occurs twice in one "
					       "element\n"},
		{"<facility name=f, x=y/>",
		 "1: warning: attribute \"x\" of <facility> is ignored: expected name ltt:role\n"
		 "1: facility name \"f,\": expected a C identifier\n"},
		{"<facility \"f\"/>", "1: \"\"\" in <facility: expected an attribute, \">\" or "
				      "\"/>\"\n"},
		{"a < b", "1: \"<\" begins no tag: expected a name after it, or \"&lt;\"\n"},
		{"<>", "1: \"<\" begins no tag: expected a name after it, or \"&lt;\"\n"},
		{"<!-- a\n--", "1: comment has no end: expected \"-->\"\n"},
		{"<!-->", "1: comment has no end: expected \"-->\"\n"},
		{"<?xml version='1.0'>", "1: processing instruction has no end: expected \"?>\"\n"},
		{"<![CDATA[ ]]", "1: CDATA section has no end: expected \"]]>\"\n"},
		{"<![cdata[ ]]>", "1: \"<\" begins no tag: expected a name after it, or "
				  "\"&lt;\"\n"},
		{"<\xc3\x97/>", "1: not XML: startTag: invalid element name\n"},
	};

	CHECK(cases);
}

static void test_entities_and_bytes(void)
{
	static const Wrong cases[] = {
		{"<?xml version=\"1.0\"?>\n<!DOCTYPE facility [<!ENTITY a \"b\">]><facility "
		 "name=f/>",
		 "2: DOCTYPE is not allowed: expected elements only\n"},
		{"<!doctype html>", "1: DOCTYPE is not allowed: expected elements only\n"},
		{"<!ENTITY a \"b\">", "1: \"<\" begins no tag: expected a name after it, or "
				      "\"&lt;\"\n"},
		{"<facility name=f>\n&nbsp;</facility>",
		 "2: unknown entity &nbsp;: expected &lt; &gt; &amp; &quot; or &apos;\n"},
		{"<facility name=\"\n&LT;\"/>",
		 "2: unknown entity &LT;: expected &lt; &gt; &amp; &quot; or &apos;\n"},
		{"<facility name=a&b/>", "1: \"&\" begins no entity: expected \"&amp;\"\n"},
		{"this & that", "1: \"&\" begins no entity: expected \"&amp;\"\n"},
		{"&#0;", "1: &#0; is not a character: expected one of XML 1.0\n"},
		{"&#xd800;", "1: &#xd800; is not a character: expected one of XML 1.0\n"},
		{"&#xFFFE;", "1: &#xFFFE; is not a character: expected one of XML 1.0\n"},
		{"&#1114112;", "1: &#1114112; is not a character: expected one of XML 1.0\n"},
		{"&#99999999999999999999999;",
		 "1: &#99999999999999999999999; is not a character: expected one of XML 1.0\n"},
		{"&#x;", "1: &#x; is not a character: expected one of XML 1.0\n"},
		{"&# 9;", "1: \"&\" begins no entity: expected \"&amp;\"\n"},
		{"\n\001", "2: byte 0x01: expected text\n"},
		{"\r\n\r\033", "3: byte 0x1b: expected text\n"},
		{"\xef\xbf\xbf", "1: character U+FFFE or U+FFFF: expected text\n"},
		{"\xff\xfe<", "1: \"<\" begins no tag: expected a name after it, or "
			      "\"&lt;\"\n"},
	};

	CHECK(cases);
}

static void test_names_and_places(void)
{
	static const Wrong cases[] = {
		{"<facility/>", "1: <facility> without a name: expected attribute \"name\"\n"},
		{"<facility name=''/>", "1: facility name \"\": expected a C identifier\n"},
		{"<facility name=a-b/>", "1: facility name \"a-b\": expected a C identifier\n"},
		{"<facility name=\"a&#10;b\"/>",
		 "1: facility name \"a\\u000ab\": expected a C identifier\n"},
		{"<facility name=f>\n<event name=1/></facility>",
		 "2: event name \"1\": expected a C identifier\n"},
		{"<facility name=f><event name=e/>\n<event name=e/></facility>",
		 "2: event \"e\" occurs twice\n"},
		{"<facility name=f><type name=t><string/></type>\n<type name=t><string/></type>"
		 "</facility>",
		 "2: type \"t\" is defined twice\n"},
		{"<facility name=f><type name=\"a b\">\n<string/></type></facility>",
		 "1: type name \"a b\": expected a C identifier\n"},
		{"<event name=e/>", "1: <event> outside a facility: expected <facility>\n"
				    "1: no facility in the file: expected <facility>\n"},
		{"<facility name=f>\n<struct/></facility>",
		 "2: <struct> in <facility>: expected a description, events and types\n"},
		{"<facility name=f>\n<facility name=g/></facility>",
		 "2: <facility> in <facility>: expected a description, events and types\n"},
		{EVENT("<field name=a><string/></field>"),
		 "2: <field> in <event>: expected a description and one type\n"},
		{EVENT("<struct>\n<uint size=4/></struct>"),
		 "3: <uint> in <struct>: expected fields\n"},
		{EVENT("<int size=4>\n<uint size=4/></int>"),
		 "3: <uint> in <int>: expected nothing\n"},
		{EVENT("<array size=3>\n<label name=A/></array>"),
		 "3: <label> in <array>: expected one type\n"},
		{EVENT("<struct><field name=a><string/></field>\n<field name=a><string/></field>"
		       "</struct>"),
		 "3: field \"a\" occurs twice in a struct\n"},
		{EVENT("<struct><field><string/></field></struct>"),
		 "2: <field> without a name: expected attribute \"name\"\n"},
		{EVENT("<struct><field name=a.b><string/></field></struct>"),
		 "2: field name \"a.b\": expected a C identifier\n"},
	};

	CHECK(cases);
}

static void test_types(void)
{
#define INTEGER_WIDTHS "expected 1, 2, 4, 8, short, medium or long\n"
#define FLOAT_WIDTHS   "expected 4, 8, medium or long\n"
	static const Wrong cases[] = {
		{EVENT("<string/>\n<string/>"),
		 "3: second type <string> in <event> \"e\": expected one\n"},
		{EVENT("<unit size=4/>"), "2: unknown type <unit>: expected int, uint, float, "
					  "string, enum, array, sequence, "
					  "struct, union or typeref\n"},
		{EVENT("<struct>\n<field name=a></field></struct>"),
		 "3: <field> \"a\" without a type: expected one\n"},
		{EVENT("<struct>\n<field name=a><pointer/></field></struct>"),
		 "3: unknown type <pointer>: expected int, uint, float, string, enum, array, "
		 "sequence, struct, union or typeref\n"},
		{"<facility name=f>\n<type name=t/></facility>",
		 "2: <type> \"t\" without a type: expected one\n"},
		{EVENT("<array size=1/>"), "2: <array> without a type: expected one\n"},
		{EVENT("<sequence lengthsize=1><description>no</description></sequence>"),
		 "2: warning: <description> in <sequence> is ignored: expected one type\n"
		 "2: <sequence> without a type: expected one\n"},
		{EVENT("<sequence lengthsize=1><string/><string/></sequence>"),
		 "2: second type <string> in <sequence>: expected one\n"},
		{EVENT("<int/>"), "2: <int> without a size: " INTEGER_WIDTHS},
		{EVENT("<uint size=''/>"), "2: size \"\" of <uint>: " INTEGER_WIDTHS},
		{EVENT("<uint size=16/>"), "2: size \"16\" of <uint>: " INTEGER_WIDTHS},
		{EVENT("<uint size=\" 4\"/>"), "2: size \" 4\" of <uint>: " INTEGER_WIDTHS},
		{EVENT("<float size=2/>"), "2: size \"2\" of <float>: " FLOAT_WIDTHS},
		{EVENT("<float size=SHORT/>"), "2: size \"SHORT\" of <float>: " FLOAT_WIDTHS},
		{EVENT("<float/>"), "2: <float> without a size: " FLOAT_WIDTHS},
		{EVENT("<sequence><string/></sequence>"),
		 "2: <sequence> without a lengthsize: " INTEGER_WIDTHS},
		{EVENT("<sequence lengthsize=0><string/></sequence>"),
		 "2: lengthsize \"0\" of <sequence>: " INTEGER_WIDTHS},
		{EVENT("<union><field name=a><string/></field></union>"),
		 "2: <union> without a typecodesize: " INTEGER_WIDTHS},
		{EVENT("<union typecodesize=1/>"),
		 "2: union without fields: expected at least one\n"},
		{EVENT("<array><string/></array>"),
		 "2: <array> without a size: expected a number of elements\n"},
		{EVENT("<array size=-1><string/></array>"),
		 "2: size \"-1\" of <array>: expected a number from 0 to 2147483647\n"},
		{EVENT("<array size=0x10><string/></array>"),
		 "2: size \"0x10\" of <array>: expected a number from 0 to 2147483647\n"},
		{EVENT("<array size=2147483648><string/></array>"),
		 "2: size \"2147483648\" of <array>: expected a number from 0 to 2147483647\n"},
		{EVENT("<array size=36893488147419103232><string/></array>"),
		 "2: size \"36893488147419103232\" of <array>: expected a number from 0 to "
		 "2147483647\n"},
		{EVENT("<array size=4097><struct/></array>"),
		 "2: array of more than 4096 values that take no bytes\n"},
		{EVENT("<array size=2147483647><uint size=2/></array>"),
		 "1: event \"e\" takes more than 2147483648 bytes\n"},
		{EVENT("<typeref/>"), "2: <typeref> without a name: expected that of a type\n"},
		{EVENT("<typeref name=t/>"),
		 "2: typeref to \"t\": no type of that name in the facility\n"},
		{"<facility name=f><type name=t><struct><field name=a>\n<typeref name=t/></field>"
		 "</struct></type></facility>",
		 "2: type \"t\" contains itself\n"},
		{"<facility name=f><type name=t>\n<typeref name=u/></type><type name=u>\n"
		 "<sequence lengthsize=1><typeref name=t/></sequence></type></facility>",
		 "3: type \"t\" contains itself\n"},
	};

	CHECK(cases);
}

static void test_enums(void)
{
#define VALUE_RANGE "expected a number from -2^63 to 2^64-1, decimal or with 0x\n"
	static const Wrong cases[] = {
		{EVENT("<enum size=1/>"), "2: enum without labels: expected at least one\n"},
		{EVENT("<enum size=1>A\n<label name=B/></enum>"),
		 "2: words and labels in one <enum>: expected either\n"},
		{EVENT("<enum size=1><label/></enum>"),
		 "2: <label> without a name: expected attribute \"name\"\n"},
		{EVENT("<enum size=1>\n<label name=''/></enum>"),
		 "3: label \"\": expected a word\n"},
		{EVENT("<enum size=1><label name='a b'/></enum>"),
		 "2: label \"a b\": expected a word\n"},
		{EVENT("<enum size=1><label name=A value=one/></enum>"),
		 "2: value \"one\" of label \"A\": " VALUE_RANGE},
		{EVENT("<enum size=1><label name=A value=''/></enum>"),
		 "2: value \"\" of label \"A\": " VALUE_RANGE},
		{EVENT("<enum size=1><label name=A value=0x/></enum>"),
		 "2: value \"0x\" of label \"A\": " VALUE_RANGE},
		{EVENT("<enum size=1><label name=A value=0x0x1/></enum>"),
		 "2: value \"0x0x1\" of label \"A\": " VALUE_RANGE},
		{EVENT("<enum size=1><label name=A value=--1/></enum>"),
		 "2: value \"--1\" of label \"A\": " VALUE_RANGE},
		{EVENT("<enum size=1><label name=A value=+1/></enum>"),
		 "2: value \"+1\" of label \"A\": " VALUE_RANGE},
		{EVENT("<enum size=8><label name=A value=18446744073709551616 /></enum>"),
		 "2: value \"18446744073709551616\" of label \"A\": " VALUE_RANGE},
		{EVENT("<enum size=8><label name=A value=-9223372036854775809 /></enum>"),
		 "2: value \"-9223372036854775809\" of label \"A\": " VALUE_RANGE},
		{EVENT("<enum size=8><label name=A value=0xffffffffffffffff />\n"
		       "<label name=B/></enum>"),
		 "3: label \"B\" without a value: expected one, the label before has the greatest "
		 "there is\n"},
		{EVENT("<enum size=1><label name=A value=256 /></enum>"),
		 "2: label \"A\": its value does not fit an unsigned enum of size 1\n"},
		{EVENT("<enum size=1><label name=A value=128 /><label name=B value=-1 /></enum>"),
		 "2: label \"A\": its value does not fit a signed enum of size 1\n"},
	};

	CHECK(cases);
}

/* The facility is still read. */
static void test_formats(void)
{
#define FORMAT(type, format)                                                                       \
	"<facility name=f><event name=e><" type " format='" format "'/></event></facility>"
	static const Wrong cases[] = {
		{FORMAT("int size=4", "%n"),
		 "1: format \"%n\": %n does not fit int: expected one of diouxXc\n"},
		{FORMAT("uint size=4", "%s"),
		 "1: format \"%s\": %s does not fit uint: expected one of diouxXc\n"},
		{FORMAT("float size=4", "%d"),
		 "1: format \"%d\": %d does not fit float: expected one of eEfFgGaA\n"},
		{FORMAT("string", "%c"),
		 "1: format \"%c\": %c does not fit string: expected one of s\n"},
		{FORMAT("string", "%*s"),
		 "1: format \"%*s\": \"*\" is not allowed: expected digits\n"},
		{FORMAT("string", "%.*s"),
		 "1: format \"%.*s\": \"*\" is not allowed: expected digits\n"},
		{FORMAT("string", "%1$s"),
		 "1: format \"%1$s\": \"$\" is not allowed: there is one value only\n"},
		{FORMAT("string", "%s%s"), "1: format \"%s%s\": more than one conversion\n"},
		{FORMAT("string", "100%%"),
		 "1: format \"100%%\": no conversion: expected one, such as %d\n"},
		{FORMAT("string", "%"), "1: format \"%\": the conversion has no letter\n"},
		{FORMAT("string", "%99999999999999999999s"),
		 "1: format \"%99999999999999999999s\": width or precision above 64\n"},
	};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GPtrArray) facilities = PARSE_EXPECTING(cases[i].xml, cases[i].remarks);

		CU_ASSERT_EQUAL(facilities->len, 1);
	}
}

static void test_warnings(void)
{
	static const Wrong cases[] = {
		{EVENT("<enum>A B</enum>"), "2: warning: <enum> without a size: uses size 4; "
					    "expected 1, 2, 4, 8, short, medium or long\n"},
		{"<facility name=f author=me>\n<author>me</author></facility>",
		 "1: warning: attribute \"author\" of <facility> is ignored: expected name "
		 "ltt:role\n"
		 "2: warning: <author> in <facility> is ignored: expected a description, events "
		 "and "
		 "types\n"},
		{EVENT("<note>what <int/></note><struct\nformat=%d />"),
		 "2: warning: <note> in <event> is ignored: expected a description and one type\n"
		 "2: warning: attribute \"format\" of <struct> is ignored: expected none\n"},
		{"<facility name=f>\n\n a <event name=e/>\n  \n b\nc</facility>",
		 "3: warning: text \"a\" is ignored: expected a description, events and types\n"
		 "5: warning: text \"b\" is ignored: expected a description, events and types\n"},
		{"<facility name=f><description>A</description>\n<description>B</description>"
		 "</facility>",
		 "2: warning: second <description> in <facility> is ignored: expected one\n"},
		{"<facility name=f><description>A\n<b>B</b><int/></description></facility>",
		 "2: warning: <b> in <description> is ignored: expected only text\n"
		 "2: warning: <int> in <description> is ignored: expected only text\n"},
		{EVENT("<enum size=1>A<description>no</description></enum>"),
		 "2: warning: <description> in <enum> is ignored: expected words or labels\n"},
		{EVENT("<uint size=4>0123456789012345678901234567890\xc3\xa9</uint>"),
		 "2: warning: text \"0123456789012345678901234567890\" is ignored: expected "
		 "nothing\n"},
	};

	CHECK(cases);
}

static void test_all_mistakes_in_one_run(void)
{
	static const Wrong cases[] = {
		{"<facility name=f-g>\n"
		 "<event>\n"
		 "<struct><field name=a><int size=3/></field>\n"
		 "<field name=a><typeref name=t/></field>\n"
		 "<field name=b/></struct></event>\n"
		 "<event name=e>text<int size=1/><int size=2/></event>\n"
		 "<type name=u><typeref name=u/></type>\n"
		 "</facility>\n"
		 "<facility name=2></facility>",
		 "1: facility name \"f-g\": expected a C identifier\n"
		 "2: <event> without a name: expected attribute \"name\"\n"
		 "3: size \"3\" of <int>: expected 1, 2, 4, 8, short, medium or long\n"
		 "4: field \"a\" occurs twice in a struct\n"
		 "4: typeref to \"t\": no type of that name in the facility\n"
		 "5: <field> \"b\" without a type: expected one\n"
		 "6: warning: text \"text\" is ignored: expected a description and one type\n"
		 "6: second type <int> in <event> \"e\": expected one\n"
		 "7: type \"u\" contains itself\n"
		 "9: facility name \"2\": expected a C identifier\n"},
	};

	CHECK(cases);
}

UNIT_MAIN("eventdefs-wrong", UNIT(test_not_xml), UNIT(test_entities_and_bytes),
	  UNIT(test_names_and_places), UNIT(test_types), UNIT(test_enums), UNIT(test_formats),
	  UNIT(test_warnings), UNIT(test_all_mistakes_in_one_run))
