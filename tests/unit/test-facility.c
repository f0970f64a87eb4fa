/* Facilities: the canonical text, its checksum, and everything that sealing rejects. */
#include "model/type-priv.h"
#include "unit.h"

#include <ltt/ltt-eventdefs.h>
#include <ltt/ltt-facility.h>
#include <ltt/ltt-layout.h>

static LttType *u4(void)
{
	return ltt_type_new_uint(LTT_WIDTH_4);
}

static LttType *ref(const char *name, guint line)
{
	LttType *type = ltt_type_new_typeref(name);

	ltt_type_set_line(type, line);
	return type;
}

/* A facility f with one event e of type @type. */
static LttFacility *with_event(LttType *type)
{
	LttFacility *facility = ltt_facility_new("f");

	ltt_facility_add_event(facility, "e", NULL, type);
	return facility;
}

/* Asserts that sealing fails with the message @expected; takes ownership of @facility. */
static void assert_refused(LttFacility *facility, const char *expected)
{
	g_autoptr(GError) error = NULL;

	CU_ASSERT_FALSE(ltt_facility_seal(facility, &error));
	UNIT_ASSERT_TEXT(error != NULL ? error->message : NULL, expected);
	ltt_facility_unref(facility);
}

static void assert_canonical(LttType *type, const char *expected)
{
	g_autoptr(LttFacility) facility = with_event(type);
	g_autofree char *text = g_strdup_printf("facility f\nevent e %s\n", expected);
	g_autoptr(GError) error = NULL;

	UNIT_ASSERT_OK(ltt_facility_seal(facility, &error), error);
	UNIT_ASSERT_TEXT(ltt_facility_get_canonical(facility), text);
}

/* The worked example of doc/format.md, 5. */
static void test_checksum_of_the_example(void)
{
	LttType *payload = ltt_type_new_struct();
	g_autoptr(LttFacility) facility = NULL;
	g_autoptr(GError) error = NULL;

	ltt_type_add_field(payload, "a", "not counted", u4());
	facility = with_event(payload);
	ltt_facility_add_event(facility, "n", "not counted either", NULL);
	UNIT_ASSERT_OK(ltt_facility_seal(facility, &error), error);
	UNIT_ASSERT_TEXT(ltt_facility_get_canonical(facility),
			 "facility f\nevent e struct(a:uint(4))\nevent n -\n");
	CU_ASSERT_EQUAL(ltt_facility_get_checksum(facility), 0xbf49307a);
	UNIT_ASSERT_TEXT(ltt_facility_find_event(facility, "n")->full_name, "f.n");
	CU_ASSERT_PTR_NULL(ltt_facility_find_event(facility, "m"));
}

static void test_canonical_text_of_each_kind(void)
{
	LttType *enumeration = ltt_type_new_enum(LTT_WIDTH_SHORT);
	LttType *wide = ltt_type_new_enum(LTT_WIDTH_8);
	LttType *choice = ltt_type_new_union(LTT_WIDTH_1);

	ltt_type_add_label(enumeration, "A", -1);
	ltt_type_add_label(enumeration, "B", 7);
	ltt_type_add_label_unsigned(wide, "ALL", G_MAXUINT64);
	ltt_type_add_field(choice, "x", NULL, ltt_type_new_string());
	ltt_type_add_field(choice, "y", NULL, ltt_type_new_float(LTT_WIDTH_LONG));
	assert_canonical(ltt_type_new_int(LTT_WIDTH_MEDIUM), "int(medium)");
	assert_canonical(ltt_type_new_string(), "string");
	assert_canonical(enumeration, "enum(short,A=-1,B=7)");
	assert_canonical(wide, "enum(8,ALL=18446744073709551615)");
	assert_canonical(ltt_type_new_array(0, ltt_type_new_struct()), "array(0,struct())");
	assert_canonical(ltt_type_new_sequence(LTT_WIDTH_2, u4()), "sequence(2,uint(4))");
	assert_canonical(choice, "union(1,x:string,y:float(long))");
}

