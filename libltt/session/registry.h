/* registry.h - facilities of a session: a table in the session state, control/facilities, and the
 * descriptions in eventdefs/.
 *
 * A facility is loaded in three steps. Any process can repeat each of them for a process that died
 * or was stopped:
 *   1. its description gets its name in eventdefs/;
 *   2. a draft is entered in the table by compare-and-exchange, which determines its base code;
 *   3. its facility_load is committed in control/facilities.
 * The table alone determines the contents of control/facilities, so all processes write the same
 * bytes.
 */
#ifndef LTTP_REGISTRY_H
#define LTTP_REGISTRY_H

#include "session/session.h"

#include <stdbool.h>

/* Whether @globs, a list separated by commas, enables the facility @name. */
bool lttp_registry_is_enabled(const char *globs, const char *name);

/* Creates control/facilities of a new session, with space for a full table. Returns: 0 or -errno */
int lttp_registry_create(struct lttp_session *session);

/* Loads a facility, unless it is loaded.
 *
 * @xml: its description; NULL: the process may not write it
 * @base: (out): event id of its first event type; its events can now be written
 *
 * Returns: 0; -EOVERFLOW if the table is full or the name too long, which does not change;
 * otherwise
 *   -errno, and a later attempt may succeed */
int lttp_registry_load(struct lttp_session *session, const char *name, uint32_t checksum,
		       uint32_t events, const char *xml, uint32_t *base);

/* Finds the end of the loads before @cycles in control/facilities. Returns: 0 or -errno */
int lttp_registry_place(struct lttp_session *session, uint64_t cycles, struct lttp_place *place);

/* Closes control/facilities, when no other process uses it. */
void lttp_registry_close(struct lttp_session *session);

#endif /* LTTP_REGISTRY_H */
