/* losses.h - reasons of lost events, counted in the session state.
 *
 * The number of lost events of each tracefile is counted apart from the reasons (lttp_file.lost,
 * tracer.events_lost). losses-report.h writes the reasons into the trace.
 */
#ifndef LTTP_LOSSES_H
#define LTTP_LOSSES_H

#include "session/session.h"

/* Returns: the reason for a failure, -errno */
enum lttp_loss lttp_loss_of(long result);

/* Returns: the word for a reason, as the trace contains it: "disk_full" */
const char *lttp_loss_word(enum lttp_loss reason);

void lttp_loss_count(struct lttp_head *head, enum lttp_loss reason, uint64_t events);

/* Counts lost events that belong to no tracefile. */
void lttp_loss_count_unfiled(struct lttp_head *head, enum lttp_loss reason, uint64_t events);

/* Notes the type of an event that was lost because its payload has @size bytes. */
void lttp_loss_note_large(struct lttp_head *head, const struct ltt_probe_facility *facility,
			  uint32_t index, uint64_t size);

#endif /* LTTP_LOSSES_H */
