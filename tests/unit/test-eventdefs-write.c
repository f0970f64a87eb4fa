/* Facilities written as XML: the strict form, valid by the schema, and equal when read back. */
#include "support-xml.h"
#include "unit.h"

#include <string.h>

/* Asserts that the XML of @facility is valid and reads back to the same facility. The XML has all
 * properties of a facility, so the second XML must be the same text. */
static void check_round_trip(const LttFacility *facility)
{
	g_autofree char *printed = ltt_eventdefs_print(facility);
	g_autofree char *errors = schema_errors("eventdefs.rng", printed);
	g_autoptr(GPtrArray) read = PARSE_EXPECTING(printed, "");
	g_autofree char *again = NULL;

	UNIT_ASSERT_TEXT(errors, "");
	CU_ASSERT_EQUAL_FATAL(read->len, 1);
	CU_ASSERT_EQUAL(ltt_facility_get_checksum(read->pdata[0]),
			ltt_facility_get_checksum(facility));
	again = ltt_eventdefs_print(read->pdata[0]);
	UNIT_ASSERT_TEXT(again, printed);
}

static void test_the_layout(void)
{
	static const char xml[] =
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<facility name=\"f\">\n"
		"  <description>D &amp; d</description>\n"
		"  <type name=\"t\"><uint size=\"4\"/></type>\n"
		"  <type name=\"s\">\n"
		"    <description>S</description>\n"
		"    <struct>\n"
		"      <field name=\"a\"><typeref name=\"t\"/></field>\n"
		"      <field name=\"b\">\n"
		"        <description>B</description>\n"
		"        <sequence lengthsize=\"short\"><array size=\"3\"><int size=\"8\" "
		"format=\"&quot;%d&#10;\"/></array></sequence>\n"
		"      </field>\n"
		"    </struct>\n"
		"  </type>\n"
		"  <event name=\"none\"/>\n"
		"  <event name=\"described\">\n"
		"    <description>E</description>\n"
		"  </event>\n"
		"  <event name=\"words\"><enum size=\"1\">A B C</enum></event>\n"
		"  <event name=\"labels\">\n"
		"    <enum size=\"8\">\n"
		"      <label name=\"A\" value=\"-1\"/>\n"
		"      <label name=\"B\" value=\"9223372036854775807\"/>\n"
		"    </enum>\n"
		"  </event>\n"
		"  <event name=\"many\">\n"
		"    <array size=\"2\">\n"
		"      <union typecodesize=\"1\">\n"
		"        <field name=\"x\"><float size=\"medium\"/></field>\n"
		"        <field name=\"y\"><struct/></field>\n"
		"      </union>\n"
		"    </array>\n"
		"  </event>\n"
		"</facility>\n";
	g_autoptr(GPtrArray) facilities = PARSE_EXPECTING(xml, "");
	g_autofree char *printed = ltt_eventdefs_print(facilities->pdata[0]);

	UNIT_ASSERT_TEXT(printed, xml);
	check_round_trip(facilities->pdata[0]);
}

/* The role of a facility is not part of its checksum, and an unknown role is ignored. */
static void test_bookkeeping(void)
{
	static const char xml[] =
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<facility name=\"f\" xmlns:ltt=\"urn:ltt:view\" ltt:role=\"bookkeeping\">\n"
		"  <event name=\"e\"/>\n"
		"</facility>\n";
	g_autoptr(GPtrArray) facilities = PARSE_EXPECTING(xml, "");
	g_autoptr(GPtrArray) others = PARSE_EXPECTING(
		"<facility name=\"f\" ltt:role=\"gardening\"><event name=\"e\"/></facility>", "");
	g_autofree char *printed = ltt_eventdefs_print(facilities->pdata[0]);

	CU_ASSERT_TRUE(ltt_facility_is_bookkeeping(facilities->pdata[0]));
	CU_ASSERT_FALSE(ltt_facility_is_bookkeeping(others->pdata[0]));
	CU_ASSERT_EQUAL(ltt_facility_get_checksum(facilities->pdata[0]),
			ltt_facility_get_checksum(others->pdata[0]));
	UNIT_ASSERT_TEXT(printed, xml);
	check_round_trip(facilities->pdata[0]);
}

/* A facility created by calls may contain text that XML cannot represent. */
static void test_text_that_xml_does_not_have(void)
{
	g_autoptr(LttFacility) facility = ltt_facility_new("f");
	g_autofree char *printed = NULL;

	ltt_facility_set_description(facility, "a\001b\xff"
					       "c\xef\xbf\xbf]]>\r");
	ltt_facility_add_event(facility, "e", "", NULL);
	printed = ltt_eventdefs_print(facility);
	UNIT_ASSERT_TEXT(printed, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
				  "<facility name=\"f\">\n"
				  "  <description>a\xef\xbf\xbd"
				  "b\xef\xbf\xbd"
				  "c\xef\xbf\xbd]]&gt;&#13;"
				  "</description>\n"
				  "  <event name=\"e\"/>\n"
				  "</facility>\n");
	g_ptr_array_unref(PARSE_EXPECTING(printed, ""));
}

