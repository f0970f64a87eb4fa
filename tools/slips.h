/* slips.h - explain an empty result: report selections that no event of the trace can satisfy. */
#ifndef SLIPS_H
#define SLIPS_H

#include "reading.h"

/* Values of the options; NULL: not given. */
typedef struct SlipsAsked {
	const char *from;
	const char *to;
	const char *cpus;
} SlipsAsked;

/* Reports event names, field names, times and CPUs that the trace does not have, with suggestions.
 * Only if standard error is a terminal: for a program an empty result is an answer. */
void slips_report(const Reading *reading, const SlipsAsked *asked);

#endif
