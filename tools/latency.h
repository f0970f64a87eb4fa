/* latency.h - the views of `ltt latency`: text and JSON, of one set of traces or of two. */
#ifndef LATENCY_H
#define LATENCY_H

#include "json.h"

#include <ltt/ltt-latency-states.h>

/* What was asked, for the output. */
typedef struct LatencyView {
	const char *begin; /* names of the event types */
	const char *end;
	const char *group;  /* name of the field; NULL: none */
	guint n_top;        /* groups to print in text */
	const char *traces; /* end of a command that reads the same traces: their paths and offsets,
			     * quoted for the shell */
	const LttLatencyStates *states; /* NULL: not requested */
} LatencyView;

void latency_print_text(const LttLatencySummary *latency, const LatencyView *view);
void latency_print_json(const LttLatencySummary *latency, const LatencyView *view);

/* Print the states of threads during slow pairs, after the other results. */
void latency_print_states_text(const LttLatencySummary *latency, const LttLatencyStates *states);
void latency_print_states_json(Json *json, const LttLatencyStates *states);

/* Print what got slower from @before to @after. */
void latency_print_change_text(const LttLatencySummary *before, const LttLatencySummary *after,
			       const LatencyView *view);
void latency_print_change_json(const LttLatencySummary *before, const LttLatencySummary *after,
			       const LatencyView *view);

/* Returns: (transfer full): the command that prints what happened from the begin to the end of a
 *   pair, both inclusive */
char *latency_command(const LttLatencyPair *pair, const LatencyView *view);

#endif
