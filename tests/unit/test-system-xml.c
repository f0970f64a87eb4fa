/* Reading and writing system.xml. */
#include "support-xml.h"
#include "unit.h"

#include <ltt/ltt-error.h>

#include <string.h>

/* The required attributes, up to the end of the tag. */
#define LEAST                                                                                      \
	"cpu=4 arch_size=ILP32 endian=little ltt_major_version=2 ltt_minor_version=0 "             \
	"ltt_block_size=65536"

static LttSystem *parse(const char *xml)
{
	g_autoptr(GError) error = NULL;
	LttSystem *system = ltt_system_parse(xml, strlen(xml), &error);

	UNIT_ASSERT_OK(system != NULL, error);
	return system;
}

/* The form of LTT: cpu without quotes, blanks and newlines anywhere, text inside. */
static void test_the_historical_form(void)
{
	g_autoptr(LttSystem) system =
		parse("<system \nnode_name=\"vaucluse\" \ndomainname=\"polymtl.ca\" \ncpu=2 \n"
		      "arch_size=\"ILP32\" \nendian=\"LITTLE_ENDIAN\" \nkernel_name=\"Linux\" \n"
		      "ltt_major_version=\"2\" \nltt_minor_version=\"2\" \n"
		      "ltt_block_size=\"1000000\" \n>\nThis is\n  a test\n</system>\n\n");
	const char *name;
	const char *value;

	CU_ASSERT_EQUAL(ltt_system_get_n_cpus(system), 2);
	CU_ASSERT_EQUAL(ltt_system_get_block_bytes(system), 1000000);
	CU_ASSERT_EQUAL(ltt_system_get_arch(system)->byte_order, LTT_LITTLE_ENDIAN);
	CU_ASSERT_EQUAL(ltt_system_get_arch(system)->size, LTT_ILP32);
	CU_ASSERT_TRUE(ltt_system_is_dialect_22(system));
	UNIT_ASSERT_TEXT(ltt_system_get(system, "domainname"), "polymtl.ca");
	UNIT_ASSERT_TEXT(ltt_system_get_text(system), "This is\n  a test");
	CU_ASSERT_EQUAL(ltt_system_get_n_attributes(system), 9);
	ltt_system_get_attribute(system, 2, &name, &value);
	UNIT_ASSERT_TEXT(name, "cpu");
	UNIT_ASSERT_TEXT(value, "2");
}

static void test_any_case_and_unknown_attributes(void)
{
	g_autoptr(LttSystem) system = parse("<!-- c --><SYSTEM COLOUR='&lt;red&gt;' " LEAST
					    " a=\"\" ><x>no</x> text </SYSTEM>");

	UNIT_ASSERT_TEXT(ltt_system_get(system, "colour"), "<red>");
	UNIT_ASSERT_TEXT(ltt_system_get(system, "a"), "");
	UNIT_ASSERT_TEXT(ltt_system_get_text(system), "text");
}

static void test_the_printed_form(void)
{
	g_autoptr(LttSystem) system = parse("<system " LEAST " note='a\"&amp;&#10;b'>A &lt; B\n\nC"
					    "</system>");
	g_autofree char *printed = ltt_system_print(system);
	g_autoptr(LttSystem) again = parse(printed);
	g_autoptr(LttSystem) copy = ltt_system_dup(again);
	g_autofree char *reprinted = ltt_system_print(copy);

	UNIT_ASSERT_TEXT(printed, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
				  "<system\n cpu=\"4\"\n arch_size=\"ILP32\"\n endian=\"little\"\n"
				  " ltt_major_version=\"2\"\n ltt_minor_version=\"0\"\n"
				  " ltt_block_size=\"65536\"\n note=\"a&quot;&amp;&#10;b\">\n"
				  "A &lt; B\n\nC\n</system>\n");
	UNIT_ASSERT_TEXT(reprinted, printed);
	UNIT_ASSERT_TEXT(ltt_system_get(again, "note"), "a\"&\nb");
	UNIT_ASSERT_TEXT(ltt_system_get_text(again), "A < B\n\nC");
	CU_ASSERT_EQUAL(ltt_system_get_cycle_frequency(again), 0);
}

