/* opening.h - a trace, as the commands that read one open it. */
#ifndef OPENING_H
#define OPENING_H

#include <ltt/ltt-trace.h>

/* Opens a trace; of a packed archive, which is read as a whole for that, a terminal shows how far
 * it is. Returns: (transfer full) (nullable): NULL: it cannot be read, which has been said */
LttTrace *opening_open(const char *path);

#endif
