/* broker-client.h - joining a session whose files a process cannot open.
 *
 * A program that is executed after its parent dropped its privileges, in another mount namespace or
 * under another root, finds no way to the trace by its path. The recorder listens on a unix socket
 * with an abstract name, which none of this takes away, and passes open files to whoever knows the
 * token. Name and token are in the environment, LTT_TRACE_SOCKET=NAME:TOKEN.
 *
 *	process                                   recorder
 *	request {token, what it wants}      --->
 *	                                    <---  reply {directory} + info/session, info/lock,
 *control/.. maps and closes them
 *	                                    <---  reply + cpu/0, cpu/1, ...
 *	                                    <---  reply without a file: that was all
 *
 * Messages are those of SOCK_SEQPACKET. Each side waits a bounded time for the other, as that may
 *be stopped. A network namespace has abstract names of its own: from there the broker cannot be
 * reached.
 */
#ifndef LTTP_BROKER_CLIENT_H
#define LTTP_BROKER_CLIENT_H

#include "session/session.h"

#include <stdbool.h>

#define LTTP_BROKER_MAGIC "LTTbrk1\n"

enum {
	LTTP_BROKER_TOKEN_BYTES = 32, /* hexadecimal digits, without a 0 */
	LTTP_BROKER_FILES = 32,       /* in one message */
	LTTP_BROKER_NAME_BYTES = 232,
	LTTP_BROKER_TEXT_BYTES = 32 << 10, /* of a description, in one message */
	LTTP_BROKER_TEXT_MAX = 4 << 20,    /* of a description */
};

enum lttp_broker_what {
	LTTP_BROKER_JOIN = 1,        /* the files of the session */
	LTTP_BROKER_JOIN_WITH_LANES, /* those of some lanes, too (lane.h) */
	LTTP_BROKER_DESCRIBE, /* put a description into eventdefs/; its text follows in messages */
};

struct lttp_broker_request {
	char magic[8];
	char token[LTTP_BROKER_TOKEN_BYTES];
	uint32_t what;
	/* Of a description. */
	uint32_t checksum;
	uint32_t text_bytes;
	char name[LTTP_BROKER_NAME_BYTES]; /* ended by a 0 */
};

/* Which file of the session, where that is not an enum lttp_anchor. */
enum {
	LTTP_BROKER_STATE = 1 << 30,
	LTTP_BROKER_LOCK,
};

struct lttp_broker_reply {
	int32_t result; /* -errno; then nothing follows */
	uint32_t files; /* how many come with this message; 0: no more */
	uint32_t which[LTTP_BROKER_FILES];
	char directory[PATH_MAX]; /* of the trace, as its recorder sees it */
};

/* Joins the session of the broker @broker, "NAME:TOKEN", as lttp_session_open() does by a
 * path; waits for it no longer than half a second.
 *
 * Returns: as lttp_session_open(); -ECONNREFUSED or -ETIMEDOUT if there is no broker, or it does
 * not answer */
int lttp_session_receive(struct lttp_session *session, const char *broker, bool with_lanes,
			 enum lttp_session_use use);

/* Has the broker of the session write a description. -errno */
int lttp_broker_describe(const struct lttp_session *session, const char *name, uint32_t checksum,
			 const char *xml);

#endif /* LTTP_BROKER_CLIENT_H */
