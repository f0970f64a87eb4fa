/* cmd-info.c - ltt info: what a trace is, without its events. */
#include "commands.h"
#include "info.h"
#include "reading.h"

static gboolean wants_json;
static gboolean wants_events;

static const GOptionEntry options[] = {
	{"json", 0, 0, G_OPTION_ARG_NONE, &wants_json, "one JSON object, for programs", NULL},
	{"events", 0, 0, G_OPTION_ARG_NONE, &wants_events,
	 "only the types of event that it can hold: the name, the\n"
	 "fields with their types, and below them descriptions and\n"
	 "the labels of enums; with --json too",
	 NULL},
	{NULL, 0, 0, 0, NULL, NULL, NULL},
};

static const ToolUsage usage = {
	.arguments = "TRACE",
	.about = "Says what a trace is: the machine it was recorded on, its facilities and their\n"
		 "versions, its tracefiles, and the time it spans.\n",
	.options = options,
	.min_arguments = 1,
	.max_arguments = 1,
};

int cmd_info(int argc, char **argv)
{
	Reading reading;

	if (!tool_parse(&usage, &argc, &argv))
		return tool_end();
	if (reading_open(argv[1], &reading)) {
		if (wants_events && wants_json)
			info_print_events_json(reading.trace);
		else if (wants_events)
			info_print_events(reading.trace);
		else if (wants_json)
			info_print_json(reading.trace);
		else
			info_print_text(reading.trace);
	}
	reading_close(&reading);
	return tool_end();
}
