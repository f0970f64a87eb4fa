/* random-calls.c - random facilities, their headers, and a program that calls them with random
 * values.
 *
 * usage: random-calls SEED FACILITIES FOLDER
 *
 * Writes into FOLDER a header for each facility, calls.c, which includes them all and writes
 * events, and calls.expect: a line for each event with the bytes that ltt-payload.h makes of the
 * same values. The names of C types are put together here once more, by the rules that programs
 * rely on, and not taken from the generator.
 */
#include "expected-trace.h"
#include "support-random.h"
#include "unit.h"

#include <ltt/ltt-codegen.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CALLS_OF_EACH_EVENT 4

typedef struct Maker {
	GRand *random;
	const LttFacility *facility;
	LttPayload payload;
	GString *statics; /* definitions of what the calls point to */
	GString *calls;
	GString *expected;
	ExpectedTrace trace;
	guint n_statics;
} Maker;

/* A type, and the name that it gives to what it is made of. Path is owned. */
typedef struct Place {
	const LttType *type; /* no typeref */
	char *path;
} Place;

/* What support-random.c says in a unit test, it says here. */
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

static Place place_of(const Maker *maker, const LttType *type, const char *path)
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

static Place field_of(const Maker *maker, const Place *place, guint index)
{
	const LttField *field = ltt_type_get_field(place->type, index);
	g_autofree char *path = g_strdup_printf("%s_%s", place->path, field->name);

	return place_of(maker, field->type, path);
}

/* How many sequences stand directly in one another without a name between. */
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

static char *integer_type(LttWidth width, gboolean is_signed)
{
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

/* The C type of anything but an array. */
static char *c_type(const Place *place)
{
	const LttWidth width = ltt_type_get_width(place->type);
	guint level;

	switch (ltt_type_get_kind(place->type)) {
	case LTT_INT:
		return integer_type(width, TRUE);
	case LTT_UINT:
		return integer_type(width, FALSE);
	case LTT_FLOAT:
		return g_strdup(width == LTT_WIDTH_4 || width == LTT_WIDTH_MEDIUM ? "float"
										  : "double");
	case LTT_STRING:
		return g_strdup("char *const");
	case LTT_ENUM:
		return g_strdup_printf("enum %s", place->path);
	case LTT_SEQUENCE:
		level = sequence_level(place->type);
		return level == 1 ? g_strdup_printf("struct %s_sequence", place->path)
				  : g_strdup_printf("struct %s_sequence_%u", place->path, level);
	default:
		return g_strdup_printf("struct %s", place->path);
	}
}

/* Defines a variable, of @count such things if that is not 0. Returns: (transfer full): its name */
static char *define(Maker *maker, const Place *place, guint64 count, const char *value)
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
	type = c_type(&core);
	g_string_append_printf(maker->statics, "static const %s %s%s = %s;\n", type, name,
			       dimensions->str, value);
	g_free(core.path);
	return name;
}

/* ---- values: their bytes go to the payload, their C text is returned ---- */

static char *make_value(Maker *maker, const Place *place);

static char *make_integer(Maker *maker, const Place *place, gboolean is_signed)
{
	const LttWidth width = ltt_type_get_width(place->type);
	const guint width_bytes = ltt_arch_integer_bytes(&maker->payload.arch, width);
	const guint64 number = random_number(maker->random, width_bytes);
	g_autofree char *type = integer_type(width, is_signed);

	ltt_payload_add_int(&maker->payload, width, number);
	return g_strdup_printf("(%s)0x%" G_GINT64_MODIFIER "xULL", type, number);
}

