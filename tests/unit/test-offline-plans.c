/* Reading events as structs of generated code: structs, arrays and sequences of structs, unions in them, and the
 * names of fields that are missing at any depth. */
#include "support-trace.h"
#include "unit.h"

#include "reader/offline-priv.h"
#include "reader/tracefile-priv.h"

#include <ltt/ltt-error.h>
#include <ltt/ltt-offline.h>

/* ---- what `ltt compile --offline` would generate ---- */

typedef struct Point {
	guint32 x;
	guint32 y;
} Point;

typedef struct Shape {
	struct {
		gsize length;
		const Point *items;
	} points;
	Point grid[2];
	struct {
		struct {
			gint32 value;
			gint32 more;
		} deep;
	} inner;
	struct {
		guint32 code;
		union {
			Point point;
			gint64 number;
		};
	} choice;
	guint8 colour;
} Shape;

#define MEMBER(member) #member, G_STRUCT_OFFSET(Shape, member), sizeof(((Shape *)0)->member)

static const LttOfflineNode nodes[] = {
	{0},
	{NULL, 0, sizeof(Shape), 0, 2, 5, LTT_STRUCT, 0, 0},
	{MEMBER(points), 0, 7, 0, LTT_SEQUENCE, 0, 0},
	{MEMBER(grid), 2, 7, 0, LTT_ARRAY, 0, 0},
	{MEMBER(inner), 0, 10, 1, LTT_STRUCT, 0, 0},
	{MEMBER(choice), 0, 13, 2, LTT_UNION, 0, 4},
	{MEMBER(colour), 0, 0, 0, LTT_ENUM, 0, 0},
	{NULL, 0, sizeof(Point), 0, 8, 2, LTT_STRUCT, 0, 0},
	{"x", 0, 4, 0, 0, 0, LTT_UINT, 0, 0},
	{"y", 4, 4, 0, 0, 0, LTT_UINT, 0, 0},
	{"deep", 0, 8, 0, 11, 2, LTT_STRUCT, 0, 0},
	{"value", 0, 4, 0, 0, 0, LTT_INT, 1, 0},
	{"more", 4, 4, 0, 0, 0, LTT_INT, 1, 0},
	{"point", 8, sizeof(Point), 0, 8, 2, LTT_STRUCT, 0, 0},
	{"number", 8, 8, 0, 0, 0, LTT_INT, 1, 0},
};

static const LttOfflineEvent events[] = {{"other", 1}, {"shape", 1}};
static const LttOfflineFacility draw = {"draw", 0, G_N_ELEMENTS(events), events, nodes};

/* ---- the facility of a trace ---- */

/* What its description lacks or has more. */
typedef enum Variant {
	SAME = 0,
	NO_Y = 1 << 0,        /* of points and grid */
	NO_MORE = 1 << 1,     /* of inner.deep */
	NO_Y_CHOICE = 1 << 2, /* of choice.point */
	NAMED = 1 << 3,       /* points and grid have a name, a string, in front */
	NO_GRID = 1 << 4,
} Variant;

static LttType *point(gboolean has_y, gboolean has_name)
{
	LttType *type = ltt_type_new_struct();

	if (has_name)
		ltt_type_add_field(type, "name", NULL, ltt_type_new_string());
	if (has_y)
		ltt_type_add_field(type, "y", NULL, ltt_type_new_uint(LTT_WIDTH_1));
	ltt_type_add_field(type, "x", NULL, ltt_type_new_uint(LTT_WIDTH_2));
	return type;
}

