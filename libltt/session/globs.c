/* globs.c - see globs.h. */
#define _GNU_SOURCE
#include "session/globs.h"

#include <fnmatch.h>
#include <string.h>

enum { GLOB_BYTES = 256 };

bool lttp_globs_match(const char *globs, const char *name)
{
	while (*globs != 0) {
		size_t length = strcspn(globs, ",");
		char glob[GLOB_BYTES];

		if (length < sizeof(glob)) {
			memcpy(glob, globs, length);
			glob[length] = 0;
			if (fnmatch(glob, name, 0) == 0)
				return true;
		}
		globs += length + (globs[length] == ',');
	}
	return false;
}
