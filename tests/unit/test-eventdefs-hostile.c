/* Hostile descriptions: each is rejected or read, in bounded time and memory. */
#include "support-xml.h"
#include "unit.h"

#include <string.h>

static GString *repeat(const char *piece, guint n_times)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < n_times; i++)
		g_string_append(text, piece);
	return text;
}

/* Asserts the remarks on the text @before, @n_times @piece, @after. Returns: the facilities read */
static guint check_repeated(const char *before, const char *piece, guint n_times, const char *after,
			    const char *remarks)
{
	g_autoptr(GString) xml = repeat(piece, n_times);
	g_autoptr(GPtrArray) facilities = NULL;

	g_string_prepend(xml, before);
	g_string_append(xml, after);
	facilities = PARSE_EXPECTING(xml->str, remarks);
	return facilities->len;
}

static void test_depth(void)
{
	g_autoptr(GString) ends = repeat("</x>", LTT_MAX_XML_DEPTH - 1);
	g_autoptr(GString) array_ends = repeat("</array>", 100);

	check_repeated("", "<a>", 100000, "",
		       "1: elements inside each other: expected at most 256\n");
	check_repeated("<facility name=f><event name=e>", "<array size=1>", 100000, "",
		       "1: elements inside each other: expected at most 256\n");
	/* The maximum depth, and one more. */
	g_string_prepend(ends, "<facility name=f/>");
	CU_ASSERT_EQUAL(check_repeated("", "<x>", LTT_MAX_XML_DEPTH - 1, ends->str, ""), 1);
	g_string_append(ends, "</x>");
	check_repeated("", "<x>", LTT_MAX_XML_DEPTH, ends->str,
		       "1: elements inside each other: expected at most 256\n");
	/* XML elements may nest that deep, types may not. */
	g_string_prepend(array_ends, "<string/>");
	g_string_append(array_ends, "</event></facility>");
	check_repeated("<facility name=f>\n<event name=e>", "<array size=1>", 100, array_ends->str,
		       "2: event \"e\" is nested more than 64 types deep\n");
}

static void test_entities_that_expand(void)
{
	g_autoptr(GString) xml = g_string_new("<?xml version=\"1.0\"?>\n<!DOCTYPE f [\n"
					      "<!ENTITY a0 \"lol\">\n");

	for (guint i = 1; i < 12; i++)
		g_string_append_printf(xml, "<!ENTITY a%u \"&a%u;&a%u;&a%u;&a%u;\">\n", i, i - 1,
				       i - 1, i - 1, i - 1);
	g_string_append(xml,
			"]>\n<facility name=\"f\"><description>&a11;</description></facility>");
	g_ptr_array_unref(
		PARSE_EXPECTING(xml->str, "2: DOCTYPE is not allowed: expected elements only\n"));
}

static void test_long_pieces(void)
{
	const guint n_long = LTT_MAX_XML_BYTES - 200;
	g_autoptr(GString) long_text = repeat("x", n_long);
	g_autofree char *attribute = g_strdup_printf("<facility name=f x=\"%s\"/>", long_text->str);
	g_autofree char *name = g_strdup_printf("<facility name=%s />", long_text->str);
	g_autofree char *element = g_strdup_printf("<%s/>", long_text->str);
	g_autofree char *text = g_strdup_printf("<facility name=f>\n%s</facility>", long_text->str);
	g_autofree char *name_expected =
		g_strdup_printf("1: name of %u bytes: expected at most 255\n", n_long);
	g_autofree char *element_expected =
		g_strdup_printf("1: name of %u bytes in a tag: expected at most 255\n", n_long);

	g_ptr_array_unref(PARSE_EXPECTING(
		attribute,
		"1: warning: attribute \"x\" of <facility> is ignored: expected name ltt:role\n"));
	g_ptr_array_unref(PARSE_EXPECTING(name, name_expected));
	g_ptr_array_unref(PARSE_EXPECTING(element, element_expected));
	g_ptr_array_unref(PARSE_EXPECTING(
		text,
		"2: warning: text \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\" is ignored: expected a "
		"description, events and types\n"));
}

/* A message shortens a long quotation, but not the expected value. */
static void test_long_messages(void)
{
	g_autoptr(GString) xml = repeat("\xc3\xa9", 100000);
	g_autoptr(GPtrArray) remarks = remarks_new();
	const LttRemark *remark;

	g_string_prepend(xml, "<facility name=f><event name=e><string format='");
	g_string_append(xml, "'/></event></facility>");
	g_ptr_array_unref(ltt_eventdefs_parse(xml->str, xml->len, remarks));
	CU_ASSERT_EQUAL_FATAL(remarks->len, 1);
	remark = remarks->pdata[0];
	CU_ASSERT(strlen(remark->message) <= 403);
	CU_ASSERT(g_utf8_validate(remark->message, -1, NULL));
	CU_ASSERT(g_str_has_prefix(remark->message, "format \"\xc3\xa9\xc3\xa9"));
	CU_ASSERT(g_str_has_suffix(remark->message, "no conversion: expected one, such as %d"));
}

