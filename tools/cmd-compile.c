/* cmd-compile.c - `ltt compile`: the facility compiler.
 *
 * Every file is read and all that is wrong with it told, before anything is made of any: a header
 * of half a description helps nobody.
 */
#include "commands.h"
#include "tool.h"

#include <ltt/ltt-eventdefs.h>

static gboolean check_only;
static gboolean print_checksums;

static const GOptionEntry options[] = {
	{"check", 0, 0, G_OPTION_ARG_NONE, &check_only, "only say what is wrong (the default)",
	 NULL},
	{"checksum", 0, 0, G_OPTION_ARG_NONE, &print_checksums,
	 "print \"NAME 0xCHECKSUM\", a line for each facility", NULL},
	{NULL, 0, 0, 0, NULL, NULL, NULL},
};

static const ToolUsage usage = {
	.arguments = "XML...",
	.about = "Reads descriptions of events and says everything that is wrong with them, as\n"
		 "\"FILE:LINE: what is wrong, what was expected\". What is right is silent.\n",
	.options = options,
	.notes = "Exit status: 0 all is well; 1 warnings, such as an attribute that is not known;\n"
		 "2 something is wrong.\n"
		 "\n"
		 "  ltt compile --check eventdefs/*.xml\n",
	.min_arguments = 1,
	.max_arguments = -1,
};

/* Returns: (transfer full): the facilities of a file that are without mistakes */
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

int cmd_compile(int argc, char **argv)
{
	g_autoptr(GPtrArray) facilities =
		g_ptr_array_new_with_free_func((GDestroyNotify)ltt_facility_unref);

	if (!tool_parse(&usage, &argc, &argv))
		return tool_end();
	for (int i = 1; i < argc; i++)
		g_ptr_array_extend_and_steal(facilities, read_file(argv[i]));
	for (guint i = 0; print_checksums && i < facilities->len; i++)
		print_checksum(facilities->pdata[i]);
	return tool_end();
}
