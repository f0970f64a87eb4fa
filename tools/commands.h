/* commands.h - the commands of `ltt`, one line each.
 *
 * A command NAME has a file cmd-NAME.c with a function cmd_NAME(), and a line here. Prototypes,
 * dispatch and the list of `ltt help` are made from this table. Arguments are those of main():
 * argv[0] is the name of the command. A command returns its exit status, usually tool_end().
 *
 * A command that needs libraries of its own is a separate program (apart.c). Its files are in the
 * folder NAME, and its line begins with APART.
 */
#ifndef COMMANDS_H
#define COMMANDS_H

#define LTT_COMMANDS(X, APART)                                                                     \
	X(record, "record the events of a program, or the state of the machine")                   \
	X(attach, "record the events of running programs")                                         \
	X(snapshot, "copy a trace while it is being recorded")                                     \
	X(info, "show the system, facilities, tracefiles and times of a trace")                    \
	X(dump, "print the events of a trace in order of time")                                    \
	APART(sql, "run SQL queries on a trace")                                                   \
	X(stat, "count events by type, tracefile, process and thread")                             \
	X(latency, "measure the time from one event to another")                                   \
	X(flame, "draw a flame graph of spans or of sampled call stacks")                          \
	APART(view, "display traces in a web browser")                                             \
	X(check, "report all problems of a trace, and repair it")                                  \
	X(merge, "merge several traces into one, on one timeline")                                 \
	X(sync, "estimate the offsets and rates of the clocks of several traces")                  \
	X(compare, "compare the events of two traces")                                             \
	X(cut, "copy selected events of a trace to a smaller trace")                               \
	X(bookmark, "add, list and remove notes on instants and intervals of a trace")             \
	X(import, "convert recordings of other tools to traces")                                   \
	X(pack, "write a trace to a single archive file")                                          \
	X(unpack, "extract a trace directory from an archive")                                     \
	X(export, "convert a trace to the format of another tool")                                 \
	X(compile, "check event descriptions and generate C headers from them")

typedef struct Command {
	const char *name;
	const char *summary;               /* summary of the command */
	int (*run)(int argc, char **argv); /* NULL: a separate program */
} Command;

#define DECLARE_COMMAND(name, summary) int cmd_##name(int argc, char **argv);
LTT_COMMANDS(DECLARE_COMMAND, DECLARE_COMMAND)
#undef DECLARE_COMMAND

#endif
