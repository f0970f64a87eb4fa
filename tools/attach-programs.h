/* attach-programs.h - `ltt attach`: record running programs. */
#ifndef ATTACH_PROGRAMS_H
#define ATTACH_PROGRAMS_H

#include "record-program.h"

#include <ltt/ltt-attach.h>

typedef struct AttachPrograms {
	RecordProgram recorded; /* recording options; it has no program */
	guint64 duration_ms;    /* 0: until a signal */
	GArray *pids;           /* guint32; requested by --pid */
	char **names;           /* (nullable): requested by --name; ends with NULL */
	gboolean dares_seccomp; /* attach programs with a seccomp filter */
} AttachPrograms;

/* Prints a table of the programs that can be attached, and of those that cannot,
 * with the reason. */
void attach_list(void);

/* Whether all programs are requested, because neither --pid nor --name was given. */
gboolean attach_means_all(const AttachPrograms *programs);

/* Whether a process has one of the requested names. */
gboolean attach_is_named(const AttachPrograms *programs, const LttTracee *tracee);

/* Whether a process can be attached with these options. */
gboolean attach_can(const AttachPrograms *programs, const LttTracee *tracee);

/* Returns: (transfer full): the requested processes, LttTracee */
GPtrArray *attach_find(const AttachPrograms *programs);

/* Reports why a process cannot be attached. */
void attach_refuse(const AttachPrograms *programs, const LttTracee *tracee);

/* Removes processes that cannot be attached, reports the reasons, and adds their pids to @refused.
 * Returns: whether any is left */
gboolean attach_keep(const AttachPrograms *programs, GPtrArray *asked, GHashTable *refused);

/* Warns of each glob of --facility that matches no facility of the processes. */
void attach_check_facilities(const AttachPrograms *programs, const GPtrArray *asked);

/* Attaches until a signal or the end of the time. Returns: the exit status */
int attach_programs(const AttachPrograms *programs);

#endif
