/* random-structs.c - random facilities, their headers for offline programs, and a program that
 * writes and reads random structs.
 *
 * usage: random-structs SEED FACILITIES FOLDER ARCH
 *
 * ARCH is the number of an architecture, 0 to 7. Writes into FOLDER a header for each facility, a
 * trace calls.ltt of that architecture with random events, calls.expect with the bytes of each of
 * their payloads, and structs.c. That program writes the same values and prints the bytes, then it
 * reads the trace, writes each struct again, and prints the bytes.
 */
#include "random-values.h"
#include "support-random.h"
#include "unit.h"

#include <ltt/ltt-codegen.h>

#include <stdio.h>
#include <stdlib.h>

/* The constant part of the program. */
static const char *const begin_lines =
	"#include <ltt/ltt.h>\n"
	"#include <stdio.h>\n"
	"\n"
	"static LttPayload payload;\n"
	"\n"
	"static inline void show(const char *facility, unsigned index)\n"
	"{\n"
	"\tprintf(\"%s %u \", facility, index);\n"
	"\tfor (guint i = 0; i < payload.bytes->len; i++)\n"
	"\t\tprintf(\"%02x\", payload.bytes->data[i]);\n"
	"\tputchar('\\n');\n"
	"}\n"
	"\n";

static const char *const end_lines =
	"\n"
	"int main(int argc, char **argv)\n"
	"{\n"
	"\tGError *error = NULL;\n"
	"\tLttTrace *trace = ltt_trace_open(argv[argc - 1], &error);\n"
	"\tLttMerge *merge = ltt_merge_new(trace, NULL);\n"
	"\tconst LttEvent *event;\n"
	"\n"
	"\tltt_payload_init(&payload, ltt_system_get_arch(ltt_trace_get_system(trace)));\n"
	"\twrite_all();\n"
	"\tmake_readers();\n"
	"\twhile (ltt_merge_next(merge, &event, &error) == LTT_STEP_EVENT)\n"
	"\t\tif (event->role == LTT_ROLE_ORDINARY)\n"
	"\t\t\tread_event(event);\n"
	"\tfree_readers();\n"
	"\tltt_merge_free(merge);\n"
	"\tltt_trace_free(trace);\n"
	"\tltt_payload_clear(&payload);\n"
	"\treturn error != NULL;\n"
	"}\n";

typedef struct Program {
	GString *includes;
	GString *make_readers;
	GString *free_readers;
	GString *read_event;
} Program;

/* Returns: (transfer full): the definition of a struct's variable with random values */
static char *make_struct(Maker *maker, const LttEventType *event, const char *path)
{
	Place payload = place_of(maker, event->type, path);
	g_autofree char *value_path = g_strconcat(path, "_value", NULL);
	Place value = place_of(maker, event->type, value_path);
	const gboolean is_struct = ltt_type_get_kind(payload.type) == LTT_STRUCT;
	char *text = NULL;

	text = make_value(maker, is_struct ? &payload : &value);
	if (!is_struct) {
		char *inside = text;

		text = g_strdup_printf("{%s}", inside);
		g_free(inside);
	}
	g_free(payload.path);
	g_free(value.path);
	return text;
}

static void make_event(Maker *maker, const LttEventType *event, Program *program)
{
	const char *facility = ltt_facility_get_name(maker->facility);
	g_autofree char *path = g_strdup_printf("%s_%s", facility, event->name);

	for (guint i = 0; i < CALLS_OF_EACH_EVENT; i++) {
		g_autofree char *value = NULL;

		ltt_payload_reset(&maker->payload);
		if (event->type != NULL)
			value = make_struct(maker, event, path);
		if (event->type == NULL)
			g_string_append(maker->calls, "\tltt_payload_reset(&payload);\n");
		else
			g_string_append_printf(maker->calls,
					       "\t{\n\t\tstatic const struct %s s = %s;\n"
					       "\t\twrite_%s(&payload, &s);\n\t}\n",
					       path, value, path);
		g_string_append_printf(maker->calls, "\tshow(\"%s\", %s_index);\n", facility, path);
		expect_event(maker, event);
	}
	if (event->type == NULL) {
		g_string_append_printf(program->read_event,
				       "\tcase %s_index:\n\t\tltt_payload_reset(&payload);\n"
				       "\t\tshow(\"%s\", %s_index);\n\t\tbreak;\n",
				       path, facility, path);
		return;
	}
	g_string_append_printf(program->read_event,
			       "\tcase %s_index: {\n\t\tstruct %s s;\n"
			       "\t\tg_assert(read_%s(reader_%s, event, &s, NULL));\n"
			       "\t\twrite_%s(&payload, &s);\n\t\tshow(\"%s\", %s_index);\n"
			       "\t\tbreak;\n\t}\n",
			       path, path, path, facility, path, facility, path);
}

