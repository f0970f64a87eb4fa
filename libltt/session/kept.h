/* kept.h - file descriptors of a trace that a program started by itself.
 *
 * Such a program has no recorder that allocates blocks after it has dropped its privileges. So
 * ltt_probe_start() gives the tracefile of each CPU its first block, and keeps the files open,
 * close-on-exec, at the highest descriptors below 1024 and RLIMIT_NOFILE. The program may close or
 * replace a descriptor: before each use the probe compares device and inode.
 */
#ifndef LTTP_KEPT_H
#define LTTP_KEPT_H

#include "session/session.h"

/* Opens control/processes and the tracefiles with a block. A file that cannot be kept open is
 * opened by its path when it is needed. */
void lttp_kept_open(struct lttp_session *session);

/* Closes them. */
void lttp_kept_close(struct lttp_session *session);

/* Returns the descriptor of file @which (enum lttp_anchor), which stays open; -EBADF: it is
 * not kept */
int lttp_kept_file(const struct lttp_session *session, uint32_t which);

#endif /* LTTP_KEPT_H */
