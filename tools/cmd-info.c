/* cmd-info.c - `ltt info`: describe a trace without reading all of its events. */
#include "commands.h"
#include "info.h"
#include "reading.h"

static gboolean wants_json;
static gboolean wants_events;

static const GOptionEntry options[] = {
	{"json", 0, 0, G_OPTION_ARG_NONE, &wants_json, "print one JSON object", NULL},
	{"events", 0, 0, G_OPTION_ARG_NONE, &wants_events,
	 "print only the event types that the trace can contain, with\n"
	 "the types of their fields, descriptions and enum labels;\n"
	 "also with --json",
	 NULL},
	{NULL, 0, 0, 0, NULL, NULL, NULL},
};

static const ToolUsage usage = {
	.arguments = "TRACE",
	.about = "Print a summary of a trace: the machine that recorded it, its facilities and "
		 "their\n"
		 "versions, its tracefiles, and the time that it spans.\n",
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
