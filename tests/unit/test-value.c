/* Typed access to the values of a payload: numbers, labels, items by index and by name, and in one pass. */
#include "support-trace.h"
#include "unit.h"

#include <ltt/ltt-value.h>

/* A payload with its layouts. */
typedef struct Scene {
	LttFacility *facility;
	LttLayouts *layouts;
	GByteArray *payload;
	LttValue value;
} Scene;

static Scene scene_new(LttType *type, LttByteOrder order, const char *hex)
{
	const LttArch arch = {order, LTT_LP64};
	Scene scene = {.facility = ltt_facility_new("f"), .payload = unit_bytes(hex)};
	LttEvent event = {.byte_order = order,
			  .payload = scene.payload->data,
			  .payload_bytes = scene.payload->len};

	CU_ASSERT_FALSE(ltt_event_get_value(&event, &scene.value));
	ltt_facility_add_event(scene.facility, "e", NULL, type);
	CU_ASSERT_TRUE_FATAL(ltt_facility_seal(scene.facility, NULL));
	scene.layouts = ltt_layouts_new(scene.facility, &arch);
	event.layout = ltt_layouts_get(scene.layouts, 0);
	CU_ASSERT_TRUE_FATAL(ltt_event_get_value(&event, &scene.value));
	CU_ASSERT_EQUAL(ltt_value_get_size(&scene.value), scene.payload->len);
	return scene;
}

static void scene_clear(Scene *scene)
{
	ltt_layouts_free(scene->layouts);
	ltt_facility_unref(scene->facility);
	g_byte_array_unref(scene->payload);
}

static LttType *labels(gint64 first)
{
	LttType *type = ltt_type_new_enum(LTT_WIDTH_1);

	ltt_type_add_label(type, "first", first);
	ltt_type_add_label(type, "none", 0);
	ltt_type_add_label(type, "one", 1);
	ltt_type_add_label(type, "also one", 1);
	return type;
}

static void test_labels(void)
{
	static const struct {
		gint64 first;
		const char *hex, *label;
	} cases[] = {{-1, "ff", "first"},  {-1, "00", "none"},  {-1, "01", "one"}, {-1, "02", NULL},
		     {255, "ff", "first"}, {255, "00", "none"}, {255, "fe", NULL}};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		Scene scene = scene_new(labels(cases[i].first), LTT_LITTLE_ENDIAN, cases[i].hex);

		UNIT_ASSERT_TEXT(ltt_value_get_label(&scene.value), cases[i].label);
		CU_ASSERT_EQUAL(ltt_value_get_n_items(&scene.value), 0);
		scene_clear(&scene);
	}
}

/* A string in front, so that the places of the others are not fixed. */
static LttType *record(void)
{
	LttType *either = ltt_type_new_union(LTT_WIDTH_2);
	LttType *type = ltt_type_new_struct();

	ltt_type_add_field(either, "text", NULL, ltt_type_new_string());
	ltt_type_add_field(either, "number", NULL, ltt_type_new_int(LTT_WIDTH_4));
	ltt_type_add_field(type, "id", NULL, ltt_type_new_uint(LTT_WIDTH_2));
	ltt_type_add_field(type, "name", NULL, ltt_type_new_string());
	ltt_type_add_field(type, "either", NULL, either);
	ltt_type_add_field(type, "words", NULL,
			   ltt_type_new_sequence(LTT_WIDTH_1, ltt_type_new_string()));
	ltt_type_add_field(type, "numbers", NULL,
			   ltt_type_new_sequence(LTT_WIDTH_2, ltt_type_new_uint(LTT_WIDTH_2)));
	ltt_type_add_field(type, "ratios", NULL,
			   ltt_type_new_array(2, ltt_type_new_float(LTT_WIDTH_4)));
	ltt_type_add_field(type, "last", NULL, ltt_type_new_float(LTT_WIDTH_8));
	return type;
}

#define RECORD                                                                                     \
	"00 07  61 62 00  00 01 ff ff ff fe  02 63 00 64 65 00  00 03 00 01 00 02 80 00  "         \
	"3f c0 00 00 c0 00 00 00  40 04 00 00 00 00 00 00"

