/* serve.h - process the requests of writers, in the recorder (keeper.h). */
#ifndef LTTP_SERVE_H
#define LTTP_SERVE_H

#include "session/session.h"

#include <stdbool.h>

/* Allocates the blocks that writers request. */
void lttp_serve_requests(struct lttp_session *session);

/* Records which processes have a seccomp filter. */
void lttp_serve_look(struct lttp_session *session);

/* Reads the first @size - 1 bytes of the file /proc/PID/@name, a short name, and terminates them
 * with a 0. Returns: false if the process has exited or the file cannot be read */
bool lttp_read_process(uint32_t pid, const char *name, char *text, size_t size);

#endif /* LTTP_SERVE_H */