static LttType *shape(guint variant)
{
	const gboolean has_y = (variant & NO_Y) == 0;
	const gboolean has_name = (variant & NAMED) != 0;
	LttType *deep = ltt_type_new_struct();
	LttType *inner = ltt_type_new_struct();
	LttType *choice = ltt_type_new_union(LTT_WIDTH_1);
	LttType *colour = ltt_type_new_enum(LTT_WIDTH_2);
	LttType *type = ltt_type_new_struct();

	if ((variant & NO_MORE) == 0)
		ltt_type_add_field(deep, "more", NULL, ltt_type_new_int(LTT_WIDTH_1));
	ltt_type_add_field(deep, "value", NULL, ltt_type_new_int(LTT_WIDTH_2));
	ltt_type_add_field(inner, "deep", NULL, deep);
	ltt_type_add_field(choice, "number", NULL, ltt_type_new_int(LTT_WIDTH_1));
	ltt_type_add_field(choice, "point", NULL, point((variant & NO_Y_CHOICE) == 0, FALSE));
	ltt_type_add_label(colour, "red", 7);
	ltt_type_add_field(type, "colour", NULL, colour);
	ltt_type_add_field(type, "points", NULL,
			   ltt_type_new_sequence(LTT_WIDTH_1, point(has_y, has_name)));
	ltt_type_add_field(type, "inner", NULL, inner);
	ltt_type_add_field(type, "choice", NULL, choice);
	if ((variant & NO_GRID) == 0)
		ltt_type_add_field(type, "grid", NULL,
				   ltt_type_new_array(2, point(has_y, has_name)));
	return type;
}

/* A facility with the events later and shape. */
static LttFacility *new_facility(guint variant)
{
	LttFacility *facility = ltt_facility_new("draw");

	ltt_facility_add_event(facility, "later", NULL, NULL);
	ltt_facility_add_event(facility, "shape", NULL, shape(variant));
	CU_ASSERT_TRUE_FATAL(ltt_facility_seal(facility, NULL));
	return facility;
}

/* Reads the event shape of a facility. Returns: its members, and the message without the place */
static char *read_shape(LttOfflineReader *reader, const LttFacility *facility,
			const LttLayouts *layouts, LttByteOrder order, const char *hex)
{
	g_autoptr(GByteArray) payload = unit_bytes(hex);
	const LttTracefile file = {.name = (char *)"cpu/0"};
	const LttEvent event = {.type = ltt_facility_get_event(facility, 1),
				.layout = ltt_layouts_get(layouts, 1),
				.byte_order = order,
				.payload = payload->data,
				.payload_bytes = payload->len,
				.tracefile = (LttTracefile *)&file};
	GString *text = g_string_new(NULL);
	g_autoptr(GError) error = NULL;
	gsize measured = 0;
	Shape got;

	CU_ASSERT_TRUE_FATAL(ltt_layout_measure(event.layout, payload->data, payload->len, order,
						&measured, NULL));
	CU_ASSERT_EQUAL(measured, payload->len);
	CU_ASSERT_EQUAL(ltt_offline_reader_find(reader, &event), 1);
	CU_ASSERT_EQUAL(ltt_offline_reader_read(reader, &event, 1, &got, &error), error == NULL);
	for (gsize i = 0; i < got.points.length; i++)
		g_string_append_printf(text, "%u:%u ", got.points.items[i].x,
				       got.points.items[i].y);
	g_string_append_printf(text, "| %u:%u %u:%u | %d %d | ", got.grid[0].x, got.grid[0].y,
			       got.grid[1].x, got.grid[1].y, got.inner.deep.value,
			       got.inner.deep.more);
	if (got.choice.code == 0)
		g_string_append_printf(text, "%u:%u", got.choice.point.x, got.choice.point.y);
	else
		g_string_append_printf(text, "%d", (int)got.choice.number);
	g_string_append_printf(text, " | %u", got.colour);
	if (error != NULL)
		g_string_append_printf(text, " ! %s", strstr(error->message, "shape: "));
	return g_string_free(text, FALSE);
}

/* Reads it several times with one reader. */
static void expect_shape(guint variant, LttByteOrder order, const char *hex, const char *expected,
			 int line)
{
	const LttArch arch = {order, LTT_LP64};
	g_autoptr(LttFacility) facility = new_facility(variant);
	g_autoptr(LttLayouts) layouts = ltt_layouts_new(facility, &arch);
	LttOfflineReader *reader = ltt_offline_reader_new(&draw);

	for (guint i = 0; i < 3; i++) {
		g_autofree char *got = read_shape(reader, facility, layouts, order, hex);

		unit_assert_text(got, expected, __FILE__, line);
	}
	ltt_offline_reader_free(reader);
}
#define EXPECT_SHAPE(variant, hex, expected)                                                       \
	expect_shape(variant, LTT_LITTLE_ENDIAN, hex, expected, __LINE__)

