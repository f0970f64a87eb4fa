/* broker-client.h - join a session whose files this process cannot open: protocol and client.
 *
 * A program that is executed without privileges, in another mount namespace or under another root
 * cannot open the trace by its path. The recorder listens on a unix socket with an abstract name,
 * which all of these can reach, and passes open files to clients that know a token. Name and token
 * are in the environment, LTT_TRACE_SOCKET=NAME:TOKEN. The server is record/broker-server.c.
 *
 *	process                                   recorder
 *	request {token, what it wants}      --->
 *	                                    <---  reply {directory}
 *	                                          + info/session, info/lock, control/..
 *	maps and closes them
 *	                                    <---  reply + cpu/0, cpu/1, ...
 *	                                    <---  reply without a file: the end
 *
 * Messages are packets of SOCK_SEQPACKET. Each side waits for the other only for a limited time,
 * because that may be stopped. Processes in another network namespace cannot reach the broker.
 */
#ifndef LTTP_BROKER_CLIENT_H
#define LTTP_BROKER_CLIENT_H

#include "session/admit.h"
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
	LTTP_BROKER_JOIN_WITH_LANES, /* and the files of some lanes (lane.h) */
	LTTP_BROKER_DESCRIBE, /* write a description to eventdefs/; its text follows in messages */
};

struct lttp_broker_request {
	char magic[8];
	char token[LTTP_BROKER_TOKEN_BYTES];
	uint32_t what;
	/* For a description. */
	uint32_t checksum;
	uint32_t text_bytes;
	char name[LTTP_BROKER_NAME_BYTES]; /* ended by a 0 */
};

/* Files of the session that are not an enum lttp_anchor. */
enum {
	LTTP_BROKER_STATE = 1 << 30,
	LTTP_BROKER_LOCK,
};

struct lttp_broker_reply {
	int32_t result; /* -errno; then nothing follows */
	uint32_t files; /* number of files in this message; 0: no more */
	uint32_t which[LTTP_BROKER_FILES];
	char directory[PATH_MAX]; /* path of the trace for the recorder */
};

/* Joins the session of the broker at @broker, "NAME:TOKEN". Waits at most half a second for it.
 *
 * Returns: as lttp_session_open(); -ECONNREFUSED or -ETIMEDOUT if no broker answers */
int lttp_session_receive(struct lttp_session *session, const char *broker, bool with_lanes,
			 enum lttp_session_use use);

/* Asks the broker of the session to write a description. Returns: 0; -ECONNREFUSED, -ETIMEDOUT or
 * -EACCES if no broker answers; otherwise its -errno */
int lttp_broker_describe(const struct lttp_session *session, const char *name, uint32_t checksum,
			 const char *xml);

#endif /* LTTP_BROKER_CLIENT_H */
