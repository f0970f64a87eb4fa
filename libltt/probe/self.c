/* self.c - see self.h. */
#include "self.h"

struct lttp_probe lttp_probe;
