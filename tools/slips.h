/* slips.h - what is asked of a trace and cannot be there, which would look like an empty trace. */
#ifndef SLIPS_H
#define SLIPS_H

#include "reading.h"

/* Options as they were given; NULL: not given. */
typedef struct SlipsAsked {
	const char *from;
	const char *to;
	const char *cpus;
} SlipsAsked;

/* Tells, on a terminal only, of names of events and fields, times and CPUs that the trace does not
 * have, and what may have been meant. To a program such a question is one like others. */
void slips_tell(const Reading *reading, const SlipsAsked *asked);

#endif
