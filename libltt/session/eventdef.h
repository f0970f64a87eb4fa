/* eventdef.h - descriptions in eventdefs/. */
#ifndef LTTP_EVENTDEF_H
#define LTTP_EVENTDEF_H

#include "session/session.h"

/* Makes sure that eventdefs/ has the description @xml of facility @name: as NAME.xml, or where that
 * is another one as NAME-CHECKSUM.xml. Never half of it: it is written aside and then linked.
 * -errno */
int lttp_eventdef_write(const struct lttp_session *session, const char *name, uint32_t checksum,
			const char *xml);

#endif /* LTTP_EVENTDEF_H */
