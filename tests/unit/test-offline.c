/* Reading events as structs of generated code: traces with the same and with other versions of the facility. */
#include "support-trace.h"
#include "unit.h"

#include "reader/tracefile-priv.h"

#include <ltt/ltt-offline.h>

/* ---- what `ltt compile --offline` would generate ---- */

typedef struct Read {
	gint32 small;
	guint16 half;
	float ratio;
	double wide;
	const char *name;
	guint8 pair[2];
	struct {
		gsize length;
		const guint32 *items;
	} sizes;
	struct {
		guint32 code;
		union {
			guint32 word;
			const char *text;
		};
	} either;
	gint16 last;
} Read;

typedef struct Raw {
	gsize length;
	const guint8 *items;
} Raw;

#define MEMBER(member) #member, G_STRUCT_OFFSET(Read, member), sizeof(((Read *)0)->member)

static const LttOfflineNode nodes[] = {
	{0},
	{NULL, 0, sizeof(Read), 0, 2, 9, LTT_STRUCT, 0, 0},
	{MEMBER(small), 0, 0, 0, LTT_INT, 1, 0},
	{MEMBER(half), 0, 0, 0, LTT_UINT, 0, 0},
	{MEMBER(ratio), 0, 0, 0, LTT_FLOAT, 0, 0},
	{MEMBER(wide), 0, 0, 0, LTT_FLOAT, 0, 0},
	{MEMBER(name), 0, 0, 0, LTT_STRING, 0, 0},
	{MEMBER(pair), 2, 11, 0, LTT_ARRAY, 0, 0},
	{MEMBER(sizes), 0, 12, 0, LTT_SEQUENCE, 0, 0},
	{MEMBER(either), 0, 13, 2, LTT_UNION, 0, 4},
	{MEMBER(last), 0, 0, 0, LTT_INT, 1, 0},
	{NULL, 0, 1, 0, 0, 0, LTT_UINT, 0, 0},
	{NULL, 0, 4, 0, 0, 0, LTT_UINT, 0, 0},
	{"word", 8, 4, 0, 0, 0, LTT_UINT, 0, 0},
	{"text", 8, 8, 0, 0, 0, LTT_STRING, 0, 0},
	{NULL, 0, sizeof(Raw), 0, 11, 0, LTT_SEQUENCE, 0, 0},
};

enum { READ, RAW };
static const LttOfflineEvent events[] = {{"read", 1}, {"raw", 15}};
static const LttOfflineFacility disk = {"disk", 0, G_N_ELEMENTS(events), events, nodes};

/* ---- the facility of a trace ---- */

static LttType *pair(void)
{
	return ltt_type_new_array(2, ltt_type_new_uint(LTT_WIDTH_1));
}

static LttType *either(const char *first, const char *second)
{
	LttType *type = ltt_type_new_union(LTT_WIDTH_1);

	ltt_type_add_field(type, first, NULL,
			   first[0] == 'w' ? ltt_type_new_uint(LTT_WIDTH_4)
					   : ltt_type_new_string());
	ltt_type_add_field(type, second, NULL,
			   second[0] == 'w' ? ltt_type_new_uint(LTT_WIDTH_4)
					    : ltt_type_new_string());
	return type;
}

/* The fields that the code was generated for. */
static LttType *same(void)
{
	LttType *type = ltt_type_new_struct();

	ltt_type_add_field(type, "small", NULL, ltt_type_new_int(LTT_WIDTH_4));
	ltt_type_add_field(type, "half", NULL, ltt_type_new_uint(LTT_WIDTH_2));
	ltt_type_add_field(type, "ratio", NULL, ltt_type_new_float(LTT_WIDTH_4));
	ltt_type_add_field(type, "wide", NULL, ltt_type_new_float(LTT_WIDTH_8));
	ltt_type_add_field(type, "name", NULL, ltt_type_new_string());
	ltt_type_add_field(type, "pair", NULL, pair());
	ltt_type_add_field(type, "sizes", NULL,
			   ltt_type_new_sequence(LTT_WIDTH_1, ltt_type_new_uint(LTT_WIDTH_4)));
	ltt_type_add_field(type, "either", NULL, either("word", "text"));
	ltt_type_add_field(type, "last", NULL, ltt_type_new_int(LTT_WIDTH_2));
	return type;
}