static char *make_float(Maker *maker, const Place *place)
{
	static const double edges[] = {0.0, -0.0, NAN, INFINITY, -INFINITY, 1e-45, 5e-324, 0.1};
	const double value = below(maker, 2) == 0 ? edges[below(maker, G_N_ELEMENTS(edges))]
						  : g_rand_double_range(maker->random, -1e10, 1e10);
	g_autofree char *type = c_type(place);

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

/* One of the labels: C++ has no other values for sure. */
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

/* Few elements; now and then so many that they do not fit in a stage, if they are small. */
static guint count_elements(Maker *maker, const LttType *element)
{
	if (below(maker, 8) == 0 && ltt_type_get_kind(element) <= LTT_UINT)
		return 100 + below(maker, 150);
	return below(maker, 6);
}

/* Returns: (transfer full): "LENGTH, ITEMS" */
static char *make_sequence(Maker *maker, const Place *place)
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

static char *make_value(Maker *maker, const Place *place)
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

/* ---- calls ---- */

static char *make_argument(Maker *maker, const Place *place)
{
	const LttTypeKind kind = ltt_type_get_kind(place->type);
	g_autofree char *value = NULL;
	g_autofree char *name = NULL;

	if (kind == LTT_SEQUENCE)
		return make_sequence(maker, place);
	value = make_value(maker, place);
	if (kind != LTT_ARRAY && kind != LTT_STRUCT && kind != LTT_UNION)
		return g_steal_pointer(&value);
	name = define(maker, place, 0, value);
	return g_strconcat(kind == LTT_ARRAY ? "" : "&", name, NULL);
}

static void make_arguments(Maker *maker, const LttEventType *event, GString *arguments)
{
	g_autofree char *path =
		g_strdup_printf("%s_%s", ltt_facility_get_name(maker->facility), event->name);
	Place payload = place_of(maker, event->type, path);

	if (ltt_type_get_kind(payload.type) != LTT_STRUCT) {
		g_autofree char *value_path = g_strconcat(path, "_value", NULL);
		Place value = place_of(maker, event->type, value_path);
		g_autofree char *argument = make_argument(maker, &value);

		g_string_append(arguments, argument);
		g_free(value.path);
	} else {
		for (guint i = 0; i < ltt_type_get_n_fields(payload.type); i++) {
			Place field = field_of(maker, &payload, i);
			g_autofree char *argument = make_argument(maker, &field);

			g_string_append_printf(arguments, "%s%s", i > 0 ? ", " : "", argument);
			g_free(field.path);
		}
	}
	g_free(payload.path);
}

static void make_call(Maker *maker, const LttEventType *event)
{
	const char *facility = ltt_facility_get_name(maker->facility);
	g_autoptr(GString) arguments = g_string_new(NULL);

	ltt_payload_reset(&maker->payload);
	if (event->type != NULL)
		make_arguments(maker, event, arguments);
	g_string_append_printf(maker->calls, "\ttrace_%s_%s(%s);\n", facility, event->name,
			       arguments->str);
	g_string_append_printf(maker->expected, "%s %u ", facility, event->index);
	for (guint i = 0; i < maker->payload.bytes->len; i++)
		g_string_append_printf(maker->expected, "%02x", maker->payload.bytes->data[i]);
	g_string_append_c(maker->expected, '\n');
	expected_trace_add(&maker->trace, event, &maker->payload);
}

/* ---- files ---- */

static void write_file(const char *folder, const char *name, const char *text)
{
	g_autofree char *path = g_build_filename(folder, name, NULL);
	g_autoptr(GError) error = NULL;

	UNIT_ASSERT_OK(g_file_set_contents(path, text, -1, &error), error);
}

static void write_header(const char *folder, const LttFacility *facility)
{
	g_autofree char *name = g_strconcat(ltt_facility_get_name(facility), ".h", NULL);
	g_autoptr(GError) error = NULL;
	g_autofree char *header = ltt_codegen_header(facility, &error);

	UNIT_ASSERT_OK(header != NULL, error);
	write_file(folder, name, header);
}

static void make_facility(Maker *maker, const char *folder, guint number, GString *includes)
{
	g_autofree char *name = g_strdup_printf("f%u", number);
	g_autoptr(LttFacility) facility = random_facility(maker->random, name);

	maker->facility = facility;
	write_header(folder, facility);
	expected_trace_load(&maker->trace, facility);
	g_string_append_printf(includes, "#include \"%s.h\"\n", name);
	g_string_append_printf(maker->calls, "static void call_%s(void)\n{\n", name);
	for (guint i = 0; i < CALLS_OF_EACH_EVENT * ltt_facility_get_n_events(facility); i++)
		make_call(maker, ltt_facility_get_event(facility, i / CALLS_OF_EACH_EVENT));
	g_string_append(maker->calls, "}\n\n");
}

static void make_program(Maker *maker, const char *folder, guint n_facilities)
{
	g_autoptr(GString) source = g_string_new(NULL);
	g_autofree char *trace = g_build_filename(folder, "calls.ltt", NULL);

	expected_trace_open(&maker->trace, trace);
	for (guint i = 0; i < n_facilities; i++)
		make_facility(maker, folder, i, source);
	expected_trace_close(&maker->trace);
	g_string_append_printf(source, "\n%s\n%sint main(int argc, char **argv)\n{\n",
			       maker->statics->str, maker->calls->str);
	g_string_append(source, "\tif (argc != 2 || ltt_probe_start(argv[1], NULL) != 0)\n"
				"\t\treturn 1;\n");
	for (guint i = 0; i < n_facilities; i++)
		g_string_append_printf(source, "\tcall_f%u();\n", i);
	g_string_append(source, "\tltt_probe_stop();\n\treturn 0;\n}\n");
	write_file(folder, "calls.c", source->str);
	write_file(folder, "calls.expect", maker->expected->str);
}

int main(int argc, char **argv)
{
	const LttArch arch = ltt_arch_native();
	Maker maker = {0};

	if (argc != 4) {
		fprintf(stderr, "usage: random-calls SEED FACILITIES FOLDER\n");
		return 2;
	}
	maker.random = g_rand_new_with_seed((guint32)strtoul(argv[1], NULL, 10));
	maker.statics = g_string_new(NULL);
	maker.calls = g_string_new(NULL);
	maker.expected = g_string_new(NULL);
	ltt_payload_init(&maker.payload, &arch);
	make_program(&maker, argv[3], (guint)strtoul(argv[2], NULL, 10));
	ltt_payload_clear(&maker.payload);
	g_string_free(maker.statics, TRUE);
	g_string_free(maker.calls, TRUE);
	g_string_free(maker.expected, TRUE);
	g_rand_free(maker.random);
	return 0;
}
