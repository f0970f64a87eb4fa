/* commands.h - the commands of `ltt`, one line each.
 *
 * A command NAME is a file cmd-NAME.c with a function cmd_NAME() and a line here; prototypes,
 * dispatch and the list that `ltt help` shows come from this table. Arguments are those of main():
 * argv[0] is the command's name. A command returns its exit status, usually tool_end().
 */
#ifndef COMMANDS_H
#define COMMANDS_H

#define LTT_COMMANDS(X)                                                                            \
	X(record, "run a program and trace it; or trace the machine as it is")                     \
	X(attach, "record programs that run already")                                              \
	X(snapshot, "copy a trace while it is being recorded")                                     \
	X(info, "what a trace is: system, facilities, tracefiles, times")                          \
	X(dump, "the events of a trace in the order of time, one a line")                          \
	X(stat, "counts, rates and sizes by event type, tracefile and process")                    \
	X(check, "every problem in a trace, not the first only")                                   \
	X(merge, "several traces as one, with one timeline")                                       \
	X(compare, "whether two traces hold the same events")                                      \
	X(cut, "a smaller trace out of a trace, itself complete")                                  \
	X(bookmark, "notes on instants and intervals of a trace")                                  \
	X(import, "what others have recorded, as a trace")                                         \
	X(pack, "a trace as one file, to be sent or kept")                                         \
	X(unpack, "a trace directory out of a packed trace")                                       \
	X(export, "a trace in the form of another tool")                                           \
	X(compile, "check descriptions of events, make headers for traced programs")

typedef struct Command {
	const char *name;
	const char *summary; /* what it gives or does, in a few words */
	int (*run)(int argc, char **argv);
} Command;

#define DECLARE_COMMAND(name, summary) int cmd_##name(int argc, char **argv);
LTT_COMMANDS(DECLARE_COMMAND)
#undef DECLARE_COMMAND

#endif
