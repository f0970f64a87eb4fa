/* cmd-unpack.c - `ltt unpack`: a trace directory out of an archive that may come from anybody. */
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
	 "the trace to be made: a directory that is not there yet", "DIR"},
	{"max-size", 0, 0, G_OPTION_ARG_FILENAME, &max_size,
	 "how much may come out of it (16G, and beyond 1G no more\n"
	 "than 250 times what goes in)",
	 "SIZE"},
	{"max-files", 0, 0, G_OPTION_ARG_FILENAME, &max_files,
	 "how many files and folders there may be (100000)", "N"},
	{NULL, 0, 0, 0, NULL, NULL, NULL},
};

static const ToolUsage usage = {
	.arguments = "FILE -o DIR",
	.about = "Makes a trace directory of an archive: what `ltt pack` or tar made of one, as it "
		 "is\n"
		 "or packed by gzip or zstd. FILE - is standard input. What no trace has is "
		 "refused:\n"
		 "links, devices, names that lead elsewhere, more than a limit. SIZE takes K, M "
		 "and G.\n",
	.options = options,
	.notes = "Exit status: 0 done; 2 nothing was made.\n"
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
			tool_fail(
				"--max-size %s: expected a number of bytes, with K, M or G if you "
				"like",
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
		.on_progress = progress_show,
	};
	g_autoptr(GError) error = NULL;
	gboolean ok;

	progress_start("ltt unpack", TRUE);
	progress_count_bytes();
	ok = ltt_archive_unpack(&request, &error);
	progress_end();
	if (!ok)
		tool_fail_error(error);
}

int cmd_unpack(int argc, char **argv)
{
	LttArchiveLimits limits = {LTT_ARCHIVE_MAX_BYTES, LTT_ARCHIVE_MAX_FILES,
				   LTT_ARCHIVE_MAX_RATIO};

	if (!tool_parse(&usage, &argc, &argv))
		return tool_end();
	if (output == NULL || *output == '\0')
		tool_fail("-o DIR is missing; `%s --help` says more", g_get_prgname());
	else if (take_limits(&limits))
		unpack(argv[1], &limits);
	return tool_end();
}
