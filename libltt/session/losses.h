/* losses.h - why events are lost: counted by reason in the session state, and told in the trace.
 *
 * The total of each tracefile is counted apart (lttp_file.lost, tracer.events_lost). The reasons go
 * into control/processes as events of the facility `losses`: whoever looks after the session writes
 * them at intervals while there are new ones, and at its end.
 */
#ifndef LTTP_LOSSES_H
#define LTTP_LOSSES_H

#include "session/session.h"

/* The reason that fits a failure, -errno. */
enum lttp_loss lttp_loss_of(long result);

/* The word for a reason, as it is in the trace: "disk_full". */
const char *lttp_loss_word(enum lttp_loss reason);

void lttp_loss_count(struct lttp_head *head, enum lttp_loss reason);

/* Notes the type of an event that was lost because its payload has @size bytes. */
void lttp_loss_note_large(struct lttp_head *head, const struct ltt_probe_facility *facility,
			  uint32_t index, uint64_t size);

/* Writes into the trace what was counted since the last time, by whomever. */
void lttp_losses_tell(struct lttp_session *session);

#endif /* LTTP_LOSSES_H */