static void test_members(void)
{
	Scene scene = scene_new(record(), LTT_BIG_ENDIAN, RECORD);
	LttValue value;
	LttValue item;
	gsize length;

	CU_ASSERT_EQUAL(ltt_value_get_n_items(&scene.value), 7);
	CU_ASSERT_TRUE(ltt_value_find(&scene.value, "id", &value));
	CU_ASSERT_EQUAL(ltt_value_get_uint(&value), 7);
	CU_ASSERT_TRUE(ltt_value_find(&scene.value, "name", &value));
	UNIT_ASSERT_TEXT(ltt_value_get_string(&value, &length), "ab");
	CU_ASSERT_EQUAL(length, 2);
	CU_ASSERT_TRUE(ltt_value_find(&scene.value, "last", &value));
	CU_ASSERT_DOUBLE_EQUAL(ltt_value_get_float(&value), 2.5, 0);
	CU_ASSERT_EQUAL(value.available, 8);
	CU_ASSERT_FALSE(ltt_value_find(&scene.value, "other", &value));
	CU_ASSERT_FALSE(ltt_value_get_item(&scene.value, 7, &value));
	CU_ASSERT_TRUE(ltt_value_find(&scene.value, "either", &value));
	CU_ASSERT_EQUAL(ltt_value_get_union_code(&value), 1);
	CU_ASSERT_EQUAL(ltt_value_get_n_items(&value), 1);
	CU_ASSERT_FALSE(ltt_value_find(&value, "text", &item));
	CU_ASSERT_FALSE(ltt_value_get_item(&value, 1, &item));
	CU_ASSERT_TRUE(ltt_value_find(&value, "number", &item));
	CU_ASSERT_EQUAL(ltt_value_get_int(&item), -2);
	scene_clear(&scene);
}

static void test_elements(void)
{
	Scene scene = scene_new(record(), LTT_BIG_ENDIAN, RECORD);
	LttValue value;
	LttValue item;

	CU_ASSERT_TRUE(ltt_value_find(&scene.value, "words", &value));
	CU_ASSERT_EQUAL(ltt_value_get_n_items(&value), 2);
	CU_ASSERT_TRUE(ltt_value_get_item(&value, 1, &item));
	UNIT_ASSERT_TEXT(ltt_value_get_string(&item, NULL), "de");
	CU_ASSERT_TRUE(ltt_value_get_item(&value, 0, &item));
	UNIT_ASSERT_TEXT(ltt_value_get_string(&item, NULL), "c");
	CU_ASSERT_FALSE(ltt_value_get_item(&value, 2, &item));
	CU_ASSERT_TRUE(ltt_value_find(&scene.value, "numbers", &value));
	CU_ASSERT_TRUE(ltt_value_get_item(&value, 2, &item));
	CU_ASSERT_EQUAL(ltt_value_get_uint(&item), 0x8000);
	CU_ASSERT_FALSE(ltt_value_get_item(&value, 3, &item));
	CU_ASSERT_TRUE(ltt_value_find(&scene.value, "ratios", &value));
	CU_ASSERT_TRUE(ltt_value_get_item(&value, 1, &item));
	CU_ASSERT_DOUBLE_EQUAL(ltt_value_get_float(&item), -2, 0);
	CU_ASSERT_FALSE(ltt_value_get_item(&value, 2, &item));
	scene_clear(&scene);
}

/* Appends the names and the sizes of all values, "id:2 name:3 either:6(number:4 )". */
static void visit(const LttValue *value, GString *text)
{
	LttValueIter iter;
	const char *name;
	LttValue item;

	ltt_value_iter_init(&iter, value);
	while (ltt_value_iter_next(&iter, &item, &name)) {
		g_string_append_printf(text, "%s:%u", name != NULL ? name : "",
				       (guint)ltt_value_get_size(&item));
		if (ltt_value_get_n_items(&item) > 0) {
			g_string_append_c(text, '(');
			visit(&item, text);
			g_string_append_c(text, ')');
		}
		g_string_append_c(text, ' ');
	}
	CU_ASSERT_FALSE(ltt_value_iter_next(&iter, &item, NULL));
}

static void test_one_pass(void)
{
	Scene scene = scene_new(record(), LTT_BIG_ENDIAN, RECORD);
	g_autoptr(GString) text = g_string_new(NULL);

	visit(&scene.value, text);
	UNIT_ASSERT_TEXT(text->str, "id:2 name:3 either:6(number:4 ) words:6(:2 :3 ) "
				    "numbers:8(:2 :2 :2 ) ratios:8(:4 :4 ) last:8 ");
	scene_clear(&scene);
}

UNIT_MAIN("value", UNIT(test_labels), UNIT(test_members), UNIT(test_elements), UNIT(test_one_pass))
