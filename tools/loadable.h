/* loadable.h - whether the dynamic linker would preload a library into a program. */
#ifndef LOADABLE_H
#define LOADABLE_H

#include <glib.h>

/* @program: as execvp(3) takes it; of a script, the interpreter decides
 * Returns: NULL if a library can be preloaded, or if the program cannot be read or run; else why it
 *   cannot: "is statically linked" */
const char *loadable_why_not(const char *program);

#endif