/* Others: an unknown field in front and one in the middle, another order, and other sizes. */
static LttType *other(void)
{
	LttType *type = ltt_type_new_struct();

	ltt_type_add_field(type, "new", NULL, ltt_type_new_string());
	ltt_type_add_field(type, "half", NULL, ltt_type_new_int(LTT_WIDTH_4));
	ltt_type_add_field(type, "small", NULL, ltt_type_new_uint(LTT_WIDTH_8));
	ltt_type_add_field(type, "wide", NULL, ltt_type_new_float(LTT_WIDTH_4));
	ltt_type_add_field(type, "more", NULL,
			   ltt_type_new_sequence(LTT_WIDTH_1, ltt_type_new_string()));
	ltt_type_add_field(type, "ratio", NULL, ltt_type_new_float(LTT_WIDTH_4));
	ltt_type_add_field(type, "either", NULL, either("text", "word"));
	ltt_type_add_field(type, "sizes", NULL,
			   ltt_type_new_sequence(LTT_WIDTH_2, ltt_type_new_uint(LTT_WIDTH_1)));
	ltt_type_add_field(type, "pair", NULL, pair());
	ltt_type_add_field(type, "name", NULL, ltt_type_new_string());
	ltt_type_add_field(type, "last", NULL, ltt_type_new_int(LTT_WIDTH_1));
	return type;
}

/* Without `name`, and with other kinds of types: ratio is wider, pair is longer, sizes has other elements. */
static LttType *poor(void)
{
	LttType *type = ltt_type_new_struct();

	ltt_type_add_field(type, "small", NULL, ltt_type_new_int(LTT_WIDTH_1));
	ltt_type_add_field(type, "half", NULL, ltt_type_new_string());
	ltt_type_add_field(type, "ratio", NULL, ltt_type_new_float(LTT_WIDTH_8));
	ltt_type_add_field(type, "pair", NULL,
			   ltt_type_new_array(3, ltt_type_new_uint(LTT_WIDTH_1)));
	ltt_type_add_field(type, "sizes", NULL,
			   ltt_type_new_sequence(LTT_WIDTH_1, ltt_type_new_string()));
	ltt_type_add_field(type, "either", NULL, either("word", "other"));
	ltt_type_add_field(type, "last", NULL, ltt_type_new_int(LTT_WIDTH_2));
	return type;
}

/* An event of a trace, and a reader. */
typedef struct Scene {
	LttFacility *facility;
	LttLayouts *layouts;
	LttTracefile tracefile;
	GByteArray *payload;
	LttEvent event;
	LttOfflineReader *reader;
} Scene;

static Scene scene_new(const char *facility, const char *event, LttType *type, LttByteOrder order,
		       const char *hex)
{
	const LttArch arch = {order, LTT_LP64};
	Scene scene = {.facility = ltt_facility_new(facility),
		       .payload = unit_bytes(hex),
		       .reader = ltt_offline_reader_new(&disk)};
	gsize measured = 0;

	ltt_facility_add_event(scene.facility, event, NULL, type);
	CU_ASSERT_TRUE_FATAL(ltt_facility_seal(scene.facility, NULL));
	scene.layouts = ltt_layouts_new(scene.facility, &arch);
	scene.event = (LttEvent){.type = ltt_facility_get_event(scene.facility, 0),
				 .layout = ltt_layouts_get(scene.layouts, 0),
				 .byte_order = order,
				 .payload = scene.payload->data,
				 .payload_bytes = scene.payload->len,
				 .block = 3,
				 .offset_bytes = 26};
	CU_ASSERT_TRUE(ltt_layout_measure(scene.event.layout, scene.payload->data,
					  scene.payload->len, order, &measured, NULL));
	CU_ASSERT_EQUAL(measured, scene.payload->len);
	return scene;
}

