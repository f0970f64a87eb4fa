/* slips.h - explain an empty result: report selections that no event of the trace can satisfy. */
#ifndef SLIPS_H
#define SLIPS_H

#include "reading.h"

/**
 * slips_report_names:
 * @readings: (array length=n): the traces that are read with the same options
 * @is_final: FALSE: a trace may get more event types and CPUs while it is read
 *
 * Warns of names in --event and --filter and of CPUs in --cpu that none of the traces has, and of
 * comparisons that are never true, with suggestions. If @is_final is FALSE these are notes, which leave the exit status
 * as it is.
 */
void slips_report_names(const Reading *readings, guint n, gboolean is_final);

/* Warns of patterns for names of fields that the selected events do not have. */
void slips_report_fields(const Reading *reading, const char *option, const char *const *globs);

/* Values of the options; NULL: not given. */
typedef struct SlipsAsked {
	const char *from;
	const char *to;
	const char *around;
} SlipsAsked;

/* Notes times that the trace does not have, with suggestions. The exit status stays: for a program an empty result
 * is an answer. */
void slips_report_times(const Reading *reading, const SlipsAsked *asked);

#endif
