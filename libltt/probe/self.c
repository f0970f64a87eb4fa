/* self.c - see self.h. */
#include "probe/self.h"

struct lttp_probe lttp_probe;
