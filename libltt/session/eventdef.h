/* eventdef.h - write descriptions of facilities to eventdefs/. */
#ifndef LTTP_EVENTDEF_H
#define LTTP_EVENTDEF_H

#include "session/session.h"

/* Writes the description @xml of facility @name to eventdefs/, if it is not there: as NAME.xml, or,
 * if that is a different one, as NAME-CHECKSUM.xml. The file is written under a temporary name and
 * then linked, so it is never incomplete. Returns: 0 or -errno */
int lttp_eventdef_write(const struct lttp_session *session, const char *name, uint32_t checksum,
			const char *xml);

#endif /* LTTP_EVENTDEF_H */
