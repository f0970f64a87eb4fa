/* kernel-options.h - the options of `ltt record` for events of the kernel. */
#ifndef KERNEL_OPTIONS_H
#define KERNEL_OPTIONS_H

#include <ltt/ltt-kernel.h>

/* The requested events of the kernel. */
typedef struct KernelRequest {
	gboolean is_on;
	gboolean only_program; /* and its children */
	LttKernelOptions options;
} KernelRequest;

/* The values of the options. */
typedef struct KernelArguments {
	gboolean is_on;
	gboolean only_program;
	char *selection;
	char *filter;
	char *buffer;
	char *clock;
} KernelArguments;
extern KernelArguments kernel_arguments;

/* Takes --kernel, a GOptionArgFunc. */
gboolean kernel_take_selection(const char *name, const char *value, gpointer data, GError **error);

/* Entries of the options of a command. */
#define KERNEL_OPTIONS                                                                             \
	{"kernel",                                                                                 \
	 0,                                                                                        \
	 G_OPTION_FLAG_OPTIONAL_ARG,                                                               \
	 G_OPTION_ARG_CALLBACK,                                                                    \
	 (gpointer)kernel_take_selection,                                                          \
	 "record events of the kernel, too: sched, irq, syscalls,\n"                               \
	 "faults, block, net, SYSTEM or SYSTEM:NAME, with globs\n"                                 \
	 "(default: " LTT_DEFAULT_KERNEL_TRACEPOINTS ")",                                          \
	 "SET[,SET]"},                                                                             \
		{"kernel-filter",                                                                  \
		 0,                                                                                \
		 0,                                                                                \
		 G_OPTION_ARG_FILENAME,                                                            \
		 &kernel_arguments.filter,                                                         \
		 "record only kernel events that match, where the event has\n"                     \
		 "the fields; the language is the kernel's",                                       \
		 "FILTER"},                                                                        \
		{"kernel-buffer",                                                                  \
		 0,                                                                                \
		 0,                                                                                \
		 G_OPTION_ARG_FILENAME,                                                            \
		 &kernel_arguments.buffer,                                                         \
		 "ring buffer of the kernel for each CPU (default: 4M)",                           \
		 "SIZE"},                                                                          \
		{"kernel-clock",                                                                   \
		 0,                                                                                \
		 0,                                                                                \
		 G_OPTION_ARG_FILENAME,                                                            \
		 &kernel_arguments.clock,                                                          \
		 "clock of kernel events: counter, that of the program's\n"                        \
		 "events (default where the kernel has it), or mono_raw",                          \
		 "CLOCK"},                                                                         \
	{                                                                                          \
		"only-program", 0, 0, G_OPTION_ARG_NONE, &kernel_arguments.only_program,           \
			"record only kernel events of the program and its children", NULL          \
	}

/* Sets @request from the command line. Returns: FALSE, with a message printed, if a value is wrong */
gboolean kernel_options_take(KernelRequest *request);

/* Starts recording events of the kernel. @pid: the program; 0: none. Returns: (transfer full)
 *   (nullable): NULL, with a message printed, if that is not possible */
LttKernel *kernel_start(const KernelRequest *request, LttRecording *recording, guint32 pid);

/* Stops and frees @kernel, and reports the totals. @path: of the trace */
void kernel_finish(LttKernel *kernel, const char *path);

#endif