static void test_typeref_counts_as_what_it_names(void)
{
	g_autoptr(LttFacility) facility = with_event(ref("later", 1));
	g_autoptr(GError) error = NULL;

	ltt_facility_add_type(facility, "later", NULL, ltt_type_new_array(2, ref("last", 2)));
	ltt_facility_add_type(facility, "last", NULL, u4());
	UNIT_ASSERT_OK(ltt_facility_seal(facility, &error), error);
	UNIT_ASSERT_TEXT(ltt_facility_get_canonical(facility),
			 "facility f\nevent e array(2,uint(4))\n");
}

static void test_names_are_refused(void)
{
	LttFacility *facility = ltt_facility_new("two words");
	LttType *payload = ltt_type_new_struct();

	ltt_type_add_field(payload, "a", NULL, u4());
	ltt_type_add_field(payload, "a", NULL, u4());
	ltt_type_add_field(payload, "1st", NULL, u4());
	ltt_facility_add_event(facility, "e", NULL, payload);
	ltt_facility_add_event(facility, "e", NULL, NULL);
	ltt_facility_add_type(facility, "t", NULL, u4());
	ltt_facility_add_type(facility, "t", NULL, u4());
	assert_refused(facility, "facility name \"two words\": expected a C identifier\n"
				 "type \"t\" is defined twice\n"
				 "field \"a\" occurs twice in a struct\n"
				 "field name \"1st\": expected a C identifier\n"
				 "event \"e\" occurs twice");
}

static void test_bad_types_are_refused(void)
{
	LttType *labels = ltt_type_new_enum(LTT_WIDTH_1);
	LttType *signed_labels = ltt_type_new_enum(LTT_WIDTH_1);

	ltt_type_add_label(labels, "A", 256);
	ltt_type_add_label(labels, "A", 1);
	ltt_type_add_label(signed_labels, "N", -128);
	ltt_type_add_label(signed_labels, "P", 128);
	assert_refused(with_event(labels),
		       "label \"A\": its value does not fit an unsigned enum of size 1\n"
		       "label \"A\" occurs twice in an enum");
	assert_refused(with_event(ltt_type_new_enum(LTT_WIDTH_4)),
		       "enum without labels: expected at least one");
	assert_refused(with_event(signed_labels),
		       "label \"P\": its value does not fit a signed enum of size 1");
	assert_refused(with_event(ltt_type_new_float(LTT_WIDTH_2)),
		       "float of size 2: expected 4, 8, medium or long");
	assert_refused(with_event(ltt_type_new_union(LTT_WIDTH_1)),
		       "union without fields: expected at least one");
	assert_refused(with_event(ltt_type_new_int(LTT_WIDTH_NONE)), "int without a size");
	assert_refused(with_event(ltt_type_new_array((guint64)1 << 31, u4())),
		       "array of 2147483648 elements: expected at most 2147483647\n"
		       "event \"e\" takes more than 2147483648 bytes");
	assert_refused(with_event(ltt_type_new_array(4096, ltt_type_new_struct())),
		       "array of more than 4096 values that take no bytes");
}

static void test_typerefs_are_refused(void)
{
	LttFacility *facility = with_event(ref("none", 3));

	assert_refused(facility,
		       "line 3: typeref to \"none\": no type of that name in the facility");
	facility = with_event(ref("a", 3));
	ltt_facility_add_type(facility, "a", NULL, ltt_type_new_sequence(LTT_WIDTH_1, ref("b", 4)));
	ltt_facility_add_type(facility, "b", NULL, ltt_type_new_array(1, ref("a", 5)));
	assert_refused(facility, "line 5: type \"a\" contains itself");
}

static void test_depth_has_a_ceiling(void)
{
	for (guint depth = LTT_MAX_TYPE_DEPTH; depth <= LTT_MAX_TYPE_DEPTH + 1; depth++) {
		LttType *type = u4();

		for (guint i = 1; i < depth; i++)
			type = ltt_type_new_array(1, type);
		if (depth > LTT_MAX_TYPE_DEPTH) {
			assert_refused(with_event(type),
				       "event \"e\" is nested more than 64 types deep");
		} else {
			g_autoptr(LttFacility) facility = with_event(type);

			CU_ASSERT_TRUE(ltt_facility_seal(facility, NULL));
		}
	}
}

