/* opening.h - open a trace; on failure, suggest the trace that was probably meant. */
#ifndef OPENING_H
#define OPENING_H

#include <ltt/ltt-trace.h>

/* Opens a trace. A terminal shows the progress, because an archive is read to its end. Returns:
 * (transfer full) (nullable): NULL, with a message printed, if it cannot be opened */
LttTrace *opening_open(const char *path);

#endif