static void make_facility(Maker *maker, const char *folder, guint number, Program *program)
{
	g_autofree char *name = g_strdup_printf("f%u", number);
	g_autofree char *file = g_strconcat(name, ".h", NULL);
	g_autoptr(LttFacility) facility = random_facility(maker->random, name);
	g_autoptr(GError) error = NULL;
	g_autofree char *header = ltt_codegen_offline(facility, &error);

	UNIT_ASSERT_OK(header != NULL, error);
	write_file(folder, file, header);
	maker->facility = facility;
	expected_trace_load(&maker->trace, facility);
	g_string_append_printf(program->includes,
			       "#include \"%s\"\nstatic LttOfflineReader *reader_%s;\n", file,
			       name);
	g_string_append_printf(program->make_readers,
			       "\treader_%s = ltt_offline_reader_new(&ltt_offline_%s);\n", name,
			       name);
	g_string_append_printf(program->free_readers, "\tltt_offline_reader_free(reader_%s);\n",
			       name);
	g_string_append_printf(program->read_event,
			       "\tswitch (ltt_offline_reader_find(reader_%s, event)) {\n", name);
	for (guint i = 0; i < ltt_facility_get_n_events(facility); i++)
		make_event(maker, ltt_facility_get_event(facility, i), program);
	g_string_append(program->read_event, "\tdefault:\n\t\tbreak;\n\t}\n");
}

static void make_program(Maker *maker, const char *folder, guint n_facilities)
{
	Program program = {.includes = g_string_new(begin_lines),
			   .make_readers = g_string_new(NULL),
			   .free_readers = g_string_new(NULL),
			   .read_event = g_string_new(NULL)};
	g_autofree char *trace = g_build_filename(folder, "calls.ltt", NULL);

	expected_trace_open(&maker->trace, trace, &maker->payload.arch);
	for (guint i = 0; i < n_facilities; i++)
		make_facility(maker, folder, i, &program);
	expected_trace_close(&maker->trace);
	g_string_append_printf(program.includes,
			       "\n%s\nstatic void write_all(void)\n{\n%s}\n\n"
			       "static void make_readers(void)\n{\n%s}\n\n"
			       "static void free_readers(void)\n{\n%s}\n\n"
			       "static void read_event(const LttEvent *event)\n{\n%s}\n%s",
			       maker->statics->str, maker->calls->str, program.make_readers->str,
			       program.free_readers->str, program.read_event->str, end_lines);
	write_file(folder, "structs.c", program.includes->str);
	write_file(folder, "calls.expect", maker->expected->str);
	g_string_free(program.includes, TRUE);
	g_string_free(program.make_readers, TRUE);
	g_string_free(program.free_readers, TRUE);
	g_string_free(program.read_event, TRUE);
}

int main(int argc, char **argv)
{
	Maker maker = {.is_offline = TRUE};
	LttArch arch;
	guint number;

	if (argc != 5) {
		fprintf(stderr, "usage: random-structs SEED FACILITIES FOLDER ARCH\n");
		return 2;
	}
	number = (guint)strtoul(argv[4], NULL, 10);
	arch = (LttArch){.byte_order = number % 2 == 0 ? LTT_LITTLE_ENDIAN : LTT_BIG_ENDIAN,
			 .size = (LttArchSize)(number / 2 % LTT_N_ARCH_SIZES)};
	maker_init(&maker, (guint32)strtoul(argv[1], NULL, 10), &arch);
	make_program(&maker, argv[3], (guint)strtoul(argv[2], NULL, 10));
	maker_clear(&maker);
	return 0;
}
