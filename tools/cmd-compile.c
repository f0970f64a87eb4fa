/* cmd-compile.c - `ltt compile`: the facility compiler.
 *
 * All files are read and all errors in them reported before a header is written. If there are
 * errors, none is written.
 */
#include "commands.h"
#include "tool.h"

#include <ltt/ltt-codegen.h>
#include <ltt/ltt-eventdefs.h>
#include <ltt/ltt-hash.h>

#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>

static gboolean check_only;
static gboolean print_checksums;
static char *header_path;
static char *offline_path;

static const GOptionEntry options[] = {
	{"header", 0, 0, G_OPTION_ARG_FILENAME, &header_path,
	 "write a C header for traced programs to FILE; - is standard output", "FILE"},
	{"offline", 0, 0, G_OPTION_ARG_FILENAME, &offline_path,
	 "write a C header for programs that write or read traces to FILE", "FILE"},
	{"check", 0, 0, G_OPTION_ARG_NONE, &check_only, "only report errors (the default)", NULL},
	{"checksum", 0, 0, G_OPTION_ARG_NONE, &print_checksums,
	 "print a line \"NAME 0xCHECKSUM\" for each facility", NULL},
	{NULL, 0, 0, 0, NULL, NULL, NULL},
};

static const ToolUsage usage = {
	.arguments = "XML...",
	.about = "Parse event descriptions and report all errors, in the form \"FILE:LINE: what is "
		 "wrong,\n"
		 "what was expected\". Print nothing for correct descriptions. With --header, also "
		 "generate a\n"
		 "header for the traced program, with a function trace_FACILITY_EVENT() for each "
		 "event.\n"
		 "With --offline, generate a header for programs that write or read traces with "
		 "libltt,\n"
		 "with a struct for each event and functions write_FACILITY_EVENT() and\n"
		 "read_FACILITY_EVENT().\n",
	.options = options,
	.notes = "Exit status: 0 correct; 1 warnings, for example of an unknown attribute; 2 "
		 "errors.\n"
		 "\n"
		 "  ltt compile --check eventdefs/*.xml\n"
		 "  ltt compile --header myapp-trace.h myapp.xml\n"
		 "  cc -c main.c $(pkg-config --cflags ltt-probe)\n"
		 "  ltt compile --offline myapp-events.h myapp.xml\n"
		 "  cc -c report.c $(pkg-config --cflags ltt)\n",
	.min_arguments = 1,
	.max_arguments = -1,
};

/* Returns: (transfer full): the facilities of a file that have no errors */
static GPtrArray *read_file(const char *path)
{
	g_autoptr(GPtrArray) remarks =
		g_ptr_array_new_with_free_func((GDestroyNotify)ltt_remark_free);
	g_autoptr(GError) error = NULL;
	GPtrArray *facilities = ltt_eventdefs_read(path, remarks, &error);

	if (facilities == NULL) {
		tool_fail_error(error);
		return g_ptr_array_new();
	}
	for (guint i = 0; i < remarks->len; i++)
		tool_remark(path, remarks->pdata[i]);
	return facilities;
}

static void print_checksum(const LttFacility *facility)
{
	tool_print("%s 0x%08x\n", ltt_facility_get_name(facility),
		   ltt_facility_get_checksum(facility));
}

/* A kind of header. */
typedef struct Kind {
	const char *option;
	char *(*generate)(const LttFacility *facility, GError **error);
} Kind;

/* Two versions of a facility cannot be in one header. */
static gboolean are_distinct(const Kind *kind, const GPtrArray *facilities)
{
	g_autoptr(GHashTable) names = g_hash_table_new(ltt_hash_text, g_str_equal);

	for (guint i = 0; i < facilities->len; i++) {
		const char *name = ltt_facility_get_name(facilities->pdata[i]);

		if (!g_hash_table_add(names, (gpointer)name)) {
			tool_fail("%s: facility \"%s\" is described twice, expected once",
				  kind->option, name);
			return FALSE;
		}
	}
	return TRUE;
}

/* Returns: (transfer full) (nullable): the headers of all facilities; NULL: the error was reported */
static char *make_header(const Kind *kind, const GPtrArray *facilities)
{
	g_autoptr(GString) all = g_string_new(NULL);

	if (!are_distinct(kind, facilities))
		return NULL;
	for (guint i = 0; i < facilities->len; i++) {
		g_autoptr(GError) error = NULL;
		g_autofree char *header = kind->generate(facilities->pdata[i], &error);

		if (header == NULL) {
			tool_fail_error(error);
			return NULL;
		}
		g_string_append_printf(all, "%s%s", i > 0 ? "\n" : "", header);
	}
	return g_string_free(g_steal_pointer(&all), FALSE);
}

/* Removes a header that was not written completely, unless it is a device or a pipe. */
static void write_file(const char *path, const char *text)
{
	FILE *file = g_fopen(path, "w");
	int failed;

	if (file == NULL) {
		tool_fail("%s: could not create: %s", path, g_strerror(errno));
		return;
	}
	failed = fputs(text, file) == EOF ? errno : 0;
	if (fclose(file) != 0 && failed == 0)
		failed = errno;
	if (failed == 0)
		return;
	tool_fail("%s: could not write: %s", path, g_strerror(failed));
	if (g_file_test(path, G_FILE_TEST_IS_REGULAR))
		g_unlink(path);
}

/* @path: (nullable): NULL: no header of this kind */
static void write_header(const Kind *kind, const char *path, const GPtrArray *facilities)
{
	g_autofree char *header = NULL;

	if (path == NULL || tool_status() == TOOL_FAILED)
		return;
	header = make_header(kind, facilities);
	if (header == NULL)
		return;
	if (g_str_equal(path, "-"))
		tool_write_text(header);
	else
		write_file(path, header);
}

/* Protects descriptions from a forgotten name: `ltt compile --header *.xml`.
 * @path: (nullable): of a header */
static gboolean may_write(const char *option, const char *path, char **inputs)
{
	if (path == NULL || (!g_str_has_suffix(path, ".xml") &&
			     !g_strv_contains((const char *const *)inputs, path)))
		return TRUE;
	tool_fail("%s %s: an event description would be overwritten, expected the name of a header",
		  option, path);
	return FALSE;
}

int cmd_compile(int argc, char **argv)
{
	g_autoptr(GPtrArray) facilities =
		g_ptr_array_new_with_free_func((GDestroyNotify)ltt_facility_unref);

	if (!tool_parse(&usage, &argc, &argv) || !may_write("--header", header_path, argv + 1) ||
	    !may_write("--offline", offline_path, argv + 1))
		return tool_end();
	for (int i = 1; i < argc; i++)
		g_ptr_array_extend_and_steal(facilities, read_file(argv[i]));
	for (guint i = 0; print_checksums && i < facilities->len; i++)
		print_checksum(facilities->pdata[i]);
	write_header(&(Kind){"--header", ltt_codegen_header}, header_path, facilities);
	write_header(&(Kind){"--offline", ltt_codegen_offline}, offline_path, facilities);
	return tool_end();
}
