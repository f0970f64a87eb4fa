/* support-loads.h - traces with facilities of a few events each, and blocks that load them. */
#ifndef SUPPORT_LOADS_H
#define SUPPORT_LOADS_H

#include "support-hand.h"

#define LOADS_BLOCK_BYTES 256

/* Facilities f, another f and g. Each has an event "one", and all but the first an event "two". */
extern const char *const load_descriptions[3];

/* Returns: the checksum of the facility that a text describes */
guint32 load_checksum(const char *description);

/* Creates a trace with the first @n descriptions. Free it by hand_clear(). */
HandTrace load_new_trace(guint n);

/* Appends a block to a tracefile: a facility_load at 10 cycles, then @more, words as in hand_add(). */
void load_add(const HandTrace *hand, const char *file, const char *name, guint32 checksum,
	      guint32 base_code, const char *more);

#endif