static void test_many_pieces(void)
{
	CU_ASSERT_EQUAL(check_repeated("<facility name=f>", "<!---->", 1000000, "</facility>", ""),
			1);
	CU_ASSERT_EQUAL(check_repeated("<facility name=f><description>", "<![CDATA[<]]>", 500000,
				       "</description></facility>", ""),
			1);
	check_repeated("<facility name=f>", "<a/>", 600000, "",
		       "1: more than 524288 elements and attributes: expected a smaller file\n");
	check_repeated("<facility name=f>", "<a b=c />", 300000, "",
		       "1: more than 524288 elements and attributes: expected a smaller file\n");
	check_repeated("<facility name=f>\n", "<event name=e/>", 4097, "</facility>",
		       "1: facility of 4097 events: expected at most 4096\n");
}

static void test_many_labels(void)
{
	g_autoptr(GString) xml = g_string_new("<facility name=f><event name=e><enum size=4>\n");

	for (guint i = 0; i < LTT_MAX_XML_PARTS + 100; i++)
		g_string_append_printf(xml, "A%u\n", i);
	g_string_append(xml, "</enum></event></facility>");
	g_ptr_array_unref(PARSE_EXPECTING(
		xml->str, "1: facility \"f\": its types written out are longer than 1048576 bytes\n"
			  "524290: more than 524288 enum labels: expected a smaller file\n"));
}

static void test_many_attributes(void)
{
	g_autoptr(GString) xml = g_string_new("<facility name=f");

	for (guint i = 0; i < LTT_MAX_XML_ATTRIBUTES; i++)
		g_string_append_printf(xml, "\na%u=1", i);
	g_string_append(xml, "/>");
	g_ptr_array_unref(
		PARSE_EXPECTING(xml->str, "129: more than 128 attributes in one element\n"));
}

static void test_many_remarks(void)
{
	g_autoptr(GString) xml = repeat("<x/>\n", 5000);
	g_autoptr(GPtrArray) remarks = remarks_new();
	g_autoptr(GPtrArray) facilities = NULL;
	const LttRemark *last;

	g_string_prepend(xml, "<facility name=f>");
	g_string_append(xml, "<struct/></facility>");
	facilities = ltt_eventdefs_parse(xml->str, xml->len, remarks);
	CU_ASSERT_EQUAL(facilities->len, 0);
	CU_ASSERT_EQUAL_FATAL(remarks->len, LTT_MAX_REMARKS + 1);
	last = remarks->pdata[LTT_MAX_REMARKS];
	UNIT_ASSERT_TEXT(last->message, "4001 more of the file are left out");
	/* One of the omitted remarks is an error. */
	CU_ASSERT_TRUE(last->is_error);
}

/* Appends types t0, t1, ...; each except the first has @n_fields fields of the previous one. */
static void append_multiplying_types(GString *xml, guint n_types, guint n_fields)
{
	g_string_append(xml, "<type name=t0><uint size=1/></type>");
	for (guint i = 1; i < n_types; i++) {
		g_string_append_printf(xml, "\n<type name=t%u><struct>", i);
		for (guint j = 0; j < n_fields; j++)
			g_string_append_printf(xml, "<field name=a%u><typeref name=t%u/></field>",
					       j, i - 1);
		g_string_append(xml, "</struct></type>");
	}
}

static void test_types_that_multiply(void)
{
	g_autoptr(GString) xml = g_string_new("<facility name=f>");

	/* A type of 4^15 bytes is valid, but the bytes must not be written one by one. */
	append_multiplying_types(xml, 16, 4);
	g_string_append(xml, "<event name=e><typeref name=t15/></event></facility>");
	g_ptr_array_unref(PARSE_EXPECTING(
		xml->str,
		"1: facility \"f\": its types written out are longer than 1048576 bytes\n"));
	g_string_assign(xml, "<facility name=f>");
	append_multiplying_types(xml, 18, 4);
	g_string_append(xml, "</facility>");
	g_ptr_array_unref(PARSE_EXPECTING(xml->str,
					  "17: type \"t16\" takes more than 2147483648 bytes\n"
					  "18: type \"t17\" takes more than 2147483648 bytes\n"));
}

static void test_long_chains_of_typerefs(void)
{
	g_autoptr(GString) xml = g_string_new("<facility name=f>");

	for (guint i = 0; i < 50000; i++)
		g_string_append_printf(xml, "<type name=t%u><typeref name=t%u/></type>\n", i,
				       i + 1);
	g_string_append(xml, "<type name=t50000><typeref name=t0/></type></facility>");
	{
		g_autoptr(GPtrArray) remarks = remarks_new();
		g_autoptr(GPtrArray) facilities = ltt_eventdefs_parse(xml->str, xml->len, remarks);

		CU_ASSERT_EQUAL(facilities->len, 0);
		CU_ASSERT(remarks->len > 0);
	}
}

/* ---- damage ---- */

