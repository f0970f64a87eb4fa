/* record-program.h - `ltt record -- PROGRAM`: run and record a program. */
#ifndef RECORD_PROGRAM_H
#define RECORD_PROGRAM_H

#include "kernel-options.h"

#include <ltt/ltt-recording.h>

typedef struct RecordProgram {
	const char *path; /* of the trace; NULL: the program's name and the time */
	LttRecordingOptions options;
	int snapshot_signal; /* 0: none */
	gboolean waits;      /* for the remaining processes after the end of the program */
	guint64 duration_ms; /* without a program; 0: until a signal */
	KernelRequest kernel;
	const char *preload; /* sets of --preload; NULL: none */
	char **argv; /* of the program; ends with NULL. NULL: there is none, or running programs
			are attached */
} RecordProgram;

/* Runs a program to its end and records it; if it waits, until its remaining processes have
 * ended, too, or a signal arrives. Returns: the exit status of the command: that of the program,
 * 128 and the signal that killed it, 126 or 127 if it could not be run, 2 if the trace could not
 * be created */
int record_program(const RecordProgram *given);

/* Records events of the kernel until a signal comes or the duration is over. Returns: the exit
 * status of the command */
int record_kernel(const RecordProgram *given);

#endif
