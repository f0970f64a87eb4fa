/* cmd-unpack.c - `ltt unpack`: extract a trace directory from an untrusted archive. */
#include "commands.h"
#include "progress.h"
#include "quantity.h"
#include "tool.h"

#include <ltt/ltt-archive.h>

#include <unistd.h>

static char *output;
static char *max_size;
static char *max_files;

static const GOptionEntry options[] = {
	{"output", 'o', 0, G_OPTION_ARG_FILENAME, &output,
	 "write the trace to the new directory DIR", "DIR"},
	{"max-size", 0, 0, G_OPTION_ARG_FILENAME, &max_size,
	 "limit of the unpacked size (default: 16G, and above 1G, 250\n"
	 "times the size of the archive)",
	 "SIZE"},
	{"max-files", 0, 0, G_OPTION_ARG_FILENAME, &max_files,
	 "limit of the number of files and directories (default: 100000)", "N"},
	{NULL, 0, 0, 0, NULL, NULL, NULL},
};

static const ToolUsage usage = {
	.arguments = "FILE -o DIR",
	.about = "Extract a trace directory from an archive that `ltt pack` or tar made, "
		 "compressed with\n"
		 "gzip or zstd, or uncompressed. FILE - is standard input. The command rejects "
		 "links,\n"
		 "devices, names that lead out of the directory, and archives that exceed the "
		 "limits. SIZE\n"
		 "accepts the suffixes K, M and G.\n",
	.options = options,
	.notes = "Exit status: 0 success; 2 failure, and nothing was written.\n"
		 "\n"
		 "  ltt unpack trace.tar.gz -o trace\n"
		 "  ssh host ltt pack trace -o - | ltt unpack - -o trace\n",
	.min_arguments = 1,
	.max_arguments = 1,
};

static gboolean take_limits(LttArchiveLimits *limits)
{
	if (max_size != NULL) {
		limits->max_ratio = 0;
		if (!quantity_parse_bytes(max_size, &limits->max_bytes) || limits->max_bytes == 0) {
			tool_fail("--max-size %s: expected a number of bytes, with an optional "
				  "suffix K, M or G",
				  max_size);
			return FALSE;
		}
	}
	if (max_files != NULL &&
	    !g_ascii_string_to_unsigned(max_files, 10, 1, G_MAXUINT32, &limits->max_files, NULL)) {
		tool_fail("--max-files %s: expected a number from 1 to %u", max_files, G_MAXUINT32);
		return FALSE;
	}
	return TRUE;
}

static void unpack(const char *archive, const LttArchiveLimits *limits)
{
	const LttUnpackRequest request = {
		.archive = g_str_equal(archive, "-") ? NULL : archive,
		.fd = STDIN_FILENO,
		.path = output,
		.limits = limits,
		.callbacks = PROGRESS_CALLBACKS,
	};
	g_autoptr(GError) error = NULL;
	gboolean ok;

	progress_start("ltt unpack", TRUE);
	ok = ltt_unpack(&request, NULL, &error);
	progress_end();
	if (!ok)
		tool_fail_error(error);
}

int cmd_unpack(int argc, char **argv)
{
	LttArchiveLimits limits = {LTT_MAX_ARCHIVE_BYTES, LTT_MAX_ARCHIVE_FILES,
				   LTT_MAX_ARCHIVE_RATIO};

	if (!tool_parse(&usage, &argc, &argv))
		return tool_end();
	if (output == NULL || *output == '\0')
		tool_fail("-o DIR is missing; see `%s --help`", g_get_prgname());
	else if (take_limits(&limits))
		unpack(argv[1], &limits);
	return tool_end();
}
