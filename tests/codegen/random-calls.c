/* random-calls.c - random facilities, their headers, and a program that calls them with random
 * values.
 *
 * usage: random-calls SEED FACILITIES FOLDER
 *
 * Writes into FOLDER a header for each facility, calls.c, which includes them all and writes
 * events, and calls.expect: a line for each event with the bytes that ltt-payload.h makes of the
 * same values.
 */
#include "random-values.h"
#include "support-random.h"
#include "unit.h"

#include <ltt/ltt-codegen.h>

#include <stdio.h>
#include <stdlib.h>

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
	expect_event(maker, event);
}

/* ---- files ---- */

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

	expected_trace_open(&maker->trace, trace, &maker->payload.arch);
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
	maker_init(&maker, (guint32)strtoul(argv[1], NULL, 10), &arch);
	make_program(&maker, argv[3], (guint)strtoul(argv[2], NULL, 10));
	maker_clear(&maker);
	return 0;
}