static void scene_clear(Scene *scene)
{
	ltt_offline_reader_free(scene->reader);
	ltt_layouts_free(scene->layouts);
	ltt_facility_unref(scene->facility);
	g_byte_array_unref(scene->payload);
}

/* Reads the event twice, and compares the fields, and the message without the place. */
static void expect_read(LttType *type, LttByteOrder order, const char *hex, const char *expected,
			int code, const char *message, int line)
{
	Scene scene = scene_new("disk", "read", type, order, hex);
	g_autofree char *all =
		g_strdup_printf("cpu/0: block 3: byte 26: event disk.read: %s", message);

	scene.tracefile.name = (char *)"cpu/0";
	scene.event.tracefile = &scene.tracefile;
	for (guint i = 0; i < 2; i++) {
		g_autoptr(GString) got = g_string_new(NULL);
		g_autoptr(GError) error = NULL;
		Read read;

		memset(&read, 0x55, sizeof(read));
		CU_ASSERT_EQUAL(ltt_offline_reader_find(scene.reader, &scene.event), READ);
		CU_ASSERT_EQUAL(
			ltt_offline_reader_read(scene.reader, &scene.event, READ, &read, &error),
			message == NULL);
		g_string_append_printf(
			got, "%d %u %g %g %s %u,%u", read.small, read.half, (double)read.ratio,
			read.wide, read.name != NULL ? read.name : "-", read.pair[0], read.pair[1]);
		for (gsize j = 0; j < read.sizes.length; j++)
			g_string_append_printf(got, "%s%u", j > 0 ? "," : " ", read.sizes.items[j]);
		if (read.either.code == 1)
			g_string_append_printf(got, " %s",
					       read.either.text != NULL ? read.either.text : "-");
		else
			g_string_append_printf(got, " %u", read.either.word);
		g_string_append_printf(got, " %d", read.last);
		unit_assert_text(got->str, expected, __FILE__, line);
		if (message == NULL)
			UNIT_ASSERT_OK(error == NULL, error);
		else
			unit_assert_error(error, code, all, __FILE__, line);
	}
	scene_clear(&scene);
}
#define EXPECT_READ(type, order, hex, expected)                                                    \
	expect_read(type, order, hex, expected, 0, NULL, __LINE__)
#define EXPECT_ERROR(type, hex, expected, code, message)                                           \
	expect_read(type, LTT_LITTLE_ENDIAN, hex, expected, code, message, __LINE__)

#define SAME_BEGIN "fe ff ff ff  34 12  00 00 c0 3f  00 00 00 00 00 00 04 40  61 62 00  07 08 "

static void test_the_same_version(void)
{
	EXPECT_READ(same(), LTT_LITTLE_ENDIAN,
		    SAME_BEGIN "02 01 00 00 00 02 00 00 00  00 05 00 00 00  ff ff",
		    "-2 4660 1.5 2.5 ab 7,8 1,2 5 -1");
	EXPECT_READ(same(), LTT_LITTLE_ENDIAN, SAME_BEGIN "00  01 78 00  ff ff",
		    "-2 4660 1.5 2.5 ab 7,8 x -1");
	EXPECT_READ(same(), LTT_BIG_ENDIAN,
		    "ff ff ff fe  12 34  3f c0 00 00  40 04 00 00 00 00 00 00  61 62 00  07 08 "
		    "01 00 00 00 09  00 00 00 00 05  80 00",
		    "-2 4660 1.5 2.5 ab 7,8 9 5 -32768");
}

