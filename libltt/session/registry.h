/* registry.h - the facilities of a session: one table in the session state, control/facilities, and
 * the descriptions in eventdefs/.
 *
 * A facility goes through three stations, each of which any process can repeat for another that
 * died or was stopped on the way: its description gets its name in eventdefs/; a draft of it is
 * entered in the table by compare-and-exchange, which settles its base code; its facility_load is
 * committed in control/facilities. What stands there is a function of the table alone, so whoever
 * writes it writes the same bytes.
 */
#ifndef LTTP_REGISTRY_H
#define LTTP_REGISTRY_H

#include "session/session.h"

#include <stdbool.h>

/* Whether @globs, a list separated by commas, enables the facility @name. */
bool lttp_registry_is_enabled(const char *globs, const char *name);

/* Makes control/facilities for a new session, with room for all that the table can hold. -errno */
int lttp_registry_create(struct lttp_session *session);

/* Loads a facility, or finds it loaded.
 *
 * @base: (out): the event id of its first event type; its events can be written now
 *
 * Returns: 0; -EOVERFLOW if the session has no place for it, or its name is too long: it never will
 *   be loaded; otherwise -errno: it may be another time. */
int lttp_registry_load(struct lttp_session *session, const char *name, uint32_t checksum,
		       uint32_t events, const char *xml, uint32_t *base);

/* Where control/facilities ends with the loads that came before @cycles. -errno */
int lttp_registry_place(struct lttp_session *session, uint64_t cycles, struct lttp_place *place);

/* Closes control/facilities, when nobody else has it. */
void lttp_registry_close(struct lttp_session *session);

#endif /* LTTP_REGISTRY_H */