/* Accepted on reading, and written although it is not in the strict form. */
static void test_labels_that_are_no_identifiers(void)
{
	g_autoptr(GPtrArray) facilities = PARSE_EXPECTING(
		"<facility name=f><event name=e><enum size=1>a-b &lt; \"</enum></event></facility>",
		"");
	g_autofree char *printed = ltt_eventdefs_print(facilities->pdata[0]);
	g_autoptr(GPtrArray) again = PARSE_EXPECTING(printed, "");

	CU_ASSERT_EQUAL_FATAL(again->len, 1);
	UNIT_ASSERT_TEXT(ltt_facility_get_canonical(again->pdata[0]),
			 "facility f\nevent e enum(1,a-b=0,<=1,\"=2)\n");
}

/* ---- random facilities ---- */

static LttWidth random_width(GRand *random)
{
	static const LttWidth widths[] = {LTT_WIDTH_1,   LTT_WIDTH_2,     LTT_WIDTH_4,
					  LTT_WIDTH_8,   LTT_WIDTH_SHORT, LTT_WIDTH_MEDIUM,
					  LTT_WIDTH_LONG};

	return widths[g_rand_int_range(random, 0, G_N_ELEMENTS(widths))];
}

static LttWidth random_float_width(GRand *random)
{
	static const LttWidth widths[] = {LTT_WIDTH_4, LTT_WIDTH_8, LTT_WIDTH_MEDIUM,
					  LTT_WIDTH_LONG};

	return widths[g_rand_int_range(random, 0, G_N_ELEMENTS(widths))];
}

/* Text with characters that need escaping; or no text. */
static char *random_description(GRand *random)
{
	static const char *const words[] = {"a",  "<b>", "&amp;",    "\"c\"",
					    "'",  "]]>", "\xc3\xa9", "\xf0\x9f\x98\x80",
					    "%n", "--"};
	GString *text = g_string_new(NULL);

	for (gint n_words = g_rand_int_range(random, 0, 6); n_words > 0; n_words--) {
		if (text->len > 0)
			g_string_append_c(text, ' ');
		g_string_append(text, words[g_rand_int_range(random, 0, G_N_ELEMENTS(words))]);
	}
	return g_string_free(text, text->len == 0);
}

static void set_random_format(GRand *random, LttType *type, const char *conversion)
{
	static const char *const texts[] = {"", "<", "&", "\"'", " \t\n\r", "%%", "\xc3\xa9"};
	g_autofree char *format = NULL;

	if (g_rand_boolean(random))
		return;
	format = g_strconcat(texts[g_rand_int_range(random, 0, G_N_ELEMENTS(texts))], conversion,
			     texts[g_rand_int_range(random, 0, G_N_ELEMENTS(texts))], NULL);
	ltt_type_set_format(type, format);
}

static LttType *random_enum(GRand *random)
{
	LttType *type = ltt_type_new_enum(random_width(random));
	const gboolean are_words = g_rand_boolean(random);
	const gint n_labels = g_rand_int_range(random, 1, 6);

	for (gint i = 0; i < n_labels; i++) {
		g_autofree char *name = g_strdup_printf("LABEL_%d", i);

		ltt_type_add_label(type, name, are_words ? i : g_rand_int_range(random, -128, 128));
	}
	set_random_format(random, type, "%-5s");
	return type;
}

static LttType *random_type(GRand *random, guint level, guint n_types);

static void add_random_fields(GRand *random, LttType *type, gint n_fields, guint level,
			      guint n_types)
{
	for (gint i = 0; i < n_fields; i++) {
		g_autofree char *name = g_strdup_printf("field%d", i);
		g_autofree char *description = random_description(random);

		ltt_type_add_field(type, name, description,
				   random_type(random, level + 1, n_types));
	}
}

/* @n_types: number of types t0, t1, ... to refer to */
static LttType *random_type(GRand *random, guint level, guint n_types)
{
	const gint n_kinds = level < 4 ? LTT_N_TYPE_KINDS : LTT_ARRAY;
	const LttTypeKind kind = (LttTypeKind)g_rand_int_range(random, 0, n_kinds);
	g_autofree char *name = NULL;
	LttType *type;

	switch (kind) {
	case LTT_INT:
		type = ltt_type_new_int(random_width(random));
		set_random_format(random, type, "%+lld");
		return type;
	case LTT_UINT:
		type = ltt_type_new_uint(random_width(random));
		set_random_format(random, type, "%#010x");
		return type;
	case LTT_FLOAT:
		type = ltt_type_new_float(random_float_width(random));
		set_random_format(random, type, "%.3g");
		return type;
	case LTT_STRING:
		type = ltt_type_new_string();
		set_random_format(random, type, "%s");
		return type;
	case LTT_ENUM:
		return random_enum(random);
	case LTT_ARRAY:
		return ltt_type_new_array((guint64)g_rand_int_range(random, 0, 5),
					  random_type(random, level + 1, n_types));
	case LTT_SEQUENCE:
		return ltt_type_new_sequence(random_width(random),
					     random_type(random, level + 1, n_types));
	case LTT_UNION:
		type = ltt_type_new_union(random_width(random));
		add_random_fields(random, type, g_rand_int_range(random, 1, 4), level, n_types);
		return type;
	case LTT_TYPEREF:
		if (n_types > 0) {
			name = g_strdup_printf("t%d", g_rand_int_range(random, 0, (gint32)n_types));
			return ltt_type_new_typeref(name);
		}
		/* fall through */
	default:
		type = ltt_type_new_struct();
		add_random_fields(random, type, g_rand_int_range(random, 0, 4), level, n_types);
		return type;
	}
}