/* Each type doubles the previous one: 2^60 fields in 60 lines; and a chain of 100000 typerefs. */
static void test_bombs_are_refused(void)
{
	LttFacility *facility = with_event(ref("t0", 0));
	g_autoptr(GError) error = NULL;

	for (guint i = 0; i < 30; i++) {
		g_autofree char *name = g_strdup_printf("t%u", i);
		g_autofree char *next = g_strdup_printf("t%u", i + 1);
		LttType *both = ltt_type_new_struct();

		ltt_type_add_field(both, "a", NULL, ref(next, 0));
		ltt_type_add_field(both, "b", NULL, ref(next, 0));
		ltt_facility_add_type(facility, name, NULL, both);
	}
	ltt_facility_add_type(facility, "t30", NULL, ltt_type_new_int(LTT_WIDTH_1));
	assert_refused(facility,
		       "facility \"f\": its types written out are longer than 1048576 bytes");

	facility = with_event(NULL);
	for (guint i = 0; i < 100000; i++) {
		g_autofree char *name = g_strdup_printf("t%u", i);
		g_autofree char *next = g_strdup_printf("t%u", i + 1);

		ltt_facility_add_type(facility, name, NULL, ref(next, 0));
	}
	CU_ASSERT_FALSE(ltt_facility_seal(facility, &error));
	ltt_facility_unref(facility);
}

#define FIELDS                                                                                     \
	"    <struct>\n"                                                                           \
	"      <field name=\"id\" ltt:show=\"first\"><uint size=\"4\"/></field>\n"                 \
	"      <field name=\"result\" ltt:role=\"errno\"><int size=\"4\"/></field>\n"              \
	"    </struct>\n"

/* A facility made by calls says all that a description can say. */
static void test_declarations(void)
{
	g_autoptr(LttFacility) facility = ltt_facility_new("f");
	g_autofree char *text = NULL;
	LttType *type = ltt_type_new_struct();

	ltt_type_add_field(type, "id", NULL, ltt_type_new_uint(LTT_WIDTH_4));
	ltt_type_show_field(type, LTT_SHOW_FIRST);
	ltt_type_add_field(type, "result", NULL, ltt_type_new_int(LTT_WIDTH_4));
	ltt_type_set_field_role(type, LTT_FIELD_ERRNO);
	ltt_facility_set_bookkeeping(facility, TRUE);
	ltt_facility_add_event(facility, "request", NULL, ltt_type_ref(type));
	ltt_facility_set_hidden(facility, TRUE);
	ltt_facility_add_event(facility, "response", NULL, type);
	ltt_facility_set_print(facility, "\"%d\", REC->id");
	ltt_facility_set_ends(facility, "request", "id");
	CU_ASSERT_TRUE_FATAL(ltt_facility_seal(facility, NULL));
	text = ltt_eventdefs_print(facility);
	UNIT_ASSERT_TEXT(
		text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		      "<facility name=\"f\" xmlns:ltt=\"urn:ltt:view\" ltt:role=\"bookkeeping\">\n"
		      "  <event name=\"request\" ltt:show=\"hidden\">\n" FIELDS "  </event>\n"
		      "  <event name=\"response\" ltt:print=\"&quot;%d&quot;, REC-&gt;id\" "
		      "ltt:ends=\"request\" ltt:key=\"id\">\n" FIELDS "  </event>\n"
		      "</facility>\n");
}

UNIT_MAIN("facility", UNIT(test_checksum_of_the_example), UNIT(test_canonical_text_of_each_kind),
	  UNIT(test_typeref_counts_as_what_it_names), UNIT(test_names_are_refused),
	  UNIT(test_bad_types_are_refused), UNIT(test_typerefs_are_refused),
	  UNIT(test_depth_has_a_ceiling), UNIT(test_bombs_are_refused), UNIT(test_declarations))
