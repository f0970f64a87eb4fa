/* random-values.c - random values of random types, as bytes and as C initializers.
 *
 * Derives the names of C types independently of the generator, by the documented rules.
 */
#include "random-values.h"

#include "support-random.h"
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* support-random.c reports its errors here. */
void unit_assert_ok(int ok, const char *condition, const GError *error, const char *file, int line)
{
	if (ok)
		return;
	fprintf(stderr, "%s:%d: %s: %s\n", file, line, condition,
		error != NULL ? error->message : "");
	exit(2);
}

static guint below(Maker *maker, guint end)
{
	return (guint)g_rand_int_range(maker->random, 0, (gint32)end);
}

/* ---- names ---- */

static const LttType *find_type(const Maker *maker, const char *name)
{
	for (guint i = 0; i < ltt_facility_get_n_types(maker->facility); i++) {
		const LttNamedType *named = ltt_facility_get_type(maker->facility, i);

		if (g_str_equal(named->name, name))
			return named->type;
	}
	g_assert_not_reached();
}

Place place_of(const Maker *maker, const LttType *type, const char *path)
{
	Place place = {.type = type, .path = g_strdup(path)};

	while (ltt_type_get_kind(place.type) == LTT_TYPEREF) {
		const char *name = ltt_type_get_ref_name(place.type);

		g_free(place.path);
		place.path = g_strdup_printf("%s_%s", ltt_facility_get_name(maker->facility), name);
		place.type = find_type(maker, name);
	}
	return place;
}

static Place element_of(const Maker *maker, const Place *place)
{
	return place_of(maker, ltt_type_get_element(place->type), place->path);
}

Place field_of(const Maker *maker, const Place *place, guint index)
{
	const LttField *field = ltt_type_get_field(place->type, index);
	g_autofree char *path = g_strdup_printf("%s_%s", place->path, field->name);

	return place_of(maker, field->type, path);
}

/* Returns: the depth of directly nested sequences without a name */
static guint sequence_level(const LttType *type)
{
	guint level = 0;

	for (;; type = ltt_type_get_element(type)) {
		if (ltt_type_get_kind(type) == LTT_SEQUENCE)
			level++;
		else if (ltt_type_get_kind(type) != LTT_ARRAY)
			return level;
	}
}

static char *integer_type(const Maker *maker, LttWidth width, gboolean is_signed)
{
	if (maker->is_offline && width == LTT_WIDTH_SHORT)
		width = LTT_WIDTH_2;
	else if (maker->is_offline && width > LTT_WIDTH_SHORT)
		width = LTT_WIDTH_8;
	switch (width) {
	case LTT_WIDTH_SHORT:
		return g_strdup(is_signed ? "short" : "unsigned short");
	case LTT_WIDTH_MEDIUM:
		return g_strdup(is_signed ? "int" : "unsigned int");
	case LTT_WIDTH_LONG:
		return g_strdup(is_signed ? "long" : "unsigned long");
	default:
		return g_strdup_printf("%sint%d_t", is_signed ? "" : "u", (int)width * 8);
	}
}

/* Returns: the C type of a type other than an array */
static char *c_type(const Maker *maker, const Place *place)
{
	const LttWidth width = ltt_type_get_width(place->type);
	guint level;

	switch (ltt_type_get_kind(place->type)) {
	case LTT_INT:
		return integer_type(maker, width, TRUE);
	case LTT_UINT:
		return integer_type(maker, width, FALSE);
	case LTT_FLOAT:
		return g_strdup(width == LTT_WIDTH_4 || width == LTT_WIDTH_MEDIUM ? "float"
										  : "double");
	case LTT_STRING:
		return g_strdup("char *const");
	case LTT_ENUM:
		return maker->is_offline
			       ? integer_type(maker, width, ltt_type_is_signed(place->type))
			       : g_strdup_printf("enum %s", place->path);
	case LTT_SEQUENCE:
		level = sequence_level(place->type);
		return level == 1 ? g_strdup_printf("struct %s_sequence", place->path)
				  : g_strdup_printf("struct %s_sequence_%u", place->path, level);
	default:
		return g_strdup_printf("struct %s", place->path);
	}
}

