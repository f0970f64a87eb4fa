/* globs.h - which facilities are wanted. */
#ifndef LTTP_GLOBS_H
#define LTTP_GLOBS_H

#include <stdbool.h>

/* Whether @name fits one of the globs, which have commas between them. */
bool lttp_globs_match(const char *globs, const char *name);

#endif /* LTTP_GLOBS_H */