static void check_truncated(const char *path)
{
	gsize length;
	g_autofree char *text = source_text(path, &length);
	gsize n_needed;

	g_strchomp(text);
	n_needed = strlen(text);
	for (gsize i = 0; i < n_needed; i++) {
		g_autofree char *copy = g_memdup2(text, i); /* so that an over-read is seen */
		g_autoptr(GPtrArray) remarks = remarks_new();
		g_autoptr(GPtrArray) facilities =
			ltt_eventdefs_parse(copy != NULL ? copy : "", i, remarks);

		if (facilities->len > 0 || remarks->len == 0) {
			g_autofree char *what = g_strdup_printf("%s, first %zu bytes", path, i);

			UNIT_ASSERT_TEXT(what, "an error");
		}
	}
}

static void test_truncated_at_every_byte(void)
{
	check_truncated("tests/data/ltt/unquoted/eventdefs/core.xml");
	check_truncated("eventdefs/interrupts.xml");
}

static void mutate(GRand *random, GString *text)
{
	static const char *const pieces[] = {"<",
					     ">",
					     "/>",
					     "</",
					     "\"",
					     "'",
					     "&",
					     ";",
					     "=",
					     " ",
					     "\n",
					     "<!--",
					     "-->",
					     "]]>",
					     "<struct>",
					     "</struct>",
					     "<label name=x value=-1/>",
					     "size=8",
					     "&#65;",
					     "name=a",
					     "\xff",
					     "%n",
					     "</enum>",
					     "<typeref name=timespec/>",
					     "99999999999999999999",
					     "<?",
					     "<![CDATA["};
	const guint at = (guint)g_rand_int_range(random, 0, (gint32)text->len);

	switch (g_rand_int_range(random, 0, 4)) {
	case 0:
		text->str[at] = (char)g_rand_int_range(random, 0, 256);
		break;
	case 1: {
		const gint length = g_rand_int_range(random, 1, 40);

		g_string_erase(text, at, MIN(length, (gint)(text->len - at)));
		break;
	}
	case 2:
		g_string_insert(text, at,
				pieces[g_rand_int_range(random, 0, G_N_ELEMENTS(pieces))]);
		break;
	default: {
		const gsize from = (gsize)g_rand_int_range(random, 0, (gint32)text->len);
		const gsize most = (gsize)g_rand_int_range(random, 1, 80);
		const gsize length = MIN(most, text->len - from);
		g_autofree char *piece = g_strndup(text->str + from, length);

		g_string_insert(text, at, piece);
		break;
	}
	}
}

/* A facility that is read must be complete: its XML reads back to the same. Returns: whether one
 * was read */
static gboolean check_whatever_is_read(const GString *text)
{
	g_autofree char *copy = g_memdup2(text->str, text->len);
	g_autoptr(GPtrArray) remarks = remarks_new();
	g_autoptr(GPtrArray) facilities = ltt_eventdefs_parse(copy, text->len, remarks);

	if (facilities->len == 0)
		CU_ASSERT(remarks->len > 0);
	for (guint i = 0; i < facilities->len; i++) {
		const LttFacility *facility = facilities->pdata[i];
		g_autofree char *printed = ltt_eventdefs_print(facility);
		g_autoptr(GPtrArray) again = PARSE_EXPECTING(printed, "");

		CU_ASSERT_EQUAL_FATAL(again->len, 1);
		UNIT_ASSERT_TEXT(ltt_facility_get_canonical(again->pdata[0]),
				 ltt_facility_get_canonical(facility));
	}
	return facilities->len > 0;
}

static void check_mutated(const char *path, guint32 seed, guint n_rounds)
{
	gsize length;
	g_autofree char *original = source_text(path, &length);
	GRand *random = g_rand_new_with_seed(seed);
	guint n_read = 0;

	for (guint i = 0; i < n_rounds; i++) {
		g_autoptr(GString) text = g_string_new_len(original, (gssize)length);
		guint n_changes = (guint)g_rand_int_range(random, 1, 4);

		while (n_changes-- > 0 && text->len > 0)
			mutate(random, text);
		n_read += check_whatever_is_read(text) ? 1 : 0;
	}
	/* The test is only meaningful if some damage is fatal and some is not. */
	CU_ASSERT(n_read > n_rounds / 20 && n_read < n_rounds);
	g_rand_free(random);
}

static void test_random_damage(void)
{
	check_mutated("tests/data/ltt/unquoted/eventdefs/core.xml", 1, 10000);
	check_mutated("tests/data/schemas/right/eventdefs/every-type.xml", 2, 10000);
	check_mutated("eventdefs/tracer.xml", 3, 2000);
}

UNIT_MAIN("eventdefs-hostile", UNIT(test_depth), UNIT(test_entities_that_expand),
	  UNIT(test_long_pieces), UNIT(test_long_messages), UNIT(test_many_pieces),
	  UNIT(test_many_labels), UNIT(test_many_attributes), UNIT(test_many_remarks),
	  UNIT(test_types_that_multiply), UNIT(test_long_chains_of_typerefs),
	  UNIT(test_truncated_at_every_byte), UNIT(test_random_damage))
