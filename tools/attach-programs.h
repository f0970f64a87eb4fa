/* attach-programs.h - `ltt attach`: programs that run already, while they are recorded. */
#ifndef ATTACH_PROGRAMS_H
#define ATTACH_PROGRAMS_H

#include "record-program.h"

#include <ltt/ltt-attach.h>

typedef struct AttachPrograms {
	RecordProgram recorded; /* how to record; without a program */
	guint64 duration_ms;    /* 0: until a signal comes */
	GArray *pids;           /* guint32; that were asked for */
	char **names;           /* (nullable): that were asked for; ends with NULL */
	gboolean dares_seccomp; /* whether programs with a seccomp filter are attached */
} AttachPrograms;

/* Prints a table of the programs that can be attached, and of those that cannot, with the reason. */
void attach_list(void);

/* Attaches until a signal or the end of the time. Returns: the exit status */
int attach_programs(const AttachPrograms *programs);

#endif