/* A signalling NaN keeps its bits. */
static void test_floats_of_the_same_size_keep_their_bits(void)
{
	Scene scene =
		scene_new("disk", "read", same(), LTT_LITTLE_ENDIAN,
			  "00 00 00 00  00 00  01 00 a0 7f  01 00 00 00 00 00 f4 7f  00  00 00 "
			  "00  01 00  00 00");
	Read read;
	guint32 narrow;
	guint64 wide;

	CU_ASSERT_TRUE(ltt_offline_reader_read(scene.reader, &scene.event, READ, &read, NULL));
	memcpy(&narrow, &read.ratio, sizeof(narrow));
	memcpy(&wide, &read.wide, sizeof(wide));
	CU_ASSERT_EQUAL(narrow, 0x7fa00001);
	CU_ASSERT_EQUAL(wide, 0x7ff4000000000001);
	scene_clear(&scene);
}

#define OTHER_BEGIN(half, small)                                                                   \
	"6e 65 77 00 " half " " small " 00 00 20 40  02 61 00 62 63 00  00 00 c0 3f "
#define OTHER_END "02 00 09 ff  07 08  6e 00  80"

static void test_another_version(void)
{
	EXPECT_READ(other(), LTT_LITTLE_ENDIAN,
		    OTHER_BEGIN("ff ff 00 00", "ff ff ff 7f 00 00 00 00") "00 79 00 " OTHER_END,
		    "2147483647 65535 1.5 2.5 n 7,8 9,255 y -128");
	EXPECT_READ(
		other(), LTT_LITTLE_ENDIAN,
		OTHER_BEGIN("00 00 00 00", "00 00 00 00 00 00 00 00") "01 01 02 00 00 " OTHER_END,
		"0 0 1.5 2.5 n 7,8 9,255 513 -128");
}

static void test_numbers_that_do_not_fit(void)
{
	static const struct {
		const char *hex, *field;
	} cases[] = {
		{OTHER_BEGIN("00 00 01 00", "00 00 00 00 00 00 00 00"), "half"},
		{OTHER_BEGIN("ff ff ff ff", "00 00 00 00 00 00 00 00"), "half"},
		{OTHER_BEGIN("00 00 00 00", "00 00 00 80 00 00 00 00"), "small"},
		/* -1 as an unsigned number of 8 bytes. */
		{OTHER_BEGIN("00 00 00 00", "ff ff ff ff ff ff ff ff"), "small"},
		/* The first one is reported. */
		{OTHER_BEGIN("00 00 01 00", "00 00 00 80 00 00 00 00"), "half"},
	};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *hex = g_strconcat(cases[i].hex, "00 79 00 " OTHER_END, NULL);
		g_autofree char *message =
			g_strconcat("number too large in the field ", cases[i].field, NULL);

		EXPECT_ERROR(other(), hex, "0 0 1.5 2.5 n 7,8 9,255 y -128", LTT_ERROR_INVALID,
			     message);
	}
}

#define POOR_BEGIN "80  68 00  00 00 00 00 00 00 f8 3f  01 02 03  02 61 00 62 00 "

static void test_fields_that_are_missing(void)
{
	EXPECT_ERROR(poor(), POOR_BEGIN "00 05 00 00 00  02 01", "-128 0 0 0 - 0,0 5 258",
		     LTT_ERROR_UNSUPPORTED,
		     "its description has no field half of the expected type");
	/* The union has no member of this name. */
	EXPECT_ERROR(poor(), POOR_BEGIN "01 78 00  02 01", "-128 0 0 0 - 0,0 0 258",
		     LTT_ERROR_UNSUPPORTED, "unknown member in the field either");
}

static void test_elements_of_another_kind(void)
{
	LttType *wrong = ltt_type_new_struct();

	ltt_type_add_field(wrong, "small", NULL, ltt_type_new_int(LTT_WIDTH_1));
	ltt_type_add_field(wrong, "half", NULL, ltt_type_new_uint(LTT_WIDTH_1));
	ltt_type_add_field(wrong, "ratio", NULL, ltt_type_new_float(LTT_WIDTH_4));
	ltt_type_add_field(wrong, "wide", NULL, ltt_type_new_float(LTT_WIDTH_4));
	ltt_type_add_field(wrong, "name", NULL, ltt_type_new_string());
	ltt_type_add_field(wrong, "pair", NULL, ltt_type_new_array(2, ltt_type_new_string()));
	ltt_type_add_field(wrong, "sizes", NULL,
			   ltt_type_new_sequence(LTT_WIDTH_1, ltt_type_new_string()));
	ltt_type_add_field(wrong, "either", NULL, either("word", "text"));
	ltt_type_add_field(wrong, "last", NULL, ltt_type_new_int(LTT_WIDTH_1));
	EXPECT_ERROR(wrong,
		     "01 02  00 00 c0 3f  00 00 c0 3f  6e 00  61 00 62 00  02 63 00 00  00 05 00 "
		     "00 00  ff",
		     "1 2 1.5 1.5 n 0,0 5 -1", LTT_ERROR_UNSUPPORTED,
		     "its description has no field pair[] of the expected type");
}