#define COLOUR "07 00 "
#define DEEP   "09 ff ff "
#define POINTS "02  02 01 00  04 03 00 "
#define GRID   "06 05 00  08 07 00 "
#define NUMBER "00 fb "
#define POINT  "01 0b 0a 00 "

static void test_structs_in_structs(void)
{
	EXPECT_SHAPE(SAME, COLOUR POINTS DEEP NUMBER GRID, "1:2 3:4 | 5:6 7:8 | -1 9 | -5 | 7");
	EXPECT_SHAPE(SAME, COLOUR "00 " DEEP POINT GRID, "| 5:6 7:8 | -1 9 | 10:11 | 7");
	expect_shape(SAME, LTT_BIG_ENDIAN,
		     "00 07  01 02 00 01  09 ff fe  01 0b 00 0a  06 00 05  08 01 00",
		     "1:2 | 5:6 256:8 | -2 9 | 10:11 | 7", __LINE__);
	/* Members that the code does not know are skipped. */
	EXPECT_SHAPE(NAMED,
		     COLOUR "02 61 00 02 01 00 00 04 03 00 " DEEP NUMBER
			    "61 62 63 00 06 05 00 00 08 07 00",
		     "1:2 3:4 | 5:6 7:8 | -1 9 | -5 | 7");
}

#define MISSING(field) " ! shape: its description has no field " field " of the expected type"

/* The first one of the generated code is named. */
static void test_fields_that_are_missing(void)
{
	EXPECT_SHAPE(NO_Y, COLOUR "01 01 00 " DEEP NUMBER "05 00 07 00",
		     "1:0 | 5:0 7:0 | -1 9 | -5 | 7" MISSING("points[].y"));
	EXPECT_SHAPE(NO_MORE, COLOUR POINTS "ff ff " NUMBER GRID,
		     "1:2 3:4 | 5:6 7:8 | -1 0 | -5 | 7" MISSING("inner.deep.more"));
	EXPECT_SHAPE(NO_MORE | NO_GRID, COLOUR POINTS "ff ff " NUMBER,
		     "1:2 3:4 | 0:0 0:0 | -1 0 | -5 | 7" MISSING("grid"));
	/* It matters only if the union holds this member. */
	EXPECT_SHAPE(NO_Y_CHOICE, COLOUR POINTS DEEP NUMBER GRID,
		     "1:2 3:4 | 5:6 7:8 | -1 9 | -5 | 7");
	EXPECT_SHAPE(NO_Y_CHOICE, COLOUR POINTS DEEP "01 0a 00 " GRID,
		     "1:2 3:4 | 5:6 7:8 | -1 9 | 10:0 | 7" MISSING("y"));
}

/* What does not fit is named before what is missing. */
static void test_a_number_in_a_struct(void)
{
	EXPECT_SHAPE(NO_MORE, "00 01 " POINTS "ff ff " NUMBER GRID,
		     "1:2 3:4 | 5:6 7:8 | -1 0 | -5 | 0 ! shape: number too large in the field "
		     "colour");
}

/* Events of one type may have several layouts, in traces of several architectures. */
static void test_layouts_in_turn(void)
{
	const LttArch archs[] = {{LTT_LITTLE_ENDIAN, LTT_LP64}, {LTT_BIG_ENDIAN, LTT_LP64}};
	g_autoptr(LttFacility) facility = new_facility(SAME);
	g_autoptr(LttFacility) poor = new_facility(NO_Y_CHOICE);
	g_autoptr(LttLayouts) little = ltt_layouts_new(facility, &archs[0]);
	g_autoptr(LttLayouts) big = ltt_layouts_new(facility, &archs[1]);
	g_autoptr(LttLayouts) others = ltt_layouts_new(poor, &archs[0]);
	LttOfflineReader *reader = ltt_offline_reader_new(&draw);

	for (guint i = 0; i < 3; i++) {
		g_autofree char *first = read_shape(reader, facility, little, LTT_LITTLE_ENDIAN,
						    COLOUR POINTS DEEP POINT GRID);
		g_autofree char *other = read_shape(reader, poor, others, LTT_LITTLE_ENDIAN,
						    COLOUR POINTS DEEP "01 0a 00 " GRID);
		g_autofree char *second =
			read_shape(reader, facility, big, LTT_BIG_ENDIAN,
				   "00 07  00  09 ff fe  00 05  06 00 05  08 01 00");

		UNIT_ASSERT_TEXT(first, "1:2 3:4 | 5:6 7:8 | -1 9 | 10:11 | 7");
		UNIT_ASSERT_TEXT(other, "1:2 3:4 | 5:6 7:8 | -1 9 | 10:0 | 7" MISSING("y"));
		UNIT_ASSERT_TEXT(second, "| 5:6 256:8 | -2 9 | 5 | 7");
	}
	ltt_offline_reader_free(reader);
}

