/* reading.h - open a trace, with the options and the messages that reading commands share. */
#ifndef READING_H
#define READING_H

#include "tool.h"

#include <ltt/ltt-merge.h>

/* The shared options of a ToolUsage: --from --to --cpu --event --filter --all. */
extern const GOptionEntry reading_options[];
extern const char reading_heading[];

/* Returns: the shared options except @name, in a static array that the next call overwrites */
const GOptionEntry *reading_options_but(const char *name);

/* Whether --all was given. */
gboolean reading_wants_all(void);

/* Sets --to, for a command that has its own option of this name. */
void reading_set_to(const char *time);

typedef struct Reading {
	LttTrace *trace;
	LttSelect *select;
	guint n_reported; /* problems of the trace that have been reported */
} Reading;

/**
 * reading_open:
 * @path: path of a trace
 * @reading: (out): close it with reading_close(), also on failure
 *
 * Opens a trace, warns of its problems, applies the options and warns of names in them that the
 * trace does not have.
 *
 * Returns: FALSE, with a message printed, if the trace cannot be read
 */
gboolean reading_open(const char *path, Reading *reading);

/* The same for an open trace. @trace: (transfer full) (nullable): NULL if opening it failed, with a
 * message printed */
gboolean reading_take(LttTrace *trace, Reading *reading);
void reading_close(Reading *reading);

/* The same for several traces that are read apart from each other. A name that one of them has is
 * not warned of. @readings: (out) (array length=n): close each, also on failure */
gboolean reading_open_all(char *const *paths, guint n, Reading *readings);

/* Call it before opening a trace that is followed with @delay_ms: it can get more event types, so that
 * unknown names are noted when it is opened, and warned of when it is closed; and opening it waits for
 * its first event if a time counts from its start. */
void reading_expect_growth(guint delay_ms);

/* Warns of the problems found since the last call. */
void reading_report_problems(Reading *reading);

/* Reports why a step failed: damage is a warning, anything else a failure. */
void reading_report_error(const GError *error);

#endif
