/* anchor.h - files of the session that can be mapped without being opened.
 *
 * A process that has joined may drop its privileges, change its root or its mount namespace, close
 * every file, or lose the right to open any. So it maps the first page of each tracefile when it
 * joins: an anchor. mremap(2) with an old size of 0 duplicates a shared mapping, and the new one
 * may be longer than the old one. Thus from an anchor any part of the file can be mapped:
 *
 *	anchors:  | processes | facilities | cpu/0 | cpu/1 | ... |
 *	                                       |
 *	mremap(anchor, 0, offset + size)       v
 *	new mapping:                         [ page 0 |  ...  | offset .. offset + size ]
 *	munmap() of the first part            '------------------'  this part stays
 *
 * The file may be empty when it is anchored, and grow later. Forked children inherit the anchors.
 * An executed program joins again: by the path, or through the broker (broker-client.h).
 */
#ifndef LTTP_ANCHOR_H
#define LTTP_ANCHOR_H

#include "session/session.h"

#include <stdbool.h>

/* Which file. */
enum lttp_anchor {
	LTTP_ANCHOR_PROCESSES,  /* control/processes */
	LTTP_ANCHOR_FACILITIES, /* control/facilities */
	LTTP_ANCHOR_TRACEFILES, /* the first tracefile, cpu/0; the others follow */
};

/* Creates the table of anchors, if there is none. Returns: false without memory */
bool lttp_anchors_make(struct lttp_session *session);
void lttp_anchors_free(struct lttp_session *session);

/* Anchors an open file. Returns: false if it cannot be mapped. Any thread may call it
 * at any time. */
bool lttp_anchor_set(const struct lttp_session *session, uint32_t which, int fd);

bool lttp_anchor_is_set(const struct lttp_session *session, uint32_t which);

/* Maps a part of an anchored file like lttp_map_file(). Returns: NULL if it is not anchored, or
 * without memory */
char *lttp_anchor_map(const struct lttp_session *session, uint32_t which, uint64_t offset,
		      size_t size);

#endif /* LTTP_ANCHOR_H */