/* Types that occur often have one plan, so that its size is that of the descriptions. */
static void test_one_plan_of_a_pair(void)
{
	const LttArch arch = {LTT_LITTLE_ENDIAN, LTT_LP64};
	g_autoptr(LttFacility) facility = new_facility(SAME);
	g_autoptr(LttLayouts) layouts = ltt_layouts_new(facility, &arch);
	const LttLayout *layout = ltt_layouts_get(layouts, 1);
	LttPlans plans;
	LttPlan *plan;

	ltt_plans_init(&plans, nodes);
	plan = ltt_plans_get(&plans, layout, &nodes[1]);
	CU_ASSERT_PTR_NOT_NULL_FATAL(plan);
	CU_ASSERT_PTR_EQUAL(ltt_plans_get(&plans, layout, &nodes[1]), plan);
	CU_ASSERT_PTR_NULL(ltt_plans_get(&plans, layout, &nodes[2]));
	CU_ASSERT_PTR_EQUAL(ltt_plans_get(&plans, layout->members[1].layout, &nodes[2]),
			    plan->parts[1]);
	ltt_plans_clear(&plans);
}

/* ---- memory ---- */

typedef struct Large {
	gsize length;
	gconstpointer items;
} Large;

/* Elements of which two fit no address space. */
static const LttOfflineNode large_nodes[] = {
	{0},
	{NULL, 0, sizeof(Large), 0, 2, 0, LTT_SEQUENCE, 0, 0},
	{NULL, 0, G_MAXSIZE / 2 + 1, 0, 0, 0, LTT_UINT, 0, 0},
};
static const LttOfflineEvent large_events[] = {{"large", 1}};
static const LttOfflineFacility large = {"draw", 0, 1, large_events, large_nodes};

static void test_no_memory_for_a_sequence(void)
{
	const LttArch arch = {LTT_LITTLE_ENDIAN, LTT_LP64};
	g_autoptr(LttFacility) facility = ltt_facility_new("draw");
	g_autoptr(LttLayouts) layouts = NULL;
	LttOfflineReader *reader = ltt_offline_reader_new(&large);
	const LttTracefile file = {.name = (char *)"cpu/0"};
	static const guint8 payload[] = {2, 0, 5, 0, 6};
	LttEvent event = {.byte_order = LTT_LITTLE_ENDIAN,
			  .payload = payload,
			  .payload_bytes = sizeof(payload),
			  .tracefile = (LttTracefile *)&file};
	g_autoptr(GError) error = NULL;
	Large got = {1, &got};

	ltt_facility_add_event(facility, "large", NULL,
			       ltt_type_new_sequence(LTT_WIDTH_1, ltt_type_new_uint(LTT_WIDTH_2)));
	CU_ASSERT_TRUE_FATAL(ltt_facility_seal(facility, NULL));
	layouts = ltt_layouts_new(facility, &arch);
	event.type = ltt_facility_get_event(facility, 0);
	event.layout = ltt_layouts_get(layouts, 0);
	CU_ASSERT_FALSE(ltt_offline_reader_read(reader, &event, 0, &got, &error));
	UNIT_ASSERT_ERROR(error, LTT_ERROR_LIMIT, "no memory for the field value");
	CU_ASSERT_TRUE(got.length == 0 && got.items == NULL);
	ltt_offline_reader_free(reader);
}

UNIT_MAIN("offline-plans", UNIT(test_structs_in_structs), UNIT(test_fields_that_are_missing),
	  UNIT(test_a_number_in_a_struct), UNIT(test_layouts_in_turn),
	  UNIT(test_one_plan_of_a_pair), UNIT(test_no_memory_for_a_sequence))