static void test_bytes(void)
{
	Scene scene = scene_new("disk", "raw",
				ltt_type_new_sequence(LTT_WIDTH_2, ltt_type_new_uint(LTT_WIDTH_1)),
				LTT_BIG_ENDIAN, "00 03 01 02 ff");
	g_autoptr(GError) error = NULL;
	Read read;
	Raw raw;

	CU_ASSERT_EQUAL(ltt_offline_reader_find(scene.reader, &scene.event), RAW);
	CU_ASSERT_TRUE(ltt_offline_reader_read(scene.reader, &scene.event, RAW, &raw, NULL));
	CU_ASSERT_EQUAL(raw.length, 3);
	CU_ASSERT_PTR_EQUAL(raw.items, scene.payload->data + 2);
	/* It is not the event that the caller expects. */
	scene.tracefile.name = (char *)"cpu/1";
	scene.event.tracefile = &scene.tracefile;
	CU_ASSERT_FALSE(ltt_offline_reader_read(scene.reader, &scene.event, READ, &read, &error));
	UNIT_ASSERT_ERROR(error, LTT_ERROR_INVALID,
			  "cpu/1: block 3: byte 26: event disk.raw: expected an event called read");
	CU_ASSERT_EQUAL(read.small, 0);
	scene_clear(&scene);
}

static void test_a_payload_of_another_kind(void)
{
	Scene scene = scene_new("disk", "raw", ltt_type_new_string(), LTT_LITTLE_ENDIAN, "00");
	g_autoptr(GError) error = NULL;
	Raw raw;

	scene.tracefile.name = (char *)"cpu/1";
	scene.event.tracefile = &scene.tracefile;
	CU_ASSERT_FALSE(ltt_offline_reader_read(scene.reader, &scene.event, RAW, &raw, &error));
	UNIT_ASSERT_ERROR(
		error, LTT_ERROR_UNSUPPORTED,
		"event disk.raw: its description has no field value of the expected type");
	scene_clear(&scene);
}

static void test_other_events(void)
{
	Scene scene = scene_new("net", "read", same(), LTT_LITTLE_ENDIAN,
				SAME_BEGIN "00  01 78 00  ff ff");
	Scene later = scene_new("disk", "later", ltt_type_new_string(), LTT_LITTLE_ENDIAN, "00");

	CU_ASSERT_EQUAL(ltt_offline_reader_find(scene.reader, &scene.event), LTT_OFFLINE_UNKNOWN);
	CU_ASSERT_EQUAL(ltt_offline_reader_find(scene.reader, &later.event), LTT_OFFLINE_UNKNOWN);
	CU_ASSERT_EQUAL(ltt_offline_reader_find(scene.reader, &scene.event), LTT_OFFLINE_UNKNOWN);
	ltt_offline_reader_free(NULL);
	scene_clear(&later);
	scene_clear(&scene);
}

UNIT_MAIN("offline", UNIT(test_the_same_version),
	  UNIT(test_floats_of_the_same_size_keep_their_bits), UNIT(test_another_version),
	  UNIT(test_numbers_that_do_not_fit), UNIT(test_fields_that_are_missing),
	  UNIT(test_elements_of_another_kind), UNIT(test_bytes),
	  UNIT(test_a_payload_of_another_kind), UNIT(test_other_events))
