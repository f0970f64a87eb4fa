/* cmd-cut.c - `ltt cut`: copy a part of a trace, or split a trace into parts. */
#include "commands.h"
#include "progress.h"
#include "quantity.h"
#include "reading.h"
#include "result-place.h"
#include "several.h"

#include <ltt/ltt-cut.h>
#include <ltt/ltt-time.h>

#include <string.h>

static char *output;
static char *every_text;
static SeveralClocks clocks;

static const GOptionEntry options[] = {
	{"output", 'o', 0, G_OPTION_ARG_FILENAME, &output,
	 "write the trace to the new directory DIR", "DIR"},
	{"every", 0, 0, G_OPTION_ARG_FILENAME, &every_text,
	 "write consecutive parts DIR/0000, DIR/0001 ..., each of this\n"
	 "duration (10s, 500ms, 5m), or of about this size (64K, 100M,\n"
	 "1G)",
	 "SIZE"},
	SEVERAL_OPTIONS(clocks),
	{NULL, 0, 0, 0, NULL, NULL, NULL},
};

static ToolUsage usage = {
	.arguments = "TRACE... -o DIR",
	.about =
		"Copy the selected events of a trace to a smaller trace, which is itself "
		"complete: `ltt\n"
		"dump` prints the same for it as for TRACE with the same options. Blocks from "
		"which nothing\n"
		"is removed are copied unchanged; damaged and open blocks become finished "
		"blocks.\n"
		"Several traces are first merged, as by `ltt merge`, to a temporary directory next "
		"to DIR.\n",
	.options = options,
	.shared_heading = reading_heading,
	.notes = "  ltt cut --from +1.5 --to +2 -o part TRACE\n"
		 "  ltt cut --every 10s -o parts TRACE\n",
	.min_arguments = 1,
	.max_arguments = -1,
};

/* "10s" is a duration, "100M" a size. A plain number could be either. */
static gboolean parse_every(LttSplitRequest *request)
{
	const gsize length = strlen(every_text);
	const gboolean has_unit = length > 0 && !g_ascii_isdigit(every_text[length - 1]);

	if (has_unit && ltt_duration_parse(every_text, 0, &request->part_ns, NULL) &&
	    request->part_ns > 0)
		return TRUE;
	request->part_ns = 0;
	if (has_unit && quantity_parse_bytes(every_text, &request->part_bytes) &&
	    request->part_bytes > 0)
		return TRUE;
	if (!has_unit && length > 0 && strspn(every_text, "0123456789.") == length)
		tool_fail("--every: %s: has no unit: %ss is a duration, %sM a size", every_text,
			  every_text, every_text);
	else
		tool_fail("--every: %s: expected a duration, such as 10s or 5m, or a size, such as "
			  "100M or 4096bytes",
			  every_text);
	return FALSE;
}

static void warn_unwritable(const LttCutSummary *summary)
{
	if (summary->n_unwritable > 0)
		tool_warn("%s: %" G_GUINT64_FORMAT " %s omitted: no time value can represent %s",
			  output, summary->n_unwritable,
			  summary->n_unwritable == 1 ? "event" : "events",
			  summary->n_unwritable == 1 ? "its time" : "their times");
}

static gboolean cut_one(const Reading *reading, GError **error)
{
	const LttCutRequest request = {
		.trace = reading->trace,
		.select = reading->select,
		.path = output,
		.callbacks = PROGRESS_CALLBACKS,
	};
	LttCutSummary summary;

	if (!ltt_cut(&request, &summary, error))
		return FALSE;
	warn_unwritable(&summary);
	return TRUE;
}

static gboolean cut_parts(LttSplitRequest *request, const Reading *reading, GError **error)
{
	LttSplitSummary summary;

	request->trace = reading->trace;
	request->select = reading->select;
	request->path = output;
	if (!ltt_split(request, &summary, error))
		return FALSE;
	warn_unwritable(&summary.total);
	return TRUE;
}

static void cut(const Reading *reading)
{
	LttSplitRequest request = {.callbacks = PROGRESS_CALLBACKS};
	g_autoptr(GError) error = NULL;
	gboolean done;

	if (every_text != NULL && !parse_every(&request))
		return;
	progress_start("ltt cut", TRUE);
	done = every_text != NULL ? cut_parts(&request, reading, &error) : cut_one(reading, &error);
	progress_end();
	if (!done)
		tool_fail_error(error);
}

int cmd_cut(int argc, char **argv)
{
	Reading reading;

	usage.shared = reading_options_but("all");
	if (!tool_parse(&usage, &argc, &argv))
		return tool_end();
	if (output == NULL || *output == '\0')
		return tool_fail("-o DIR is missing; see `%s --help`", g_get_prgname());
	if (!result_place_check(output, argv + 1, (guint)(argc - 1)))
		return tool_end();
	if (several_read(argv + 1, (guint)(argc - 1), &clocks, &reading))
		cut(&reading);
	reading_close(&reading);
	return tool_end();
}
