/* serve.h - process the requests of writers, in the recorder (keeper.h). */
#ifndef LTTP_SERVE_H
#define LTTP_SERVE_H

#include "session/session.h"

/* Allocates the blocks that writers request. */
void lttp_serve_requests(struct lttp_session *session);

#endif /* LTTP_SERVE_H */