static LttFacility *random_facility(GRand *random)
{
	LttFacility *facility = ltt_facility_new("made_up");
	const guint n_types = (guint)g_rand_int_range(random, 0, 4);
	const gint n_events = g_rand_int_range(random, 0, 6);
	g_autofree char *prose = random_description(random);

	ltt_facility_set_description(facility, prose);
	for (guint i = 0; i < n_types; i++) {
		g_autofree char *name = g_strdup_printf("t%u", i);
		g_autofree char *description = random_description(random);

		ltt_facility_add_type(facility, name, description, random_type(random, 0, i));
	}
	for (gint i = 0; i < n_events; i++) {
		g_autofree char *name = g_strdup_printf("event%d", i);
		g_autofree char *description = random_description(random);

		ltt_facility_add_event(facility, name, description,
				       g_rand_boolean(random) ? random_type(random, 0, n_types)
							      : NULL);
	}
	return facility;
}

static void test_facilities_made_at_random(void)
{
	GRand *random = g_rand_new_with_seed(20030722);

	for (guint i = 0; i < 300; i++) {
		g_autoptr(LttFacility) facility = random_facility(random);
		g_autoptr(GError) error = NULL;

		UNIT_ASSERT_OK(ltt_facility_seal(facility, &error), error);
		check_round_trip(facility);
	}
	g_rand_free(random);
}

/* ---- shipped descriptions ---- */

static void check_shipped(const char *name)
{
	const LttFacility *facility = ltt_eventdefs_get_shipped(name);
	g_autofree char *path = g_strdup_printf("eventdefs/%s.xml", name);
	g_autofree char *text = source_text(path, NULL);
	g_autofree char *errors = schema_errors("eventdefs.rng", text);
	g_autoptr(GPtrArray) read = PARSE_EXPECTING(text, "");

	UNIT_ASSERT_TEXT(errors, "");
	CU_ASSERT_PTR_NOT_NULL_FATAL(facility);
	UNIT_ASSERT_TEXT(ltt_facility_get_name(facility), name);
	CU_ASSERT_PTR_EQUAL(ltt_eventdefs_get_shipped(name), facility);
	CU_ASSERT_EQUAL_FATAL(read->len, 1);
	CU_ASSERT_EQUAL(ltt_facility_get_checksum(read->pdata[0]),
			ltt_facility_get_checksum(facility));
	check_round_trip(facility);
}

/* Every file of eventdefs/. */
static void test_shipped_descriptions(void)
{
	g_autofree char *folder = source_path("eventdefs");
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	const char *file;
	guint n_files = 0;

	CU_ASSERT_PTR_NOT_NULL_FATAL(dir);
	while ((file = g_dir_read_name(dir)) != NULL) {
		g_autofree char *name = g_strndup(file, strlen(file) - strlen(".xml"));

		check_shipped(name);
		n_files++;
	}
	CU_ASSERT(n_files >= 5);
	CU_ASSERT_PTR_NULL(ltt_eventdefs_get_shipped("nothing"));
}

/* Part of the format: these do not change. */
static void test_checksums_that_never_change(void)
{
	CU_ASSERT_EQUAL(ltt_facility_get_checksum(ltt_eventdefs_get_shipped("builtin")),
			0xc49ce5b4);
	CU_ASSERT_EQUAL(ltt_facility_get_checksum(ltt_eventdefs_get_shipped("tracer")), 0x5a5cf28d);
}

static gpointer get_all_shipped(gpointer data)
{
	static const char *const names[] = {"tracer", "core", "builtin"};

	(void)data;
	for (guint i = 0; i < 300; i++)
		g_assert(ltt_eventdefs_get_shipped(names[i % G_N_ELEMENTS(names)]) != NULL);
	return (gpointer)ltt_eventdefs_get_shipped("core");
}

static void test_shipped_from_several_threads(void)
{
	GThread *threads[4];

	for (guint i = 0; i < G_N_ELEMENTS(threads); i++)
		threads[i] = g_thread_new("shipped", get_all_shipped, NULL);
	for (guint i = 0; i < G_N_ELEMENTS(threads); i++)
		CU_ASSERT_PTR_EQUAL(g_thread_join(threads[i]), ltt_eventdefs_get_shipped("core"));
}

UNIT_MAIN("eventdefs-write", UNIT(test_shipped_from_several_threads), UNIT(test_the_layout),
	  UNIT(test_bookkeeping), UNIT(test_text_that_xml_does_not_have),
	  UNIT(test_labels_that_are_no_identifiers), UNIT(test_facilities_made_at_random),
	  UNIT(test_shipped_descriptions), UNIT(test_checksums_that_never_change))
