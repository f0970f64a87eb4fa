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

/* Prints a table of the programs that can be attached, and of those that cannot, with the reason.
 */
void attach_list(void);

/* Whether all programs are meant, as none was asked for. */
gboolean attach_means_all(const AttachPrograms *programs);

/* Whether a process has one of the names that were asked for. */
gboolean attach_is_named(const AttachPrograms *programs, const LttTracee *tracee);

/* Whether a process can be attached, with what is dared. */
gboolean attach_can(const AttachPrograms *programs, const LttTracee *tracee);

/* Returns: (transfer full): the processes that were asked for, LttTracee */
GPtrArray *attach_find(const AttachPrograms *programs);

/* Drops those that cannot be attached, and says why. Returns: whether any is left */
gboolean attach_keep(const AttachPrograms *programs, GPtrArray *asked);

/* Warns of each glob of --facility that no facility of theirs matches. */
void attach_check_facilities(const AttachPrograms *programs, const GPtrArray *asked);

/* Attaches until a signal or the end of the time. Returns: the exit status */
int attach_programs(const AttachPrograms *programs);

#endif
