/* cmd-pack.c - `ltt pack`: write a trace to an archive. */
#include "commands.h"
#include "progress.h"
#include "result-place.h"
#include "tool.h"

#include <ltt/ltt-archive.h>
#include <ltt/ltt-nearest.h>
#include <ltt/ltt-redact.h>

#include <unistd.h>

static char *output;
static char *format;
static char **rules;
static char *key_file;

static const GOptionEntry options[] = {
	{"output", 'o', 0, G_OPTION_ARG_FILENAME, &output,
	 "write the archive to the new file FILE; - is standard output", "FILE"},
	{"format", 'f', 0, G_OPTION_ARG_FILENAME, &format,
	 "archive format (default: from the suffix of FILE; tar.gz for\n"
	 "standard output)",
	 "tar.gz|tar.zst|tar"},
	{"redact", 'r', 0, G_OPTION_ARG_FILENAME_ARRAY, &rules,
	 "pack a copy without the values that RULE names, and print what was\n"
	 "removed: FACILITY.EVENT.FIELD=hash, FACILITY.EVENT.FIELD=empty,\n"
	 "processes or host; may be repeated",
	 "RULE"},
	{"key", 'k', 0, G_OPTION_ARG_FILENAME, &key_file,
	 "the key of hashes: 16 or more random bytes", "FILE"},
	{NULL, 0, 0, 0, NULL, NULL, NULL},
};

static const ToolUsage usage = {
	.arguments = "TRACE -o FILE",
	.about = "Write a trace to a tar archive, compressed with gzip or zstd, or uncompressed. "
		 "The same\n"
		 "trace always yields the same bytes. All commands that read traces also read "
		 "archives;\n"
		 "`ltt unpack` and tar extract the directory.\n",
	.options = options,
	.notes = "  ltt pack trace -o trace.tar.gz\n"
		 "  ltt pack trace -o - | ssh host ltt unpack - -o trace\n"
		 "  ltt pack trace -o t.tar.gz --redact '*.url=hash' --redact host --key secret\n",
	.min_arguments = 1,
	.max_arguments = 1,
};

/* Returns: FALSE, with a message printed, if the format is unknown */
static gboolean check_format(void)
{
	const char *const *forms = ltt_archive_forms();
	const char *near;

	if (format == NULL || g_strv_contains(forms, format))
		return TRUE;
	near = ltt_nearest(format, forms);
	if (near != NULL)
		tool_fail("--format: %s: no such format; did you mean %s?", format, near);
	else
		tool_fail("--format: %s: no such format; `ltt pack --help` lists them", format);
	return FALSE;
}

/* ---- redaction ---- */

static void print_report(const LttRedactSummary *summary)
{
	g_autofree char *report = ltt_redact_summary_print(summary);

	if (g_str_equal(output, "-"))
		g_printerr("%s", report);
	else
		tool_print("%s", report);
	if (summary->n_unwritable > 0)
		tool_warn("%" G_GUINT64_FORMAT
			  " %s left out: too large for a block, or no time value can "
			  "represent %s",
			  summary->n_unwritable, summary->n_unwritable == 1 ? "event" : "events",
			  summary->n_unwritable == 1 ? "its time" : "their times");
}

static gboolean pack_redacted(const LttPackRequest *request, LttRedactSummary *summary,
			      GError **error)
{
	LttRedaction redaction = {.rules = (const char *const *)rules};
	g_autofree char *key = NULL;

	if (key_file != NULL && !g_file_get_contents(key_file, &key, &redaction.key_bytes, error))
		return FALSE;
	redaction.key = (const guint8 *)key;
	return ltt_pack_redacted(request, &redaction, summary, error);
}

/* ---- pack ---- */

static void pack(const char *trace)
{
	const LttPackRequest request = {
		.trace = trace,
		.form = format,
		.path = g_str_equal(output, "-") ? NULL : output,
		.write = tool_write_piece,
		.callbacks = PROGRESS_CALLBACKS,
	};
	g_auto(LttRedactSummary) summary = {0};
	g_autoptr(GError) error = NULL;
	gboolean ok;

	progress_start("ltt pack", request.path != NULL);
	ok = rules != NULL ? pack_redacted(&request, &summary, &error)
			   : ltt_pack(&request, NULL, &error);
	progress_end();
	if (ok && rules != NULL)
		print_report(&summary);
	if (!ok && tool_can_write())
		tool_fail_error(error);
}

int cmd_pack(int argc, char **argv)
{
	if (!tool_parse(&usage, &argc, &argv))
		return tool_end();
	if (output == NULL || *output == '\0')
		tool_fail("-o FILE is missing; see `%s --help`", g_get_prgname());
	else if (g_str_equal(output, "-") && isatty(STDOUT_FILENO))
		tool_fail("-o -: an archive cannot be written to a terminal: expected a pipe or a "
			  "file");
	else if (key_file != NULL && rules == NULL)
		tool_fail("--key requires --redact");
	else if (check_format() && result_place_check(output, argv + 1, 1))
		pack(argv[1]);
	return tool_end();
}