/* A recording of this machine is in the strict form. */
static void test_the_local_system(void)
{
	g_autoptr(LttSystem) system = ltt_system_new_local(65536);
	g_autofree char *printed = ltt_system_print(system);
	g_autofree char *errors = schema_errors("system.rng", printed);
	g_autoptr(LttSystem) again = parse(printed);

	UNIT_ASSERT_TEXT(errors, "");
	CU_ASSERT_EQUAL(ltt_system_get_n_attributes(again), ltt_system_get_n_attributes(system));
	CU_ASSERT_EQUAL(ltt_system_get_arch(again)->size, ltt_system_get_arch(system)->size);
}

static void test_what_is_refused(void)
{
	static const struct {
		const char *xml;
		LttError code;
		const char *message;
	} cases[] = {
		{"", LTT_ERROR_DESCRIPTION, "line 1: no <system>: expected one"},
		{"\n<system " LEAST ">\n\n", LTT_ERROR_DESCRIPTION,
		 "line 2: <system> has no end: expected </system>"},
		{"<system " LEAST "/>\n<system " LEAST "/>", LTT_ERROR_DESCRIPTION,
		 "line 2: second <system>: expected one"},
		{"<a><system " LEAST "/></a>", LTT_ERROR_DESCRIPTION,
		 "line 1: no <system>: expected one"},
		{"<!DOCTYPE system><system " LEAST "/>", LTT_ERROR_DESCRIPTION,
		 "line 1: DOCTYPE is not allowed: expected elements only"},
		{"\n\n<system cpu=4 ltt_major_version=2 ltt_minor_version=0 endian=big />",
		 LTT_ERROR_DESCRIPTION, "line 3: attribute arch_size is missing"},
		{"<system " LEAST " ltt_major_version=3 />", LTT_ERROR_DESCRIPTION,
		 "line 1: attribute \"ltt_major_version\" occurs twice in one element"},
		{"<system ltt_major_version=3 ltt_minor_version=0 />", LTT_ERROR_UNSUPPORTED,
		 "line 1: ltt_major_version=\"3\": expected 2"},
	};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GError) error = NULL;

		CU_ASSERT_PTR_NULL(ltt_system_parse(cases[i].xml, strlen(cases[i].xml), &error));
		CU_ASSERT(g_error_matches(error, LTT_ERROR, (gint)cases[i].code));
		UNIT_ASSERT_TEXT(error != NULL ? error->message : NULL, cases[i].message);
	}
}

static void test_reading_a_file(void)
{
	g_autofree char *path = unit_temp_path("system.xml");
	g_autofree char *missing = unit_temp_path("missing.xml");
	g_autofree char *wrong = g_strdup_printf("%s: line 1: no <system>: expected one", path);
	g_autofree char *not_there =
		g_strdup_printf("%s: could not open: No such file or directory", missing);
	g_autoptr(LttSystem) system = NULL;
	g_autoptr(GError) error = NULL;

	g_file_set_contents(path, "<system " LEAST "/>", -1, NULL);
	system = ltt_system_read(path, &error);
	UNIT_ASSERT_OK(system != NULL, error);
	g_file_set_contents(path, "<facility name=f/>", -1, NULL);
	CU_ASSERT_PTR_NULL(ltt_system_read(path, &error));
	UNIT_ASSERT_TEXT(error->message, wrong);
	g_clear_error(&error);
	CU_ASSERT_PTR_NULL(ltt_system_read(missing, &error));
	CU_ASSERT(g_error_matches(error, LTT_ERROR, LTT_ERROR_IO));
	UNIT_ASSERT_TEXT(error->message, not_there);
}

static void test_truncated_at_every_byte(void)
{
	static const char xml[] = "<?xml version=\"1.0\"?><system " LEAST ">text</system>";

	for (gsize i = 0; i < strlen(xml); i++) {
		g_autofree char *copy = g_memdup2(xml, i);
		g_autoptr(GError) error = NULL;

		CU_ASSERT_PTR_NULL(ltt_system_parse(copy != NULL ? copy : "", i, &error));
		CU_ASSERT_PTR_NOT_NULL(error);
	}
}

UNIT_MAIN("system-xml", UNIT(test_the_historical_form), UNIT(test_any_case_and_unknown_attributes),
	  UNIT(test_the_printed_form), UNIT(test_the_local_system), UNIT(test_what_is_refused),
	  UNIT(test_reading_a_file), UNIT(test_truncated_at_every_byte))
