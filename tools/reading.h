/* reading.h - what the commands that read a trace share: its options, opening it, its problems. */
#ifndef READING_H
#define READING_H

#include "tool.h"

#include <ltt/ltt-merge.h>

/* For the shared options of a ToolUsage: --from --to --cpu --event --filter --all. */
extern const GOptionEntry reading_options[];
extern const char reading_heading[];

/* Returns: the shared options but the one called @name; for one command, as it stays what it was at
 * the first call */
const GOptionEntry *reading_options_but(const char *name);

/* Whether --all was given. */
gboolean reading_wants_all(void);

/* As --to T, for a command whose own --to stands in the way of the shared one. */
void reading_set_to(const char *time);

typedef struct Reading {
	LttTrace *trace;
	LttSelect *select;
	guint n_told; /* of the trace's problems */
} Reading;

/**
 * reading_open:
 * @path: the trace
 * @reading: (out): to be given to reading_close(), whatever this returns
 *
 * Opens a trace, warns of its problems and applies the options.
 *
 * Returns: FALSE if it cannot be read; that has been said
 */
gboolean reading_open(const char *path, Reading *reading);

/* The same for a trace that is open. @trace: (transfer full) (nullable): NULL: there is none, which
 * has been said */
gboolean reading_take(LttTrace *trace, Reading *reading);
void reading_close(Reading *reading);

/* Warns of problems that the trace has had since the last call. */
void reading_tell_problems(Reading *reading);

/* Says why a step failed: a warning if it is damage, else a failure. */
void reading_tell_error(const GError *error);

#endif
