/* states.h - the output formats of `ltt stat --states`. */
#ifndef STATES_H
#define STATES_H

#include "json.h"

#include <ltt/ltt-state-sums.h>

/* What to warn of if a trace has no events that tell states. */
extern const char states_missing[];

void states_print_json(const LttStateSums *sums);

/* @n_top: rows of the table of threads; a further row has the sum of the others */
void states_print_text(const LttStateSums *sums, guint n_top);

/* Returns: (transfer full): "12/13 server", "irq 36"; "-" if it is unknown */
char *states_name_waker(const LttWaker *waker);

/* Writes the members of the state of a thread to an open object. */

void states_print_json_tally(Json *json, const LttStateTally *tally);

#endif
