/* serve.h - what writers ask the recorder for (keeper.h). */
#ifndef LTTP_SERVE_H
#define LTTP_SERVE_H

#include "session.h"

/* Allocates what was asked for. */
void lttp_serve_requests(struct lttp_session *session);

/* Marks the processes that have a seccomp filter. */
void lttp_serve_look(struct lttp_session *session);

#endif /* LTTP_SERVE_H */