char *define(Maker *maker, const Place *place, guint64 count, const char *value)
{
	char *name = g_strdup_printf("s%u", maker->n_statics++);
	Place core = place_of(maker, place->type, place->path);
	g_autoptr(GString) dimensions = g_string_new(NULL);
	g_autofree char *type = NULL;

	if (count > 0)
		g_string_append_printf(dimensions, "[%" G_GUINT64_FORMAT "]", count);
	while (ltt_type_get_kind(core.type) == LTT_ARRAY) {
		const guint64 n_elements = ltt_type_get_n_elements(core.type);
		const Place element = element_of(maker, &core);

		g_string_append_printf(dimensions, "[%" G_GUINT64_FORMAT "]", MAX(n_elements, 1));
		g_free(core.path);
		core = element;
	}
	type = c_type(maker, &core);
	g_string_append_printf(maker->statics, "static const %s %s%s = %s;\n", type, name,
			       dimensions->str, value);
	g_free(core.path);
	return name;
}

/* ---- values: add bytes to the payload, and return C text ---- */

static char *make_integer(Maker *maker, const Place *place, gboolean is_signed)
{
	const LttWidth width = ltt_type_get_width(place->type);
	const guint width_bytes = ltt_arch_integer_bytes(&maker->payload.arch, width);
	const guint64 number = random_number(maker->random, width_bytes);
	g_autofree char *type = integer_type(maker, width, is_signed);

	ltt_payload_add_int(&maker->payload, width, number);
	return g_strdup_printf("(%s)0x%" G_GINT64_MODIFIER "xULL", type, number);
}

static char *make_float(Maker *maker, const Place *place)
{
	static const double edges[] = {0.0, -0.0, NAN, INFINITY, -INFINITY, 1e-45, 5e-324, 0.1};
	const double value = below(maker, 2) == 0 ? edges[below(maker, G_N_ELEMENTS(edges))]
						  : g_rand_double_range(maker->random, -1e10, 1e10);
	g_autofree char *type = c_type(maker, place);

	ltt_payload_add_float(&maker->payload, ltt_type_get_width(place->type), value);
	if (isnan(value))
		return g_strdup_printf("(%s)__builtin_nan(\"\")", type);
	if (isinf(value))
		return g_strdup_printf("(%s)%s__builtin_inf()", type, value < 0 ? "-" : "");
	return g_strdup_printf("(%s)%a", type, value);
}

static char *make_string(Maker *maker)
{
	char bytes[20] = "";
	const guint length = below(maker, sizeof(bytes));
	GString *text = g_string_new("\"");

	if (below(maker, 8) == 0) {
		ltt_payload_add_string(&maker->payload, NULL);
		g_string_assign(text, "NULL");
		return g_string_free(text, FALSE);
	}
	for (guint i = 0; i < length; i++) {
		bytes[i] = (char)(1 + below(maker, 255));
		g_string_append_printf(text, "\\%03o", (guint8)bytes[i]);
	}
	ltt_payload_add_string(&maker->payload, bytes);
	g_string_append_c(text, '"');
	return g_string_free(text, FALSE);
}

/* Chooses a label, because C++ does not guarantee other values. */
static char *make_enum(Maker *maker, const Place *place)
{
	const LttLabel *label =
		ltt_type_get_label(place->type, below(maker, ltt_type_get_n_labels(place->type)));

	ltt_payload_add_int(&maker->payload, ltt_type_get_width(place->type),
			    (guint64)label->value);
	return g_strdup_printf("%s_%s", place->path, label->name);
}

static char *make_elements(Maker *maker, const Place *place, guint64 count)
{
	Place element = element_of(maker, place);
	GString *text = g_string_new("{");

	for (guint64 i = 0; i < count; i++) {
		g_autofree char *value = make_value(maker, &element);

		g_string_append_printf(text, "%s%s", i > 0 ? ", " : "", value);
	}
	g_string_append_c(text, '}');
	g_free(element.path);
	return g_string_free(text, FALSE);
}

/* Few elements; sometimes more small ones than a stage can hold. */
static guint count_elements(Maker *maker, const LttType *element)
{
	if (below(maker, 8) == 0 && ltt_type_get_kind(element) <= LTT_UINT)
		return 100 + below(maker, 150);
	return below(maker, 6);
}

char *make_sequence(Maker *maker, const Place *place)
{
	const guint count = count_elements(maker, ltt_type_get_element(place->type));
	Place element = element_of(maker, place);
	g_autofree char *items = NULL;
	g_autofree char *name = NULL;

	ltt_payload_add_int(&maker->payload, ltt_type_get_width(place->type), count);
	items = make_elements(maker, place, count);
	name = count > 0 ? define(maker, &element, count, items) : g_strdup("NULL");
	g_free(element.path);
	return g_strdup_printf("%u, %s", count, name);
}

static char *make_struct(Maker *maker, const Place *place)
{
	const guint n_fields = ltt_type_get_n_fields(place->type);
	GString *text = g_string_new("{");

	for (guint i = 0; i < n_fields; i++) {
		Place field = field_of(maker, place, i);
		g_autofree char *value = make_value(maker, &field);

		g_string_append_printf(text, "%s%s", i > 0 ? ", " : "", value);
		g_free(field.path);
	}
	g_string_append_c(text, '}');
	return g_string_free(text, FALSE);
}

static char *make_union(Maker *maker, const Place *place)
{
	const guint code = below(maker, ltt_type_get_n_fields(place->type));
	Place field = field_of(maker, place, code);
	g_autofree char *value = NULL;

	ltt_payload_add_int(&maker->payload, ltt_type_get_width(place->type), code);
	value = make_value(maker, &field);
	g_free(field.path);
	return g_strdup_printf("{%u, {.%s = %s}}", code,
			       ltt_type_get_field(place->type, code)->name, value);
}

char *make_value(Maker *maker, const Place *place)
{
	g_autofree char *inside = NULL;

	switch (ltt_type_get_kind(place->type)) {
	case LTT_INT:
		return make_integer(maker, place, TRUE);
	case LTT_UINT:
		return make_integer(maker, place, FALSE);
	case LTT_FLOAT:
		return make_float(maker, place);
	case LTT_STRING:
		return make_string(maker);
	case LTT_ENUM:
		return make_enum(maker, place);
	case LTT_ARRAY:
		return make_elements(maker, place, ltt_type_get_n_elements(place->type));
	case LTT_SEQUENCE:
		inside = make_sequence(maker, place);
		return g_strdup_printf("{%s}", inside);
	case LTT_STRUCT:
		return make_struct(maker, place);
	default:
		return make_union(maker, place);
	}
}

/* ---- events and files ---- */

void expect_event(Maker *maker, const LttEventType *event)
{
	const char *facility = ltt_facility_get_name(event->facility);

	g_string_append_printf(maker->expected, "%s %u ", facility, event->index);
	for (guint i = 0; i < maker->payload.bytes->len; i++)
		g_string_append_printf(maker->expected, "%02x", maker->payload.bytes->data[i]);
	g_string_append_c(maker->expected, '\n');
	expected_trace_add(&maker->trace, event, &maker->payload);
}

void write_file(const char *folder, const char *name, const char *text)
{
	g_autofree char *path = g_build_filename(folder, name, NULL);
	g_autoptr(GError) error = NULL;

	UNIT_ASSERT_OK(g_file_set_contents(path, text, -1, &error), error);
}

void maker_init(Maker *maker, guint32 seed, const LttArch *arch)
{
	maker->random = g_rand_new_with_seed(seed);
	maker->statics = g_string_new(NULL);
	maker->calls = g_string_new(NULL);
	maker->expected = g_string_new(NULL);
	ltt_payload_init(&maker->payload, arch);
}

void maker_clear(Maker *maker)
{
	ltt_payload_clear(&maker->payload);
	g_string_free(maker->statics, TRUE);
	g_string_free(maker->calls, TRUE);
	g_string_free(maker->expected, TRUE);
	g_rand_free(maker->random);
}
